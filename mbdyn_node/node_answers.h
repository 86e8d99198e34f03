/// \file node_answers.h
/// Fields of a service's response. A response is initialised by its callback, so that what is filled here
/// has no memory yet.
///
///   assign, assign_message     text; text that may have the client's names in it
///   fill_numbers, fill_names   sequences; false if out of memory
#ifndef MBDYN_NODE__NODE_ANSWERS_H_
#define MBDYN_NODE__NODE_ANSWERS_H_

#include <string.h>

#include "node_internal.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

static inline void
assign(rosidl_runtime_c__String * string, const char * text)
{
  // out of memory leaves it empty, which is all that can be done
  (void)!rosidl_runtime_c__String__assign(string, text);
}

// names that the client has sent come back in it, whatever they were
static inline void
assign_message(rosidl_runtime_c__String * message, const char * text)
{
  char printable[2 * REASON_MAX];
  assign(message, text_printable(text, printable, sizeof printable));
}

static inline bool
fill_numbers(rosidl_runtime_c__double__Sequence * sequence, const double * x, int n)
{
  if (!rosidl_runtime_c__double__Sequence__init(sequence, (size_t)n)) return false;
  memcpy(sequence->data, x, (size_t)n * sizeof *x);
  return true;
}

static inline bool
fill_names(rosidl_runtime_c__String__Sequence * sequence, char * const * name, int n)
{
  if (!rosidl_runtime_c__String__Sequence__init(sequence, (size_t)n)) return false;
  for (int i = 0; i < n; i++) assign(&sequence->data[i], name[i]);
  return true;
}

#endif  // MBDYN_NODE__NODE_ANSWERS_H_
