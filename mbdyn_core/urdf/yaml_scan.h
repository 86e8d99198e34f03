// Looks at YAML event by event before libyaml makes a tree of it.
#ifndef YAML_SCAN_H_
#define YAML_SCAN_H_

#include <stdbool.h>
#include <stddef.h>

// libyaml's time grows with the square of each of these
enum {
  YAML_MAX_DEPTH = 64,
  YAML_MAX_ANCHORS = 1000,   // and aliases
  YAML_MAX_DIRECTIVES = 16,  // lines that begin with %
};

typedef struct yaml_problem {
  const char * what;  // NULL if there is none
  size_t line;        // from 1
  bool limit;         // too large, and not a second document
} yaml_problem_t;

// Errors of YAML itself are left to whoever reads the text.
yaml_problem_t yaml_scan(const char * text, size_t size);

#endif  // YAML_SCAN_H_
