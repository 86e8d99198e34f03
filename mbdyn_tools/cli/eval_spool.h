/// \file eval_spool.h
/// Results of `mbdyn eval` until all states are known to be good: a temporary file without a name, in
/// $TMPDIR or /tmp. Memory does not grow with the number of states, and each is computed once.
///
///   eval_spool_open     the file
///   eval_spool_written  what was written so far is in it
///   eval_spool_close    copy it to where results go, or drop it
#ifndef EVAL_SPOOL_H_
#define EVAL_SPOOL_H_

#include <stdbool.h>
#include <stdio.h>

/// NULL after a message.
FILE * eval_spool_open(void);

/// False after a message, e.g. that the disk is full.
bool eval_spool_written(FILE * spool);

/// Close the file. False after a message, or if not good.
/// \param[in] good  copy it before that
/// \param[in] path  file that results go to; NULL: standard output
bool eval_spool_close(FILE * spool, bool good, const char * path);

#endif  // EVAL_SPOOL_H_
