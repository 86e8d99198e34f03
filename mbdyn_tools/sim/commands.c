#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages_in.h"

struct commands_private {
  int * dof;        // of each command joint [n]
  double * wanted;  // of the message at hand [nv]
  uint64_t * seen;  // number of the message that had this degree of freedom last [nv]
  uint64_t message;
  int next;  // body after the one last found by name: messages keep to an order
};

commands_t *
commands_create(const mbd_model_t * model, const int * dof, size_t n)
{
  commands_t * c = calloc(1, sizeof *c);
  struct commands_private * p = calloc(1, sizeof *p);
  if (c == NULL || p == NULL) {
    free(c), free(p);
    return NULL;
  }
  const size_t nv = (size_t)model->nv + 1;
  c->model = model;
  c->n = n;
  c->p = p;
  c->tau = calloc(nv, sizeof *c->tau);
  p->dof = calloc(n + 1, sizeof *p->dof);
  p->wanted = calloc(nv, sizeof *p->wanted);
  p->seen = calloc(nv, sizeof *p->seen);
  if (c->tau == NULL || p->dof == NULL || p->wanted == NULL || p->seen == NULL) {
    commands_destroy(c);
    return NULL;
  }
  if (n > 0) memcpy(p->dof, dof, n * sizeof *dof);
  return c;
}

void
commands_destroy(commands_t * c)
{
  if (c == NULL) return;
  free(c->tau);
  free(c->p->dof);
  free(c->p->wanted);
  free(c->p->seen);
  free(c->p);
  free(c);
}

static bool
count_refused(uint64_t * counter)
{
  (*counter)++;
  return false;
}

static bool
accept_command(commands_t * c)
{
  memcpy(c->tau, c->p->wanted, (size_t)c->model->nv * sizeof *c->tau);
  c->count.taken++;
  return true;
}

bool
commands_take_array(commands_t * c, const uint8_t * bytes, size_t size)
{
  wire_numbers_t numbers;
  if (!wire_read_numbers(bytes, size, &numbers)) return count_refused(&c->count.malformed);
  if (numbers.n != c->n) return count_refused(&c->count.length);
  memcpy(c->p->wanted, c->tau, (size_t)c->model->nv * sizeof *c->tau);
  for (uint32_t i = 0; i < numbers.n; i++) {
    const double x = wire_number(&numbers, i);
    if (!isfinite(x)) return count_refused(&c->count.not_finite);
    c->p->wanted[c->p->dof[i]] = x;
  }
  return accept_command(c);
}

// degree of freedom of a joint that has one, or -1
static int
find_joint(commands_t * c, wire_text_t name)
{
  const int n = c->model->nbody;
  for (int tries = 0; tries < n; tries++) {
    const mbd_body_t * body = &c->model->body[c->p->next];
    c->p->next = c->p->next + 1 < n ? c->p->next + 1 : 0;
    if (wire_text_is(name, body->joint_name)) return body->nv == 1 ? body->v_index : -1;
  }
  return -1;
}

bool
commands_take_by_name(commands_t * c, const uint8_t * bytes, size_t size)
{
  struct commands_private * p = c->p;
  wire_joint_state_t state;
  if (!wire_read_joint_state(bytes, size, &state)) return count_refused(&c->count.malformed);
  if (state.names.n == 0 || state.effort.n != state.names.n) return count_refused(&c->count.length);
  memcpy(p->wanted, c->tau, (size_t)c->model->nv * sizeof *c->tau);
  p->message++;
  p->next = 0;
  size_t at = 0;
  for (uint32_t i = 0; i < state.names.n; i++) {
    const double x = wire_number(&state.effort, i);
    const int dof = find_joint(c, wire_next_name(&state.names, &at));
    if (dof < 0 || p->seen[dof] == p->message) return count_refused(&c->count.unknown);
    if (!isfinite(x)) return count_refused(&c->count.not_finite);
    p->seen[dof] = p->message;
    p->wanted[dof] = x;
  }
  return accept_command(c);
}

void
commands_clear(commands_t * c)
{
  memset(c->tau, 0, (size_t)c->model->nv * sizeof *c->tau);
}
