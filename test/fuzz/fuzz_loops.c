// libFuzzer: any bytes as the loops of a small robot. The first byte chooses options, the rest is YAML.
//
//   fuzz_loops CORPUS test/fuzz/corpus_loops
#include <stdlib.h>
#include <string.h>

#include "fuzz_load.h"

// two links on a base each, of which the second carries another: enough for loops and gears
#define MASS                                                                                 \
  "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" " \
  "izz=\"1\"/></inertial>"
static const char ROBOT[] =
  "<robot name=\"r\"><link name=\"base\"/><link name=\"a\">" MASS "</link><link name=\"b\">" MASS
  "</link><link name=\"c\">" MASS
  "</link>"
  "<joint name=\"ja\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>"
  "<axis xyz=\"0 0 1\"/></joint>"
  "<joint name=\"jb\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
  "<origin xyz=\"1 0 0\"/><axis xyz=\"0 0 1\"/></joint>"
  "<joint name=\"jc\" type=\"prismatic\"><parent link=\"base\"/><child link=\"c\"/>"
  "<axis xyz=\"1 0 0\"/><limit lower=\"-9\" upper=\"9\" effort=\"1\" velocity=\"1\"/></joint>"
  "</robot>";

int
LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size)
{
  if (size == 0) return 0;
  char * text = malloc(size);
  if (!text) return 0;
  memcpy(text, bytes + 1, size - 1);
  text[size - 1] = 0;
  fuzz_load_loops(bytes[0], ROBOT, sizeof ROBOT - 1, text);
  free(text);
  return 0;
}
