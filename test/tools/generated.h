/// \file generated.h
/// Generated code in tests: written, compiled, loaded, and compared with the library.
///
///   generated_make, _free    code of a robot in a directory of its own
///   generated_compare        largest error of every function over random states
#ifndef GENERATED_H_
#define GENERATED_H_

#include "codegen.h"

typedef struct generated {
  codegen_t codegen;
  mbd_data_t * data;
  char directory[64];
  void * library;
} generated_t;

/// Generate and compile with the flags that users are promised to have no warnings with.
/// \param[in] what    robot, for messages
/// \param[in] single  compile for float
void generated_make(
  const char * what, const mbd_model_t * model, const codegen_options_t * options, bool single,
  generated_t * generated);
void generated_free(generated_t * generated);

/// Call every function in n random states and fail the test where a result is further from the
/// library's than tolerance, relative to the largest number of the result.
void generated_compare(generated_t * generated, const char * what, int n, double tolerance);

/// A generated function by its name without prefix.
typedef void (*any_function_t)(void);
any_function_t generated_find(const generated_t * generated, const char * name);

#endif  // GENERATED_H_
