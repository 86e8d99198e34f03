// The table of modes, and what they share: the sum of the terms.
#include <string.h>

#include "controller_private.h"
#include "mbdyn/operators/factors.h"

typedef struct mode_row {
  const char * name;
  mbd_status_t (*compute)(controller_t *, const controller_cycle_t *);
  unsigned needs, terms;
} mode_row_t;

enum {
  ALL_TERMS_OF_MOTION = TERM_GRAVITY | TERM_CORIOLIS | TERM_INERTIA | TERM_FRICTION | TERM_EXTERNAL
};

static const mode_row_t MODES[CONTROLLER_MODES] = {
#define MODE(id, name, function, needs, terms, text) [id] = {name, function, needs, terms},
#include "controller_modes.inc"
};

const char *
controller_mode_name(controller_mode_t mode)
{
  const size_t k = (size_t)mode;
  return k < CONTROLLER_MODES ? MODES[k].name : "unknown";
}

int
controller_mode_find(const char * name)
{
  for (int k = 0; k < CONTROLLER_MODES; k++) {
    if (strcmp(MODES[k].name, name) == 0) return k;
  }
  return -1;
}

bool
controller_mode_needs(controller_mode_t mode, controller_needs_t what)
{
  const size_t k = (size_t)mode;
  return k < CONTROLLER_MODES && MODES[k].needs & (unsigned)what;
}

unsigned
controller_mode_terms(controller_mode_t mode)
{
  const bool reference =
    controller_mode_needs(mode, NEEDS_REFERENCE) && !controller_mode_needs(mode, NEEDS_TASK);
  return reference ? ALL_TERMS_OF_MOTION : ALL_TERMS_OF_MOTION & ~(unsigned)TERM_FRICTION;
}

static void
sum_terms(controller_t * c, unsigned chosen)
{
  enum { TERMS = 5 };
  const double * const term[TERMS] = {
    c->gravity, c->coriolis, c->inertia, c->friction, c->external};
  const double * sent[TERMS] = {term[0], term[1], term[2], c->p->friction, term[4]};
  for (int k = 0; k < c->model->nv; k++) {
    c->total[k] = c->command[k] = 0;
    for (unsigned i = 0; i < TERMS; i++) {
      c->total[k] += term[i][k];
      if (chosen & 1u << i) c->command[k] += sent[i][k];
    }
    c->command[k] += c->p->added[k];
  }
}

// what carries the robot: all terms of the mode count, whichever of them are sent
static mbd_status_t
stand(controller_t * c, unsigned terms)
{
  double *wanted = c->p->torque, *a = c->p->stance;
  for (int k = 0; k < c->model->nv; k++) {
    a[k] = c->p->added[k] + (terms & TERM_INERTIA ? c->inertia[k] : 0);
    wanted[k] = a[k] + c->gravity[k];
    if (terms & TERM_CORIOLIS) wanted[k] += c->coriolis[k];
    if (terms & TERM_FRICTION) wanted[k] += c->p->friction[k];
    if (terms & TERM_EXTERNAL) wanted[k] += c->external[k];
  }
  CHECK(mbd_mass_solve(c->model, c->p->at, a, a));
  return controller_support_command(c, wanted, a);
}

mbd_status_t
controller_sum_terms(controller_t * c, unsigned chosen, unsigned terms)
{
  sum_terms(c, chosen & terms);
  return c->settings->nsupport > 0 && c->commanding ? stand(c, terms) : MBD_OK;
}

mbd_status_t
controller_law(controller_t * c, const controller_cycle_t * cycle)
{
  if ((size_t)c->settings->mode >= CONTROLLER_MODES) return MBD_ERROR_BAD_ARGUMENT;
  const mode_row_t * mode = &MODES[c->settings->mode];
  c->commanding = mode->terms != 0;
  memset(c->p->added, 0, (size_t)c->model->nv * sizeof(double));
  c->p->friction = c->friction;
  CHECK(mode->compute(c, cycle));
  return controller_sum_terms(c, c->settings->command_terms, mode->terms);
}
