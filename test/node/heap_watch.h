/// \file heap_watch.h
/// Heap calls of one thread, by its name: malloc, calloc, realloc, free and their like are
/// interposed in the program that links this.
///
///   heap_watch_start   from here on calls of threads of that name are counted
///   heap_watch_print   on standard output: how many, whose; then starts anew
#ifndef HEAP_WATCH_H_
#define HEAP_WATCH_H_

/// \param[in] thread     as /proc has it
/// \param[in] libraries  parts of the paths of libraries whose calls are counted apart, with blanks
void heap_watch_start(const char * thread, const char * libraries);

/// Lines "from where+offset where+offset ..." for the first calls of ours, then "heap OURS THEIRS".
void heap_watch_print(void);

#endif  // HEAP_WATCH_H_
