// A serialized message with an allocator that always answers with the same memory.
#include "serialized.h"

#include <stdlib.h>
#include <string.h>

#include "rcl/error_handling.h"

static void *
same_memory(size_t size, void * state)
{
  serialized_t * s = state;
  return size <= s->capacity ? s->memory : NULL;
}

static void *
same_memory_again(void * pointer, size_t size, void * state)
{
  (void)pointer;
  return same_memory(size, state);
}

static void *
same_memory_zeroed(size_t n, size_t size, void * state)
{
  if (size != 0 && n > SIZE_MAX / size) return NULL;
  void * memory = same_memory(n * size, state);
  if (memory) memset(memory, 0, n * size);
  return memory;
}

static void
keep(void * pointer, void * state)
{
  (void)pointer;
  (void)state;
}

static void
reset(serialized_t * s)
{
  s->message.buffer = s->memory;
  s->message.buffer_length = 0;
  s->message.buffer_capacity = s->capacity;
}

bool
serialized_init(serialized_t * s, size_t capacity)
{
  memset(s, 0, sizeof *s);
  s->memory = calloc(capacity, 1);
  if (!s->memory) return false;
  s->capacity = capacity;
  s->message.allocator.allocate = same_memory;
  s->message.allocator.reallocate = same_memory_again;
  s->message.allocator.zero_allocate = same_memory_zeroed;
  s->message.allocator.deallocate = keep;
  s->message.allocator.state = s;
  reset(s);
  return true;
}

void
serialized_fini(serialized_t * s)
{
  free(s->memory);
  memset(s, 0, sizeof *s);
}

bool
serialized_take(serialized_t * s, const rcl_subscription_t * subscription)
{
  // after a refusal rmw has left no buffer; more than a few in a row can wait for the next spin
  for (int tries = 0; tries < 16; tries++) {
    reset(s);
    const rcl_ret_t ret = rcl_take_serialized_message(subscription, &s->message, NULL, NULL);
    if (ret == RCL_RET_OK) return true;
    rcl_reset_error();
    if (ret == RCL_RET_SUBSCRIPTION_TAKE_FAILED) return false;
    s->refused++;
  }
  return false;
}
