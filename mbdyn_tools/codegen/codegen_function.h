/// \file codegen_function.h
/// The functions that can be generated: what each is called, takes and returns, and its program.
///
///   FUNCTIONS                 table of the kinds
///   gen_function_t            one function for one robot
///   gen_function_build        run the algorithm, or the cheaper of two
///   gen_function_evaluate     what the program gives for a state, in double or single precision
///   gen_function_reference    what the library gives
#ifndef CODEGEN_FUNCTION_H_
#define CODEGEN_FUNCTION_H_

#include "codegen_robot.h"
#include "codegen_simplify.h"
#include "codegen_write.h"
#include "mbdyn/data.h"

typedef enum function_kind {
  FUNCTION_INVERSE_DYNAMICS,
  FUNCTION_GRAVITY,
  FUNCTION_BIAS,
  FUNCTION_MASS_MATRIX,
  FUNCTION_FORWARD_DYNAMICS,
  FUNCTION_POSE,      ///< of a frame
  FUNCTION_JACOBIAN,  ///< of a frame
  FUNCTION_INVERSE_DERIVATIVES,
  FUNCTION_FORWARD_DERIVATIVES
} function_kind_t;

enum { NFUNCTION = FUNCTION_FORWARD_DERIVATIVES + 1 };

typedef struct function_info {
  const char * name;
  unsigned inputs;         ///< set of `1 << INPUT_...`
  const char * output[2];  ///< names of the output arrays; the second may be NULL
  bool of_frame;
  const char * doc;  ///< lines for the header
} function_info_t;

extern const function_info_t FUNCTIONS[NFUNCTION];

typedef struct gen_function {
  function_kind_t kind;
  int frame;                  ///< of a pose or Jacobian
  mbd_reference_t reference;  ///< of a Jacobian
  char name[128];             ///< in C, without the prefix
  program_t program;          ///< simplified
  operations_t count;
  const char * method;  ///< where there is a choice; else NULL
  array_t output[3];    ///< ends with a NULL name
} gen_function_t;

/// Build the program of a function. kind, frame, reference and name must be set; false without
/// memory.
bool gen_function_build(const gen_robot_t * robot, gen_function_t * function);
void gen_function_free(gen_function_t * function);

/// Operations of a function as the robot's frames are, or -1 without memory.
int gen_function_cost(const gen_robot_t * robot, function_kind_t kind);

/// A state; arrays as long as the model says.
typedef struct gen_state {
  double *q, *v, *qdd, *tau;
} gen_state_t;

/// Run the program. With `single` every number is rounded to float, as code in float does.
/// \param[out] out  function->program.nout numbers
/// \return false without memory
bool gen_function_evaluate(
  const gen_robot_t * robot, const gen_function_t * function, const gen_state_t * state,
  bool single, double * out);

/// The same from the library. data->terms are those of the robot.
mbd_status_t gen_function_reference(
  const gen_robot_t * robot, const gen_function_t * function, mbd_data_t * data,
  const gen_state_t * state, double * out);

#endif  // CODEGEN_FUNCTION_H_
