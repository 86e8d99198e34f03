// Message definitions that go into MCAP files, so that other programs can decode what is in them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bag.h"

typedef struct definition {
  const char * name;  // "sensor_msgs/JointState"
  const char * text;
} definition_t;

static const definition_t DEFINITIONS[] = {
#include "definitions_table.h"
};

enum { NDEFINITION = sizeof DEFINITIONS / sizeof DEFINITIONS[0], MAX_NAME = 256 };

// the index of "package/Name", or -1
static int
find(const char * name)
{
  for (int i = 0; i < NDEFINITION; i++) {
    if (strcmp(DEFINITIONS[i].name, name) == 0) return i;
  }
  return -1;
}

// the type of a field's line as "package/Name": "Header[<=3] h" -> "std_msgs/Header"
static bool
line_type(const char * line, const char * owner, char * name)
{
  while (*line == ' ' || *line == '\t') line++;
  const size_t size = strcspn(line, " \t\r\n[<#=");
  if (size == 0 || size > MAX_NAME / 2) return false;
  // own types begin with a capital letter; all that is built in does not
  const char * slash = memchr(line, '/', size);
  if (!slash && !isupper((unsigned char)line[0])) return false;
  const int package = (int)strcspn(owner, "/");
  const char * last = slash;
  for (const char * s = slash; s && s < line + size; s++) last = *s == '/' ? s : last;
  if (slash) {
    snprintf(
      name, MAX_NAME, "%.*s/%.*s", (int)(slash - line), line, (int)(line + size - last - 1),
      last + 1);
  } else {
    snprintf(name, MAX_NAME, "%.*s/%.*s", package, owner, (int)size, line);
  }
  return true;
}

// marks what a definition needs; false if something is not there
static bool
mark_needs(int index, bool * needed)
{
  for (const char * line = DEFINITIONS[index].text; line && *line;) {
    char name[MAX_NAME];
    if (line_type(line, DEFINITIONS[index].name, name)) {
      const int other = find(name);
      if (other < 0) return false;
      if (!needed[other]) {
        needed[other] = true;
        if (!mark_needs(other, needed)) return false;
      }
    }
    line = strchr(line, '\n');
    if (line) line++;
  }
  return true;
}

char *
bag_definition(const char * type)
{
  // "package/msg/Name" is "package/Name" in the text
  const char * kind = strstr(type, "/msg/");
  char name[MAX_NAME];
  if (!kind) return NULL;
  snprintf(name, sizeof name, "%.*s/%s", (int)(kind - type), type, kind + strlen("/msg/"));
  const int index = find(name);
  bool needed[NDEFINITION] = {false};
  if (index < 0 || !mark_needs(index, needed)) return NULL;

  char * text = NULL;
  size_t size;
  FILE * out = open_memstream(&text, &size);
  if (!out) return NULL;
  fputs(DEFINITIONS[index].text, out);
  for (int i = 0; i < NDEFINITION; i++) {
    if (!needed[i] || i == index) continue;
    fputc('\n', out);
    for (int k = 0; k < 80; k++) fputc('=', out);
    fprintf(out, "\nMSG: %s\n%s", DEFINITIONS[i].name, DEFINITIONS[i].text);
  }
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}
