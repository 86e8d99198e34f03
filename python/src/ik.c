// Inverse kinematics: targets by frames and poses.
#include "mbdyn_python.h"

enum {
  TARGETS,
  SEED,
  POSTURE,
  POSITION,
  ROTATION,
  ITERATIONS,
  RESTARTS,
  RANDOM_SEED,
  IGNORE_LIMITS,
  LENGTH,
  N
};
#define NAMES                                                                                      \
  {                                                                                                \
    "targets", "seed", "posture", "position", "rotation", "iterations", "restarts", "random_seed", \
      "ignore_limits", "length"                                                                    \
  }
static mbp_signature_t signature = {"Data.ik", N, 1, NAMES, {NULL}};
static mbp_signature_t all_signature = {
  "Data.ik_all",
  N + 1,
  1,
  {"targets", "seed", "posture", "position", "rotation", "iterations", "restarts", "random_seed",
   "ignore_limits", "length", "most"},
  {NULL}};

bool
mbp_ik_init(void)
{
  return mbp_signature_init(&signature) && mbp_signature_init(&all_signature);
}

// (frame, 4 x 4 pose) or (frame, pose, axes): six truth values, position x y z, then rotation about x y z
static bool
read_target(mbp_call_t * call, PyObject * o, mbd_ik_target_t * target)
{
  static const char what[] =
    "%s: targets must be a list of (frame, pose) or (frame, pose, axes): a 4 x 4 array, and six "
    "truth values for "
    "x y z and the rotations about them";
  const Py_ssize_t n = PySequence_Check(o) ? PySequence_Size(o) : -1;
  PyObject * frame = n == 2 || n == 3 ? PySequence_GetItem(o, 0) : NULL;
  PyObject * pose = frame ? PySequence_GetItem(o, 1) : NULL;
  PyObject * axes = n == 3 && pose ? PySequence_GetItem(o, 2) : NULL;
  bool ok = pose != NULL && (n == 2 || axes != NULL);
  if (!ok) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, what, call->signature->name);
  }
  for (int k = 0; k < 6; k++) target->axis[k] = true;
  if (ok) ok = mbp_arg_frame(call, frame, &target->frame, "frame");
  if (ok) ok = mbp_arg_pose(call, pose, &target->pose, "a pose");
  if (ok && axes != NULL) {
    double on[6];
    ok = mbp_read_numbers(axes, on, 6);
    if (!ok) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, what, call->signature->name);
    }
    // linear first here, angular first there
    for (int k = 0; ok && k < 6; k++) target->axis[(k + 3) % 6] = on[k] != 0;
  }
  Py_XDECREF(frame);
  Py_XDECREF(pose);
  Py_XDECREF(axes);
  return ok;
}

static PyObject *
outcome(const mbd_ik_result_t * r)
{
  static const char * const name[] = {"solved", "unreachable", "at_limit", "iterations"};
  return mbp_dict(
    8, "solved", PyBool_FromLong(r->outcome == MBD_IK_SOLVED), "outcome",
    PyUnicode_FromString(name[r->outcome]), "position", PyFloat_FromDouble(r->position), "rotation",
    PyFloat_FromDouble(r->rotation), "limit", PyLong_FromLong(r->limit), "iterations",
    PyLong_FromLong(r->iterations), "starts", PyLong_FromLong(r->starts), "posture",
    PyFloat_FromDouble(r->posture));
}

static PyObject *
solve(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names, bool all)
{
  mbp_call_t call;
  PyObject * arg[N + 1];
  if (!mbp_begin(&call, all ? &all_signature : &signature, self)) return NULL;
  mbd_ik_options_t options = mbd_ik_options_default();
  mbd_ik_target_t * target = NULL;
  PyObject * list = NULL;
  int most = 16;
  const Py_ssize_t nq[] = {call.model->nq};
  if (!mbp_arguments(&call, args, nargs, names, arg)) goto done;
  list = PySequence_Check(arg[TARGETS]) ? PySequence_Tuple(arg[TARGETS]) : NULL;
  if (list == NULL) {
    PyErr_Format(PyExc_TypeError, "%s: targets must be a list", call.signature->name);
    goto done;
  }
  const Py_ssize_t n = PyTuple_Size(list);
  target = n < 10000 ? PyMem_Calloc((size_t)n + 1, sizeof *target) : NULL;
  if (target == NULL) {
    PyErr_NoMemory();
    goto done;
  }
  for (Py_ssize_t k = 0; k < n; k++) {
    if (!read_target(&call, PyTuple_GetItem(list, k), &target[k])) goto done;
  }
  if (
    !mbp_arg_double(&call, arg[POSITION], &options.position, "position") ||
    !mbp_arg_double(&call, arg[ROTATION], &options.rotation, "rotation") ||
    !mbp_arg_int(&call, arg[ITERATIONS], &options.iterations, "iterations") ||
    !mbp_arg_int(&call, arg[RESTARTS], &options.restarts, "restarts") ||
    !mbp_arg_seed(&call, arg[RANDOM_SEED], &options.random_seed, "random_seed") ||
    !mbp_arg_bool(&call, arg[IGNORE_LIMITS], &options.ignore_limits, "ignore_limits") ||
    !mbp_arg_double(&call, arg[LENGTH], &options.length, "length") ||
    (all && !mbp_arg_int(&call, arg[N], &most, "most")))
    goto done;
  if (most < 1 || most > 100000) {
    PyErr_Format(PyExc_ValueError, "%s: most must be from 1 to 100000", call.signature->name);
    goto done;
  }
  if (
    !mbp_input(&call, 0, arg[SEED], nq, 1, true, "seed", NULL) ||
    !mbp_input(&call, 1, arg[POSTURE], nq, 1, true, "posture", NULL))
    goto done;
  options.posture = call.array[1].p;
  const mbd_ik_targets_t targets = {(int)n, target};
  mbd_ik_result_t result;
  memset(&result, 0, sizeof result);
  const Py_ssize_t rows[] = {most, call.model->nq};
  if (!mbp_output(&call, 2, NULL, all ? rows : nq, all ? 2 : 1, -1)) goto done;
  double * work = mbp_work(&call, mbd_ik_work(call.model, &targets));
  if (work == NULL) goto done;
  int found = 0;
  double * q = call.array[2].p;
  call.status =
    all ? mbd_ik_all(
            call.model, call.data, &targets, &options, call.array[0].p, most, work, q, &found,
            &result, NULL)
        : mbd_ik(call.model, call.data, &targets, &options, call.array[0].p, work, q, &result);
  if (call.status != MBD_OK) goto done;
  PyObject * solutions = mbp_take(&call, 2);
  if (all) {
    PyObject * slice = PySlice_New(NULL, PyLong_FromLong(found), NULL);
    PyObject * part = slice ? PyObject_GetItem(solutions, slice) : NULL;
    Py_XDECREF(slice);
    Py_DECREF(solutions);
    solutions = part;
  }
  call.result = mbp_tuple(2, solutions, outcome(&result));
done:
  PyMem_Free(target);
  Py_XDECREF(list);
  return mbp_end(&call, 3);
}

PyObject *
mbp_data_ik(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  return solve(self, args, nargs, names, false);
}

PyObject *
mbp_data_ik_all(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  return solve(self, args, nargs, names, true);
}
