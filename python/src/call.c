// One call: arguments by position or name, numbers and names, the end with result or exception.
#include <limits.h>

#include "mbdyn_python.h"

bool
mbp_signature_init(mbp_signature_t * signature)
{
  for (int k = 0; k < signature->n; k++) {
    signature->interned[k] = PyUnicode_InternFromString(signature->argument[k]);
    if (signature->interned[k] == NULL) return false;
  }
  return true;
}

bool
mbp_begin(mbp_call_t * call, mbp_signature_t * signature, PyObject * self)
{
  mbp_object_t * o = (mbp_object_t *)self;
  call->signature = signature;
  call->self = o;
  call->model = o->model;
  call->data = o->data;
  call->batch = o->batch;
  call->status = MBD_OK;
  call->taken = call->viewed = 0;
  call->result = NULL;
  call->task = NULL;
  if (o->model == NULL) {
    PyErr_Format(PyExc_ValueError, "%s: it is closed", signature->name);
    return false;
  }
  if (o->busy) {
    PyErr_Format(
      PyExc_RuntimeError,
      "%s: it is computing, in another thread or in torque(); one call at a time", signature->name);
    return false;
  }
  o->users++;  // reading arguments can run code of the caller's, which must not close it
  return true;
}

void
mbp_begin_free(mbp_call_t * call, mbp_signature_t * signature)
{
  call->signature = signature;
  call->self = NULL;
  call->model = NULL;
  call->data = NULL;
  call->batch = NULL;
  call->status = MBD_OK;
  call->taken = call->viewed = 0;
  call->result = NULL;
  call->task = NULL;
}

static int
argument_index(const mbp_signature_t * s, PyObject * name)
{
  for (int k = 0; k < s->n; k++) {
    if (s->interned[k] == name) return k;
  }
  for (int k = 0; k < s->n; k++) {
    if (PyUnicode_Compare(s->interned[k], name) == 0) return k;
  }
  return -1;
}

bool
mbp_arguments(
  mbp_call_t * call, PyObject * const * args, Py_ssize_t nargs, PyObject * names, PyObject ** arg)
{
  const mbp_signature_t * s = call->signature;
  if (nargs > s->n) {
    PyErr_Format(PyExc_TypeError, "%s takes at most %d arguments, not %zd", s->name, s->n, nargs);
    return false;
  }
  for (int k = 0; k < s->n; k++) arg[k] = k < nargs && args[k] != Py_None ? args[k] : NULL;
  const Py_ssize_t nnames = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < nnames; i++) {
    PyObject * name = PyTuple_GetItem(names, i);
    const int k = argument_index(s, name);
    if (k < 0) {
      PyErr_Format(PyExc_TypeError, "%s has no argument '%U'", s->name, name);
      return false;
    }
    if (k < nargs) {
      PyErr_Format(PyExc_TypeError, "%s got the argument '%U' twice", s->name, name);
      return false;
    }
    arg[k] = args[nargs + i] != Py_None ? args[nargs + i] : NULL;
  }
  for (int k = 0; k < s->required; k++) {
    if (arg[k] == NULL) {
      PyErr_Format(PyExc_TypeError, "%s needs the argument '%s'", s->name, s->argument[k]);
      return false;
    }
  }
  return true;
}

PyObject *
mbp_end(mbp_call_t * call, int narray)
{
  if (call->self != NULL) call->self->users--;
  if (call->task != NULL) PyMem_Free(call->task);
  for (int k = 0; k < narray; k++) {
    if (!(call->taken & 1u << k)) continue;
    mbp_array_t * a = &call->array[k];
    if (call->viewed & 1u << k) PyBuffer_Release(&a->view);
    if (a->memory != NULL) PyMem_Free(a->memory);
    Py_XDECREF(a->made);
  }
  if (call->status != MBD_OK) {
    mbp_raise(
      call->status, call->signature->name, call->data ? mbd_error_joint_name(call->data) : NULL);
    return NULL;
  }
  return call->result;
}

double *
mbp_work(mbp_call_t * call, size_t n)
{
  mbp_object_t * o = call->self;
  if (n == 0) n = 1;
  if (o->nwork < n) {
    double * bigger = PyMem_Realloc(o->work, n * sizeof(double));
    if (bigger == NULL) {
      PyErr_NoMemory();
      return NULL;
    }
    o->work = bigger;
    o->nwork = n;
  }
  return o->work;
}

bool
mbp_batch_enter(mbp_call_t * call, Py_ssize_t n)
{
  if (n > INT_MAX) {
    PyErr_Format(PyExc_ValueError, "%s: more than %d states", call->signature->name, INT_MAX);
    return false;
  }
  // making a result may have let another thread in
  if (call->self->busy || call->self->model == NULL) {
    PyErr_Format(PyExc_RuntimeError, "%s: it is used by another thread", call->signature->name);
    return false;
  }
  call->self->busy = true;
  return true;
}

void
mbp_batch_leave(mbp_call_t * call)
{
  call->self->busy = false;
}

//---------- numbers and names ----------

bool
mbp_wrong(mbp_call_t * call, const char * name, const char * what)
{
  // an error of a conversion stays the cause
  if (
    PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError) &&
    !PyErr_ExceptionMatches(PyExc_OverflowError) && !PyErr_ExceptionMatches(PyExc_ValueError))
    return false;
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "%s: %s must be %s", call->signature->name, name, what);
  return false;
}

bool
mbp_arg_int(mbp_call_t * call, PyObject * o, int * value, const char * name)
{
  if (o == NULL) return true;
  const long number = PyLong_AsLong(o);
  if ((number == -1 && PyErr_Occurred()) || number < INT_MIN || number > INT_MAX)
    return mbp_wrong(call, name, "a whole number");
  *value = (int)number;
  return true;
}

bool
mbp_arg_uint32(mbp_call_t * call, PyObject * o, uint32_t * value, const char * name)
{
  if (o == NULL) return true;
  const long number = PyLong_AsLong(o);
  if ((number == -1 && PyErr_Occurred()) || number < 0 || number > UINT32_MAX)
    return mbp_wrong(call, name, "a whole number of at most 32 bits");
  *value = (uint32_t)number;
  return true;
}

bool
mbp_arg_seed(mbp_call_t * call, PyObject * o, uint64_t * value, const char * name)
{
  if (o == NULL) return true;
  *value = PyLong_AsUnsignedLongLongMask(o);
  if (*value == (uint64_t)-1 && PyErr_Occurred()) return mbp_wrong(call, name, "a whole number");
  return true;
}

bool
mbp_arg_bool(mbp_call_t * call, PyObject * o, bool * value, const char * name)
{
  (void)call, (void)name;
  if (o == NULL) return true;
  const int truth = PyObject_IsTrue(o);
  *value = truth == 1;
  return truth >= 0;
}

bool
mbp_arg_double(mbp_call_t * call, PyObject * o, double * value, const char * name)
{
  if (o == NULL) return true;
  *value = PyFloat_AsDouble(o);
  if (*value == -1 && PyErr_Occurred()) return mbp_wrong(call, name, "a number");
  return true;
}

static bool
by_name(
  mbp_call_t * call, PyObject * o, int * value, const char * what,
  mbd_status_t (*find)(const mbd_model_t *, const char *, int *))
{
  const char * text = PyUnicode_AsUTF8AndSize(o, NULL);
  if (text == NULL) return false;
  if (find(call->model, text, value) == MBD_OK) return true;
  PyErr_Format(
    PyExc_KeyError, "%s: the model '%s' has no %s '%s'; it has the names in model.%s_names",
    call->signature->name, call->model->name, what, text, what);
  return false;
}

bool
mbp_arg_frame(mbp_call_t * call, PyObject * o, int * value, const char * name)
{
  if (o != NULL && PyUnicode_Check(o)) return by_name(call, o, value, "frame", mbd_find_frame);
  return mbp_arg_int(call, o, value, name) || mbp_wrong(call, name, "the name or index of a frame");
}

bool
mbp_arg_joint(mbp_call_t * call, PyObject * o, int * value, const char * name)
{
  if (o != NULL && PyUnicode_Check(o)) return by_name(call, o, value, "joint", mbd_find_joint);
  return mbp_arg_int(call, o, value, name) || mbp_wrong(call, name, "the name or index of a joint");
}

bool
mbp_arg_reference(mbp_call_t * call, PyObject * o, mbd_reference_t * value, const char * name)
{
  int number = *value;
  if (
    !mbp_arg_int(call, o, &number, name) || number < MBD_LOCAL || number > MBD_LOCAL_WORLD_ALIGNED)
    return mbp_wrong(call, name, "mbdyn.LOCAL, mbdyn.WORLD or mbdyn.LOCAL_WORLD_ALIGNED");
  *value = (mbd_reference_t)number;
  return true;
}

bool
mbp_arg_vec3(mbp_call_t * call, PyObject * o, mbd_vec3_t * value, const char * name)
{
  double x[3];
  if (!mbp_read_numbers(o, x, 3)) return mbp_wrong(call, name, "three numbers");
  *value = (mbd_vec3_t){x[0], x[1], x[2]};
  return true;
}

bool
mbp_arg_motion(mbp_call_t * call, PyObject * o, mbd_motion_t * value, const char * name)
{
  double x[6];
  if (!mbp_read_numbers(o, x, 6)) return mbp_wrong(call, name, "six numbers, linear first");
  *value = mbdu_motion_from_linear_first(x);
  return true;
}

// (mass, centre of mass, rotational inertia about the centre of mass: 3 x 3, or xx xy xz yy yz zz)
bool
mbp_arg_inertia(mbp_call_t * call, PyObject * o, mbd_inertia_t * value)
{
  static const char what[] =
    "(mass, centre of mass, inertia about the centre of mass: xx xy xz yy yz zz), about the "
    "frame's origin";
  PyObject * mass = NULL;
  PyObject * com = NULL;
  PyObject * inertia = NULL;
  double m, c[3], I[6];
  bool ok = PySequence_Check(o) && PySequence_Size(o) == 3;
  if (ok) {
    mass = PySequence_GetItem(o, 0);
    com = PySequence_GetItem(o, 1);
    inertia = PySequence_GetItem(o, 2);
    ok = mass && com && inertia;
  }
  if (ok) {
    m = PyFloat_AsDouble(mass);
    ok = !PyErr_Occurred() && mbp_read_numbers(com, c, 3) && mbp_read_numbers(inertia, I, 6);
  }
  if (ok)
    *value = mbdu_inertia_from_com(
      m, (mbd_vec3_t){c[0], c[1], c[2]}, (mbd_sym3_t){I[0], I[1], I[2], I[3], I[4], I[5]});
  Py_XDECREF(mass);
  Py_XDECREF(com);
  Py_XDECREF(inertia);
  return ok || mbp_wrong(call, "inertia", what);
}

static bool
read_wrench(mbp_call_t * call, PyObject * o, mbd_wrench_t * w)
{
  static const char what[] =
    "a list of (frame, six numbers: force and moment) or (frame, numbers, reference)";
  const Py_ssize_t n = PySequence_Check(o) ? PySequence_Size(o) : -1;
  if (n != 2 && n != 3) return mbp_wrong(call, "a wrench", what);
  PyObject * frame = PySequence_GetItem(o, 0);
  PyObject * six = PySequence_GetItem(o, 1);
  PyObject * reference = n == 3 ? PySequence_GetItem(o, 2) : NULL;
  double f[6];
  w->reference = MBD_LOCAL_WORLD_ALIGNED;
  bool ok = frame && six && (n == 2 || reference);
  ok = ok && mbp_arg_frame(call, frame, &w->frame, "frame") &&
       mbp_arg_reference(call, reference, &w->reference, "reference");
  if (ok && !mbp_read_numbers(six, f, 6)) ok = mbp_wrong(call, "a wrench", what);
  if (ok) w->f = mbdu_force_from_linear_first(f);
  Py_XDECREF(frame);
  Py_XDECREF(six);
  Py_XDECREF(reference);
  return ok;
}

bool
mbp_arg_wrenches(mbp_call_t * call, PyObject * o, const mbd_wrenches_t ** value)
{
  if (o == NULL) return true;
  mbp_object_t * self = call->self;
  // a tuple of its own: reading an entry can run code that changes the caller's list
  PyObject * list = PySequence_Tuple(o);
  if (list == NULL)
    return mbp_wrong(call, "f_ext", "a list of (frame, six numbers: force and moment)");
  const Py_ssize_t n = PyTuple_Size(list);
  if (n > self->nwrench) {
    mbd_wrench_t * bigger = PyMem_Realloc(self->wrench, (size_t)n * sizeof *bigger);
    if (bigger == NULL || n > INT_MAX) {
      Py_DECREF(list);
      PyErr_NoMemory();
      return false;
    }
    self->wrench = bigger;
    self->nwrench = (int)n;
  }
  bool ok = true;
  for (Py_ssize_t k = 0; ok && k < n; k++) {
    mbd_wrench_t w = {0};
    ok = read_wrench(call, PyTuple_GetItem(list, k), &w);
    if (ok && k < self->nwrench) self->wrench[k] = w;
  }
  Py_DECREF(list);
  self->wrenches = (mbd_wrenches_t){(int)n, self->wrench};
  *value = &self->wrenches;
  return ok;
}
