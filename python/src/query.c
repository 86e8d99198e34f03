// Arguments that describe something: tasks, measures, limits, frames, poses.
#include "mbdyn_python.h"

bool
mbp_arg_string(mbp_call_t * call, PyObject * o, const char ** value, const char * name)
{
  if (o == NULL) return true;
  *value = PyUnicode_Check(o) ? PyUnicode_AsUTF8AndSize(o, NULL) : NULL;
  return *value != NULL || mbp_wrong(call, name, "a string");
}

bool
mbp_arg_model(mbp_call_t * call, PyObject * o, const mbd_model_t ** value, const char * name)
{
  if (!PyObject_TypeCheck(o, (PyTypeObject *)mbp_model_type))
    return mbp_wrong(call, name, "a Model");
  *value = ((mbp_object_t *)o)->model;
  if (*value != NULL) return true;
  PyErr_Format(PyExc_ValueError, "%s: %s is closed", call->signature->name, name);
  return false;
}

// A frame, or None for the world.
bool
mbp_arg_frame_or_world(mbp_call_t * call, PyObject * o, int * value, const char * name)
{
  *value = MBD_WORLD_BODY;
  return o == NULL || o == Py_None || mbp_arg_frame(call, o, value, name);
}

// 4 x 4; NULL and None leave what is there
bool
mbp_arg_pose(mbp_call_t * call, PyObject * o, mbd_placement_t * value, const char * name)
{
  if (o == NULL || o == Py_None) return true;
  const Py_ssize_t shape[] = {4, 4};
  mbp_call_t inner;
  mbp_begin_free(&inner, call->signature);
  const bool ok = mbp_input(&inner, 0, o, shape, 2, false, name, NULL);
  if (ok) {
    const double * X = inner.array[0].p;
    for (int k = 0; k < 9; k++) value->R.m[k] = X[4 * (k / 3) + k % 3];
    value->p = (mbd_vec3_t){X[3], X[7], X[11]};
  }
  mbp_end(&inner, 1);
  return ok;
}

//---------- tasks ----------

static const char task_what[] =
  "a list of (frame, rows) or (frame, rows, reference); rows: 'frame', 'position', 'orientation', "
  "or up to six lists of six numbers, linear first";

// Rows are kept linear first: the column of a number is turned, the order of rows is the caller's.
static bool
task_rows(PyObject * o, mbd_task_t * task)
{
  if (PyUnicode_Check(o)) {
    const bool frame = PyUnicode_CompareWithASCIIString(o, "frame") == 0;
    const bool position = PyUnicode_CompareWithASCIIString(o, "position") == 0;
    const bool orientation = PyUnicode_CompareWithASCIIString(o, "orientation") == 0;
    if (!frame && !position && !orientation) return false;
    task->nrow = frame ? 6 : 3;
    for (int k = 0; k < task->nrow; k++) task->row[k][orientation ? k : (k + 3) % 6] = 1;
    return true;
  }
  PyObject * rows = PySequence_Check(o) ? PySequence_Tuple(o) : NULL;
  const Py_ssize_t n = rows ? PyTuple_Size(rows) : 0;
  bool ok = n >= 1 && n <= 6;
  for (Py_ssize_t k = 0; ok && k < n; k++) {
    double six[6];
    ok = mbp_read_numbers(PyTuple_GetItem(rows, k), six, 6);
    for (int c = 0; ok && c < 6; c++) task->row[k][(c + 3) % 6] = six[c];
  }
  task->nrow = (int)n;
  Py_XDECREF(rows);
  return ok;
}

static bool
read_task(mbp_call_t * call, PyObject * o, mbd_task_t * task)
{
  const Py_ssize_t n = PyTuple_Check(o) || PyList_Check(o) ? PySequence_Size(o) : -1;
  if (n != 2 && n != 3) return mbp_wrong(call, "tasks", task_what);
  PyObject * frame = PySequence_GetItem(o, 0);
  PyObject * rows = PySequence_GetItem(o, 1);
  PyObject * reference = n == 3 ? PySequence_GetItem(o, 2) : NULL;
  memset(task, 0, sizeof *task);
  task->reference = MBD_LOCAL_WORLD_ALIGNED;
  bool ok = frame && rows && (n == 2 || reference) &&
            mbp_arg_frame(call, frame, &task->frame, "frame") &&
            mbp_arg_reference(call, reference, &task->reference, "reference");
  if (ok && !task_rows(rows, task)) ok = mbp_wrong(call, "tasks", task_what);
  Py_XDECREF(frame);
  Py_XDECREF(rows);
  Py_XDECREF(reference);
  return ok;
}

bool
mbp_arg_tasks(mbp_call_t * call, PyObject * o, const mbd_tasks_t ** value, const char * name)
{
  PyObject * list = PyList_Check(o) || PyTuple_Check(o) ? PySequence_Tuple(o) : NULL;
  const Py_ssize_t n = list ? PyTuple_Size(list) : 0;
  bool ok = n >= 1 && n <= 1000;
  if (!ok) mbp_wrong(call, name, task_what);
  if (ok) {
    call->task = PyMem_Malloc((size_t)n * sizeof *call->task);
    ok = call->task != NULL;
    if (!ok) PyErr_NoMemory();
  }
  for (Py_ssize_t k = 0; ok && k < n; k++)
    ok = read_task(call, PyTuple_GetItem(list, k), &call->task[k]);
  if (ok) {
    call->tasks = (mbd_tasks_t){(int)n, call->task};
    *value = &call->tasks;
  }
  Py_XDECREF(list);
  return ok;
}

// 'truncate', 'refuse', or the damping of the damped inverse
bool
mbp_arg_singular(mbp_call_t * call, PyObject * o, mbd_singular_t * value)
{
  if (o == NULL) return true;
  if (PyUnicode_Check(o)) {
    value->policy = MBD_SINGULAR_TRUNCATE;
    if (PyUnicode_CompareWithASCIIString(o, "truncate") == 0) return true;
    value->policy = MBD_SINGULAR_REFUSE;
    if (PyUnicode_CompareWithASCIIString(o, "refuse") == 0) return true;
  } else {
    value->policy = MBD_SINGULAR_DAMP;
    value->damping = PyFloat_AsDouble(o);
    if (!PyErr_Occurred()) return true;
  }
  return mbp_wrong(call, "singular", "'truncate', 'refuse' or the damping, a number");
}

bool
mbp_arg_limit(mbp_call_t * call, PyObject * o, mbd_limit_t * value)
{
  int k = 0;
  if (!mbp_arg_int(call, o, &k, "limit")) return false;
  call->status = mbd_limit_info(call->model, k, value);
  return call->status == MBD_OK;
}

//---------- measures ----------

// The name of a joint, or (type, frame, of=None, pose=None): the frame seen from frame `of` and a pose in it.
bool
mbp_arg_measure(mbp_call_t * call, PyObject * o, mbd_measure_t * value)
{
  static const char what[] =
    "the name of a joint, or (type, frame), (type, frame, of), (type, frame, of, pose of the axes "
    "in it); "
    "types: distance x y z angle rotation_x rotation_y rotation_z";
  *value = mbd_measure_default();
  if (PyUnicode_Check(o)) {
    const char * joint = PyUnicode_AsUTF8AndSize(o, NULL);
    if (joint == NULL) return false;
    call->status = mbd_measure_joint(call->model, joint, value);
    if (call->status != MBD_ERROR_NOT_FOUND) return call->status == MBD_OK;
    call->status = MBD_OK;
    PyErr_Format(
      PyExc_KeyError, "%s: the model '%s' has no joint '%s'; it has the names in model.joint_names",
      call->signature->name, call->model->name, joint);
    return false;
  }
  const Py_ssize_t n = PyTuple_Check(o) || PyList_Check(o) ? PySequence_Size(o) : -1;
  if (n < 2 || n > 4) return mbp_wrong(call, "a measure", what);
  PyObject * part[4] = {NULL, NULL, NULL, NULL};
  bool ok = true;
  for (Py_ssize_t k = 0; ok && k < n; k++) ok = (part[k] = PySequence_GetItem(o, k)) != NULL;
  int type = 0;
  if (ok && PyUnicode_Check(part[0])) {
    for (int k = MBD_MEASURE_DISTANCE; k <= MBD_MEASURE_ROTATION_Z; k++) {
      if (
        PyUnicode_CompareWithASCIIString(part[0], mbd_measure_type_name((mbd_measure_type_t)k)) ==
        0)
        type = k;
    }
  }
  if (ok && type == 0) ok = mbp_wrong(call, "a measure", what);
  value->type = (mbd_measure_type_t)type;
  ok = ok && mbp_arg_frame(call, part[1], &value->frame_b, "the frame of a measure") &&
       mbp_arg_frame_or_world(call, part[2], &value->frame_a, "the frame of a measure") &&
       mbp_arg_pose(call, part[3], &value->X_a, "the pose of a measure");
  for (int k = 0; k < 4; k++) Py_XDECREF(part[k]);
  return ok;
}

PyObject *
mbp_from_clearance(mbd_clearance_t c)
{
  return mbp_dict(
    3, "distance", PyFloat_FromDouble(c.distance), "shape", PyLong_FromLong(c.shape), "obstacle",
    PyLong_FromLong(c.obstacle));
}
