// Builder: a model made in Python, link by link.
#include <math.h>

#include "mbdyn_python.h"

typedef struct mbp_builder {
  PyObject ob_base;
  mbd_model_t * model;  // NULL: finalized
} mbp_builder_t;

static mbp_signature_t signature = {"Builder", 0, 0, {NULL}, {NULL}};

// A call for the readers of arguments.
static mbd_model_t *
begin(PyObject * self, mbp_call_t * call)
{
  mbd_model_t * model = ((mbp_builder_t *)self)->model;
  if (model == NULL) PyErr_SetString(PyExc_ValueError, "Builder: the model is finalized");
  mbp_begin_free(call, &signature);
  call->model = model;
  return model;
}

static PyObject *
done(mbd_status_t status, const char * name, const mbd_model_t * model, const int * index)
{
  if (status == MBD_OK) return PyLong_FromLong(*index);
  mbp_raise(status, name, model->error_name);
  return NULL;
}

static bool
read_vec3(PyObject * o, mbd_vec3_t * value, const char * name)
{
  double x[3];
  if (o == NULL || o == Py_None) return true;
  if (!mbp_read_numbers(o, x, 3)) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "Builder: %s must be three numbers", name);
    return false;
  }
  *value = (mbd_vec3_t){x[0], x[1], x[2]};
  return true;
}

static bool
read_inertia(mbp_call_t * call, PyObject * o, mbd_inertia_t * value)
{
  return o == NULL || o == Py_None || mbp_arg_inertia(call, o, value);
}

// Index of a name in a list of the core's names, or an exception that lists them.
static bool
choose(
  const char * text, const char * what, const char * (*name_of)(int), int first, int end,
  int * value)
{
  PyObject * known = PyUnicode_FromString("");
  for (int k = first; known && k < end; k++) {
    if (strcmp(text, name_of(k)) == 0) {
      Py_DECREF(known);
      *value = k;
      return true;
    }
    PyObject * more = PyUnicode_FromFormat("%U%s%s", known, k > first ? ", " : "", name_of(k));
    Py_DECREF(known);
    known = more;
  }
  if (known) PyErr_Format(PyExc_ValueError, "Builder: no %s '%s'; there are %U", what, text, known);
  Py_XDECREF(known);
  return false;
}

static const char *
joint_type(int k)
{
  return mbd_joint_type_name((mbd_joint_type_t)k);
}

static const char *
closure_type(int k)
{
  return mbd_closure_type_name((mbd_closure_type_t)k);
}

static const char *
element_type(int k)
{
  return mbd_element_type_name((mbd_element_type_t)k);
}

static PyObject *
add_body(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {
    "name",
    "joint",
    "type",
    "parent",
    "placement",
    "inertia",
    "axis",
    "pitch",
    "lower",
    "upper",
    "velocity",
    "effort",
    "rotor_inertia",
    "gear_ratio",
    "viscous",
    "coulomb",
    "coulomb_velocity",
    "mimic",
    NULL};
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  if (model == NULL) return NULL;
  mbd_body_spec_t spec = mbd_body_spec_default();
  const char * type = "revolute";
  PyObject * parent = NULL;
  PyObject * placement = NULL;
  PyObject * inertia = NULL;
  PyObject * axis = NULL;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "ss|s$OOOOdddddddddd(sdd):add_body", words, &spec.name, &spec.joint_name,
        &type, &parent, &placement, &inertia, &axis, &spec.pitch, &spec.limits.lower,
        &spec.limits.upper, &spec.limits.velocity, &spec.limits.effort, &spec.drive.rotor_inertia,
        &spec.drive.gear_ratio, &spec.drive.viscous, &spec.drive.coulomb,
        &spec.drive.coulomb_velocity, &spec.mimic.joint, &spec.mimic.multiplier,
        &spec.mimic.offset))
    return NULL;
  int kind = 0, frame = 0;
  if (
    !choose(type, "joint type", joint_type, MBD_JOINT_FIXED, MBD_JOINT_USER, &kind) ||
    !mbp_arg_frame_or_world(&call, parent, &spec.parent, "parent") ||
    !mbp_arg_pose(&call, placement, &spec.placement, "placement") ||
    !read_inertia(&call, inertia, &spec.inertia) || !read_vec3(axis, &spec.axis, "axis"))
    return NULL;
  spec.type = (mbd_joint_type_t)kind;
  return done(mbd_model_add_body(model, &spec, &frame), "Builder.add_body", model, &frame);
}

static PyObject *
add_frame(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"name", "link", "placement", NULL};
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  if (model == NULL) return NULL;
  const char * name;
  PyObject * link = NULL;
  PyObject * placement = NULL;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "s|OO:add_frame", words, &name, &link, &placement))
    return NULL;
  mbd_placement_t X = mbd_body_spec_default().placement;
  int on, frame = 0;
  if (
    !mbp_arg_frame_or_world(&call, link, &on, "link") ||
    !mbp_arg_pose(&call, placement, &X, "placement"))
    return NULL;
  return done(mbd_model_add_frame(model, name, on, &X, &frame), "Builder.add_frame", model, &frame);
}

// {joint: coefficient}; the strings belong to the dict
static bool
read_coupling(PyObject * joints, mbd_closure_spec_t * spec)
{
  PyObject * name;
  PyObject * coefficient;
  Py_ssize_t k = 0;
  if (joints == NULL || joints == Py_None) return true;
  bool ok = PyDict_Check(joints) && PyDict_Size(joints) <= MBD_COUPLED_MAX;
  while (ok && PyDict_Next(joints, &k, &name, &coefficient)) {
    const int n = spec->ncoupled;
    spec->joint[n] = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    spec->coefficient[n] = PyFloat_Check(coefficient) || PyLong_Check(coefficient)
                             ? PyFloat_AsDouble(coefficient)
                             : (double)NAN;
    ok = spec->joint[n] != NULL && !PyErr_Occurred() && !isnan(spec->coefficient[n]);
    spec->ncoupled++;
  }
  if (!ok && !PyErr_Occurred())
    PyErr_Format(
      PyExc_TypeError, "Builder: joints must be {name: coefficient, ...}, at most %d",
      MBD_COUPLED_MAX);
  return ok;
}

static PyObject *
add_closure(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"name",     "type",  "a",      "b",      "X_a",    "X_b",
                           "distance", "pitch", "joints", "offset", "driver", NULL};
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  if (model == NULL) return NULL;
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  const char * type;
  PyObject * a = NULL;
  PyObject * b = NULL;
  PyObject * X_a = NULL;
  PyObject * X_b = NULL;
  PyObject * joints = NULL;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "ss|OO$OOddOd(idd):add_closure", words, &spec.name, &type, &a, &b, &X_a,
        &X_b, &spec.distance, &spec.pitch, &joints, &spec.offset, &spec.driver.row,
        &spec.driver.value, &spec.driver.rate))
    return NULL;
  int kind = 0, closure = 0;
  if (
    !choose(type, "closure type", closure_type, 0, MBD_CLOSURE_ON_SURFACE, &kind) ||
    !mbp_arg_frame_or_world(&call, a, &spec.frame_a, "a") ||
    !mbp_arg_frame_or_world(&call, b, &spec.frame_b, "b") ||
    !mbp_arg_pose(&call, X_a, &spec.X_a, "X_a") || !mbp_arg_pose(&call, X_b, &spec.X_b, "X_b") ||
    !read_coupling(joints, &spec))
    return NULL;
  spec.type = (mbd_closure_type_t)kind;
  return done(
    mbd_model_add_closure(model, &spec, &closure), "Builder.add_closure", model, &closure);
}

// six numbers, linear first; the core has them angular first
static bool
read_six(PyObject * o, double * out, const char * name)
{
  double six[6];
  if (o == NULL || o == Py_None) return true;
  if (!mbp_read_numbers(o, six, 6)) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "Builder: %s must be six numbers, linear first", name);
    return false;
  }
  for (int k = 0; k < 6; k++) out[(k + 3) % 6] = six[k];
  return true;
}

static PyObject *
add_element(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"name",  "type",       "a",        "b",      "X_a",     "X_b",
                           "joint", "stiffness",  "damping",  "rest",   "preload", "one_sided",
                           "ramp",  "stiffness6", "damping6", "wrench", NULL};
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  if (model == NULL) return NULL;
  mbd_element_spec_t spec = mbd_element_spec_default();
  const char * type;
  const char * side = "both";
  PyObject * a = NULL;
  PyObject * b = NULL;
  PyObject * X_a = NULL;
  PyObject * X_b = NULL;
  PyObject * stiffness = NULL;
  PyObject * damping = NULL;
  PyObject * wrench = NULL;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "ss|OO$OOzddddsdOOO:add_element", words, &spec.name, &type, &a, &b, &X_a,
        &X_b, &spec.joint, &spec.stiffness, &spec.damping, &spec.rest, &spec.preload, &side,
        &spec.ramp, &stiffness, &damping, &wrench))
    return NULL;
  int kind = 0, element = 0;
  double f[6] = {0, 0, 0, 0, 0, 0};
  if (
    !choose(type, "element type", element_type, 0, MBD_ELEMENT_TYPES, &kind) ||
    !mbp_arg_frame_or_world(&call, a, &spec.frame_a, "a") ||
    !mbp_arg_frame_or_world(&call, b, &spec.frame_b, "b") ||
    !mbp_arg_pose(&call, X_a, &spec.X_a, "X_a") || !mbp_arg_pose(&call, X_b, &spec.X_b, "X_b") ||
    !read_six(stiffness, spec.stiffness6, "stiffness6") ||
    !read_six(damping, spec.damping6, "damping6") || !read_six(wrench, f, "wrench"))
    return NULL;
  spec.type = (mbd_element_type_t)kind;
  spec.wrench = (mbd_force_t){{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
  if (strcmp(side, "push") == 0) {
    spec.one_sided = MBD_ONE_SIDED_PUSH;
  } else if (strcmp(side, "pull") == 0) {
    spec.one_sided = MBD_ONE_SIDED_PULL;
  } else if (strcmp(side, "both") != 0) {
    PyErr_Format(
      PyExc_ValueError, "Builder: one_sided is 'both', 'push' or 'pull', not '%s'", side);
    return NULL;
  }
  return done(
    mbd_model_add_element(model, &spec, &element), "Builder.add_element", model, &element);
}

static PyObject *
add_motor(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"name",    "joint", "ratio",   "mount",   "X",
                           "inertia", "axis",  "in_link", "elastic", NULL};
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  if (model == NULL) return NULL;
  mbd_motor_spec_t spec = mbd_motor_spec_default();
  PyObject * mount = NULL;
  PyObject * X = NULL;
  PyObject * inertia = NULL;
  PyObject * axis = NULL;
  int in_link = 0, elastic = 0, frame = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "ssd|$OOOOpp:add_motor", words, &spec.name, &spec.joint, &spec.ratio,
        &mount, &X, &inertia, &axis, &in_link, &elastic))
    return NULL;
  if (
    !mbp_arg_frame_or_world(&call, mount, &spec.mount, "mount") ||
    !mbp_arg_pose(&call, X, &spec.X, "X") || !read_inertia(&call, inertia, &spec.inertia) ||
    !read_vec3(axis, &spec.axis, "axis"))
    return NULL;
  spec.in_link = in_link;
  spec.elastic = elastic;
  return done(mbd_model_add_motor(model, &spec, &frame), "Builder.add_motor", model, &frame);
}

static PyObject *
add_motors(PyObject * self, PyObject * nothing)
{
  (void)nothing;
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  int n = 0;
  return model ? done(mbd_model_add_motors(model, &n), "Builder.add_motors", model, &n) : NULL;
}

static PyObject *
add_bearing(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"joint",  "mu_static", "mu_dynamic", "radius",    "span", "key",
                           "offset", "preload",   "velocity",   "smoothing", "on_a", NULL};
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  if (model == NULL) return NULL;
  mbd_bearing_spec_t spec = mbd_bearing_spec_default();
  int on_a = 0, bearing = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "sdd|$dddddddp:add_bearing", words, &spec.joint, &spec.mu_static,
        &spec.mu_dynamic, &spec.radius, &spec.span, &spec.key, &spec.offset, &spec.preload,
        &spec.velocity, &spec.smoothing, &on_a))
    return NULL;
  spec.on_a = on_a;
  return done(
    mbd_model_add_bearing(model, &spec, &bearing), "Builder.add_bearing", model, &bearing);
}

static PyObject *
set_gravity(PyObject * self, PyObject * gravity)
{
  mbp_call_t call;
  mbd_model_t * model = begin(self, &call);
  mbd_vec3_t g = {0, 0, 0};
  if (model == NULL || !read_vec3(gravity, &g, "gravity")) return NULL;
  const mbd_status_t status = mbd_model_set_gravity(model, g);
  if (status == MBD_OK) return Py_NewRef(Py_None);
  return done(status, "Builder.set_gravity", model, NULL);
}

static PyObject *
finalize(PyObject * self, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"embed", "mimic_independent", NULL};
  mbp_builder_t * b = (mbp_builder_t *)self;
  mbp_call_t call;
  int embed = 1, independent = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$pp:finalize", words, &embed, &independent))
    return NULL;
  mbd_model_t * model = begin(self, &call);
  if (model == NULL) return NULL;
  mbd_status_t status = mbd_model_set_mimic_independent(model, independent);
  if (status == MBD_OK) status = mbd_model_finalize(model);
  if (status != MBD_OK) return done(status, "Builder.finalize", model, NULL);
  mbd_model_t * out = model;
  if (embed && model->nclosure > 0) {
    mbd_embed_options_t options = mbd_embed_options_default();
    options.own_tree = true;
    status = mbd_model_embed(model, &options, &out);
    if (status != MBD_OK) {
      done(status, "Builder.finalize", model, NULL);
      mbd_model_destroy(model);
      b->model = NULL;
      return NULL;
    }
  }
  b->model = NULL;
  return mbp_model_wrap(out, NULL, NULL);
}

static PyObject *
new_builder(PyTypeObject * type, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"name", NULL};
  const char * name = "robot";
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|s:Builder", words, &name)) return NULL;
  mbp_builder_t * self = (mbp_builder_t *)mbp_new((PyObject *)type);
  if (self == NULL) return NULL;
  const mbd_status_t status = mbd_model_create(name, &self->model);
  if (status == MBD_OK) return (PyObject *)self;
  mbp_raise(status, "Builder", NULL);
  Py_DECREF((PyObject *)self);
  return NULL;
}

static void
free_builder(PyObject * self)
{
  PyTypeObject * type = Py_TYPE(self);
  mbd_model_destroy(((mbp_builder_t *)self)->model);
  freefunc free_ = (freefunc)PyType_GetSlot(type, Py_tp_free);
  free_(self);
  Py_DECREF(type);
}

#define METHOD(name, doc)                                                       \
  {                                                                             \
#name, (PyCFunction)(void (*)(void))name, METH_VARARGS | METH_KEYWORDS, doc \
  }
static PyMethodDef methods[] = {
  METHOD(
    add_body,
    "add_body(name, joint, type='revolute', *, parent=None, placement=None, inertia=None, "
    "axis=None,\n"
    "         pitch=0, lower=-inf, upper=inf, velocity=inf, effort=inf, rotor_inertia=0, "
    "gear_ratio=1,\n"
    "         viscous=0, coulomb=0, coulomb_velocity=..., mimic=None) -> frame\n\n"
    "Add a link and its joint. parent: a link, or None for the world; placement: 4 x 4, of the "
    "joint in the "
    "parent;\n"
    "inertia: (mass, centre of mass, xx xy xz yy yz zz about it); mimic: (joint, multiplier, "
    "offset).\n\n"
    "C: mbd_model_add_body"),
  METHOD(
    add_frame,
    "add_frame(name, link=None, placement=None) -> frame\n\nAdd a named frame on a link.\n\n"
    "C: mbd_model_add_frame"),
  METHOD(
    add_closure,
    "add_closure(name, type, a=None, b=None, *, X_a=None, X_b=None, distance=0, pitch=0, "
    "joints=None,\n"
    "            offset=0, driver=None) -> closure\n\n"
    "Close a loop between frames a and b, or couple joints {name: coefficient}. driver: (row, "
    "value, "
    "rate).\n\nC: mbd_model_add_closure"),
  METHOD(
    add_element,
    "add_element(name, type, a=None, b=None, *, X_a=None, X_b=None, joint=None, stiffness=0, "
    "damping=0,\n"
    "            rest=0, preload=0, one_sided='both', ramp=0, stiffness6=None, damping6=None, "
    "wrench=None)\n  -> element\n\n"
    "Add a spring, torsion spring, bushing, spring on a joint, or constant wrench; six numbers are "
    "linear "
    "first.\n\nC: mbd_model_add_element"),
  METHOD(
    add_motor,
    "add_motor(name, joint, ratio, *, mount=None, X=None, inertia=None, axis=None, in_link=False,\n"
    "          elastic=False) -> frame\n\nAdd a motor with its rotor as a body.\n\nC: "
    "mbd_model_add_motor"),
  {"add_motors", add_motors, METH_NOARGS,
   "add_motors() -> n\n\nRotors as bodies, for all joints with rotor inertia.\n\nC: "
   "mbd_model_add_motors"},
  METHOD(
    add_bearing,
    "add_bearing(joint, mu_static, mu_dynamic, *, radius=0, span=0, key=0, offset=0, preload=0,\n"
    "            velocity=0.002, smoothing=0.002, on_a=False) -> bearing\n\n"
    "Friction of a joint that grows with its load.\n\nC: mbd_model_add_bearing"),
  {"set_gravity", set_gravity, METH_O,
   "set_gravity((x, y, z))\n\nIn world axes [m/s^2].\n\nC: mbd_model_set_gravity"},
  METHOD(
    finalize,
    "finalize(*, embed=True, mimic_independent=False) -> Model\n\n"
    "The model. With closures and embed, v has independent velocities alone.\n\n"
    "C: mbd_model_finalize, mbd_model_embed, mbd_model_set_mimic_independent"),
  {NULL, NULL, 0, NULL}};

bool
mbp_builder_init(PyObject * module)
{
  PyType_Slot slots[] = {
    {Py_tp_doc,
     "Builder(name='robot')\n\nA model made in Python, link by link; finalize() gives it."},
    {Py_tp_new, (void *)new_builder},
    {Py_tp_dealloc, (void *)free_builder},
    {Py_tp_methods, methods},
    {0, NULL}};
  PyType_Spec spec = {"mbdyn.Builder", (int)sizeof(mbp_builder_t), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject * type = PyType_FromSpec(&spec);
  return type && PyModule_AddObjectRef(module, "Builder", type) == 0;
}
