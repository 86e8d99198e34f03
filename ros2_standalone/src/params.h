/// \file params.h
/// Shared by the store of parameters and the parser.
#ifndef PARAMS_H_
#define PARAMS_H_

#include "rcl_yaml_param_parser/parser.h"

/// Frees a value and leaves it empty.
void sa_variant_clear(rcl_variant_t * value, const rcutils_allocator_t * allocator);

#endif  // PARAMS_H_
