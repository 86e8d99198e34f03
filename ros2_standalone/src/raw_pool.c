// Blocks for samples, kept in lists by size so that a steady stream takes nothing from the heap.
// A list is capped: what comes back beyond the cap is freed. Samples may outlive their topic, so
// the pool belongs to the process.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "raw_pool.h"

typedef struct {
  size_t capacity;        // bytes of data per block
  unsigned ready;         // blocks made ahead
  unsigned cap;           // longest list
  unsigned count;         // blocks in the list
  raw_sample_t * blocks;  // the list
} pool_list_t;

static pool_list_t lists[] = {
  {.capacity = 512, .ready = 128, .cap = 2048},
  {.capacity = 4096, .ready = 32, .cap = 512},
  {.capacity = 32768, .ready = 8, .cap = 64},
  {.capacity = 262144, .ready = 0, .cap = 8},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t misses;

static raw_sample_t *
block_make(uint32_t list, size_t size)
{
  size_t capacity = list < LISTS ? lists[list].capacity : size;
  raw_sample_t * block = malloc(sizeof *block + capacity);
  if (block != NULL) block->pool = list;
  return block;
}

static void
block_keep(raw_sample_t * block)
{
  pool_list_t * list = &lists[block->pool];
  block->next = list->blocks;
  list->blocks = block;
  list->count++;
}

raw_sample_t *
raw_pool_get(size_t size)
{
  uint32_t i = 0;
  while (i < LISTS && lists[i].capacity < size) i++;
  raw_sample_t * block = NULL;
  pthread_mutex_lock(&lock);
  if (i < LISTS && lists[i].blocks != NULL) {
    block = lists[i].blocks;
    lists[i].blocks = block->next;
    lists[i].count--;
  } else {
    misses++;
  }
  pthread_mutex_unlock(&lock);
  return block != NULL ? block : block_make(i, size);
}

void
raw_pool_put(raw_sample_t * block)
{
  pthread_mutex_lock(&lock);
  bool keep = block->pool < LISTS && lists[block->pool].count < lists[block->pool].cap;
  if (keep) block_keep(block);
  pthread_mutex_unlock(&lock);
  if (!keep) free(block);
}

void
raw_pool_fill(void)
{
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < LISTS; i++) {
    for (unsigned n = lists[i].count; n < lists[i].ready; n++) {
      raw_sample_t * block = block_make(i, 0);
      if (block == NULL) break;
      block_keep(block);
    }
  }
  pthread_mutex_unlock(&lock);
}

uint64_t
raw_pool_misses(void)
{
  pthread_mutex_lock(&lock);
  uint64_t n = misses;
  pthread_mutex_unlock(&lock);
  return n;
}
