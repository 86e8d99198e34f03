// Reading a recording that may hold anything, whole: what both fuzzers of recordings do.
#ifndef FUZZ_BAG_H_
#define FUZZ_BAG_H_

#include "storage.h"

// reads it several ways and frees it; NULL (refused) is fine
void fuzz_bag(source_t * source, const bag_error_t * error);

#endif  // FUZZ_BAG_H_
