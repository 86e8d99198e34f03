// Life of a Model, a Data, a Batch: each keeps what it uses alive, and close() refuses while it is used.

#include "mbdyn_python.h"

PyObject *
mbp_new(PyObject * type)
{
  allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
  return alloc((PyTypeObject *)type, 0);
}

void
mbp_release(mbp_object_t * o)
{
  if (o->batch != NULL) mbd_batch_destroy(o->batch);
  if (o->data != NULL && o->holder == NULL) mbd_data_destroy(o->data);
  Py_CLEAR(o->holder);
  PyMem_Free(o->memory[0]);
  PyMem_Free(o->memory[1]);
  o->memory[0] = o->memory[1] = o->part = NULL;
  if (o->owner != NULL) {
    o->owner->users--;
    Py_CLEAR(o->owner);
  } else if (o->mechanism != NULL) {
    mbdx_mechanism_free(o->mechanism);
  } else if (o->model != NULL) {
    mbd_model_destroy(o->model);
  }
  if (o->source != NULL) {
    o->source->users--;
    Py_CLEAR(o->source);
  }
  PyMem_Free(o->work);
  PyMem_Free(o->wrench);
  o->mechanism = NULL;
  o->batch = NULL;
  o->data = NULL;
  o->model = NULL;
  o->work = NULL;
  o->nwork = 0;
  o->wrench = NULL;
  o->nwrench = 0;
}

PyObject *
mbp_close(mbp_object_t * o)
{
  if (o->users > 0 || o->busy) {
    PyErr_SetString(
      PyExc_BufferError,
      "it cannot be closed: workspaces, views or a call still use it; delete or close those first");
    return NULL;
  }
  mbp_release(o);
  return Py_NewRef(Py_None);
}

void
mbp_free(PyObject * self)
{
  mbp_object_t * o = (mbp_object_t *)self;
  PyTypeObject * type = Py_TYPE(self);
  mbp_release(o);
  Py_CLEAR(o->report);
  freefunc free_ = (freefunc)PyType_GetSlot(type, Py_tp_free);
  free_(self);
  Py_DECREF(type);
}

PyMethodDef *
mbp_methods(const PyMethodDef * own, const PyMethodDef * generated, size_t n)
{
  size_t nown = 0;
  while (own[nown].ml_name != NULL) nown++;
  PyMethodDef * all = PyMem_Calloc(nown + n + 1, sizeof *all);
  if (all == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  memcpy(all, own, nown * sizeof *all);
  memcpy(all + nown, generated, n * sizeof *all);
  return all;
}
