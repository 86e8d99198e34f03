// The order of statements: few variables alive at a time.
#include "codegen_order.h"

#include <stdlib.h>

typedef struct ordering {
  const statements_t * s;
  int * missing;     // operands that are not there yet
  int * uses;        // statements that still need a variable
  int * user_first;  // users of i are user[user_first[i]] to user[user_first[i + 1] - 1]
  int * user;
  int * ready;  // statements that could be next
  int nready;
} ordering_t;

// who uses what, from what uses whom
static void
find_users(ordering_t * o)
{
  const statements_t * s = o->s;
  for (int i = 0; i < s->n; i++) {
    o->missing[i] = s->first[i + 1] - s->first[i];
    for (int k = s->first[i]; k < s->first[i + 1]; k++) o->uses[s->operand[k]]++;
  }
  o->user_first[0] = 0;
  for (int i = 0; i < s->n; i++) o->user_first[i + 1] = o->user_first[i] + o->uses[i];
  // fill from the back; uses count down to zero and up again
  for (int i = s->n - 1; i >= 0; i--) {
    for (int k = s->first[i]; k < s->first[i + 1]; k++) {
      const int j = s->operand[k];
      o->user[o->user_first[j] + --o->uses[j]] = i;
    }
  }
  for (int i = 0; i < s->n; i++) o->uses[i] = o->user_first[i + 1] - o->user_first[i];
}

// variables more (or less) after a statement
static int
growth(const ordering_t * o, int i)
{
  int change = o->s->variable[i] ? 1 : 0;
  for (int k = o->s->first[i]; k < o->s->first[i + 1]; k++) {
    if (o->uses[o->s->operand[k]] == 1) change--;
  }
  return change;
}

// take the best of the ready ones
static int
take_next(ordering_t * o)
{
  int best = 0, best_growth = growth(o, o->ready[0]);
  for (int k = 1; k < o->nready; k++) {
    const int now = growth(o, o->ready[k]);
    if (now > best_growth || (now == best_growth && o->ready[k] > o->ready[best])) continue;
    best = k;
    best_growth = now;
  }
  const int i = o->ready[best];
  o->ready[best] = o->ready[--o->nready];
  return i;
}

static void
order_nodes(ordering_t * o, int * order)
{
  for (int i = 0; i < o->s->n; i++) {
    if (o->missing[i] == 0) o->ready[o->nready++] = i;
  }
  for (int n = 0; n < o->s->n; n++) {
    const int i = take_next(o);
    order[n] = i;
    for (int k = o->s->first[i]; k < o->s->first[i + 1]; k++) o->uses[o->s->operand[k]]--;
    for (int k = o->user_first[i]; k < o->user_first[i + 1]; k++) {
      if (--o->missing[o->user[k]] == 0) o->ready[o->nready++] = o->user[k];
    }
  }
}

bool
order_statements(const statements_t * statements, int * order)
{
  const size_t n = (size_t)statements->n + 1;
  const size_t edges = (size_t)statements->first[statements->n] + 1;
  int * block = calloc(4 * n + edges, sizeof *block);
  if (!block) return false;
  ordering_t o = {.s = statements, .missing = block, .uses = block + n, .ready = block + 2 * n};
  o.user_first = block + 3 * n;
  o.user = block + 4 * n;
  find_users(&o);
  order_nodes(&o, order);
  free(block);
  return true;
}
