// Views of a workspace: read-only, without copy; a view keeps its workspace alive.
#include <stddef.h>

#include "mbdyn_python.h"

PyObject * mbp_view_type;
static PyTypeObject * placement_type;
static PyTypeObject * motion_type;
static PyTypeObject * force_type;
static PyTypeObject * inertia_type;

typedef struct mbp_view {
  PyObject ob_base;  // PyObject_HEAD
  mbp_object_t * owner;
  const double * p;
  int ndim;
  Py_ssize_t shape[3], strides[3];
} mbp_view_t;

static int
get_buffer(PyObject * self, Py_buffer * view, int flags)
{
  mbp_view_t * v = (mbp_view_t *)self;
  view->obj = NULL;
  Py_ssize_t dense = (Py_ssize_t)sizeof(double);
  bool contiguous = true;
  for (int k = v->ndim - 1; k >= 0; k--) {
    contiguous = contiguous && v->strides[k] == dense;
    dense *= v->shape[k];
  }
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError, "views of a workspace are read-only");
    return -1;
  }
  if (!contiguous && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    PyErr_SetString(PyExc_BufferError, "this view has strides");
    return -1;
  }
  view->buf = (void *)(uintptr_t)v->p;
  view->len = dense;
  view->readonly = 1;
  view->itemsize = (Py_ssize_t)sizeof(double);
  view->format = flags & PyBUF_FORMAT ? "d" : NULL;
  view->ndim = v->ndim;
  view->shape = flags & PyBUF_ND ? v->shape : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? v->strides : NULL;
  view->suboffsets = NULL;
  view->internal = NULL;
  view->obj = Py_NewRef(self);
  return 0;
}

static void
free_view(PyObject * self)
{
  mbp_view_t * v = (mbp_view_t *)self;
  PyTypeObject * type = Py_TYPE(self);
  if (v->owner != NULL) v->owner->users--;
  Py_CLEAR(v->owner);
  freefunc free_ = (freefunc)PyType_GetSlot(type, Py_tp_free);
  free_(self);
  Py_DECREF(type);
}

// n x rows x columns, n x columns (rows 0) or n (columns 0) numbers, `step` bytes from one to the next
static PyObject *
view_of(
  mbp_object_t * owner, const double * p, Py_ssize_t n, Py_ssize_t rows, Py_ssize_t columns,
  size_t step)
{
  mbp_view_t * v = (mbp_view_t *)mbp_new(mbp_view_type);
  if (v == NULL) return NULL;
  const Py_ssize_t one = (Py_ssize_t)sizeof(double);
  v->owner = (mbp_object_t *)Py_NewRef((PyObject *)owner);
  owner->users++;
  v->p = p;
  v->shape[v->ndim] = n;
  v->strides[v->ndim++] = (Py_ssize_t)step;
  if (rows > 0) {
    v->shape[v->ndim] = rows;
    v->strides[v->ndim++] = columns * one;
  }
  if (columns > 0) {
    v->shape[v->ndim] = columns;
    v->strides[v->ndim++] = one;
  }
  PyObject * array = mbp_as_array((PyObject *)v);
  Py_DECREF((PyObject *)v);
  return array;
}

//---------- the fields of mbd_data_t ----------

typedef enum stage {
  ALWAYS,
  POSITION,
  VELOCITY,
  BIAS,
  ACCELERATION,
  FORCE,
  COMPOSITE,
  ARTICULATED,
  COMPLIANCE,
  RESPONSE
} stage_t;

typedef enum content { NUMBERS, PLACEMENT, MOTION, FORCES, INERTIA, SYM6 } content_t;
typedef enum size { PER_Q, PER_V, PER_BODY, PER_D } size_of_t;

#define FIELD(name, stage, content, size)                   \
  {                                                         \
#name, offsetof(mbd_data_t, name), stage, content, size \
  }
static const struct field {
  const char * name;
  size_t offset;
  stage_t stage;
  content_t content;
  size_of_t size;
} field_list[] = {
  FIELD(q, POSITION, NUMBERS, PER_Q),
  FIELD(X_parent, POSITION, PLACEMENT, PER_BODY),
  FIELD(X_world, POSITION, PLACEMENT, PER_BODY),
  FIELD(S, POSITION, MOTION, PER_V),
  FIELD(v, VELOCITY, NUMBERS, PER_V),
  FIELD(V, VELOCITY, MOTION, PER_BODY),
  FIELD(a, VELOCITY, MOTION, PER_BODY),
  FIELD(A_bias, BIAS, MOTION, PER_BODY),
  FIELD(A, ACCELERATION, MOTION, PER_BODY),
  FIELD(f, FORCE, FORCES, PER_BODY),
  FIELD(inertia, ALWAYS, INERTIA, PER_BODY),
  FIELD(R, COMPOSITE, INERTIA, PER_BODY),
  FIELD(P, ARTICULATED, SYM6, PER_BODY),
  FIELD(G, ARTICULATED, FORCES, PER_V),
  FIELD(D_inv, ARTICULATED, NUMBERS, PER_D),
  FIELD(Y, COMPLIANCE, SYM6, PER_BODY),
  FIELD(response, RESPONSE, MOTION, PER_BODY),
};
const char * const mbp_view_name[] = {"q", "X_parent", "X_world", "S", "v",       "V",
                                      "a", "A_bias",   "A",       "f", "inertia", "R",
                                      "P", "G",        "D_inv",   "Y", "response"};
const size_t mbp_view_count = sizeof field_list / sizeof field_list[0];
_Static_assert(
  sizeof mbp_view_name / sizeof mbp_view_name[0] == sizeof field_list / sizeof field_list[0],
  "names of views");

// A public function that needs the stage says whether it is there, and some compute it.
static mbd_status_t
need(const mbd_model_t * model, mbd_data_t * data, stage_t stage)
{
  mbd_motion_t V;
  mbd_force_t f;
  mbd_placement_t X;
  const mbd_reference_t local = MBD_LOCAL;
  const mbd_status_t status = stage == ALWAYS ? MBD_OK : mbd_complete_stages(model, data);
  if (status != MBD_OK) return status;
  switch (stage) {
    case POSITION: return mbd_frame_placement(model, data, 0, &X);
    case VELOCITY: return mbd_frame_velocity(model, data, 0, local, &V);
    case BIAS: return mbd_jacobian_bias(model, data, 0, local, &V);
    case ACCELERATION: return mbd_frame_acceleration(model, data, 0, local, &V);
    case FORCE: return mbd_joint_force(model, data, 0, &f);
    case COMPOSITE: return mbd_composite_inertia(model, data);
    case ARTICULATED: return mbd_articulated_inertia(model, data);
    case COMPLIANCE: return mbd_compliance(model, data);
    case RESPONSE: return mbd_response_acceleration(model, data, 0, local, &V);
    default: return MBD_OK;
  }
}

static PyObject *
struct_of(PyTypeObject * type, int n, PyObject * const * item)
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

PyObject *
mbp_data_view(PyObject * self, void * closure)
{
  const struct field * field = &field_list[(intptr_t)closure];
  mbp_object_t * o = (mbp_object_t *)self;
  if (o->data == NULL) {
    PyErr_SetString(PyExc_ValueError, "the workspace is closed");
    return NULL;
  }
  char name[32];
  snprintf(name, sizeof name, "Data.%s", field->name);
  const mbd_status_t status = need(o->model, o->data, field->stage);
  if (status != MBD_OK) {
    mbp_raise(status, name, NULL);
    return NULL;
  }
  // arrays over bodies and q of an embedded model are those of its tree
  const bool of_tree = o->data->tree != NULL && field->size != PER_V;
  const mbd_data_t * d = of_tree ? o->data->tree : o->data;
  const mbd_model_t * m = of_tree ? o->model->tree : o->model;
  const Py_ssize_t size[] = {m->nq, m->nv, m->nbody + m->nnode, m->nD};
  const Py_ssize_t n = size[field->size];
  const double * p = *(const double * const *)(const void *)((const char *)d + field->offset);
  if (p == NULL) {
    mbp_raise(MBD_ERROR_UNSUPPORTED, name, NULL);
    return NULL;
  }
  switch (field->content) {
    case NUMBERS: return view_of(o, p, n, 0, 0, sizeof(double));
    case PLACEMENT: {
      PyObject * const item[] = {
        view_of(o, p, n, 3, 3, sizeof(mbd_placement_t)),
        view_of(o, p + 9, n, 0, 3, sizeof(mbd_placement_t))};
      return struct_of(placement_type, 2, item);
    }
    case MOTION:
    case FORCES: {
      PyObject * const item[] = {
        view_of(o, p + 3, n, 0, 3, sizeof(mbd_motion_t)),
        view_of(o, p, n, 0, 3, sizeof(mbd_motion_t))};
      return struct_of(field->content == MOTION ? motion_type : force_type, 2, item);
    }
    case INERTIA: {
      PyObject * const item[] = {
        view_of(o, p, n, 0, 0, sizeof(mbd_inertia_t)),
        view_of(o, p + 1, n, 0, 3, sizeof(mbd_inertia_t)),
        view_of(o, p + 4, n, 0, 6, sizeof(mbd_inertia_t))};
      return struct_of(inertia_type, 3, item);
    }
    default: return view_of(o, p, n, 0, 21, sizeof(mbd_sym6_t));
  }
}

//---------- types ----------

static PyStructSequence_Field placement_fields[] = {
  {"R", "rotations, n x 3 x 3"}, {"p", "origins, n x 3 [m]"}, {NULL, NULL}};
static PyStructSequence_Field motion_fields[] = {
  {"lin", "linear parts, n x 3"}, {"ang", "angular parts, n x 3"}, {NULL, NULL}};
static PyStructSequence_Field force_fields[] = {
  {"lin", "forces, n x 3 [N]"}, {"ang", "moments, n x 3 [N m]"}, {NULL, NULL}};
static PyStructSequence_Field inertia_fields[] = {
  {"mass", "n [kg]"},
  {"h", "mass times centre of mass, n x 3 [kg m]"},
  {"I", "about the origin: xx xy xz yy yz zz, n x 6 [kg m^2]"},
  {NULL, NULL}};

static PyTypeObject *
new_struct(
  PyObject * module, const char * name, const char * doc, PyStructSequence_Field * fields, int n)
{
  PyStructSequence_Desc desc = {name, doc, fields, n};
  PyTypeObject * type = PyStructSequence_NewType(&desc);
  if (type != NULL && PyModule_AddObjectRef(module, strchr(name, '.') + 1, (PyObject *)type) < 0)
    return NULL;
  return type;
}

bool
mbp_view_init(PyObject * module)
{
  PyType_Slot slots[] = {
    {Py_tp_doc, "Memory of a workspace, for the buffer protocol."},
    {Py_tp_dealloc, (void *)free_view},
    {Py_bf_getbuffer, (void *)get_buffer},
    {0, NULL}};
  PyType_Spec spec = {
    "mbdyn.View", (int)sizeof(mbp_view_t), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  mbp_view_type = PyType_FromSpec(&spec);
  placement_type =
    new_struct(module, "mbdyn.Placements", "Poses: x_world = R x_body + p.", placement_fields, 2);
  motion_type =
    new_struct(module, "mbdyn.Motions", "Spatial velocities or accelerations.", motion_fields, 2);
  force_type = new_struct(module, "mbdyn.Forces", "Spatial forces.", force_fields, 2);
  inertia_type = new_struct(module, "mbdyn.Inertias", "Inertias of bodies.", inertia_fields, 3);
  return mbp_view_type && placement_type && motion_type && force_type && inertia_type;
}
