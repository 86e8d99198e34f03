/// \file plugins.h
/// Shared objects with a library behind bench_plugin.h.
///
///   bench_plugins_t       those that are there, ours first
///   bench_plugins_add     a file, or all of a folder
///   bench_plugins_close
#ifndef PLUGINS_H_
#define PLUGINS_H_

#include "bench_plugin.h"

enum { BENCH_MAX_PLUGINS = 12 };

typedef struct bench_plugins {
  int n;
  const bench_plugin_t * plugin[BENCH_MAX_PLUGINS];
  void * handle[BENCH_MAX_PLUGINS];
} bench_plugins_t;

/// Open a plug-in, or every bench_*.so of a folder. False after a message on stderr; in a folder a
/// file that cannot be opened is named and left out.
bool bench_plugins_add(bench_plugins_t * plugins, const char * path);

/// Ours to the front, if it is there: the others are compared with the first.
void bench_plugins_ours_first(bench_plugins_t * plugins);

void bench_plugins_close(bench_plugins_t * plugins);

#endif  // PLUGINS_H_
