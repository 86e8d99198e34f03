// Workspaces are laid out in one block of memory by one function, which counts its size when there is
// no memory yet.
#ifndef UTIL__ARENA_H_
#define UTIL__ARENA_H_

#include <stddef.h>

enum { MBDI_ALIGNMENT = 64 };

// the next part of the block at base, aligned if the block is; NULL base only counts
static inline void *
mbdi_arena_take(char * base, size_t * offset, size_t count, size_t size)
{
  void * part = base ? base + *offset : NULL;
  *offset += (count * size + MBDI_ALIGNMENT - 1) / MBDI_ALIGNMENT * MBDI_ALIGNMENT;
  return part;
}

// the same in work memory of the caller, which is of numbers: the next `count` elements of `size` bytes,
// *n numbers from its beginning
static inline void *
mbdi_arena_work(double * work, size_t * n, size_t count, size_t size)
{
  void * part = work ? work + *n : NULL;
  *n += (count * size + sizeof *work - 1) / sizeof *work;
  return part;
}

#endif  // UTIL__ARENA_H_
