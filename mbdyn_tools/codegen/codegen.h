/// \file codegen.h
/// Straight-line C for one robot: from a model to files.
///
///   codegen_options_t, codegen_options_default   what to generate
///   codegen_make          record, count and check everything against the library
///   codegen_write         the files: NAME.h, NAME.c, NAME_selftest.c
///   codegen_free
#ifndef CODEGEN_H_
#define CODEGEN_H_

#include <stdio.h>

#include "codegen_function.h"
#include "mbdyn/model.h"

typedef struct codegen_options {
  const char * prefix;  ///< of names and files; NULL: from the robot's name
  unsigned functions;   ///< set of `1 << FUNCTION_...`
  int nframe;
  const int * frame;          ///< of poses and Jacobians
  mbd_reference_t reference;  ///< of Jacobians
  uint32_t terms;             ///< MBD_TERM_...
  bool single;                ///< numbers are float unless the compiler is told otherwise
  double snap;                ///< angles nearer than this to a right angle are right angles [rad]
  int vector_length;          ///< for similar limbs: 2, 4, or 1 for none
  int nstate;                 ///< states that the self-test checks
} codegen_options_t;

/// Everything that needs no frame, in double.
codegen_options_t codegen_options_default(void);

/// A function with what the self-test expects of it.
typedef struct codegen_entry {
  gen_function_t function;
  double * expected;                         ///< [nstate][function.program.nout]
  double scale;                              ///< largest number in it
  double double_tolerance, float_tolerance;  ///< relative to scale
  double float_error;                        ///< found in single precision
} codegen_entry_t;

typedef struct codegen {
  const mbd_model_t * model;
  codegen_options_t options;
  char source[128];            ///< file that the robot is from, without directories
  char prefix[64], upper[64];  ///< of names; of macros
  gen_robot_t robot;
  int nfunction;
  codegen_entry_t * entry;  ///< [nfunction]
  gen_state_t * state;      ///< [options.nstate]
  double * numbers;         ///< of all states
} codegen_t;

/// Record the functions, and compare each with the library in a few states.
/// \param[in]  source  what messages call the robot
/// \param[out] codegen give it to codegen_free, also after an error
/// \return false after a message on stderr
bool codegen_make(
  const char * source, const mbd_model_t * model, const codegen_options_t * options,
  codegen_t * codegen);

/// Write the files into a directory, which is made if it is not there.
/// \return false after a message on stderr
bool codegen_write(const codegen_t * codegen, const char * directory);

void codegen_free(codegen_t * codegen);

//---------- its parts ----------

/// States, what the library says to them, and how far off the programs are; false after a message.
bool codegen_record(codegen_t * codegen, const char * source);

void codegen_put_header(FILE * to, const codegen_t * codegen);

/// False without memory.
bool codegen_put_source(FILE * to, const codegen_t * codegen);

void codegen_put_selftest(FILE * to, const codegen_t * codegen);

#endif  // CODEGEN_H_
