/// \file eval_input.h
/// States for `mbdyn eval`, from JSON. Whatever is wrong is said on stderr with its place.
///
///   eval_input_read, eval_input_free       the document
///   eval_states_create, eval_states_free   memory for states
///   eval_input_state                       one state of the document
#ifndef EVAL_INPUT_H_
#define EVAL_INPUT_H_

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/model.h"

typedef struct eval_input {
  const char * source;  ///< what messages call the document
  const mbd_model_t * model;
  const mbd_model_t * flexible;  ///< with flexible links: q, v, a, tau are of it; or NULL
  json_t * root;
  const json_t * states;  ///< list
  size_t nstate;
} eval_input_t;

/// A state, complete: what the document leaves out is filled in.
typedef struct eval_state {
  double * q;              ///< [nq] missing: neutral
  double * v;              ///< [nv] missing: zero
  double * a;              ///< [nv] missing: zero
  double * tau;            ///< [nv] missing: zero
  mbd_wrench_t * wrench;   ///< [nframe] capacity; one per link at most
  mbd_wrenches_t f_ext;    ///< those given
  const double * neutral;  ///< [nq]
} eval_state_t;

/// States whose numbers lie one behind the other, as the batch wants them.
typedef struct eval_states {
  double * q;             ///< [n x nq]
  double *v, *a, *tau;    ///< [n x nv]
  double * neutral;       ///< [nq]
  mbd_wrench_t * wrench;  ///< [n x nframe]
  eval_state_t * state;   ///< [n] views of the above
} eval_states_t;

/// Read and parse a document. False after a message.
/// \param[in] path   JSON file, or "-" for standard input; must outlive the input
/// \param[in] model  must outlive the input
bool eval_input_read(const char * path, const mbd_model_t * model, eval_input_t * input);
void eval_input_free(eval_input_t * input);

/// Memory for n states of the input's robot. False after a message; free it all the same.
bool eval_states_create(const eval_input_t * input, int n, eval_states_t * states);
void eval_states_free(eval_states_t * states);

/// State number `index` of the document. False after a message.
bool eval_input_state(const eval_input_t * input, size_t index, eval_state_t * state);

#endif  // EVAL_INPUT_H_
