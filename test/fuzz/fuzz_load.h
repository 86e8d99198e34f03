// One load of a fuzzer: the loader returns, its report is complete, and what it accepts has finite
// dynamics, or the dynamics says why not. Aborts otherwise.
#ifndef FUZZ_LOAD_H_
#define FUZZ_LOAD_H_

#include <stddef.h>
#include <stdint.h>

/// \param[in] choice  bits choose the options
void fuzz_load(uint8_t choice, const char * text, size_t size);

/// The same with loops in YAML, or NULL; the choice says also whether they are embedded.
void fuzz_load_loops(uint8_t choice, const char * text, size_t size, const char * loops);

/// What libFuzzer calls.
int LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size);

#endif  // FUZZ_LOAD_H_
