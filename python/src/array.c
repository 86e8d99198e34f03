// Arrays: float64, C-contiguous, of the right size, by the buffer protocol; nothing is converted or
// copied silently, except lists and tuples of numbers.
#include <stdarg.h>

#include "mbdyn_python.h"

static PyObject * numpy_empty;  // NULL: NumPy is not there
static PyObject * numpy_asarray;
static PyObject * array_type;  // array.array, for results without NumPy

// The first fields of NumPy's array, which have been the same from NumPy 1.7 on: they are what its own
// binary interface promises. Reading them takes a tenth of the time of a buffer (two of which are half the
// time of inverse dynamics). test_layout compares them with a buffer first; if they differ, buffers are used.
typedef struct mbp_ndarray {
  PyObject ob_base;  // PyObject_HEAD
  char * data;
  int nd;
  Py_ssize_t * dimensions;
  Py_ssize_t * strides;
  PyObject * base;
  PyObject * descr;
  int flags;
} mbp_ndarray_t;
#define NDARRAY_C_CONTIGUOUS 0x0001
#define NDARRAY_ALIGNED      0x0100
#define NDARRAY_WRITEABLE    0x0400

static PyTypeObject * ndarray_type;  // NULL: unknown layout
static PyObject * float64;

static bool
test_layout(PyObject * numpy)
{
  PyObject * type = PyObject_GetAttrString(numpy, "ndarray");
  PyObject * dtype = PyObject_CallMethod(numpy, "dtype", "s", "float64");
  PyObject * a = PyObject_CallMethod(numpy, "empty", "((ii))", 2, 3);
  Py_buffer view;
  bool same = false;
  if (
    type && dtype && a && Py_TYPE(a) == (PyTypeObject *)type &&
    PyObject_GetBuffer(a, &view, PyBUF_RECORDS_RO) == 0) {
    const Py_ssize_t least = (Py_ssize_t)sizeof(mbp_ndarray_t);
    PyObject * size = PyObject_GetAttrString(type, "__basicsize__");
    if (size && PyLong_AsSsize_t(size) >= least) {
      const mbp_ndarray_t * n = (const mbp_ndarray_t *)a;
      same = n->data == view.buf && n->nd == 2 && n->descr == dtype && n->base == NULL &&
             n->dimensions[0] == 2 && n->dimensions[1] == 3 && n->strides[0] == 24 &&
             n->strides[1] == 8;
      const int all = NDARRAY_C_CONTIGUOUS | NDARRAY_ALIGNED | NDARRAY_WRITEABLE;
      same = same && (n->flags & all) == all;
      PyObject * off = PyObject_CallMethod(a, "setflags", "O", Py_False);
      same = same && off && (n->flags & all) == (all & ~NDARRAY_WRITEABLE);
      Py_XDECREF(off);
      PyObject * turned = PyObject_GetAttrString(a, "T");
      const mbp_ndarray_t * t = (const mbp_ndarray_t *)turned;
      same = same && turned && !(t->flags & NDARRAY_C_CONTIGUOUS);
      Py_XDECREF(turned);
    }
    Py_XDECREF(size);
    PyBuffer_Release(&view);
  }
  PyErr_Clear();
  if (same) {
    ndarray_type = (PyTypeObject *)Py_NewRef(type);
    float64 = Py_NewRef(dtype);
  }
  Py_XDECREF(type);
  Py_XDECREF(dtype);
  Py_XDECREF(a);
  return same;
}

bool
mbp_array_init(void)
{
  PyObject * numpy = PyImport_ImportModule("numpy");
  if (numpy == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_ImportError)) return false;
    PyErr_Clear();
  } else {
    numpy_empty = PyObject_GetAttrString(numpy, "empty");
    numpy_asarray = PyObject_GetAttrString(numpy, "asarray");
    // an empty folder of that name imports, too
    if (numpy_empty != NULL && numpy_asarray != NULL) {
      test_layout(numpy);
    } else {
      Py_CLEAR(numpy_empty);
      Py_CLEAR(numpy_asarray);
    }
    PyErr_Clear();
    Py_DECREF(numpy);
  }
  PyObject * module = PyImport_ImportModule("array");
  if (module == NULL) return false;
  array_type = PyObject_GetAttrString(module, "array");
  Py_DECREF(module);
  return array_type != NULL;
}

PyObject *
mbp_as_array(PyObject * view)
{
  return numpy_asarray ? PyObject_CallFunctionObjArgs(numpy_asarray, view, NULL)
                       : PyMemoryView_FromObject(view);
}

//---------- what the caller gave ----------

static bool
wrong_shape(
  mbp_call_t * call, const char * name, const Py_ssize_t * shape, int ndim, const Py_ssize_t * got,
  int ngot)
{
  char want[96] = "", have[96] = "";
  for (int k = 0; k < ndim; k++) {
    const size_t at = strlen(want);
    if (shape[k] < 0)
      snprintf(want + at, sizeof want - at, "%sn", k ? " x " : "");
    else
      snprintf(want + at, sizeof want - at, "%s%zd", k ? " x " : "", shape[k]);
  }
  for (int k = 0; k < ngot && k < 8; k++) {
    const size_t at = strlen(have);
    snprintf(have + at, sizeof have - at, "%s%zd", k ? " x " : "", got[k]);
  }
  PyErr_Format(
    PyExc_ValueError, "%s: %s must have %s numbers, not %s", call->signature->name, name, want,
    ngot ? have : "one number without dimension");
  return false;
}

// The sizes, or one dimension with as many numbers. A size of -1 is n, which the first array says.
static bool
right_shape(
  const Py_ssize_t * shape, int ndim, const Py_ssize_t * got, int ngot, Py_ssize_t * n,
  Py_ssize_t * count)
{
  const int first = n != NULL && shape[0] < 0;
  Py_ssize_t inner = 1;
  for (int k = first; k < ndim; k++) inner *= shape[k];
  if (ngot == ndim) {
    for (int k = first; k < ndim; k++) {
      if (got[k] != shape[k]) return false;
    }
    if (first) *n = got[0];
    *count = first ? inner * got[0] : inner;
    return true;
  }
  if (ngot != 1) return false;
  if (first) {
    if (inner == 0 || got[0] % inner != 0) return false;
    *n = got[0] / inner;
    *count = got[0];
    return true;
  }
  *count = inner;
  return got[0] == inner;
}

static bool
is_double(const char * format)
{
  if (format == NULL) return false;
  if (*format == '@' || *format == '=') format++;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  else if (*format == '<')
    format++;
#endif
  return format[0] == 'd' && format[1] == '\0';
}

static mbp_array_t *
begin_array(mbp_call_t * call, int k)
{
  mbp_array_t * a = &call->array[k];
  call->taken |= 1u << k;
  a->p = NULL;
  a->count = 0;
  a->made = NULL;
  a->memory = NULL;
  return a;
}

// Numbers of a list or tuple, which are copied.
static bool
from_list(
  mbp_call_t * call, mbp_array_t * a, PyObject * o, const Py_ssize_t * shape, int ndim,
  const char * name, Py_ssize_t * n)
{
  PyObject * fixed = PySequence_Tuple(o);
  if (fixed == NULL) return false;
  const Py_ssize_t got = PyTuple_Size(fixed);
  bool ok = right_shape(shape, ndim, &got, 1, n, &a->count);
  if (!ok) {
    wrong_shape(call, name, shape, ndim, &got, 1);
  } else {
    a->memory = PyMem_Malloc(sizeof(double) * (size_t)(got > 0 ? got : 1));
    ok = a->memory != NULL;
    if (!ok) PyErr_NoMemory();
  }
  for (Py_ssize_t k = 0; ok && k < got; k++) {
    a->memory[k] = PyFloat_AsDouble(PyTuple_GetItem(fixed, k));
    if (a->memory[k] == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, "%s: %s[%zd] is no number", call->signature->name, name, k);
      ok = false;
    }
  }
  a->p = a->memory;
  Py_DECREF(fixed);
  return ok;
}

static bool
from_buffer(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, const char * name,
  Py_ssize_t * n, bool writable)
{
  mbp_array_t * a = &call->array[k];
  if (
    PyObject_GetBuffer(
      o, &a->view, PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) < 0) {
    const bool readonly = writable && PyObject_CheckBuffer(o);
    PyErr_Clear();
    PyErr_Format(
      readonly ? PyExc_ValueError : PyExc_TypeError, "%s: %s must be %s", call->signature->name,
      name, readonly ? "writable" : "an array of float64 (NumPy, array.array('d'))");
    return false;
  }
  call->viewed |= 1u << k;
  if (!is_double(a->view.format) || a->view.itemsize != sizeof(double)) {
    PyErr_Format(
      PyExc_TypeError, "%s: %s must be float64, not '%s'; convert it with %s.astype(float)",
      call->signature->name, name, a->view.format ? a->view.format : "B", name);
    return false;
  }
  if (!right_shape(shape, ndim, a->view.shape, a->view.ndim, n, &a->count))
    return wrong_shape(call, name, shape, ndim, a->view.shape, a->view.ndim);
  if (!PyBuffer_IsContiguous(&a->view, 'C')) {
    PyErr_Format(
      PyExc_ValueError,
      "%s: %s must be contiguous, rows first; copy it with numpy.ascontiguousarray",
      call->signature->name, name);
    return false;
  }
  if ((uintptr_t)a->view.buf % sizeof(double) != 0) {
    PyErr_Format(
      PyExc_ValueError, "%s: %s must be aligned to 8 bytes", call->signature->name, name);
    return false;
  }
  a->p = a->view.buf;
  return true;
}

// An array of NumPy's that is exactly what is wanted; anything else goes the other way, which says why.
static inline bool
from_ndarray(
  const mbp_call_t * call, mbp_array_t * a, PyObject * o, const Py_ssize_t * shape, int ndim,
  int flags)
{
  if (Py_TYPE(o) != ndarray_type || call->batch != NULL) return false;
  const mbp_ndarray_t * array = (const mbp_ndarray_t *)o;
  flags |= NDARRAY_C_CONTIGUOUS | NDARRAY_ALIGNED;
  if (array->descr != float64 || array->nd != ndim || (array->flags & flags) != flags) return false;
  Py_ssize_t count = 1;
  for (int k = 0; k < ndim; k++) {
    if (array->dimensions[k] != shape[k]) return false;
    count *= shape[k];
  }
  a->p = (double *)(void *)array->data;
  a->count = count;
  return true;
}

bool
mbp_input(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, bool optional,
  const char * name, Py_ssize_t * n)
{
  (void)optional;  // mbp_arguments has looked
  mbp_array_t * a = begin_array(call, k);
  if (o == NULL) return true;
  if (from_ndarray(call, a, o, shape, ndim, 0)) return true;
  // later arrays of a batch have as many states as the first
  Py_ssize_t fixed[4];
  for (int i = 0; i < ndim; i++) fixed[i] = shape[i];
  if (n != NULL && *n >= 0) fixed[0] = *n, n = NULL;
  if (PyList_Check(o) || PyTuple_Check(o)) return from_list(call, a, o, fixed, ndim, name, n);
  return from_buffer(call, k, o, fixed, ndim, name, n, false);
}

bool
mbp_bools(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, bool optional,
  const char * name, Py_ssize_t * n)
{
  (void)optional, (void)n;
  mbp_array_t * a = begin_array(call, k);
  if (o == NULL) return true;
  PyObject * fixed = PySequence_Tuple(o);
  if (fixed == NULL) return false;
  const Py_ssize_t got = PyTuple_Size(fixed);
  bool ok = right_shape(shape, ndim, &got, 1, NULL, &a->count);
  if (!ok) wrong_shape(call, name, shape, ndim, &got, 1);
  bool * value = NULL;
  if (ok) {
    a->memory = PyMem_Malloc(sizeof(bool) * (size_t)got + sizeof(double));
    value = (bool *)(void *)a->memory;
    ok = value != NULL;
    if (!ok) PyErr_NoMemory();
  }
  for (Py_ssize_t i = 0; ok && i < got; i++) {
    const int truth = PyObject_IsTrue(PyTuple_GetItem(fixed, i));
    ok = truth >= 0;
    value[i] = truth == 1;
  }
  a->p = a->memory;
  a->count = 0;  // no output can lie in it
  Py_DECREF(fixed);
  return ok;
}

bool
mbp_read_numbers(PyObject * o, double * out, Py_ssize_t n)
{
  PyObject * list = o && PySequence_Check(o) ? PySequence_Tuple(o) : NULL;
  bool ok = list != NULL && PyTuple_Size(list) == n;
  for (Py_ssize_t k = 0; ok && k < n; k++) {
    out[k] = PyFloat_AsDouble(PyTuple_GetItem(list, k));
    ok = !(out[k] == -1 && PyErr_Occurred());
  }
  Py_XDECREF(list);
  return ok;
}

//---------- results ----------

static PyObject *
sizes_tuple(const Py_ssize_t * shape, int ndim)
{
  PyObject * sizes = PyTuple_New(ndim);
  for (int k = 0; sizes && k < ndim; k++) {
    PyObject * size = PyLong_FromSsize_t(shape[k]);
    if (size == NULL || PyTuple_SetItem(sizes, k, size) < 0) {
      Py_DECREF(sizes);
      return NULL;
    }
  }
  return sizes;
}

// array.array('d'), and a memoryview of it for more than one dimension
static PyObject *
new_plain(const Py_ssize_t * shape, int ndim)
{
  Py_ssize_t count = 1;
  for (int k = 0; k < ndim; k++) count *= shape[k];
  PyObject * zeros = PyByteArray_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(double));
  PyObject * list = zeros ? PyObject_CallFunction(array_type, "sO", "d", zeros) : NULL;
  Py_XDECREF(zeros);
  if (list == NULL || ndim == 1 || count == 0) return list;
  PyObject * view = PyMemoryView_FromObject(list);
  PyObject * bytes = view ? PyObject_CallMethod(view, "cast", "s", "B") : NULL;
  PyObject * sizes = sizes_tuple(shape, ndim);
  PyObject * out = bytes && sizes ? PyObject_CallMethod(bytes, "cast", "sO", "d", sizes) : NULL;
  Py_DECREF(list);
  Py_XDECREF(view);
  Py_XDECREF(bytes);
  Py_XDECREF(sizes);
  return out;
}

static PyObject *
new_array(const Py_ssize_t * shape, int ndim)
{
  if (numpy_empty == NULL) return new_plain(shape, ndim);
  PyObject * sizes = ndim == 1 ? PyLong_FromSsize_t(shape[0]) : sizes_tuple(shape, ndim);
  PyObject * out = sizes ? PyObject_CallFunctionObjArgs(numpy_empty, sizes, NULL) : NULL;
  Py_XDECREF(sizes);
  return out;
}

bool
mbp_output(mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, int alias)
{
  const bool given = o != NULL && o != Py_None;
  mbp_array_t * a = begin_array(call, k);
  a->made = given ? Py_NewRef(o) : new_array(shape, ndim);
  if (a->made == NULL) return false;
  if (
    !from_ndarray(call, a, a->made, shape, ndim, NDARRAY_WRITEABLE) &&
    !from_buffer(call, k, a->made, shape, ndim, "out", NULL, true))
    return false;
  if (!given) return true;
  for (int i = 0; i < MBP_ARRAYS; i++) {
    const mbp_array_t * b = &call->array[i];
    if (i == k || !(call->taken & 1u << i) || b->p == NULL) continue;
    if (a->p + a->count <= b->p || b->p + b->count <= a->p || a->count == 0) continue;
    if (i == alias && a->p == b->p) continue;
    PyErr_Format(PyExc_ValueError, "%s: out overlaps an argument", call->signature->name);
    return false;
  }
  return true;
}

bool
mbp_out_tuple(mbp_call_t * call, PyObject * o, int n)
{
  if (o == NULL || (PyTuple_Check(o) && PyTuple_Size(o) == n)) return true;
  PyErr_Format(
    PyExc_TypeError, "%s: out must be a tuple of %d arrays or None", call->signature->name, n);
  return false;
}

PyObject *
mbp_out_item(PyObject * o, int k)
{
  return o ? PyTuple_GetItem(o, k) : NULL;
}

bool
mbp_copy_in(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, const char * name)
{
  mbp_call_t inner;
  mbp_begin_free(&inner, call->signature);
  const bool ok = mbp_input(&inner, 0, o, shape, ndim, false, name, NULL);
  if (ok)
    memmove(call->array[k].p, inner.array[0].p, sizeof(double) * (size_t)call->array[k].count);
  mbp_end(&inner, 1);
  return ok;
}

PyObject *
mbp_take(mbp_call_t * call, int k)
{
  return Py_NewRef(call->array[k].made);
}

//---------- the core's order to what Python sees ----------

void
mbp_put_motion(const mbd_motion_t * V, double * out)
{
  mbdu_motion_to_linear_first(V, out);
}

void
mbp_put_force(const mbd_force_t * f, double * out)
{
  mbdu_force_to_linear_first(f, out);
}

void
mbp_put_vec3(const mbd_vec3_t * x, double * out)
{
  out[0] = x->x, out[1] = x->y, out[2] = x->z;
}

// rows of R and p, and 0 0 0 1
static void
put_homogeneous(const double * Rp, double * out)
{
  for (int row = 0; row < 3; row++) {
    for (int k = 0; k < 3; k++) out[4 * row + k] = Rp[3 * row + k];
    out[4 * row + 3] = Rp[9 + row];
  }
  out[12] = out[13] = out[14] = 0;
  out[15] = 1;
}

void
mbp_put_placement(const mbd_placement_t * X, double * out)
{
  double Rp[12];
  memcpy(Rp, X, sizeof Rp);
  put_homogeneous(Rp, out);
}

// In place, from 12 numbers each to 16: from the last to the first.
void
mbp_turn_placement(double * X, Py_ssize_t count)
{
  for (Py_ssize_t k = count - 1; k >= 0; k--) {
    double Rp[12];
    memcpy(Rp, X + 12 * k, sizeof Rp);
    put_homogeneous(Rp, X + 16 * k);
  }
}

void
mbp_turn_rows(double * J, Py_ssize_t count, int columns)
{
  for (Py_ssize_t k = 0; k < count; k++) mbdu_rows_swap(J + 6 * columns * k, columns);
}

void
mbp_turn_blocks(double * A, Py_ssize_t count)
{
  for (Py_ssize_t k = 0; k < count; k++) mbdu_blocks_swap(A + 36 * k);
}

// rows of six numbers, in a 6 x 6 array each
void
mbp_turn_columns(double * A, Py_ssize_t count)
{
  mbp_turn_motion(A, 6 * count);
}

void
mbp_turn_motion(double * V, Py_ssize_t count)
{
  mbp_turn_rows(V, count, 1);
}

void
mbp_turn_force(double * f, Py_ssize_t count)
{
  mbp_turn_rows(f, count, 1);
}

PyObject *
mbp_none(void)
{
  return Py_NewRef(Py_None);
}

PyObject *
mbp_from_int(int value)
{
  return PyLong_FromLong(value);
}

PyObject *
mbp_from_double(double value)
{
  return PyFloat_FromDouble(value);
}

PyObject *
mbp_from_bool(bool value)
{
  return PyBool_FromLong(value);
}

PyObject *
mbp_filled(const double * x, Py_ssize_t n)
{
  const Py_ssize_t shape[] = {n};
  PyObject * out = new_array(shape, 1);
  Py_buffer view;
  if (out == NULL || PyObject_GetBuffer(out, &view, PyBUF_WRITABLE) < 0) {
    Py_XDECREF(out);
    return NULL;
  }
  memcpy(view.buf, x, sizeof(double) * (size_t)n);
  PyBuffer_Release(&view);
  return out;
}

PyObject *
mbp_from_vec3(mbd_vec3_t x)
{
  const double three[] = {x.x, x.y, x.z};
  return mbp_filled(three, 3);
}

PyObject *
mbp_from_force(mbd_force_t f)
{
  double six[6];
  mbdu_force_to_linear_first(&f, six);
  return mbp_filled(six, 6);
}

PyObject *
mbp_dict(int n, ...)
{
  PyObject * out = PyDict_New();
  bool ok = out != NULL;
  va_list list;
  va_start(list, n);
  for (int k = 0; k < n; k++) {
    const char * name = va_arg(list, const char *);
    PyObject * item = va_arg(list, PyObject *);
    ok = ok && item != NULL && PyDict_SetItemString(out, name, item) == 0;
    Py_XDECREF(item);
  }
  va_end(list);
  if (!ok) Py_CLEAR(out);
  return out;
}

PyObject *
mbp_tuple(int n, ...)
{
  PyObject * out = PyTuple_New(n);
  bool ok = out != NULL;
  va_list list;
  va_start(list, n);
  for (int k = 0; k < n; k++) {
    PyObject * item = va_arg(list, PyObject *);
    if (item == NULL || !ok) {
      ok = false;
      Py_XDECREF(item);
    } else {
      PyTuple_SetItem(out, k, item);
    }
  }
  va_end(list);
  if (!ok) Py_CLEAR(out);
  return out;
}
