// The table of rigid trees whose joints the vector kernels know.
#ifndef SIMD__SIMD_ENGINE_H_
#define SIMD__SIMD_ENGINE_H_

#include "model/engine.h"

extern const mbdi_engine_t mbdi_simd_engine;

#endif  // SIMD__SIMD_ENGINE_H_
