// libFuzzer: any bytes as URDF. The first byte chooses options, the rest is the text.
//
//   fuzz_urdf -dict=test/fuzz/urdf.dict CORPUS test/fuzz/corpus_urdf
#include <stdlib.h>
#include <string.h>

#include "fuzz_load.h"

int
LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size)
{
  if (size == 0) return 0;
  // a copy of the exact size: reading beyond its end is found
  char * text = malloc(size - 1 > 0 ? size - 1 : 1);
  if (!text) return 0;
  memcpy(text, bytes + 1, size - 1);
  fuzz_load(bytes[0], text, size - 1);
  free(text);
  return 0;
}
