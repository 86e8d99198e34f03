/// \file codegen_write.h
/// A simplified program as the body of a C function.
///
///   array_t             an array that the function writes to
///   write_body          statements, a comment where the next joint begins
///   write_number        a constant that reads back as the same double
///   write_comment       a name that can stand in a comment
#ifndef CODEGEN_WRITE_H_
#define CODEGEN_WRITE_H_

#include <stdio.h>

#include "codegen_robot.h"
#include "codegen_simplify.h"

/// An output array: its name in the function, and how many of the program's outputs it takes.
typedef struct array {
  const char * name;
  int size;
} array_t;

/// Write everything between the braces. Numbers are of type `real`; constants go through K().
/// \param[in] arrays   where outputs go, in order; ends with a NULL name
/// \param[in] inputs   a set of `1 << INPUT_...`: the function's parameters
/// \return false without memory
bool write_body(
  FILE * to, const gen_robot_t * robot, const program_t * program, const array_t * arrays,
  unsigned inputs);

/// At most 31 characters, as short as it can be. Not negative.
void write_number(double x, char * text);

/// A name in ASCII without backslashes, cut to size.
void write_comment(const char * name, char * text, size_t size);

#endif  // CODEGEN_WRITE_H_
