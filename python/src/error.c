// Status codes and reports as exceptions and warnings.
#include "mbdyn_python.h"

PyObject * mbp_error_type;
static PyObject * argument_type;
static PyObject * stage_type;
static PyObject * model_type;
static PyObject * numeric_type;
static PyObject * file_type;
static PyObject * warning_type;

static PyObject *
new_type(PyObject * module, const char * name, const char * doc, PyObject * base)
{
  char full[64];
  snprintf(full, sizeof full, "mbdyn.%s", name);
  PyObject * type = PyErr_NewExceptionWithDoc(full, doc, base, NULL);
  if (type == NULL || PyModule_AddObjectRef(module, name, type) < 0) return NULL;
  return type;
}

bool
mbp_errors_init(PyObject * module)
{
  mbp_error_type = new_type(
    module, "Error",
    "An error of the library: .status, .name (MBD_ERROR_...), .joint or None, .report.", NULL);
  if (mbp_error_type == NULL) return false;
  PyObject * both = PyTuple_Pack(2, mbp_error_type, PyExc_ValueError);
  if (both == NULL) return false;
  argument_type =
    new_type(module, "ArgumentError", "An argument is outside its range (1xx).", both);
  stage_type =
    new_type(module, "StageError", "A state that has not been set is asked for.", mbp_error_type);
  model_type =
    new_type(module, "ModelError", "The model does not allow this (2xx).", mbp_error_type);
  numeric_type =
    new_type(module, "NumericError", "Values or a solver failed (3xx).", mbp_error_type);
  file_type = new_type(
    module, "UrdfError", "A file cannot be loaded (4xx): .report says where and why.", both);
  warning_type =
    new_type(module, "UrdfWarning", "What a robot's file says is suspicious.", PyExc_UserWarning);
  Py_DECREF(both);
  return argument_type && stage_type && model_type && numeric_type && file_type && warning_type;
}

static PyObject *
type_of(mbd_status_t status)
{
  if (status == MBD_ERROR_STAGE) return stage_type;
  if (status == MBD_ERROR_FILE || status / 100 == 4) return file_type;
  switch (status / 100) {
    case 1: return argument_type;
    case 2: return model_type;
    case 3: return numeric_type;
    default: return mbp_error_type;
  }
}

static void
set(PyObject * error, const char * name, PyObject * value)
{
  if (value == NULL || PyObject_SetAttrString(error, name, value) < 0) PyErr_Clear();
  Py_XDECREF(value);
}

static void
raise_text(mbd_status_t status, PyObject * text, const char * joint, PyObject * report)
{
  if (text == NULL) return;
  PyObject * type = type_of(status);
  PyObject * error = PyObject_CallFunctionObjArgs(type, text, NULL);
  Py_DECREF(text);
  if (error == NULL) return;
  set(error, "status", PyLong_FromLong(status));
  set(error, "name", PyUnicode_FromString(mbd_status_name(status)));
  set(error, "joint", joint ? PyUnicode_FromString(joint) : Py_NewRef(Py_None));
  set(error, "report", report ? Py_NewRef(report) : PyTuple_New(0));
  PyErr_SetObject(type, error);
  Py_DECREF(error);
}

void
mbp_raise(mbd_status_t status, const char * function, const char * joint)
{
  if (status == MBD_ERROR_OUT_OF_MEMORY) {
    PyErr_NoMemory();
    return;
  }
  const char * hint = status == MBD_ERROR_STAGE ? "; call set_state(q, v) first" : "";
  PyObject * text =
    joint ? PyUnicode_FromFormat("%s: %s (joint '%s')", function, mbd_status_string(status), joint)
          : PyUnicode_FromFormat("%s: %s%s", function, mbd_status_string(status), hint);
  raise_text(status, text, joint, NULL);
}

// The errors of a report, one per line.
void
mbp_raise_report(mbd_status_t status, const char * function, PyObject * report)
{
  if (status == MBD_ERROR_OUT_OF_MEMORY) {
    PyErr_NoMemory();
    return;
  }
  PyObject * text = PyUnicode_FromFormat("%s: %s", function, mbd_status_string(status));
  for (Py_ssize_t k = 0; text && k < PyTuple_Size(report); k++) {
    PyObject * entry = PyTuple_GetItem(report, k);
    PyObject * severity = PyTuple_GetItem(entry, 0);
    if (PyUnicode_CompareWithASCIIString(severity, "error") != 0) continue;
    PyObject * longer = PyUnicode_FromFormat("%U\n  %U", text, PyTuple_GetItem(entry, 6));
    Py_DECREF(text);
    text = longer;
  }
  raise_text(status, text, NULL, report);
}

static PyObject *
text_or_none(const char * text)
{
  return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace")
              : Py_NewRef(Py_None);
}

// (severity, line, source, element, what, hint, text) of every entry
PyObject *
mbp_report(const mbdx_report_t * report)
{
  PyObject * out = PyTuple_New(report ? report->n : 0);
  for (int k = 0; out && report && k < report->n; k++) {
    const mbdx_report_entry_t * e = &report->entry[k];
    PyObject * entry = mbp_tuple(
      7, PyUnicode_FromString(mbdx_severity_name(e->severity)), PyLong_FromLong(e->line),
      text_or_none(e->source), text_or_none(e->element), text_or_none(e->what),
      text_or_none(e->hint), text_or_none(e->text));
    if (entry == NULL || PyTuple_SetItem(out, k, entry) < 0) {
      Py_DECREF(out);
      return NULL;
    }
  }
  return out;
}

// False if a filter of the caller's turned a warning into an exception.
bool
mbp_report_warn(const mbdx_report_t * report)
{
  for (int k = 0; report && k < report->n; k++) {
    if (report->entry[k].severity != MBDX_WARNING) continue;
    if (PyErr_WarnEx(warning_type, report->entry[k].text, 1) < 0) return false;
  }
  return true;
}
