// Simulation in time: mbd_simulation_t with torques by a Python function.
#include <math.h>

#include "mbdyn_python.h"

struct mbp_simulation;

typedef struct mbp_event {
  struct mbp_simulation * sim;
  PyObject * value;  // value(data, t, q, v) -> number
} mbp_event_t;

typedef struct mbp_simulation {
  mbp_object_t base;
  mbd_simulation_t * sim;
  PyObject * torque;  // torque(data, t, q, v) -> nv numbers, or NULL
  mbp_event_t event[MBD_EVENTS_MAX];
  int nevent;
} mbp_simulation_t;

static PyObject * simulation_type;

// The workspace of the simulation, which it keeps alive.
static PyObject *
workspace(mbp_simulation_t * s)
{
  mbp_object_t * data = (mbp_object_t *)mbp_new(mbp_data_type);
  if (data == NULL) return NULL;
  data->data = mbd_simulation_data(s->sim);
  data->model = s->base.model;
  data->owner = (mbp_object_t *)Py_NewRef((PyObject *)s->base.owner);
  data->owner->users++;
  data->holder = Py_NewRef((PyObject *)s);
  return (PyObject *)data;
}

// function(data, t, q, v)
static PyObject *
call_python(mbp_simulation_t * s, PyObject * function, double t, const double * q, const double * v)
{
  PyObject * time = PyFloat_FromDouble(t);
  PyObject * mine = workspace(s);
  PyObject * positions = mbp_filled(q, s->base.model->nq);
  PyObject * velocities = mbp_filled(v, s->base.model->nv);
  PyObject * out = NULL;
  if (time && mine && positions && velocities)
    out = PyObject_CallFunctionObjArgs(function, mine, time, positions, velocities, NULL);
  Py_XDECREF(time);
  Py_XDECREF(mine);
  Py_XDECREF(positions);
  Py_XDECREF(velocities);
  return out;
}

// An exception of an event function is raised by the step that asked for it: NaN is no sign change.
static double
ask_event(void * ctx, mbd_data_t * data, double t, const double * q, const double * v)
{
  (void)data;
  const mbp_event_t * event = ctx;
  if (PyErr_Occurred() || event->value == NULL) return (double)NAN;
  PyObject * out = call_python(event->sim, event->value, t, q, v);
  const double value = out ? PyFloat_AsDouble(out) : (double)NAN;
  Py_XDECREF(out);
  return PyErr_Occurred() ? (double)NAN : value;
}

static mbd_status_t
ask_python(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data;
  mbp_simulation_t * s = ctx;
  const mbd_model_t * model = s->base.model;
  if (PyErr_Occurred()) return MBD_ERROR_BAD_ARGUMENT;
  PyObject * out = call_python(s, s->torque, t, q, v);
  bool ok = out == Py_None;
  if (out != NULL && !ok) {
    static mbp_signature_t signature = {"Simulation: what torque() returns", 0, 0, {NULL}, {NULL}};
    const Py_ssize_t shape[] = {model->nv};
    mbp_call_t call;
    mbp_begin_free(&call, &signature);
    ok = mbp_input(&call, 0, out, shape, 1, false, "tau", NULL);
    if (ok) memcpy(tau, call.array[0].p, sizeof(double) * (size_t)model->nv);
    mbp_end(&call, 1);
  }
  Py_XDECREF(out);
  return ok ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

static bool
method_of(const char * name, mbd_method_t * method)
{
  for (int k = 0; k <= MBD_METHOD_AUTO; k++) {
    if (strcmp(name, mbd_method_name((mbd_method_t)k)) == 0) {
      *method = (mbd_method_t)k;
      return true;
    }
  }
  PyErr_Format(
    PyExc_ValueError,
    "Simulation: no method '%s'; there are rkf45, rk4, nystrom4, semi_implicit, trapezoidal, hht, "
    "sdirk54, auto",
    name);
  return false;
}

static PyObject *
new_simulation(PyTypeObject * type, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"model", "torque", "terms",    "method",    "rtol", "atol",
                           "step",  "fixed",  "step_max", "tolerance", NULL};
  mbd_simulation_options_t options = mbd_simulation_options_default();
  PyObject * of;
  PyObject * torque = Py_None;
  unsigned terms = 0;
  const char * method = NULL;
  int fixed = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "O!|O$Isdddpdd:Simulation", words, (PyTypeObject *)mbp_model_type, &of,
        &torque, &terms, &method, &options.ode.rtol, &options.ode.atol, &options.ode.step, &fixed,
        &options.ode.step_max, &options.tolerance))
    return NULL;
  options.ode.fixed = fixed;
  if (method != NULL && !method_of(method, &options.ode.method)) return NULL;
  if (torque != Py_None && !PyCallable_Check(torque)) {
    PyErr_SetString(PyExc_TypeError, "Simulation: torque must be a function of (data, t, q, v)");
    return NULL;
  }
  mbp_object_t * model = (mbp_object_t *)of;
  if (model->model == NULL) {
    PyErr_SetString(PyExc_ValueError, "Simulation: the model is closed");
    return NULL;
  }
  mbd_simulation_t * sim = NULL;
  mbd_status_t status = mbd_simulation_create(model->model, &options, &sim);
  if (status == MBD_OK) status = mbd_set_terms(mbd_simulation_data(sim), terms);
  mbp_simulation_t * self = status == MBD_OK ? (mbp_simulation_t *)mbp_new((PyObject *)type) : NULL;
  if (self == NULL) {
    mbd_simulation_destroy(sim);
    if (status != MBD_OK) mbp_raise(status, "Simulation", NULL);
    return NULL;
  }
  self->sim = sim;
  self->base.model = model->model;
  self->base.owner = (mbp_object_t *)Py_NewRef(of);
  model->users++;
  if (torque != Py_None) {
    self->torque = Py_NewRef(torque);
    status = mbd_simulation_set_input(sim, ask_python, self);
    if (status != MBD_OK) {
      mbp_raise(status, "Simulation", NULL);
      Py_CLEAR(self);
    }
  }
  return (PyObject *)self;
}

static int
traverse(PyObject * self, visitproc visit, void * arg)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  Py_VISIT(s->torque);
  for (int k = 0; k < s->nevent; k++) Py_VISIT(s->event[k].value);
  Py_VISIT(Py_TYPE(self));
  return 0;
}

static int
clear(PyObject * self)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  if (s->sim != NULL && s->torque != NULL && mbd_simulation_set_input(s->sim, NULL, NULL) != MBD_OK)
    return 0;
  Py_CLEAR(s->torque);
  for (int k = 0; k < s->nevent; k++) Py_CLEAR(s->event[k].value);
  return 0;
}

static void
free_simulation(PyObject * self)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  PyTypeObject * type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  mbd_simulation_destroy(s->sim);
  s->sim = NULL;
  Py_CLEAR(s->torque);
  for (int k = 0; k < s->nevent; k++) Py_CLEAR(s->event[k].value);
  mbp_release(&s->base);
  freefunc free_ = (freefunc)PyType_GetSlot(type, Py_tp_free);
  free_(self);
  Py_DECREF(type);
}

// An exception of torque() goes before the status that it has caused.
static PyObject *
end(mbp_call_t * call, int narray)
{
  if (PyErr_Occurred()) {
    call->status = MBD_OK;
    Py_CLEAR(call->result);
  }
  call->data = mbd_simulation_data(((mbp_simulation_t *)call->self)->sim);
  return mbp_end(call, narray);
}

static mbp_signature_t start_signature = {"Simulation.start", 3, 2, {"t", "q", "v"}, {NULL}};
static mbp_signature_t step_signature = {"Simulation.step", 1, 1, {"t_end"}, {NULL}};
static mbp_signature_t run_signature = {"Simulation.run", 1, 1, {"t_end"}, {NULL}};
static mbp_signature_t at_signature = {"Simulation.at", 1, 1, {"t"}, {NULL}};
static mbp_signature_t wrenches_signature = {"Simulation.set_wrenches", 1, 0, {"wrenches"}, {NULL}};
static mbp_signature_t refresh_signature = {"Simulation.refresh", 0, 0, {NULL}, {NULL}};

static PyObject *
start(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  mbp_call_t call;
  PyObject * arg[3];
  if (!mbp_begin(&call, &start_signature, self)) return NULL;
  double t = 0;
  const Py_ssize_t nq[] = {call.model->nq}, nv[] = {call.model->nv};
  if (
    mbp_arguments(&call, args, nargs, names, arg) && mbp_arg_double(&call, arg[0], &t, "t") &&
    mbp_input(&call, 0, arg[1], nq, 1, false, "q", NULL) &&
    mbp_input(&call, 1, arg[2], nv, 1, true, "v", NULL)) {
    mbd_assembly_t result;
    memset(&result, 0, sizeof result);
    s->base.busy = true;
    call.status = mbd_simulation_start(s->sim, t, call.array[0].p, call.array[1].p, &result);
    s->base.busy = false;
    if (call.status == MBD_OK)
      call.result = mbp_dict(
        4, "error_position", PyFloat_FromDouble(result.error_position), "error_angle",
        PyFloat_FromDouble(result.error_angle), "rank", PyLong_FromLong(result.rank), "mobility",
        PyLong_FromLong(result.mobility));
  }
  return end(&call, 2);
}

static PyObject *
advance(
  PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names,
  mbp_signature_t * signature, mbd_status_t (*go)(mbd_simulation_t *, double))
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  mbp_call_t call;
  PyObject * arg[1];
  if (!mbp_begin(&call, signature, self)) return NULL;
  double t = 0;
  if (mbp_arguments(&call, args, nargs, names, arg) && mbp_arg_double(&call, arg[0], &t, "t_end")) {
    s->base.busy = true;
    call.status = go(s->sim, t);
    s->base.busy = false;
    if (call.status == MBD_OK) call.result = mbp_none();
  }
  return end(&call, 0);
}

static PyObject *
step(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  return advance(self, args, nargs, names, &step_signature, mbd_simulation_step);
}

static PyObject *
run(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  return advance(self, args, nargs, names, &run_signature, mbd_simulation_run);
}

static PyObject *
at(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  mbp_call_t call;
  PyObject * arg[1];
  if (!mbp_begin(&call, &at_signature, self)) return NULL;
  double t = 0;
  const Py_ssize_t nq[] = {call.model->nq}, nv[] = {call.model->nv}, nrow[] = {call.model->nrow};
  if (
    mbp_arguments(&call, args, nargs, names, arg) && mbp_arg_double(&call, arg[0], &t, "t") &&
    mbp_output(&call, 0, NULL, nq, 1, -1) && mbp_output(&call, 1, NULL, nv, 1, -1) &&
    mbp_output(&call, 2, NULL, nv, 1, -1) && mbp_output(&call, 3, NULL, nrow, 1, -1)) {
    s->base.busy = true;
    call.status = mbd_simulation_at(
      s->sim, t, call.array[0].p, call.array[1].p, call.array[2].p, call.array[3].p);
    s->base.busy = false;
    if (call.status == MBD_OK)
      call.result = mbp_tuple(
        4, mbp_take(&call, 0), mbp_take(&call, 1), mbp_take(&call, 2), mbp_take(&call, 3));
  }
  return end(&call, 4);
}

static PyObject *
set_wrenches(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  mbp_call_t call;
  PyObject * arg[1];
  if (!mbp_begin(&call, &wrenches_signature, self)) return NULL;
  const mbd_wrenches_t * wrenches = NULL;
  // they lie in this object, and are written anew
  call.status = mbd_simulation_set_wrenches(s->sim, NULL);
  if (
    call.status == MBD_OK && mbp_arguments(&call, args, nargs, names, arg) &&
    mbp_arg_wrenches(&call, arg[0], &wrenches)) {
    call.status = mbd_simulation_set_wrenches(s->sim, wrenches);
    if (call.status == MBD_OK) call.result = mbp_none();
  }
  return end(&call, 0);
}

static PyObject *
refresh(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  mbp_call_t call;
  PyObject * arg[1];
  if (!mbp_begin(&call, &refresh_signature, self)) return NULL;
  if (mbp_arguments(&call, args, nargs, names, arg)) {
    s->base.busy = true;
    call.status = mbd_simulation_refresh(s->sim);
    s->base.busy = false;
    if (call.status == MBD_OK) call.result = mbp_none();
  }
  return end(&call, 0);
}

static mbp_signature_t event_signature = {
  "Simulation.add_event", 3, 1, {"value", "direction", "terminal"}, {NULL}};
static mbp_signature_t jacobian_signature = {"Simulation.jacobian", 0, 0, {NULL}, {NULL}};

static PyObject *
add_event(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  mbp_call_t call;
  PyObject * arg[3];
  if (!mbp_begin(&call, &event_signature, self)) return NULL;
  mbd_event_t event = {ask_event, NULL, 0, false};
  if (
    mbp_arguments(&call, args, nargs, names, arg) &&
    mbp_arg_int(&call, arg[1], &event.direction, "direction") &&
    mbp_arg_bool(&call, arg[2], &event.terminal, "terminal")) {
    if (!PyCallable_Check(arg[0])) {
      mbp_wrong(&call, "value", "a function of (data, t, q, v)");
    } else if (s->nevent == MBD_EVENTS_MAX) {
      call.status = MBD_ERROR_BAD_ARGUMENT;
    } else {
      int index = -1;
      mbp_event_t * mine = &s->event[s->nevent];
      event.ctx = mine;
      call.status = mbd_simulation_add_event(s->sim, &event, &index);
      if (call.status == MBD_OK) {
        *mine = (mbp_event_t){s, Py_NewRef(arg[0])};
        s->nevent++;
        call.result = PyLong_FromLong(index);
      }
    }
  }
  return end(&call, 0);
}

static PyObject *
jacobian(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  mbp_call_t call;
  if (!mbp_begin(&call, &jacobian_signature, self)) return NULL;
  const int n = mbd_simulation_info(s->sim)->n;
  const Py_ssize_t shape[] = {n, n};
  if (
    mbp_arguments(&call, args, nargs, names, NULL) && mbp_output(&call, 0, NULL, shape, 2, -1) &&
    mbp_output(&call, 1, NULL, shape, 2, -1)) {
    s->base.busy = true;
    call.status = mbd_simulation_jacobian(s->sim, call.array[0].p, call.array[1].p);
    s->base.busy = false;
    if (call.status == MBD_OK) call.result = mbp_tuple(2, mbp_take(&call, 0), mbp_take(&call, 1));
  }
  return end(&call, 2);
}

enum { T, Q, V, QDD, TAU, ENERGY, WORK, STEPS, METHOD, STEP, ERROR, DATA, MODEL, EVENT, EVENTS };

static PyObject *
get(PyObject * self, void * closure)
{
  mbp_simulation_t * s = (mbp_simulation_t *)self;
  const mbd_model_t * m = s->base.model;
  const mbd_simulation_info_t * info = mbd_simulation_info(s->sim);
  const intptr_t field = (intptr_t)closure;
  const double * vector = field == Q     ? info->q
                          : field == V   ? info->v
                          : field == QDD ? info->qdd
                                         : info->tau;
  switch (field) {
    case T: return PyFloat_FromDouble(info->t);
    case Q:
    case V:
    case QDD:
    case TAU:
      if (vector == NULL) {
        mbp_raise(MBD_ERROR_STAGE, "Simulation", NULL);
        return NULL;
      }
      return mbp_filled(vector, field == Q ? m->nq : m->nv);
    case ENERGY: return PyFloat_FromDouble(info->energy);
    case WORK: return PyFloat_FromDouble(info->work);
    case STEPS: return PyLong_FromLong(info->steps);
    case METHOD: return PyUnicode_FromString(mbd_method_name(info->method));
    case STEP: return PyFloat_FromDouble(info->step);
    case ERROR: return PyFloat_FromDouble(info->error_position);
    case DATA: return workspace(s);
    case EVENT: return info->event < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(info->event);
    case EVENTS: {
      PyObject * out = PyTuple_New(s->nevent);
      for (int k = 0; out && k < s->nevent; k++)
        PyTuple_SetItem(
          out, k,
          mbp_tuple(
            2, PyLong_FromLong(info->record[k].count), PyFloat_FromDouble(info->record[k].t)));
      return out;
    }
    default: return Py_NewRef((PyObject *)s->base.owner);
  }
}

#define METHOD_OF(function) (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS
static PyMethodDef methods[] = {
  {"start", METHOD_OF(start),
   "start(t, q, v=None) -> dict\n\nStart at the configuration nearest to q that closes the "
   "loops.\n\n"
   "C: mbd_simulation_start"},
  {"step", METHOD_OF(step),
   "step(t_end)\n\nOne accepted step, not beyond t_end.\n\nC: mbd_simulation_step"},
  {"run", METHOD_OF(run), "run(t_end)\n\nStep to t_end.\n\nC: mbd_simulation_run"},
  {"at", METHOD_OF(at),
   "at(t) -> q, v, qdd, lambda\n\nState at a time within the last step.\n\nC: mbd_simulation_at"},
  {"set_wrenches", METHOD_OF(set_wrenches),
   "set_wrenches(wrenches=None)\n\nConstant wrenches on frames, until they are replaced.\n\n"
   "C: mbd_simulation_set_wrenches"},
  {"add_event", METHOD_OF(add_event),
   "add_event(value, direction=0, terminal=False) -> index\n\nBefore the start: value(data, t, q, "
   "v) is a "
   "number, whose\nsign changes are located to 1e-9 s. direction: 1 rising, -1 falling; terminal: "
   "run() "
   "returns there.\nAn exception of value is raised by step or run.\n\n"
   "C: mbd_simulation_add_event"},
  {"jacobian", METHOD_OF(jacobian),
   "jacobian() -> dx, dxd\n\nOf the accelerations, by independent coordinates and their rates.\n\n"
   "C: mbd_simulation_jacobian"},
  {"refresh", METHOD_OF(refresh),
   "refresh()\n\nAfter wrenches, gravity, payloads or terms have changed.\n\nC: "
   "mbd_simulation_refresh"},
  {NULL, NULL, 0, NULL}};

#define FIELD(name, which, doc)                   \
  {                                               \
    name, get, NULL, doc, (void *)(intptr_t)which \
  }
static PyGetSetDef fields[] = {
  FIELD("t", T, "[s]"),
  FIELD("q", Q, "configuration, a copy"),
  FIELD("v", V, "velocity, a copy"),
  FIELD("qdd", QDD, "acceleration, a copy"),
  FIELD("tau", TAU, "torques of torque(), a copy"),
  FIELD("energy", ENERGY, "kinetic plus potential [J]"),
  FIELD("work", WORK, "of torques, friction and drivers since the start [J]"),
  FIELD("steps", STEPS, "accepted since the start"),
  FIELD("method", METHOD, "in use"),
  FIELD("next_step", STEP, "[s]"),
  FIELD("error_position", ERROR, "largest error of the loops since the start [m, rad]"),
  FIELD("data", DATA, "its workspace, for gravity, payloads and queries"),
  FIELD("event", EVENT, "the terminal event of the last step, or None"),
  FIELD("events", EVENTS, "(count, last time) of every event since the start"),
  FIELD("model", MODEL, "the Model it was made for"),
  {NULL, NULL, NULL, NULL, NULL}};

bool
mbp_simulation_init(PyObject * module)
{
  PyType_Slot slots[] = {
    {Py_tp_doc,
     "Simulation(model, torque=None, *, terms=0, method='rkf45', rtol=1e-6, atol=1e-9, step=0, "
     "fixed=False,\n"
     "           step_max=inf, tolerance=1e-14)\n\n"
     "A robot in time (docs/simulate.md). torque(data, t, q, v) returns nv numbers or None; it "
     "must depend on t,\n"
     "q and v alone, and may query data, whose state is q and v, but not set it. Robots with "
     "closed loops are\n"
     "loaded with embed=False."},
    {Py_tp_new, (void *)new_simulation},
    {Py_tp_dealloc, (void *)free_simulation},
    {Py_tp_traverse, (void *)traverse},
    {Py_tp_clear, (void *)clear},
    {Py_tp_methods, methods},
    {Py_tp_getset, fields},
    {0, NULL}};
  PyType_Spec spec = {
    "mbdyn.Simulation", (int)sizeof(mbp_simulation_t), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    slots};
  simulation_type = PyType_FromSpec(&spec);
  mbp_signature_t * const all[] = {&start_signature, &step_signature,     &run_signature,
                                   &at_signature,    &wrenches_signature, &refresh_signature,
                                   &event_signature, &jacobian_signature};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    if (!mbp_signature_init(all[k])) return false;
  }
  return simulation_type && PyModule_AddObjectRef(module, "Simulation", simulation_type) == 0;
}
