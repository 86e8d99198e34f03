// Model: a robot, constant, shared by workspaces and threads.

#include "mbdyn_python.h"

PyObject * mbp_model_type;
static PyTypeObject * joint_type;
static PyTypeObject * frame_type;

PyObject *
mbp_model_wrap(mbd_model_t * model, PyObject * report, PyObject * source)
{
  mbp_object_t * o = (mbp_object_t *)mbp_new(mbp_model_type);
  if (o == NULL) {
    mbd_model_destroy(model);
    return NULL;
  }
  o->model = model;
  o->report = Py_XNewRef(report);
  o->source = (mbp_object_t *)Py_XNewRef(source);
  if (o->source != NULL) o->source->users++;
  return (PyObject *)o;
}

// A model that C made from that of the call.
PyObject *
mbp_model_from(mbp_call_t * call, mbd_model_t * model)
{
  return mbp_model_wrap(model, call->self->report, (PyObject *)call->self);
}

//---------- loading ----------

// Model and report of a loader, as a Model or an exception.
static PyObject *
loaded(
  mbd_status_t status, const char * name, mbd_model_t * model, mbdx_report_t * report,
  PyObject * source)
{
  PyObject * out = NULL;
  PyObject * entries = mbp_report(report);
  if (entries == NULL) {
    mbd_model_destroy(model);
  } else if (status != MBD_OK) {
    mbp_raise_report(status, name, entries);
  } else {
    out = mbp_model_wrap(model, entries, source);
    if (out != NULL && !mbp_report_warn(report)) Py_CLEAR(out);
  }
  Py_XDECREF(entries);
  mbdx_report_free(report);
  return out;
}

// Names of a sequence; the strings belong to *keep.
static bool
strings(PyObject * o, const char * argument, PyObject ** keep, const char *** names, int * n)
{
  *keep = NULL, *names = NULL, *n = 0;
  if (o == NULL || o == Py_None) return true;
  *keep = PyUnicode_Check(o) ? NULL : PySequence_Tuple(o);
  const Py_ssize_t count = *keep ? PyTuple_Size(*keep) : -1;
  if (count < 0 || count > 100000) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s must be a list of strings", argument);
    return false;
  }
  *names = PyMem_Malloc(sizeof **names * (size_t)(count + 1));
  if (*names == NULL) {
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t k = 0; k < count; k++) {
    (*names)[k] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(*keep, k), NULL);
    if ((*names)[k] == NULL) return false;
  }
  *n = (int)count;
  return true;
}

static PyObject *
load(PyObject * args, PyObject * keywords, bool file)
{
  static char * words[] = {
    "",
    "floating",
    "strict",
    "mimic_independent",
    "allow_massless",
    "gravity",
    "lock",
    "exact_rotors",
    "loops",
    "loops_text",
    "embed",
    "mechanism",
    "source",
    NULL};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  int floating = 0, strict = 0, independent = 0, massless = 0, rotors = 0, embed = 1, mechanism = 0;
  PyObject * gravity = NULL;
  PyObject * lock = NULL;
  PyObject * path = NULL;
  const char * text = NULL;
  const char * source = NULL;
  Py_ssize_t size = 0;
  const char * name = file ? "Model.from_file" : "Model.from_urdf";
  PyObject * first = NULL;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, file ? "O|$ppppOOpzzppz:from_file" : "O|$ppppOOpzzppz:from_urdf", words,
        &first, &floating, &strict, &independent, &massless, &gravity, &lock, &rotors,
        &options.loops_file, &options.loops_text, &embed, &mechanism, &source))
    return NULL;
  if (file) {
    if (!PyUnicode_FSConverter(first, &path)) return NULL;
    text = PyBytes_AsString(path);
  } else if (PyBytes_Check(first)) {
    char * bytes;
    if (PyBytes_AsStringAndSize(first, &bytes, &size) < 0) return NULL;
    text = bytes;
  } else {
    text = PyUnicode_AsUTF8AndSize(first, &size);
  }
  if (text == NULL) {
    Py_XDECREF(path);
    return NULL;
  }
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.strict = strict;
  options.mimic_independent = independent;
  options.allow_massless = massless;
  options.exact_rotors = rotors;
  options.embed = embed;
  options.mechanism = mechanism;
  double g[3];
  PyObject * keep = NULL;
  const char ** locked = NULL;
  PyObject * out = NULL;
  if (gravity != NULL && gravity != Py_None) {
    if (!mbp_read_numbers(gravity, g, 3)) {
      PyErr_Clear();
      PyErr_Format(
        PyExc_TypeError, "%s: gravity must be three numbers [m/s^2], in world axes", name);
      goto done;
    }
    options.gravity = (mbd_vec3_t){g[0], g[1], g[2]};
  }
  if (!strings(lock, "lock", &keep, &locked, &options.nlock)) goto done;
  options.lock = locked;
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  mbd_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = file ? mbdx_urdf_load_file(text, &options, &model, &report)
                : mbdx_urdf_load_string(text, (size_t)size, source, &options, &model, &report);
  Py_END_ALLOW_THREADS;
  out = loaded(status, name, model, report, NULL);
done:
  PyMem_Free(locked);
  Py_XDECREF(keep);
  Py_XDECREF(path);
  return out;
}

static PyObject *
from_file(PyObject * cls, PyObject * args, PyObject * keywords)
{
  (void)cls;
  return load(args, keywords, true);
}

static PyObject *
from_urdf(PyObject * cls, PyObject * args, PyObject * keywords)
{
  (void)cls;
  return load(args, keywords, false);
}

static PyObject *
from_mechanism(PyObject * cls, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"path",      "text",   "source",        "urdf",
                           "cartesian", "strict", "drive_initial", NULL};
  (void)cls;
  const char * path = NULL;
  const char * text = NULL;
  const char * source = NULL;
  const char * urdf = NULL;
  Py_ssize_t size = 0;
  int cartesian = 0, strict = 0, drive = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "|z$z#zzppp:from_mechanism", words, &path, &text, &size, &source, &urdf,
        &cartesian, &strict, &drive))
    return NULL;
  if (!path == !text || (urdf && (text || cartesian || drive))) {
    PyErr_SetString(
      PyExc_TypeError,
      "Model.from_mechanism needs a path or text=, not both; urdf= goes with a path, without "
      "cartesian and drive_initial");
    return NULL;
  }
  mbdx_mechanism_options_t options = mbdx_mechanism_options_default();
  if (cartesian) options.coordinates = MBDX_COORDINATES_CARTESIAN;
  options.strict = strict;
  options.drive_initial = drive;
  mbdx_urdf_options_t robot = mbdx_urdf_options_default();
  robot.strict = strict;
  mbdx_mechanism_t * mechanism = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    urdf   ? mbdx_mechanism_load_urdf(urdf, path, &robot, &mechanism, &report)
    : path ? mbdx_mechanism_load_file(path, &options, &mechanism, &report)
           : mbdx_mechanism_load_string(text, (size_t)size, source, &options, &mechanism, &report);
  PyObject * entries = mbp_report(report);
  PyObject * out = NULL;
  if (entries != NULL && status != MBD_OK)
    mbp_raise_report(status, "Model.from_mechanism", entries);
  if (entries != NULL && status == MBD_OK) out = mbp_new(mbp_model_type);
  if (out != NULL) {
    mbp_object_t * o = (mbp_object_t *)out;
    o->model = mechanism->model;
    o->mechanism = mechanism;
    o->report = Py_NewRef(entries);
    if (!mbp_report_warn(report)) Py_CLEAR(out);
  } else {
    mbdx_mechanism_free(mechanism);
  }
  Py_XDECREF(entries);
  mbdx_report_free(report);
  return out;
}

// What the file of a mechanism says beside the model.
static PyObject *
mechanism_of(const mbp_object_t * o)
{
  const mbdx_mechanism_t * m = o->mechanism;
  if (m == NULL) return Py_NewRef(Py_None);
  const mbdx_simulate_t * s = &m->simulate;
  return mbp_dict(
    7, "q", mbp_filled(m->q, m->model->nq), "v", mbp_filled(m->v, m->model->nv), "mobility",
    PyLong_FromLong(m->mobility), "nredundant", PyLong_FromLong(m->nredundant), "inputs",
    PyLong_FromLong(m->ninput), "outputs", PyLong_FromLong(m->noutput), "simulate",
    mbp_dict(
      6, "time", PyFloat_FromDouble(s->time), "step", PyFloat_FromDouble(s->step), "step_max",
      PyFloat_FromDouble(s->max_step), "rtol", PyFloat_FromDouble(s->rtol), "atol",
      PyFloat_FromDouble(s->atol), "method", PyUnicode_FromString(s->method)));
}

static const mbd_model_t *
opened(PyObject * self)
{
  const mbd_model_t * model = ((mbp_object_t *)self)->model;
  if (model == NULL) PyErr_SetString(PyExc_ValueError, "the model is closed");
  return model;
}

static PyObject *
with_flexible_links(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"path", "text", "source", NULL};
  const char * path = NULL;
  const char * text = NULL;
  const char * source = NULL;
  Py_ssize_t size = 0;
  const mbd_model_t * model = opened(self);
  if (model == NULL) return NULL;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "|z$z#z:with_flexible_links", words, &path, &text, &size, &source))
    return NULL;
  if (!path == !text) {
    PyErr_SetString(PyExc_TypeError, "Model.with_flexible_links needs a path or text=, not both");
    return NULL;
  }
  mbd_model_t * flexible = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    path ? mbdx_flexible_load_file(model, path, &flexible, &report)
         : mbdx_flexible_load_string(model, text, (size_t)size, source, &flexible, &report);
  return loaded(status, "Model.with_flexible_links", flexible, report, self);
}

static PyObject *
lock_joints(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"joints", "q", NULL};
  PyObject * joints;
  PyObject * q;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:lock", words, &joints, &q)) return NULL;
  static mbp_signature_t signature = {"Model.lock", 0, 0, {NULL}, {NULL}};
  mbp_call_t call;
  if (!mbp_begin(&call, &signature, self)) return NULL;
  PyObject * keep;
  const char ** names;
  int n;
  mbd_model_t * locked = NULL;
  const Py_ssize_t shape[] = {call.model->nq};
  if (
    strings(joints, "joints", &keep, &names, &n) &&
    mbp_input(&call, 0, q, shape, 1, false, "q", NULL)) {
    call.status = mbd_model_lock(call.model, n, names, call.array[0].p, &locked);
    if (call.status == MBD_OK)
      call.result = mbp_model_wrap(locked, ((mbp_object_t *)self)->report, NULL);
  }
  PyMem_Free(names);
  Py_XDECREF(keep);
  return mbp_end(&call, 1);
}

// (text, warnings): what a format cannot hold is an exception or a UrdfWarning
static PyObject *
written(
  PyObject * self, const char * name,
  mbd_status_t (*write)(const mbd_model_t *, char **, size_t *, mbdx_report_t **))
{
  const mbd_model_t * model = opened(self);
  if (model == NULL) return NULL;
  char * text = NULL;
  size_t size = 0;
  mbdx_report_t * report = NULL;
  const mbd_status_t status = write(model, &text, &size, &report);
  PyObject * out = NULL;
  PyObject * entries = mbp_report(report);
  if (entries != NULL && status != MBD_OK) mbp_raise_report(status, name, entries);
  if (entries != NULL && status == MBD_OK && mbp_report_warn(report))
    out = PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "strict");
  Py_XDECREF(entries);
  mbdx_robot_text_free(text);
  mbdx_report_free(report);
  return out;
}

static PyObject *
place(PyObject * self, PyObject * name)
{
  const mbd_model_t * model = opened(self);
  const char * text = model ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  if (text == NULL) return NULL;
  const mbp_object_t * o = (mbp_object_t *)self;
  int line = 0;
  const char * section = o->mechanism ? mbdx_mechanism_place(o->mechanism, text, &line) : NULL;
  if (section == NULL) return Py_NewRef(Py_None);
  return mbp_tuple(2, PyUnicode_FromString(section), PyLong_FromLong(line));
}

static PyObject *
to_urdf(PyObject * self, PyObject * nothing)
{
  (void)nothing;
  return written(self, "Model.to_urdf", mbdx_urdf_write);
}

static PyObject *
to_mjcf(PyObject * self, PyObject * nothing)
{
  (void)nothing;
  return written(self, "Model.to_mjcf", mbdx_mjcf_write);
}

//---------- what it contains ----------

static PyObject *
list_of(Py_ssize_t n, PyObject * (*item)(const mbd_model_t *, int), const mbd_model_t * model)
{
  PyObject * list = PyTuple_New(n);
  for (Py_ssize_t k = 0; list && k < n; k++) {
    PyObject * o = item(model, (int)k);
    if (o == NULL || PyTuple_SetItem(list, k, o) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *
joint_name(const mbd_model_t * model, int k)
{
  return PyUnicode_FromString(model->body[k].joint_name);
}

static PyObject *
frame_name(const mbd_model_t * model, int k)
{
  return PyUnicode_FromString(model->frame[k].name);
}

static PyStructSequence_Field joint_fields[] = {
  {"name", NULL},
  {"index", "of the joint and its body"},
  {"link", "name of the child link"},
  {"type", "'revolute', ..."},
  {"parent", "body, or -1 for the world"},
  {"nq", NULL},
  {"nv", NULL},
  {"q_index", "first entry in q of the model (of the tree, of a model with closed loops)"},
  {"v_index", "first entry in v"},
  {"lower", "position limit [rad or m]"},
  {"upper", "position limit [rad or m]"},
  {"velocity", "limit [rad/s or m/s]"},
  {"effort", "limit [N m or N]"},
  {"rotor_inertia", "motor side [kg m^2]"},
  {"gear_ratio", "motor turns per joint turn"},
  {"viscous", "[N m s/rad or N s/m]"},
  {"coulomb", "[N m or N]"},
  {"mass", "of the body, with the links fixed to it [kg]"},
  {"mimic", "joint that it follows, or None"},
  {NULL, NULL}};
static PyStructSequence_Desc joint_desc = {
  "mbdyn.Joint", "A moving joint and the body that it moves.", joint_fields, 19};

static PyStructSequence_Field frame_fields[] = {
  {"name", NULL},
  {"index", NULL},
  {"body", "that it is fixed to, or -1 for the world"},
  {"is_link", "frame of a link"},
  {NULL, NULL}};
static PyStructSequence_Desc frame_desc = {"mbdyn.Frame", "A named frame.", frame_fields, 4};

static PyObject *
make_struct(PyTypeObject * type, int n, PyObject * const * item)
{
  PyObject * out = PyStructSequence_New(type);
  bool ok = out != NULL;
  for (int k = 0; k < n; k++) {
    ok = ok && item[k] != NULL;
    if (out != NULL)
      PyStructSequence_SetItem(out, k, item[k]);
    else
      Py_XDECREF(item[k]);
  }
  if (!ok) Py_CLEAR(out);
  return out;
}

static PyObject *
joint_at(const mbd_model_t * model, int k)
{
  const mbd_body_t * b = &model->body[k];
  PyObject * const item[] = {
    PyUnicode_FromString(b->joint_name),
    PyLong_FromLong(k),
    PyUnicode_FromString(b->name),
    PyUnicode_FromString(mbd_joint_type_name(b->type)),
    PyLong_FromLong(b->parent),
    PyLong_FromLong(b->nq),
    PyLong_FromLong(b->nv),
    PyLong_FromLong(b->q_index),
    PyLong_FromLong(b->v_index),
    PyFloat_FromDouble(b->limits.lower),
    PyFloat_FromDouble(b->limits.upper),
    PyFloat_FromDouble(b->limits.velocity),
    PyFloat_FromDouble(b->limits.effort),
    PyFloat_FromDouble(b->drive.rotor_inertia),
    PyFloat_FromDouble(b->drive.gear_ratio),
    PyFloat_FromDouble(b->drive.viscous),
    PyFloat_FromDouble(b->drive.coulomb),
    PyFloat_FromDouble(b->inertia.mass),
    b->mimic_body >= 0 ? PyUnicode_FromString(model->body[b->mimic_body].joint_name)
                       : Py_NewRef(Py_None)};
  return make_struct(joint_type, 19, item);
}

static PyObject *
frame_at(const mbd_model_t * model, int k)
{
  const mbd_frame_t * f = &model->frame[k];
  PyObject * const item[] = {
    PyUnicode_FromString(f->name), PyLong_FromLong(k), PyLong_FromLong(f->body),
    PyBool_FromLong(f->is_link)};
  return make_struct(frame_type, 4, item);
}

typedef enum field {
  NAME,
  NQ,
  NV,
  NBODY,
  NFRAME,
  GRAVITY,
  MASS,
  NCLOSURE,
  NROW,
  NMIMIC,
  NNODE,
  EMBEDDED,
  JOINTS,
  JOINT_NAMES,
  FRAMES,
  FRAME_NAMES,
  REPORT,
  MECHANISM,
  CLOSED
} field_t;

static PyObject *
get(PyObject * self, void * closure)
{
  const field_t field = (field_t)(intptr_t)closure;
  if (field == CLOSED) return PyBool_FromLong(((mbp_object_t *)self)->model == NULL);
  if (field == REPORT) {
    PyObject * report = ((mbp_object_t *)self)->report;
    return report ? Py_NewRef(report) : PyTuple_New(0);
  }
  const mbd_model_t * m = opened(self);
  if (m == NULL) return NULL;
  switch (field) {
    case MECHANISM: return mechanism_of((mbp_object_t *)self);
    case NAME: return PyUnicode_FromString(m->name);
    case NQ: return PyLong_FromLong(m->nq);
    case NV: return PyLong_FromLong(m->nv);
    case NBODY: return PyLong_FromLong(m->nbody);
    case NFRAME: return PyLong_FromLong(m->nframe);
    case GRAVITY:
      return mbp_tuple(
        3, PyFloat_FromDouble(m->gravity.x), PyFloat_FromDouble(m->gravity.y),
        PyFloat_FromDouble(m->gravity.z));
    case MASS: return PyFloat_FromDouble(m->mass);
    case NCLOSURE: return PyLong_FromLong(m->nclosure);
    case NROW: return PyLong_FromSsize_t(mbp_sizes(m).nrow);
    case NMIMIC: return PyLong_FromLong(m->nmimic);
    case NNODE: return PyLong_FromLong(m->nnode);
    case EMBEDDED: return PyBool_FromLong(m->tree != NULL);
    case JOINTS: return list_of(m->nbody, joint_at, m);
    case JOINT_NAMES: return list_of(m->nbody, joint_name, m);
    case FRAMES: return list_of(m->nframe, frame_at, m);
    default: return list_of(m->nframe, frame_name, m);
  }
}

static PyObject *
find(PyObject * self, PyObject * name, bool frame)
{
  static mbp_signature_t signature[] = {
    {"Model.joint_index", 0, 0, {NULL}, {NULL}}, {"Model.frame_index", 0, 0, {NULL}, {NULL}}};
  mbp_call_t call;
  if (!mbp_begin(&call, &signature[frame], self)) return NULL;
  int k = -1;
  if (!PyUnicode_Check(name))
    PyErr_Format(PyExc_TypeError, "%s takes a name", call.signature->name);
  else if (frame ? mbp_arg_frame(&call, name, &k, "name") : mbp_arg_joint(&call, name, &k, "name"))
    call.result = PyLong_FromLong(k);
  return mbp_end(&call, 0);
}

static PyObject *
joint_index(PyObject * self, PyObject * name)
{
  return find(self, name, false);
}

static PyObject *
frame_index(PyObject * self, PyObject * name)
{
  return find(self, name, true);
}

static PyObject *
repr(PyObject * self)
{
  const mbd_model_t * m = ((mbp_object_t *)self)->model;
  if (m == NULL) return PyUnicode_FromString("<mbdyn.Model, closed>");
  return PyUnicode_FromFormat(
    "<mbdyn.Model '%s': nq=%d, nv=%d, %d bodies, %d frames>", m->name, m->nq, m->nv, m->nbody,
    m->nframe);
}

static PyObject *
close_model(PyObject * self, PyObject * nothing)
{
  (void)nothing;
  return mbp_close((mbp_object_t *)self);
}

#define OPTIONS                                                                                    \
  "floating, strict, mimic_independent, allow_massless, gravity, lock, exact_rotors, loops, "      \
  "loops_text, embed,\n"                                                                           \
  "and mechanism are those of mbdx_urdf_options_t. Warnings are mbdyn.UrdfWarning; errors raise\n" \
  "mbdyn.UrdfError with every line of the report; model.report has all entries."

static PyMethodDef methods[] = {
  {"from_file", (PyCFunction)(void (*)(void))from_file, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
   "from_file(path, *, floating=False, ...) -> Model\n\nLoad a URDF file. " OPTIONS},
  {"from_urdf", (PyCFunction)(void (*)(void))from_urdf, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
   "from_urdf(text, *, source='robot_description', floating=False, ...) -> Model\n\nLoad URDF "
   "text. " OPTIONS},
  {"from_mechanism", (PyCFunction)(void (*)(void))from_mechanism,
   METH_VARARGS | METH_KEYWORDS | METH_CLASS,
   "from_mechanism(path=None, *, text=None, source=None, urdf=None, cartesian=False, "
   "strict=False,\n"
   "               drive_initial=False) -> Model\n\n"
   "Load a mechanism file (docs/mechanism.md): a tree with its closures, for Simulation and the "
   "constrained "
   "methods\n"
   "of Data. urdf: robot that the file adds to. model.mechanism has the initial state.\n\n"
   "C: mbdx_mechanism_load_file, _string, _urdf"},
  {"place", place, METH_O,
   "place(name) -> (section, line) or None\n\nWhere in its mechanism file a part is.\n\n"
   "C: mbdx_mechanism_place"},
  {"with_flexible_links", (PyCFunction)(void (*)(void))with_flexible_links,
   METH_VARARGS | METH_KEYWORDS,
   "with_flexible_links(path=None, *, text=None, source=None) -> Model\n\nThis robot with the "
   "flexible links "
   "of a YAML file (docs/flexible.md)."},
  {"lock", (PyCFunction)(void (*)(void))lock_joints, METH_VARARGS | METH_KEYWORDS,
   "lock(joints, q) -> Model\n\nReduced model: these joints are locked where they are at q, as if "
   "they were "
   "fixed.\n\nC: mbd_model_lock"},
  {"to_urdf", to_urdf, METH_NOARGS,
   "to_urdf() -> str\n\nThe robot as URDF text, without shapes; what is left out is a "
   "UrdfWarning.\n\n"
   "C: mbdx_urdf_write"},
  {"to_mjcf", to_mjcf, METH_NOARGS,
   "to_mjcf() -> str\n\nThe robot as MJCF text, for MuJoCo.\n\nC: mbdx_mjcf_write"},
  {"joint_index", joint_index, METH_O, "joint_index(name) -> int"},
  {"frame_index", frame_index, METH_O, "frame_index(name) -> int"},
  {"close", close_model, METH_NOARGS,
   "close()\n\nFree it now. BufferError while a Data or Batch uses it."},
  {NULL, NULL, 0, NULL}};

#define FIELD(name, which, doc)                   \
  {                                               \
    name, get, NULL, doc, (void *)(intptr_t)which \
  }
static PyGetSetDef fields[] = {
  FIELD("name", NAME, "of the robot"),
  FIELD("nq", NQ, "size of a configuration"),
  FIELD("nv", NV, "size of a velocity, acceleration or torque"),
  FIELD("nbody", NBODY, "moving bodies, each with its joint"),
  FIELD("nframe", NFRAME, "named frames; every link has one"),
  FIELD("gravity", GRAVITY, "in world axes [m/s^2]"),
  FIELD("mass", MASS, "of all moving bodies [kg]"),
  FIELD("nclosure", NCLOSURE, "loops, gears and drivers"),
  FIELD("nrow", NROW, "constraint rows of all closures"),
  FIELD("nmimic", NMIMIC, "mimic joints"),
  FIELD("nnode", NNODE, "nodes of flexible links"),
  FIELD("embedded", EMBEDDED, "closed loops are solved: v has only independent velocities"),
  FIELD("joints", JOINTS, "tuple of Joint, in the order of bodies"),
  FIELD("joint_names", JOINT_NAMES, "names, in the order of bodies"),
  FIELD("frames", FRAMES, "tuple of Frame"),
  FIELD("frame_names", FRAME_NAMES, "names, by index"),
  FIELD(
    "report", REPORT, "of the loader: (severity, line, source, element, what, hint, text) each"),
  FIELD(
    "mechanism", MECHANISM,
    "of from_mechanism: q, v (initial, assembled), mobility, nredundant, inputs, outputs, "
    "simulate; "
    "or None"),
  FIELD("closed", CLOSED, "after close()"),
  {NULL, NULL, NULL, NULL, NULL}};

bool
mbp_model_init(PyObject * module)
{
  PyMethodDef * all = mbp_methods(methods, mbp_model_generated, mbp_model_count);
  if (all == NULL) return false;
  PyType_Slot slots[] = {
    {Py_tp_doc,
     "A robot: constant, shared by any number of Data and threads.\n\n"
     "Made by Model.from_file, Model.from_urdf or mbdyn.load."},
    {Py_tp_dealloc, (void *)mbp_free},
    {Py_tp_repr, (void *)repr},
    {Py_tp_methods, all},
    {Py_tp_getset, fields},
    {0, NULL}};
  PyType_Spec spec = {
    "mbdyn.Model", (int)sizeof(mbp_object_t), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  mbp_model_type = PyType_FromSpec(&spec);
  joint_type = PyStructSequence_NewType(&joint_desc);
  frame_type = PyStructSequence_NewType(&frame_desc);
  return mbp_model_type && joint_type && frame_type &&
         PyModule_AddObjectRef(module, "Model", mbp_model_type) == 0 &&
         PyModule_AddObjectRef(module, "Joint", (PyObject *)joint_type) == 0 &&
         PyModule_AddObjectRef(module, "Frame", (PyObject *)frame_type) == 0;
}
