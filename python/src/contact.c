// Contacts, supports and clearance of a Data: dicts in, dicts out.
#include "mbdyn_python.h"

// a value of a dict, or NULL
static PyObject *
item(PyObject * dict, const char * name)
{
  PyObject * value = PyDict_GetItemString(dict, name);
  return value == Py_None ? NULL : value;
}

// False for a dict with a name that is not in the list.
static bool
only(mbp_call_t * call, PyObject * dict, const char * what, const char * const * names)
{
  PyObject * key;
  Py_ssize_t k = 0;
  if (!PyDict_Check(dict)) return mbp_wrong(call, what, "a dict");
  while (PyDict_Next(dict, &k, &key, NULL)) {
    bool known = false;
    for (int i = 0; names[i] && PyUnicode_Check(key) && !known; i++)
      known = PyUnicode_CompareWithASCIIString(key, names[i]) == 0;
    if (known) continue;
    PyErr_Format(PyExc_KeyError, "%s: %s has no '%S'", call->signature->name, what, key);
    return false;
  }
  return true;
}

static bool
vec3(mbp_call_t * call, PyObject * dict, const char * name, mbd_vec3_t * value)
{
  PyObject * o = item(dict, name);
  return o == NULL || mbp_arg_vec3(call, o, value, name);
}

static bool
read_contact(mbp_call_t * call, PyObject * o, mbd_contact_t * c)
{
  static const char * const names[] = {"frame_a",  "frame_b",     "point", "normal", "gap",
                                       "friction", "restitution", "mode",  "force",  NULL};
  *c = mbd_contact_default();
  int mode = c->mode;
  const bool ok = only(call, o, "a contact", names) &&
                  mbp_arg_frame_or_world(call, item(o, "frame_a"), &c->frame_a, "frame_a") &&
                  mbp_arg_frame_or_world(call, item(o, "frame_b"), &c->frame_b, "frame_b") &&
                  vec3(call, o, "point", &c->point) && vec3(call, o, "normal", &c->normal) &&
                  mbp_arg_double(call, item(o, "gap"), &c->gap, "gap") &&
                  mbp_arg_double(call, item(o, "friction"), &c->friction, "friction") &&
                  mbp_arg_double(call, item(o, "restitution"), &c->restitution, "restitution") &&
                  mbp_arg_int(call, item(o, "mode"), &mode, "mode") &&
                  vec3(call, o, "force", &c->force);
  if (ok && (mode < MBD_CONTACT_OPEN || mode > MBD_CONTACT_SLIDE))
    return mbp_wrong(call, "mode", "0 (open), 1 (stick) or 2 (slide)");
  c->mode = (mbd_contact_mode_t)mode;
  return ok;
}

// The caller's dicts with the new mode and force.
static PyObject *
contacts_out(PyObject * list, const mbd_contact_t * contact)
{
  const Py_ssize_t n = PyTuple_Size(list);
  PyObject * out = PyList_New(n);
  for (Py_ssize_t k = 0; out && k < n; k++) {
    PyObject * copy = PyDict_Copy(PyTuple_GetItem(list, k));
    PyObject * mode = PyLong_FromLong(contact[k].mode);
    PyObject * force = mbp_from_vec3(contact[k].force);
    const bool ok = copy && mode && force && PyDict_SetItemString(copy, "mode", mode) == 0 &&
                    PyDict_SetItemString(copy, "force", force) == 0;
    Py_XDECREF(mode);
    Py_XDECREF(force);
    if (ok) {
      PyList_SetItem(out, k, copy);
    } else {
      Py_XDECREF(copy);
      Py_CLEAR(out);
    }
  }
  return out;
}

static PyObject *
list_of(mbp_call_t * call, PyObject * o, const char * name)
{
  PyObject * list = PyList_Check(o) || PyTuple_Check(o) ? PySequence_Tuple(o) : NULL;
  if (list != NULL && PyTuple_Size(list) <= 10000) return list;
  Py_XDECREF(list);
  mbp_wrong(call, name, "a list");
  return NULL;
}

static PyObject *
contact(
  mbp_call_t * call, PyObject * contacts, double dt, PyObject * const * o,
  mbd_contact_options_t * options, bool step)
{
  enum { TAU, DRY, VISCOUS, LIMIT, OUT };
  const Py_ssize_t nv[] = {call->model->nv};
  const Py_ssize_t joints[] = {call->model->tree ? call->model->tree->nv : call->model->nv};
  const mbd_wrenches_t * f_ext = NULL;
  mbd_contact_info_t info;
  memset(&info, 0, sizeof info);
  PyObject * list = list_of(call, contacts, "contacts");
  if (list == NULL) return NULL;
  const int n = (int)PyTuple_Size(list);
  mbd_contact_t * contact = PyMem_Calloc((size_t)n + 1, sizeof *contact);
  PyObject * result = NULL;
  bool ok = contact != NULL;
  if (!ok) PyErr_NoMemory();
  for (int k = 0; ok && k < n; k++) ok = read_contact(call, PyTuple_GetItem(list, k), &contact[k]);
  ok = ok && (o[4] == NULL || mbp_arg_wrenches(call, o[4], &f_ext)) &&
       mbp_input(call, TAU, o[0], nv, 1, true, "tau", NULL) &&
       mbp_input(call, DRY, o[1], joints, 1, true, "dry", NULL) &&
       mbp_input(call, VISCOUS, o[2], joints, 1, true, "viscous", NULL) &&
       mbp_output(call, LIMIT, o[3], nv, 1, -1) && mbp_output(call, OUT, NULL, nv, 1, -1);
  if (ok && o[3] == NULL) memset(call->array[LIMIT].p, 0, (size_t)nv[0] * sizeof(double));
  const mbd_joint_friction_t friction = {
    (int)joints[0], call->array[DRY].p, call->array[VISCOUS].p, NULL};
  double * work = ok ? mbp_work(call, mbd_friction_step_work(call->model, n)) : NULL;
  if (work != NULL) {
    double * tau = call->array[TAU].p;
    double * limit = call->array[LIMIT].p;
    double * out = call->array[OUT].p;
    if (!step)
      call->status = mbd_contact_acceleration(
        call->model, call->data, tau, f_ext, n, contact, options, work, out, limit, NULL, &info);
    else if (friction.dry || friction.viscous)
      call->status = mbd_friction_step(
        call->model, call->data, tau, f_ext, dt, n, contact, &friction, options, work, out, limit,
        NULL, &info);
    else
      call->status = mbd_contact_step(
        call->model, call->data, tau, f_ext, dt, n, contact, options, work, out, limit, NULL,
        &info);
    if (call->status == MBD_OK)
      result = mbp_tuple(
        3, mbp_take(call, OUT), contacts_out(list, contact),
        mbp_dict(
          4, "iterations", PyLong_FromLong(info.iterations), "residual",
          PyFloat_FromDouble(info.residual), "nactive", PyLong_FromLong(info.nactive), "limit",
          mbp_take(call, LIMIT)));
  }
  PyMem_Free(contact);
  Py_DECREF(list);
  return result;
}

static void
nones(PyObject ** o, int n)
{
  for (int k = 0; k < n; k++) {
    if (o[k] == Py_None) o[k] = NULL;
  }
}

PyObject *
mbp_data_contact_step(PyObject * self, PyObject * args, PyObject * keywords)
{
  static mbp_signature_t signature = {"Data.contact_step", 0, 0, {NULL}, {NULL}};
  static char * words[] = {"contacts", "dt",     "tau",      "f_ext", "dry",
                           "viscous",  "limits", "recovery", "limit", NULL};
  mbd_contact_options_t options = mbd_contact_options_default();
  PyObject * contacts;
  PyObject * o[5] = {NULL, NULL, NULL, NULL, NULL};
  double dt;
  int limits = 1;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "Od|OO$OOpdO:contact_step", words, &contacts, &dt, &o[0], &o[4], &o[1],
        &o[2], &limits, &options.recovery, &o[3]))
    return NULL;
  nones(o, 5);
  options.limits = limits;
  mbp_call_t call;
  if (!mbp_begin(&call, &signature, self)) return NULL;
  call.result = contact(&call, contacts, dt, o, &options, true);
  return mbp_end(&call, 5);
}

PyObject *
mbp_data_contact_acceleration(PyObject * self, PyObject * args, PyObject * keywords)
{
  static mbp_signature_t signature = {"Data.contact_acceleration", 0, 0, {NULL}, {NULL}};
  static char * words[] = {"contacts", "tau", "f_ext", "limits", "limit", NULL};
  mbd_contact_options_t options = mbd_contact_options_default();
  PyObject * contacts;
  PyObject * o[5] = {NULL, NULL, NULL, NULL, NULL};
  int limits = 1;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "O|OO$pO:contact_acceleration", words, &contacts, &o[0], &o[4], &limits,
        &o[3]))
    return NULL;
  nones(o, 5);
  options.limits = limits;
  mbp_call_t call;
  if (!mbp_begin(&call, &signature, self)) return NULL;
  call.result = contact(&call, contacts, 0, o, &options, false);
  return mbp_end(&call, 5);
}

//---------- supports ----------

static bool
read_support(mbp_call_t * call, PyObject * o, mbd_support_t * s)
{
  static const char * const names[] = {"frame", "x", "y", "radius", "normal", "friction", NULL};
  *s = mbd_support_default();
  if (!only(call, o, "a support", names)) return false;
  PyObject * x = item(o, "x");
  PyObject * y = item(o, "y");
  if ((x && !mbp_read_numbers(x, s->x, 2)) || (y && !mbp_read_numbers(y, s->y, 2)))
    return mbp_wrong(call, "x and y of a support", "two numbers each, from and to");
  if (item(o, "frame") == NULL) return mbp_wrong(call, "a support", "a dict with a frame");
  return mbp_arg_frame(call, item(o, "frame"), &s->frame, "frame") &&
         mbp_arg_double(call, item(o, "radius"), &s->radius, "radius") &&
         vec3(call, o, "normal", &s->normal) &&
         mbp_arg_double(call, item(o, "friction"), &s->friction, "friction");
}

static PyObject *
forces_of(int n, const mbd_support_t * support)
{
  PyObject * out = PyList_New(n);
  for (int k = 0; out && k < n; k++) {
    const int points = mbd_support_points(&support[k]);
    PyObject * list = PyList_New(points);
    for (int i = 0; list && i < points; i++)
      PyList_SetItem(list, i, mbp_from_vec3(support[k].force[i]));
    PyList_SetItem(out, k, list);
  }
  return out;
}

PyObject *
mbp_data_support_torques(PyObject * self, PyObject * args, PyObject * keywords)
{
  static mbp_signature_t signature = {"Data.support_torques", 0, 0, {NULL}, {NULL}};
  static char * words[] = {"wanted", "supports", "qdd", "base", NULL};
  PyObject * wanted;
  PyObject * supports;
  PyObject * qdd = NULL;
  PyObject * base = NULL;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "OO|OO:support_torques", words, &wanted, &supports, &qdd, &base))
    return NULL;
  nones(&qdd, 1);
  nones(&base, 1);
  mbp_call_t call;
  if (!mbp_begin(&call, &signature, self)) return NULL;
  const Py_ssize_t nv[] = {call.model->nv};
  PyObject * list = list_of(&call, supports, "supports");
  const int n = list ? (int)PyTuple_Size(list) : 0;
  mbd_support_t * support = list ? PyMem_Calloc((size_t)n + 1, sizeof *support) : NULL;
  int body = 0;
  bool ok = support != NULL && mbp_arg_joint(&call, base, &body, "base");
  for (int k = 0; ok && k < n; k++) ok = read_support(&call, PyTuple_GetItem(list, k), &support[k]);
  if (
    ok && mbp_input(&call, 0, wanted, nv, 1, false, "wanted", NULL) &&
    mbp_input(&call, 1, qdd, nv, 1, true, "qdd", NULL) && mbp_output(&call, 2, NULL, nv, 1, -1) &&
    mbp_output(&call, 3, NULL, nv, 1, -1)) {
    double * work = mbp_work(&call, mbd_support_work(call.model, n));
    mbd_support_info_t info;
    memset(&info, 0, sizeof info);
    if (work != NULL) {
      call.status = mbd_support_torques(
        call.model, call.data, body, call.array[0].p, call.array[1].p, n, support, work,
        call.array[2].p, call.array[3].p, &info);
      if (call.status == MBD_OK)
        call.result = mbp_tuple(
          4, mbp_take(&call, 2), mbp_take(&call, 3), forces_of(n, support),
          mbp_dict(
            4, "iterations", PyLong_FromLong(info.iterations), "reached",
            PyBool_FromLong(info.reached), "missing", mbp_from_force(info.missing), "normal",
            PyFloat_FromDouble(info.normal)));
    }
  }
  PyMem_Free(support);
  Py_XDECREF(list);
  return mbp_end(&call, 4);
}

//---------- clearance ----------

PyObject *
mbp_data_clearance(PyObject * self, PyObject * args, PyObject * keywords)
{
  static mbp_signature_t signature = {"Data.clearance", 0, 0, {NULL}, {NULL}};
  static char * words[] = {"shapes", "obstacles", NULL};
  PyObject * shapes;
  PyObject * obstacles;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:clearance", words, &shapes, &obstacles))
    return NULL;
  mbp_call_t call;
  if (!mbp_begin(&call, &signature, self)) return NULL;
  PyObject * bodies = list_of(&call, shapes, "shapes");
  PyObject * world = bodies ? list_of(&call, obstacles, "obstacles") : NULL;
  if (world != NULL) {
    const int n = (int)PyTuple_Size(bodies), m = (int)PyTuple_Size(world);
    mbd_shape_t * shape = PyMem_Calloc((size_t)n + 1, sizeof *shape);
    mbd_capsule_t * obstacle = PyMem_Calloc((size_t)m + 1, sizeof *obstacle);
    mbd_clearance_t result;
    if (shape == NULL || obstacle == NULL) {
      PyErr_NoMemory();
    } else if (
      mbp_read_shapes(&call, bodies, shape, NULL) &&
      mbp_read_shapes(&call, world, NULL, obstacle)) {
      call.status = mbd_clearance(call.model, call.data, n, shape, m, obstacle, &result);
      if (call.status == MBD_OK) call.result = mbp_from_clearance(result);
    }
    PyMem_Free(shape);
    PyMem_Free(obstacle);
  }
  Py_XDECREF(bodies);
  Py_XDECREF(world);
  return mbp_end(&call, 0);
}
