// Observer, Manipulator, SelfMotion: objects of the core that work on a Data and keep it alive.
#include "mbdyn_python.h"

// An object on a workspace, with `size` bytes for the object of the core and `more` for what it refers to.
static mbp_object_t *
new_part(PyTypeObject * type, PyObject * of, const char * name, size_t size, size_t more)
{
  mbp_object_t * data = (mbp_object_t *)of;
  if (data->data == NULL) {
    PyErr_Format(PyExc_ValueError, "%s: the workspace is closed", name);
    return NULL;
  }
  mbp_object_t * self = (mbp_object_t *)mbp_new((PyObject *)type);
  if (self == NULL) return NULL;
  self->data = data->data;
  self->model = data->model;
  self->owner = (mbp_object_t *)Py_NewRef((PyObject *)data->owner);
  self->owner->users++;
  self->source = (mbp_object_t *)Py_NewRef(of);
  self->source->users++;
  self->holder = Py_NewRef(of);
  self->memory[0] = PyMem_Calloc(1, size + 1);
  self->memory[1] = PyMem_Calloc(1, more + 1);
  if (self->memory[0] != NULL && self->memory[1] != NULL) return self;
  PyErr_NoMemory();
  Py_DECREF((PyObject *)self);
  return NULL;
}

static PyObject *
made(mbp_object_t * self, mbd_status_t status, const char * name)
{
  if (status == MBD_OK && !PyErr_Occurred()) return (PyObject *)self;
  if (!PyErr_Occurred()) mbp_raise(status, name, mbd_error_joint_name(self->data));
  Py_DECREF((PyObject *)self);
  return NULL;
}

// A list as a tuple of at most 1000 items.
static PyObject *
items(PyObject * o, const char * function, const char * name)
{
  PyObject * list = o && (PyList_Check(o) || PyTuple_Check(o)) ? PySequence_Tuple(o) : NULL;
  if (list != NULL && PyTuple_Size(list) <= 1000) return list;
  Py_XDECREF(list);
  PyErr_Format(PyExc_TypeError, "%s: %s must be a list", function, name);
  return NULL;
}

static bool
measures(mbp_call_t * call, PyObject * list, mbd_measure_t * out)
{
  for (Py_ssize_t k = 0; k < PyTuple_Size(list); k++) {
    if (mbp_arg_measure(call, PyTuple_GetItem(list, k), &out[k])) continue;
    if (!PyErr_Occurred()) mbp_raise(call->status, call->signature->name, NULL);
    return false;
  }
  return true;
}

//---------- observer ----------

static PyObject *
new_observer(PyTypeObject * type, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"data", "gain", "order", "threshold_on", "threshold_off", NULL};
  mbd_observer_options_t options = mbd_observer_options_default();
  PyObject * of;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "O!|$didd:Observer", words, (PyTypeObject *)mbp_data_type, &of,
        &options.gain, &options.order, &options.threshold_on, &options.threshold_off))
    return NULL;
  const size_t size = mbd_observer_size(((mbp_object_t *)of)->model);
  mbp_object_t * self = new_part(type, of, "Observer", size, 0);
  if (self == NULL) return NULL;
  mbd_observer_t * observer = NULL;
  const mbd_status_t status =
    mbd_observer_init(self->model, &options, self->memory[0], size, &observer);
  self->part = observer;
  return made(self, status, "Observer");
}

enum { TORQUE, CONTACT, MODEL, DATA };

static PyObject *
get(PyObject * self, void * closure)
{
  const mbp_object_t * o = (mbp_object_t *)self;
  const mbd_observer_t * observer = o->part;
  switch ((intptr_t)closure) {
    case TORQUE: return mbp_filled(observer->torque, o->model->nv);
    case CONTACT: {
      PyObject * out = PyTuple_New(o->model->nv);
      for (int k = 0; out && k < o->model->nv; k++)
        PyTuple_SetItem(out, k, PyBool_FromLong(observer->contact[k]));
      return out;
    }
    case MODEL: return Py_NewRef((PyObject *)o->owner);
    default: return Py_NewRef(o->holder);
  }
}

//---------- manipulator ----------

static PyObject *
new_manipulator(PyTypeObject * type, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"data",     "inputs",      "outputs",       "q", "tolerance", "step",
                           "restarts", "random_seed", "ignore_limits", "t", NULL};
  mbd_manipulator_options_t options = mbd_manipulator_options_default();
  PyObject * of;
  PyObject * in;
  PyObject * out;
  PyObject * q;
  int ignore = 0;
  unsigned long long seed = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "O!OOO|$ddiKpd:Manipulator", words, (PyTypeObject *)mbp_data_type, &of, &in,
        &out, &q, &options.tolerance, &options.step, &options.restarts, &seed, &ignore, &options.t))
    return NULL;
  options.random_seed = seed;
  options.ignore_limits = ignore;
  PyObject * inputs = items(in, "Manipulator", "inputs");
  PyObject * outputs = inputs ? items(out, "Manipulator", "outputs") : NULL;
  mbp_object_t * self = NULL;
  PyObject * result = NULL;
  if (outputs != NULL) {
    const int n = (int)PyTuple_Size(inputs), m = (int)PyTuple_Size(outputs);
    const size_t size = mbd_manipulator_size(((mbp_object_t *)of)->model, n, m);
    self = new_part(type, of, "Manipulator", size, sizeof(mbd_measure_t) * ((size_t)n + (size_t)m));
    if (self != NULL) {
      static mbp_signature_t signature = {"Manipulator", 0, 0, {NULL}, {NULL}};
      mbd_measure_t * measure = self->memory[1];
      mbd_manipulator_t * manipulator = NULL;
      mbd_manipulator_info_t info;
      const Py_ssize_t shape[] = {self->model->nq};
      mbp_call_t call;
      if (mbp_begin(&call, &signature, (PyObject *)self)) {
        if (
          measures(&call, inputs, measure) && measures(&call, outputs, measure + n) &&
          mbp_input(&call, 0, q, shape, 1, false, "q", NULL)) {
          call.status = mbd_manipulator_init(
            self->model, self->data, n, measure, m, measure + n, call.array[0].p, &options,
            self->memory[0], size, &info, &manipulator);
          if (call.status == MBD_OK) call.result = mbp_none();
        }
        Py_XDECREF(mbp_end(&call, 1));
      }
      self->part = manipulator;
      self->count[0] = n, self->count[1] = m;
      result = made(self, MBD_OK, "Manipulator");
    }
  }
  Py_XDECREF(inputs);
  Py_XDECREF(outputs);
  return result;
}

static mbp_signature_t solutions_signature = {
  "Manipulator.solutions", 4, 3, {"of_inputs", "value", "seed", "most"}, {NULL}};

// rows of an array
static PyObject *
first_rows(PyObject * array, int n)
{
  PyObject * stop = PyLong_FromLong(n);
  PyObject * slice = stop ? PySlice_New(NULL, stop, NULL) : NULL;
  PyObject * part = slice ? PyObject_GetItem(array, slice) : NULL;
  Py_XDECREF(stop);
  Py_XDECREF(slice);
  Py_DECREF(array);
  return part;
}

static PyObject *
solutions(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  mbp_call_t call;
  PyObject * arg[4];
  if (!mbp_begin(&call, &solutions_signature, self)) return NULL;
  bool of_inputs = false;
  int most = 16, n = 0;
  if (
    mbp_arguments(&call, args, nargs, names, arg) &&
    mbp_arg_bool(&call, arg[0], &of_inputs, "of_inputs") &&
    mbp_arg_int(&call, arg[3], &most, "most")) {
    const Py_ssize_t value[] = {call.self->count[of_inputs ? 0 : 1]}, nq[] = {call.model->nq},
                     rows[] = {most, call.model->nq};
    if (most < 1 || most > 100000)
      PyErr_Format(PyExc_ValueError, "%s: most must be from 1 to 100000", call.signature->name);
    else if (
      mbp_input(&call, 0, arg[1], value, 1, false, "value", NULL) &&
      mbp_input(&call, 1, arg[2], nq, 1, false, "seed", NULL) &&
      mbp_output(&call, 2, NULL, rows, 2, -1)) {
      call.status = mbd_manipulator_solutions(
        call.self->part, call.data, of_inputs, call.array[0].p, call.array[1].p, most,
        call.array[2].p, &n);
      if (call.status == MBD_OK) call.result = first_rows(mbp_take(&call, 2), n);
    }
  }
  return mbp_end(&call, 3);
}

//---------- self-motion ----------

static bool
read_capsule(PyObject * const * o, mbd_capsule_t * capsule)
{
  double a[3], b[3];
  const bool ok = mbp_read_numbers(o[0], a, 3) && mbp_read_numbers(o[1], b, 3);
  if (!ok) return false;
  *capsule = (mbd_capsule_t){{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, PyFloat_AsDouble(o[2])};
  return !PyErr_Occurred();
}

bool
mbp_read_shapes(mbp_call_t * call, PyObject * list, mbd_shape_t * shape, mbd_capsule_t * obstacle)
{
  for (Py_ssize_t k = 0; k < PyTuple_Size(list); k++) {
    PyObject * item = PyTuple_GetItem(list, k);
    const Py_ssize_t n = shape ? 4 : 3;
    PyObject * fixed = (PyList_Check(item) || PyTuple_Check(item)) && PySequence_Size(item) == n
                         ? PySequence_Tuple(item)
                         : NULL;
    bool ok = fixed != NULL;
    PyObject * part[3] = {NULL, NULL, NULL};
    for (Py_ssize_t i = 0; ok && i < 3; i++) part[i] = PyTuple_GetItem(fixed, n - 3 + i);
    ok = ok && read_capsule(part, shape ? &shape[k].capsule : &obstacle[k]);
    if (!ok) {
      mbp_wrong(
        call, shape ? "a shape" : "an obstacle",
        shape ? "(frame, point a, point b, radius)" : "(point a, point b, radius)");
    } else if (shape) {
      ok = mbp_arg_frame(call, PyTuple_GetItem(fixed, 0), &shape[k].frame, "the frame of a shape");
    }
    Py_XDECREF(fixed);
    if (!ok) return false;
  }
  return true;
}

static PyObject *
new_self_motion(PyTypeObject * type, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"data",      "measures", "shapes", "obstacles",     "step",
                           "tolerance", "length",   "t",      "ignore_limits", NULL};
  mbd_self_motion_options_t options = mbd_self_motion_options_default();
  PyObject * of;
  PyObject * held;
  PyObject * shapes = NULL;
  PyObject * obstacles = NULL;
  int ignore = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "O!O|$OOddddp:SelfMotion", words, (PyTypeObject *)mbp_data_type, &of, &held,
        &shapes, &obstacles, &options.step, &options.tolerance, &options.length, &options.t,
        &ignore))
    return NULL;
  options.ignore_limits = ignore;
  PyObject * empty = PyTuple_New(0);
  PyObject * list = items(held, "SelfMotion", "measures");
  PyObject * bodies = list ? items(shapes ? shapes : empty, "SelfMotion", "shapes") : NULL;
  PyObject * world =
    bodies ? items(obstacles ? obstacles : empty, "SelfMotion", "obstacles") : NULL;
  PyObject * result = NULL;
  if (world != NULL) {
    const int n = (int)PyTuple_Size(list);
    options.nshape = (int)PyTuple_Size(bodies);
    options.nobstacle = (int)PyTuple_Size(world);
    const size_t size = mbd_self_motion_size(((mbp_object_t *)of)->model, n);
    const size_t more = (size_t)n * sizeof(mbd_measure_t) +
                        (size_t)options.nshape * sizeof(mbd_shape_t) +
                        (size_t)options.nobstacle * sizeof(mbd_capsule_t);
    mbp_object_t * self = new_part(type, of, "SelfMotion", size, more);
    if (self != NULL) {
      static mbp_signature_t signature = {"SelfMotion", 0, 0, {NULL}, {NULL}};
      mbd_measure_t * measure = self->memory[1];
      mbd_shape_t * shape = (mbd_shape_t *)(void *)(measure + n);
      mbd_capsule_t * obstacle = (mbd_capsule_t *)(void *)(shape + options.nshape);
      options.shape = shape;
      options.obstacle = obstacle;
      mbd_self_motion_t * motion = NULL;
      mbp_call_t call;
      if (mbp_begin(&call, &signature, (PyObject *)self)) {
        if (
          measures(&call, list, measure) && mbp_read_shapes(&call, bodies, shape, NULL) &&
          mbp_read_shapes(&call, world, NULL, obstacle)) {
          call.status =
            mbd_self_motion_init(self->model, n, measure, &options, self->memory[0], size, &motion);
          if (call.status == MBD_OK) call.result = mbp_none();
        }
        Py_XDECREF(mbp_end(&call, 0));
      }
      self->part = motion;
      self->count[0] = n;
      result = made(self, MBD_OK, "SelfMotion");
    }
  }
  Py_XDECREF(empty);
  Py_XDECREF(list);
  Py_XDECREF(bodies);
  Py_XDECREF(world);
  return result;
}

static mbp_signature_t trace_signature = {"SelfMotion.trace", 1, 0, {"most"}, {NULL}};

static PyObject *
trace(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  enum { ARCS = 64 };
  static const char * const end[] = {"regular", "limit", "obstacle", "singular", "length"};
  mbp_call_t call;
  PyObject * arg[1];
  if (!mbp_begin(&call, &trace_signature, self)) return NULL;
  int most = 10000;
  mbd_self_motion_arc_t arc[ARCS];
  mbd_self_motion_curve_t curve;
  memset(&curve, 0, sizeof curve);
  if (mbp_arguments(&call, args, nargs, names, arg) && mbp_arg_int(&call, arg[0], &most, "most")) {
    const Py_ssize_t shape[] = {most, call.model->nq};
    if (most < 2 || most > 10000000)
      PyErr_Format(PyExc_ValueError, "%s: most must be from 2 to 10000000", call.signature->name);
    else if (mbp_output(&call, 0, NULL, shape, 1, -1) && mbp_output(&call, 1, NULL, shape, 2, -1)) {
      curve.most = most, curve.most_arcs = ARCS;
      curve.s = call.array[0].p, curve.q = call.array[1].p, curve.arc = arc;
      call.status = mbd_self_motion_trace(call.self->part, call.data, &curve);
      PyObject * arcs = call.status == MBD_OK ? PyTuple_New(curve.narc) : NULL;
      for (int k = 0; arcs && k < curve.narc; k++)
        PyTuple_SetItem(
          arcs, k,
          mbp_tuple(
            4, PyFloat_FromDouble(arc[k].begin), PyFloat_FromDouble(arc[k].end),
            PyUnicode_FromString(end[arc[k].begin_at]), PyUnicode_FromString(end[arc[k].end_at])));
      if (arcs != NULL)
        call.result = mbp_dict(
          8, "s", first_rows(mbp_take(&call, 0), curve.n), "q",
          first_rows(mbp_take(&call, 1), curve.n), "closed", PyBool_FromLong(curve.closed),
          "length", PyFloat_FromDouble(curve.length), "begin",
          PyUnicode_FromString(end[curve.begin]), "end", PyUnicode_FromString(end[curve.end]),
          "least_manipulability", PyFloat_FromDouble(curve.least_manipulability), "arcs", arcs);
    }
  }
  return mbp_end(&call, 2);
}

//---------- types ----------

static PyObject *
make(
  PyObject * module, const char * name, const char * doc, const PyMethodDef * own,
  const PyMethodDef * generated, size_t count, newfunc create, PyGetSetDef * fields)
{
  PyMethodDef * all = mbp_methods(own, generated, count);
  if (all == NULL) return NULL;
  PyType_Slot slots[] = {
    {Py_tp_doc, (void *)(intptr_t)doc},
    {Py_tp_new, (void *)create},
    {Py_tp_dealloc, (void *)mbp_free},
    {Py_tp_methods, all},
    {Py_tp_getset, fields},
    {0, NULL}};
  PyType_Spec spec = {name, (int)sizeof(mbp_object_t), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject * type = PyType_FromSpec(&spec);
  return type && PyModule_AddObjectRef(module, strchr(name, '.') + 1, type) == 0 ? type : NULL;
}

#define FIELD(name, which, doc)                   \
  {                                               \
    name, get, NULL, doc, (void *)(intptr_t)which \
  }
static PyGetSetDef observer_fields[] = {
  FIELD("torque", TORQUE, "estimate of the external torque [nv], a copy"),
  FIELD("contact", CONTACT, "of each degree of freedom: above threshold_on"),
  FIELD("model", MODEL, "the Model"),
  FIELD("data", DATA, "the Data"),
  {NULL, NULL, NULL, NULL, NULL}};

static const PyMethodDef none[] = {{NULL, NULL, 0, NULL}};
static const PyMethodDef manipulator_methods[] = {
  {"solutions", (PyCFunction)(void (*)(void))solutions, METH_FASTCALL | METH_KEYWORDS,
   "solutions(of_inputs, value, seed, most=16) -> q, one row each\n\n"
   "Configurations for given inputs (assembly modes) or outputs. They are found, not proved to be "
   "all.\n\n"
   "C: mbd_manipulator_solutions"},
  {NULL, NULL, 0, NULL}};
static const PyMethodDef self_motion_methods[] = {
  {"trace", (PyCFunction)(void (*)(void))trace, METH_FASTCALL | METH_KEYWORDS,
   "trace(most=10000) -> dict\n\n"
   "The curve from the start: s, q (one row per point), closed, length, begin, end, arcs within "
   "limits and "
   "free of\n"
   "obstacles (from, to, why, why).\n\nC: mbd_self_motion_trace"},
  {NULL, NULL, 0, NULL}};

bool
mbp_parts_init(PyObject * module)
{
  return mbp_signature_init(&solutions_signature) && mbp_signature_init(&trace_signature) &&
         make(
           module, "mbdyn.Observer",
           "Observer(data, *, gain=30, order=1, threshold_on=inf, threshold_off=inf)\n\n"
           "External joint torques from momentum, without accelerations. Set the state of data, "
           "then "
           "update(tau, dt).",
           none, mbp_observer_generated, mbp_observer_count, new_observer, observer_fields) &&
         make(
           module, "mbdyn.Manipulator",
           "Manipulator(data, inputs, outputs, q, *, tolerance=1e-10, step=0.1, restarts=30, "
           "random_seed=0,\n            ignore_limits=False, t=0)\n\n"
           "Outputs from inputs and back, all solutions, singularities (docs/manipulators.md). "
           "inputs, "
           "outputs: lists\n"
           "of measures (Data.measure); q: an assembled configuration. Robots with closed loops: "
           "embed=False.",
           manipulator_methods, mbp_manipulator_generated, mbp_manipulator_count, new_manipulator,
           observer_fields + 2) &&
         make(
           module, "mbdyn.SelfMotion",
           "SelfMotion(data, measures, *, shapes=(), obstacles=(), step=0.05, tolerance=1e-10, "
           "length=1000, t=0,\n           ignore_limits=False)\n\n"
           "Motion that leaves measures (Data.measure) where they are. shapes, obstacles: as of "
           "Data.clearance.",
           self_motion_methods, mbp_selfmotion_generated, mbp_selfmotion_count, new_self_motion,
           observer_fields + 2);
}
