/// \file hush.h
/// What is written to stderr while a table is on the screen, kept for afterwards.
#ifndef HUSH_H_
#define HUSH_H_

#include <stdio.h>

typedef struct hush {
  FILE * file;
  int saved;
} hush_t;

hush_t hush_start(void);
/// Prints what was kept; also right for {NULL, -1}.
void hush_end(hush_t * hush);

#endif  // HUSH_H_
