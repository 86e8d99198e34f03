// What the parts of the extension module share: objects, calls, arrays.
//
// Only the limited API of Python 3.11 and the buffer protocol are used, so that one binary serves every
// later Python and every NumPy. The one exception is mbp_ndarray_t in array.c, which is tested before
// it is used.
#ifndef MBDYN_PYTHON_H_
#define MBDYN_PYTHON_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/flexible.h"
#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/manipulator.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/operators.h"
#include "mbdyn/robot_write.h"
#include "mbdyn/self_motion.h"
#include "mbdyn/simulate.h"
#include "mbdyn/urdf.h"

// slots of Python's types are functions as void *, which strict C does not have
#pragma GCC diagnostic ignored "-Wpedantic"

#define MBP_ARRAYS    12  // arrays of one call
#define MBP_ARGUMENTS 16  // arguments of one call

// A Model, a Data or a Batch.
typedef struct mbp_object {
  PyObject ob_base;            // PyObject_HEAD
  struct mbp_object * owner;   // of a Data or Batch: its Model, which has the model
  struct mbp_object * source;  // of a Model: another that it was made from and needs
  mbd_model_t * model;         // NULL: closed
  mbd_data_t * data;
  mbd_batch_t * batch;
  PyObject * holder;  // of a Data: a Simulation, which has its workspace
  PyObject * report;  // of a Model: what the loader said, a tuple
  int users;          // Data, Batch and views that still use this one
  bool busy;          // a Batch computes in another thread
  double * work;      // scratch, grows
  size_t nwork;
  mbd_wrench_t * wrench;  // grows
  int nwrench;
  mbd_wrenches_t wrenches;
  mbdx_mechanism_t * mechanism;  // of a Model: has the model
  void * part;                   // of an Observer, Manipulator, SelfMotion: the object of the core
  void * memory[2];              // that it lies in, and its measures and shapes
  int count[2];                  // its inputs and outputs, or measures
} mbp_object_t;

typedef struct mbp_signature {
  const char * name;
  int n, required;
  const char * argument[MBP_ARGUMENTS];
  PyObject * interned[MBP_ARGUMENTS];
} mbp_signature_t;

typedef struct mbp_array {
  double * p;
  Py_ssize_t count;
  PyObject * made;  // a result that this call made, or the caller's `out`
  double * memory;  // copy of a list
  Py_buffer view;
} mbp_array_t;

typedef struct mbp_call {
  mbp_signature_t * signature;
  mbp_object_t * self;
  const mbd_model_t * model;
  mbd_data_t * data;
  mbd_batch_t * batch;
  mbd_status_t status;
  unsigned taken, viewed;  // arrays that are in use, and those with a buffer to release
  PyObject * result;
  mbd_tasks_t tasks;
  mbd_task_t * task;  // of tasks, or NULL
  mbp_array_t array[MBP_ARRAYS];
} mbp_call_t;

// Sizes of a model that functions.txt may name.
typedef struct mbp_sizes {
  Py_ssize_t nq, nv, nbody, nframe, nrow, tree_nv;
} mbp_sizes_t;

static inline mbp_sizes_t
mbp_sizes(const mbd_model_t * model)
{
  const mbp_sizes_t size = {
    model->nq,
    model->nv,
    model->nbody,
    model->nframe,
    model->tree ? model->tree->nrow : model->nrow,
    model->tree ? model->tree->nv : model->nv};
  return size;
}

//---------- calls: call.c ----------

bool mbp_signature_init(mbp_signature_t * signature);
bool mbp_begin(mbp_call_t * call, mbp_signature_t * signature, PyObject * self);
// for arrays that are no arguments of a method
void mbp_begin_free(mbp_call_t * call, mbp_signature_t * signature);
bool mbp_arguments(
  mbp_call_t * call, PyObject * const * args, Py_ssize_t nargs, PyObject * names, PyObject ** arg);
PyObject * mbp_end(mbp_call_t * call, int narray);
double * mbp_work(mbp_call_t * call, size_t n);
bool mbp_batch_enter(mbp_call_t * call, Py_ssize_t n);
void mbp_batch_leave(mbp_call_t * call);

// arguments that are no arrays; NULL and None leave what is there
bool mbp_arg_int(mbp_call_t * call, PyObject * o, int * value, const char * name);
bool mbp_arg_uint32(mbp_call_t * call, PyObject * o, uint32_t * value, const char * name);
bool mbp_arg_seed(mbp_call_t * call, PyObject * o, uint64_t * value, const char * name);
bool mbp_arg_bool(mbp_call_t * call, PyObject * o, bool * value, const char * name);
bool mbp_arg_double(mbp_call_t * call, PyObject * o, double * value, const char * name);
bool mbp_arg_frame(mbp_call_t * call, PyObject * o, int * value, const char * name);
bool mbp_arg_joint(mbp_call_t * call, PyObject * o, int * value, const char * name);
bool mbp_arg_reference(mbp_call_t * call, PyObject * o, mbd_reference_t * value, const char * name);
bool mbp_arg_vec3(mbp_call_t * call, PyObject * o, mbd_vec3_t * value, const char * name);
bool mbp_arg_motion(mbp_call_t * call, PyObject * o, mbd_motion_t * value, const char * name);
bool mbp_arg_inertia(mbp_call_t * call, PyObject * o, mbd_inertia_t * value);
bool mbp_arg_wrenches(mbp_call_t * call, PyObject * o, const mbd_wrenches_t ** value);
bool mbp_arg_string(mbp_call_t * call, PyObject * o, const char ** value, const char * name);
bool mbp_arg_model(mbp_call_t * call, PyObject * o, const mbd_model_t ** value, const char * name);
bool mbp_arg_tasks(mbp_call_t * call, PyObject * o, const mbd_tasks_t ** value, const char * name);
bool mbp_arg_singular(mbp_call_t * call, PyObject * o, mbd_singular_t * value);
bool mbp_arg_limit(mbp_call_t * call, PyObject * o, mbd_limit_t * value);
bool mbp_arg_measure(mbp_call_t * call, PyObject * o, mbd_measure_t * value);
bool mbp_arg_frame_or_world(mbp_call_t * call, PyObject * o, int * value, const char * name);
bool mbp_arg_pose(mbp_call_t * call, PyObject * o, mbd_placement_t * value, const char * name);
bool mbp_read_shapes(
  mbp_call_t * call, PyObject * list, mbd_shape_t * shape, mbd_capsule_t * obstacle);
bool mbp_wrong(mbp_call_t * call, const char * name, const char * what);

//---------- arrays: array.c ----------

bool mbp_array_init(void);
bool mbp_input(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, bool optional,
  const char * name, Py_ssize_t * n);
bool mbp_bools(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, bool optional,
  const char * name, Py_ssize_t * n);
bool mbp_output(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, int alias);
bool mbp_out_tuple(mbp_call_t * call, PyObject * o, int n);
PyObject * mbp_out_item(PyObject * o, int k);
bool mbp_copy_in(
  mbp_call_t * call, int k, PyObject * o, const Py_ssize_t * shape, int ndim, const char * name);
PyObject * mbp_take(mbp_call_t * call, int k);
bool mbp_read_numbers(PyObject * o, double * out, Py_ssize_t n);
PyObject * mbp_as_array(PyObject * view);  // of NumPy's if it is there, else a memoryview

// from the core's structs and order to what Python sees
void mbp_put_motion(const mbd_motion_t * V, double * out);
void mbp_put_force(const mbd_force_t * f, double * out);
void mbp_put_placement(const mbd_placement_t * X, double * out);
void mbp_put_vec3(const mbd_vec3_t * x, double * out);
void mbp_turn_rows(double * J, Py_ssize_t count, int columns);
void mbp_turn_blocks(double * A, Py_ssize_t count);
void mbp_turn_columns(double * A, Py_ssize_t count);
void mbp_turn_motion(double * V, Py_ssize_t count);
void mbp_turn_force(double * f, Py_ssize_t count);
void mbp_turn_placement(double * X, Py_ssize_t count);
PyObject * mbp_filled(const double * x, Py_ssize_t n);  // a new array with these numbers
PyObject * mbp_none(void);
PyObject * mbp_from_int(int value);
PyObject * mbp_from_double(double value);
PyObject * mbp_from_bool(bool value);
PyObject * mbp_from_vec3(mbd_vec3_t x);
PyObject * mbp_from_force(mbd_force_t f);
PyObject * mbp_from_clearance(mbd_clearance_t c);
PyObject * mbp_dict(int n, ...);   // name and value each; takes the references
PyObject * mbp_tuple(int n, ...);  // takes the references; NULL if one of them is NULL

//---------- errors: error.c ----------

extern PyObject * mbp_error_type;
bool mbp_errors_init(PyObject * module);
void mbp_raise(mbd_status_t status, const char * function, const char * joint);
void mbp_raise_report(mbd_status_t status, const char * function, PyObject * report);
PyObject * mbp_report(const mbdx_report_t * report);  // tuple of entries
bool mbp_report_warn(const mbdx_report_t * report);
bool mbp_add_type(PyObject * module, const char * name, PyObject * type);

//---------- types ----------

extern PyObject * mbp_model_type;
extern PyObject * mbp_data_type;
extern PyObject * mbp_batch_type;
extern PyObject * mbp_view_type;
bool mbp_model_init(PyObject * module);
bool mbp_data_init(PyObject * module);
bool mbp_batch_init(PyObject * module);
bool mbp_view_init(PyObject * module);
bool mbp_simulation_init(PyObject * module);
bool mbp_parts_init(PyObject * module);
bool mbp_builder_init(PyObject * module);
bool mbp_ik_init(void);
PyObject * mbp_data_ik(
  PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names);
PyObject * mbp_data_ik_all(
  PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names);
PyObject * mbp_data_contact_step(PyObject * self, PyObject * args, PyObject * keywords);
PyObject * mbp_data_contact_acceleration(PyObject * self, PyObject * args, PyObject * keywords);
PyObject * mbp_data_support_torques(PyObject * self, PyObject * args, PyObject * keywords);
PyObject * mbp_data_clearance(PyObject * self, PyObject * args, PyObject * keywords);
PyObject * mbp_model_wrap(
  mbd_model_t * model, PyObject * report, PyObject * source);  // takes the model
PyObject * mbp_model_from(mbp_call_t * call, mbd_model_t * model);
PyObject * mbp_data_view(PyObject * self, void * closure);
extern const char * const mbp_view_name[];
extern const size_t mbp_view_count;
PyObject * mbp_close(mbp_object_t * self);
void mbp_free(PyObject * self);
void mbp_release(mbp_object_t * self);
PyObject * mbp_new(PyObject * type);
// methods of this class and those of functions.txt, in memory that stays
PyMethodDef * mbp_methods(const PyMethodDef * own, const PyMethodDef * generated, size_t n);

bool mbp_generated_init(void);
extern const PyMethodDef mbp_model_generated[], mbp_data_generated[], mbp_batch_generated[],
  mbp_observer_generated[], mbp_manipulator_generated[], mbp_selfmotion_generated[];
extern const size_t mbp_model_count, mbp_data_count, mbp_batch_count, mbp_observer_count,
  mbp_manipulator_count, mbp_selfmotion_count;

#endif  // MBDYN_PYTHON_H_
