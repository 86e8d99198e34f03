// Batch: many states at once, in threads, without the interpreter's lock.
#include "mbdyn_python.h"

PyObject * mbp_batch_type;

// Processors, or 1.
static int
processors(void)
{
  PyObject * os = PyImport_ImportModule("os");
  PyObject * count = os ? PyObject_CallMethod(os, "cpu_count", NULL) : NULL;
  const long n = count && count != Py_None ? PyLong_AsLong(count) : 1;
  Py_XDECREF(os);
  Py_XDECREF(count);
  PyErr_Clear();
  return n >= 1 && n < 1024 ? (int)n : 1;
}

static PyObject *
new_batch(PyTypeObject * type, PyObject * args, PyObject * keywords)
{
  static char * words[] = {"model", "threads", NULL};
  PyObject * of;
  int threads = 0;
  if (!PyArg_ParseTupleAndKeywords(
        args, keywords, "O!|i:Batch", words, (PyTypeObject *)mbp_model_type, &of, &threads))
    return NULL;
  mbp_object_t * model = (mbp_object_t *)of;
  if (model->model == NULL) {
    PyErr_SetString(PyExc_ValueError, "Batch: the model is closed");
    return NULL;
  }
  if (threads == 0) threads = processors();
  mbd_batch_t * batch = NULL;
  const mbd_status_t status = mbd_batch_create(model->model, threads, &batch);
  mbp_object_t * self = status == MBD_OK ? (mbp_object_t *)mbp_new((PyObject *)type) : NULL;
  if (self == NULL) {
    mbd_batch_destroy(batch);
    if (status != MBD_OK) mbp_raise(status, "Batch", NULL);
    return NULL;
  }
  self->batch = batch;
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

// 0: threads, 1: failed, 2: kernels
static PyObject *
get(PyObject * self, void * closure)
{
  const mbd_batch_t * batch = ((mbp_object_t *)self)->batch;
  if (batch == NULL) {
    PyErr_SetString(PyExc_ValueError, "the batch is closed");
    return NULL;
  }
  switch ((intptr_t)closure) {
    case 0: return PyLong_FromLong(mbd_batch_threads(batch));
    case 1: return PyLong_FromLong(mbd_batch_failed(batch));
    default: return PyUnicode_FromString(mbd_batch_kernels(batch));
  }
}

static PyObject *
set_parameters_from(PyObject * self, PyObject * of)
{
  static mbp_signature_t signature = {"Batch.set_parameters_from", 0, 0, {NULL}, {NULL}};
  mbp_call_t call;
  if (!mbp_begin(&call, &signature, self)) return NULL;
  const mbd_data_t * data =
    Py_TYPE(of) == (PyTypeObject *)mbp_data_type ? ((mbp_object_t *)of)->data : NULL;
  if (data == NULL) {
    PyErr_SetString(PyExc_TypeError, "Batch.set_parameters_from takes an open Data");
  } else {
    call.status = mbd_batch_set_parameters_from(call.batch, data);
    if (call.status == MBD_OK) call.result = mbp_none();
  }
  return mbp_end(&call, 0);
}

static PyObject *
close_batch(PyObject * self, PyObject * nothing)
{
  (void)nothing;
  return mbp_close((mbp_object_t *)self);
}

static PyMethodDef methods[] = {
  {"set_parameters_from", set_parameters_from, METH_O,
   "set_parameters_from(data)\n\nTake over gravity, terms and payloads.\n\nC: "
   "mbd_batch_set_parameters_from"},
  {"close", close_batch, METH_NOARGS, "close()\n\nFree it and end its threads now."},
  {NULL, NULL, 0, NULL}};

static PyGetSetDef fields[] = {
  {"model", get_model, NULL, "the Model it was made for", NULL},
  {"threads", get, NULL, "that compute", (void *)(intptr_t)0},
  {"failed", get, NULL, "index of the first state that failed in the last call, or -1",
   (void *)(intptr_t)1},
  {"kernels", get, NULL, "instruction set in use", (void *)(intptr_t)2},
  {NULL, NULL, NULL, NULL, NULL}};

bool
mbp_batch_init(PyObject * module)
{
  PyMethodDef * all = mbp_methods(methods, mbp_batch_generated, mbp_batch_count);
  if (all == NULL) return false;
  PyType_Slot slots[] = {
    {Py_tp_doc,
     "Batch(model, threads=0)\n\nMany states per call, without the interpreter's lock. threads: 0 "
     "for one per\n"
     "processor. Every array has the states as first dimension. One call at a time."},
    {Py_tp_new, (void *)new_batch},
    {Py_tp_dealloc, (void *)mbp_free},
    {Py_tp_methods, all},
    {Py_tp_getset, fields},
    {0, NULL}};
  PyType_Spec spec = {"mbdyn.Batch", (int)sizeof(mbp_object_t), 0, Py_TPFLAGS_DEFAULT, slots};
  mbp_batch_type = PyType_FromSpec(&spec);
  return mbp_batch_type && PyModule_AddObjectRef(module, "Batch", mbp_batch_type) == 0;
}
