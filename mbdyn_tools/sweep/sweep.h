/// \file sweep.h
/// The parts of `mbdyn sweep`: one model at many points, as evaluations or as simulations.
///
///   sweep.c           options, the command
///   sweep_read.c      the sweep file -> plan: variables, task, outputs
///   sweep_output.c    outputs, names of columns
///   sweep_variable.c  what a variable sets; its value at a point
///   sweep_edit.c      numbers replaced in a URDF or in a mechanism file
///   sweep_point.c     one point: model, state, evaluation or simulation -> a row
///   sweep_store.c     results.npy and the journal, from which a sweep is resumed
///   sweep_run.c       threads, and ranks of MPI
///   sweep_mpi.c       messages between ranks, a module that is loaded under mpirun
///   sweep_summary.c   index.json, summary.html, results.csv, the text at the end
///
/// A row depends only on the sweep file, the model and the index of the point: not on threads, ranks, or the points
/// that were computed before. Random numbers are functions of seed, point and variable.
#ifndef SWEEP_H_
#define SWEEP_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"

enum { SWEEP_NAME = 256, SWEEP_MAX_VARIABLES = 64, SWEEP_MAX_OUTPUTS = 64 };

//---------- plan ----------

/// What a variable sets.
typedef enum sweep_target {
  SWEEP_Q,
  SWEEP_V,
  SWEEP_A,
  SWEEP_TAU,
  SWEEP_PAYLOAD,  ///< mass, x, y, z or radius of a sphere at a frame
  SWEEP_GRAVITY,  ///< x, y or z
  SWEEP_KP,
  SWEEP_KD,
  SWEEP_GOAL,
  SWEEP_EDIT  ///< a number in the text of the URDF or of the mechanism file
} sweep_target_t;

typedef enum sweep_law { SWEEP_GRID, SWEEP_VALUES, SWEEP_UNIFORM, SWEEP_NORMAL } sweep_law_t;

typedef struct sweep_variable {
  char name[SWEEP_NAME], set[SWEEP_NAME];
  int line;
  sweep_law_t law;
  double a, b;     ///< first and last, or bounds, or mean and standard deviation
  uint64_t count;  ///< of a grid or of values
  double * value;  ///< [count] of values
  sweep_target_t target;
  int index;  ///< coordinate, degree of freedom, frame or axis; -1: all joints
  int field;  ///< of a payload: 0 mass, 1 2 3 its centre, 4 radius
  const char * unit;
} sweep_variable_t;

/// What a row has beside its variables.
typedef enum sweep_output_kind {
  SWEEP_OUT_TAU,
  SWEEP_OUT_GRAVITY,
  SWEEP_OUT_QDD,
  SWEEP_OUT_KINETIC,
  SWEEP_OUT_POTENTIAL,
  SWEEP_OUT_CENTER,
  SWEEP_OUT_POSITION,  ///< of a frame
  SWEEP_OUT_END_Q,
  SWEEP_OUT_END_V,
  SWEEP_OUT_PEAK_TAU,
  SWEEP_OUT_RMS_TAU,
  SWEEP_OUT_PEAK_V,
  SWEEP_OUT_ERROR,  ///< goal minus position at the end
  SWEEP_OUT_ENERGY_ERROR,
  SWEEP_OUT_TIME,
  SWEEP_OUT_STEPS,
  SWEEP_OUT_KINDS
} sweep_output_kind_t;

typedef struct sweep_output {
  sweep_output_kind_t kind;
  int frame;
  int column, size;  ///< of the row
} sweep_output_t;

typedef struct sweep_controller {
  bool present, gravity, effort_limits;
  double *kp, *kd;  ///< [nv]
  double * goal;    ///< [nq] NaN: the initial position
} sweep_controller_t;

typedef struct sweep_plan {
  const char * path;
  char name[SWEEP_NAME];
  char robot[4096], mechanism[4096];  ///< paths; "" for none
  char beside[4096];                  ///< loops or mechanism file of the robot
  bool beside_is_mechanism, floating, friction;
  char * robot_text;
  size_t robot_size;
  char * mechanism_text;  ///< of `mechanism`
  size_t mechanism_size;
  bool simulate;  ///< or evaluate
  mbd_simulation_options_t options;
  double time;
  sweep_controller_t controller;
  double *q, *v;    ///< of the section initial; NaN: that of the mechanism file, or neutral
  double *a, *tau;  ///< of the section initial, or 0
  uint64_t seed, samples;
  bool has_samples;
  int nvariable, nedit;
  sweep_variable_t * variable;
  int noutput;
  sweep_output_t * output;
  int ncolumn;         ///< of a row: variables, outputs, status
  char ** column;      ///< [ncolumn] names
  const char ** unit;  ///< [ncolumn]
  uint64_t npoint, chunk, nchunk;
  uint64_t fingerprint;  ///< of the files and the version
} sweep_plan_t;

/// Read a sweep file and load its model once. False after a message; free it all the same.
bool sweep_read(sweep_plan_t * plan, const char * path);
void sweep_free(sweep_plan_t * plan);

/// "FILE:LINE: ..." on stderr; always false.
bool sweep_refuse(const sweep_plan_t * plan, int line, const char * format, ...)
  __attribute__((format(printf, 3, 4)));

/// An output by its name, as in the file. False after a message.
bool sweep_add_output(sweep_plan_t * plan, const mbd_model_t * model, const char * name, int line);
bool sweep_name_columns(sweep_plan_t * plan, const mbd_model_t * model);

//---------- model ----------

/// A model to compute with, of one thread.
typedef struct sweep_model {
  mbd_model_t * model;  ///< NULL if it did not load
  mbdx_mechanism_t * mechanism;
  mbdx_report_t * report;
  mbd_status_t status;
} sweep_model_t;

/// \param[in] values  of the variables, or NULL: the files as they are
sweep_model_t sweep_model_load(const sweep_plan_t * plan, const double * values);
void sweep_model_free(sweep_model_t * model);

/// What `set` of a variable means. False after a message.
bool sweep_find_target(const sweep_plan_t * plan, const mbd_model_t * model, sweep_variable_t * x);

/// Value of a variable at a point.
double sweep_value(const sweep_plan_t * plan, int variable, uint64_t point);

/// Name of a coordinate of q, or of a degree of freedom.
void sweep_coordinate_name(const mbd_model_t * model, int index, char * name, size_t size);
void sweep_dof_name(const mbd_model_t * model, int index, char * name, size_t size);

/// The text of the robot (or of the mechanism file) with the values of the variables that edit it.
/// \return to be freed; NULL if an element is not there (with its name in `missing`) or out of memory
char * sweep_edit_urdf(
  const sweep_plan_t * plan, const double * values, size_t * size, const char ** missing);
char * sweep_edit_mechanism(
  const sweep_plan_t * plan, const double * values, size_t * size, const char ** missing);

//---------- points ----------

typedef struct sweep_worker sweep_worker_t;  ///< memory of one thread

sweep_worker_t * sweep_worker_create(const sweep_plan_t * plan);
void sweep_worker_free(sweep_worker_t * worker);

/// \param[out] row  plan->ncolumn numbers: variables, outputs (NaN if it fails), status: 1 good, or minus the
///   mbd_status_t of the failure
void sweep_point(sweep_worker_t * worker, uint64_t point, double * row);

//---------- results ----------

typedef struct sweep_store {
  const sweep_plan_t * plan;
  const char * folder;
  int results, journal;    ///< file descriptors
  size_t header;           ///< bytes of results.npy before the first row
  uint8_t * done;          ///< [nchunk]
  uint64_t ndone, nfound;  ///< chunks that are done; of these, chunks of earlier runs
  char * map;              ///< of results.npy, or NULL
  size_t map_size;
} sweep_store_t;

/// Open or create the folder. False after a message; close it all the same.
/// \param[in] restart  throw away what is there
bool sweep_store_open(
  sweep_store_t * store, const sweep_plan_t * plan, const char * folder, bool restart);
/// Keep the rows of a chunk. False with errno. Not thread-safe.
bool sweep_store_put(sweep_store_t * store, uint64_t chunk, const double * rows);
/// Rows of all points, in the file; zeros where they are not computed yet. NULL with errno.
const double * sweep_store_rows(sweep_store_t * store);
void sweep_store_close(sweep_store_t * store);

/// Number of points of a chunk.
uint64_t sweep_chunk_points(const sweep_plan_t * plan, uint64_t chunk);

//---------- runs ----------

/// Messages between ranks; see sweep_mpi.c. One thread per rank may use it.
typedef struct sweep_mpi {
  int rank, size;
  /// Waits for a message: bytes; 0 if none came within a millisecond (only on rank 0); -1 after an error of rank
  /// *from (-1: of an unknown one).
  long (*receive)(void * bytes, size_t most, int * from);
  bool (*send)(int to, const void * bytes, size_t n);
  void (*close)(void);
} sweep_mpi_t;

/// NULL, or the ranks this program is one of. False after a message.
bool sweep_mpi_find(const sweep_mpi_t ** mpi);

typedef enum sweep_end { SWEEP_DONE, SWEEP_STOPPED, SWEEP_FAILED } sweep_end_t;

/// Compute what is not done yet. On rank 0, or without MPI.
sweep_end_t sweep_run(
  sweep_store_t * store, int threads, const sweep_mpi_t * mpi, const atomic_bool * stop);
/// The other ranks. \param[in] plan  NULL: it could not be read here
bool sweep_serve(const sweep_plan_t * plan, const sweep_mpi_t * mpi);
/// Rank 0 has nothing to compute: the other ranks end.
void sweep_dismiss(const sweep_mpi_t * mpi);

//---------- summary ----------

/// Writes index.json, summary.html and, if wanted, results.csv; prints a table. False after a message.
bool sweep_summary(sweep_store_t * store, bool csv, double seconds, FILE * out);

#endif  // SWEEP_H_
