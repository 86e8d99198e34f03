// Data: the workspace of one thread.
#include "mbdyn_python.h"

PyObject * mbp_data_type;

static PyObject *
new_data(PyTypeObject * type, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"model", "terms", NULL};
  PyObject * of;
  unsigned terms = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "O!|I:Data", words, (PyTypeObject *)mbp_model_type, &of, &terms))
    return NULL;
  mbp_object_t * model = (mbp_object_t *)of;
  if (model->model == NULL) {
    PyErr_SetString(PyExc_ValueError, "Data: the model is closed");
    return NULL;
  }
  mbd_data_t * data = NULL;
  mbd_status_t status = mbd_data_create(model->model, &data);
  if (status == MBD_OK) status = mbd_set_terms(data, terms);
  mbp_object_t * self = status == MBD_OK ? (mbp_object_t *)mbp_new((PyObject *)type) : NULL;
  if (self == NULL) {
    mbd_data_destroy(data);
    if (status != MBD_OK) mbp_raise(status, "Data", NULL);
    return NULL;
  }
  self->data = data;
  self->model = model->model;
  self->owner = (mbp_object_t *)Py_NewRef(of);
  model->users++;
  return (PyObject *)self;
}

static PyObject *
get_model(PyObject * self, void * closure)
{
  (void)closure;
  mbp_object_t * owner = ((mbp_object_t *)self)->owner;
  return Py_NewRef(owner ? (PyObject *)owner : Py_None);
}

static PyObject *
get_closed(PyObject * self, void * closure)
{
  (void)closure;
  return PyBool_FromLong(((mbp_object_t *)self)->data == NULL);
}

static PyObject *
get_terms(PyObject * self, void * closure)
{
  (void)closure;
  const mbd_data_t * data = ((mbp_object_t *)self)->data;
  return PyLong_FromUnsignedLong(data ? data->terms : 0);
}

static PyObject *
close_data(PyObject * self, PyObject * nothing)
{
  (void)nothing;
  return mbp_close((mbp_object_t *)self);
}

static PyObject *
repr(PyObject * self)
{
  const mbp_object_t * o = (mbp_object_t *)self;
  if (o->data == NULL) return PyUnicode_FromString("<mbdyn.Data, closed>");
  return PyUnicode_FromFormat("<mbdyn.Data of '%s'>", o->model->name);
}

static PyMethodDef methods[] = {
  {"ik", (PyCFunction)(void (*)(void))mbp_data_ik, METH_FASTCALL | METH_KEYWORDS,
   "ik(targets, seed=None, posture=None, position=1e-6, rotation=1e-6, iterations=60, "
   "restarts=100,\n"
   "   random_seed=0, ignore_limits=False, length=0) -> q, result\n\n"
   "A configuration in which all targets are reached, near the seed, or the nearest pose found:\n"
   "result['solved'] and result['outcome'] say which. targets: (frame, pose 4 x 4) each, or\n"
   "(frame, pose, axes) with six truth values for x y z and the rotations about them.\n\nC: "
   "mbd_ik"},
  {"ik_all", (PyCFunction)(void (*)(void))mbp_data_ik_all, METH_FASTCALL | METH_KEYWORDS,
   "ik_all(targets, seed=None, ..., most=16) -> solutions, result\n\n"
   "All solutions within the limits, one per row, sorted by distance from the seed.\n\nC: "
   "mbd_ik_all"},
  {"contact_step", (PyCFunction)(void (*)(void))mbp_data_contact_step, METH_VARARGS | METH_KEYWORDS,
   "contact_step(contacts, dt, tau=None, f_ext=None, *, dry=None, viscous=None, limits=True, "
   "recovery=0.2,\n"
   "             limit=None) -> v, contacts, info\n\n"
   "Velocities after a step in time with unilateral contacts, friction, impacts and position "
   "limits.\n"
   "contacts: dicts with frame_b, point, normal, gap, and as you like frame_a, friction, "
   "restitution, "
   "mode, force:\n"
   "the fields of mbd_contact_t; the result has new ones with mode and force [N s], to be given to "
   "the "
   "next step.\n"
   "dry, viscous: friction of the joints [nv]. Needs set_state.\n\n"
   "C: mbd_contact_step, mbd_friction_step"},
  {"contact_acceleration", (PyCFunction)(void (*)(void))mbp_data_contact_acceleration,
   METH_VARARGS | METH_KEYWORDS,
   "contact_acceleration(contacts, tau=None, f_ext=None, *, limits=True, limit=None)\n"
   "  -> qdd, contacts, info\n\n"
   "Accelerations and forces [N] of closed contacts. Needs set_state.\n\nC: "
   "mbd_contact_acceleration"},
  {"support_torques", (PyCFunction)(void (*)(void))mbp_data_support_torques,
   METH_VARARGS | METH_KEYWORDS,
   "support_torques(wanted, supports, qdd=None, base=0) -> tau, qdd, forces, info\n\n"
   "Joint torques and contact forces of a robot that stands on frames. supports: dicts with frame "
   "and as "
   "you like\n"
   "x, y (from and to, of a sole), radius, normal, friction. forces: of each support, those of its "
   "points "
   "[N],\n"
   "world axes. Needs set_state.\n\nC: mbd_support_torques"},
  {"clearance", (PyCFunction)(void (*)(void))mbp_data_clearance, METH_VARARGS | METH_KEYWORDS,
   "clearance(shapes, obstacles) -> dict\n\n"
   "Smallest distance [m] of shapes, (frame, a, b, radius) each, from obstacles in the world, (a, "
   "b, "
   "radius) each:\n"
   "capsules from point a to b. Needs set_position.\n\nC: mbd_clearance"},
  {"close", close_data, METH_NOARGS,
   "close()\n\nFree it now. BufferError while views of it exist."},
  {NULL, NULL, 0, NULL}};

static PyGetSetDef fields[40] = {
  {"model", get_model, NULL, "the Model it was made for", NULL},
  {"terms", get_terms, NULL, "TERM_... that count: set_terms", NULL},
  {"closed", get_closed, NULL, "after close()", NULL}};

bool
mbp_data_init(PyObject * module)
{
  for (size_t k = 0; k < mbp_view_count; k++)
    fields[3 + k] = (PyGetSetDef){mbp_view_name[k], mbp_data_view, NULL, NULL, (void *)(intptr_t)k};
  PyMethodDef * all = mbp_methods(methods, mbp_data_generated, mbp_data_count);
  if (all == NULL) return false;
  PyType_Slot slots[] = {
    {Py_tp_doc,
     "Data(model, terms=0)\n\nThe workspace of one thread: the state, and what has been computed "
     "from it.\n\n"
     "Attributes with the names of docs/api/data.md (q, v, X_world, V, ...) are read-only views "
     "without copy\n"
     "that keep it alive; a stage that has not been computed raises StageError."},
    {Py_tp_new, (void *)new_data},
    {Py_tp_dealloc, (void *)mbp_free},
    {Py_tp_repr, (void *)repr},
    {Py_tp_methods, all},
    {Py_tp_getset, fields},
    {0, NULL}};
  PyType_Spec spec = {"mbdyn.Data", (int)sizeof(mbp_object_t), 0, Py_TPFLAGS_DEFAULT, slots};
  mbp_data_type = PyType_FromSpec(&spec);
  return mbp_data_type && PyModule_AddObjectRef(module, "Data", mbp_data_type) == 0;
}
