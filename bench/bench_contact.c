// Time steps with contact: feet of a quadruped, soles and hands of a humanoid (config/robots).
//   bench_contact                     table in us; thread CPU time, minimum of interleaved rounds
//   bench_contact ROBOT CALL TIMES    one call alone, to be counted by valgrind --tool=callgrind
// States change on every call; contacts keep their forces from call to call, as in a simulation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "mbdyn/urdf.h"

enum { ROUNDS = 100, CALLS_PER_ROUND = 32, STATES = 16, MOST_CONTACTS = 16 };
#define TIME_STEP 1e-3

typedef struct robot {
  const char * name;
  mbd_model_t * model;
  mbd_data_t * data;
  double *q, *v, *tau;  // STATES of each
  double *work, *out, *limit;
  int n;
  mbd_contact_t contact[MOST_CONTACTS];
} robot_t;

//---------- robots ----------

static void
set_joint(const mbd_model_t * model, const char * name, double value, double * q)
{
  int body;
  if (mbd_find_joint(model, name, &body) == MBD_OK) q[model->body[body].q_index] = value;
}

// hips above bent knees
static void
stand(const mbd_model_t * model, double * q)
{
  static const char * const legs[] = {"fl", "fr", "rl", "rr"};
  static const char * const sides[] = {"l", "r"};
  char name[32];
  for (int k = 0; k < 4; k++) {
    snprintf(name, sizeof name, "%s_thigh_joint", legs[k]), set_joint(model, name, 0.8, q);
    snprintf(name, sizeof name, "%s_calf_joint", legs[k]), set_joint(model, name, -1.6, q);
  }
  for (int k = 0; k < 2; k++) {
    snprintf(name, sizeof name, "%s_hip_pitch", sides[k]), set_joint(model, name, -0.2, q);
    snprintf(name, sizeof name, "%s_knee", sides[k]), set_joint(model, name, 0.4, q);
    snprintf(name, sizeof name, "%s_ankle_pitch", sides[k]), set_joint(model, name, -0.2, q);
    snprintf(name, sizeof name, "%s_elbow", sides[k]), set_joint(model, name, -1, q);
  }
}

// a point of a link, pushed along `normal`; false if there is no such link
static bool
touch(robot_t * r, const char * link, double x, double y, mbd_vec3_t normal)
{
  mbd_contact_t * c = &r->contact[r->n];
  mbd_placement_t X;
  *c = mbd_contact_default();
  if (mbd_find_frame(r->model, link, &c->frame_b) != MBD_OK) return false;
  if (mbd_frame_placement(r->model, r->data, c->frame_b, &X) != MBD_OK) return false;
  c->point = mbdu_placement_point(&X, mbdu_vec3(x, y, 0));
  c->normal = normal;
  c->friction = 0.7;
  r->n++;
  return true;
}

static bool
touch_ground(robot_t * r)
{
  static const char * const feet[] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
  static const char * const soles[] = {"l_sole", "r_sole"};
  static const char * const hands[] = {"l_gripper", "r_gripper"};
  const mbd_vec3_t up = {0, 0, 1}, back = {-1, 0, 0};
  bool good = true;
  if (!strcmp(r->name, "quadruped")) {
    for (int k = 0; k < 4; k++) good &= touch(r, feet[k], 0, 0, up);
    return good;
  }
  for (int k = 0; k < 8; k++)
    good &= touch(r, soles[k / 4], k % 2 ? 0.1 : -0.1, k & 2 ? 0.05 : -0.05, up);
  for (int k = 0; k < 2; k++) good &= touch(r, hands[k], 0, 0, back);
  return good;
}

static bool
make(const char * name, robot_t * r)
{
  char file[256];
  *r = (robot_t){.name = name};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  snprintf(file, sizeof file, BENCH_ROBOTS "/%s.urdf", name);
  if (mbdx_urdf_load_file(file, &options, &r->model, NULL) != MBD_OK) return false;
  if (mbd_data_create(r->model, &r->data) != MBD_OK) return false;
  const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv;
  r->q = calloc(STATES * (nq + 2 * nv) + nq + 2 * nv, sizeof *r->q);
  r->work = calloc(mbd_contact_work(r->model, MOST_CONTACTS), sizeof *r->work);
  if (!r->q || !r->work) return false;
  r->v = r->q + STATES * nq;
  r->tau = r->v + STATES * nv;
  r->out = r->tau + STATES * nv;
  r->limit = r->out + nv;
  double * rest = r->limit + nv;
  if (mbd_neutral(r->model, rest) != MBD_OK) return false;
  stand(r->model, rest);
  for (int s = 0; s < STATES; s++) {
    double *v = r->v + (size_t)s * nv, *tau = r->tau + (size_t)s * nv;
    for (size_t k = 0; k < nv; k++) v[k] = 1e-3 * sin((double)(s + 7) * (double)(k + 1));
    if (mbd_integrate(r->model, rest, v, 0.1, r->q + (size_t)s * nq) != MBD_OK) return false;
    // what holds the joints against gravity, but for the base
    if (mbd_set_position(r->model, r->data, r->q + (size_t)s * nq) != MBD_OK) return false;
    if (mbd_gravity(r->model, r->data, tau) != MBD_OK) return false;
    for (size_t k = 0; k < 6; k++) tau[k] = 0;
  }
  if (mbd_set_position(r->model, r->data, rest) != MBD_OK) return false;
  return touch_ground(r);
}

//---------- calls ----------

static bool
step(robot_t * r, int s, int n, double gap)
{
  const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv;
  for (int k = 0; k < n; k++) r->contact[k].gap = gap;
  return mbd_set_state(r->model, r->data, r->q + (size_t)s * nq, r->v + (size_t)s * nv) == MBD_OK &&
         mbd_contact_step(
           r->model, r->data, r->tau + (size_t)s * nv, NULL, TIME_STEP, n, r->contact, NULL,
           r->work, r->out, r->limit, NULL, NULL) == MBD_OK;
}

static bool
free_flight(robot_t * r, int s)
{
  return step(r, s, 0, 0);
}

static bool
open_contacts(robot_t * r, int s)
{
  return step(r, s, r->n, 0.1);
}

static bool
standing(robot_t * r, int s)
{
  return step(r, s, r->n, 0);
}

static bool
forward_dynamics(robot_t * r, int s)
{
  const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv, at = (size_t)s;
  return mbd_forward_dynamics(
           r->model, r->data, r->q + at * nq, r->v + at * nv, r->tau + at * nv, NULL, r->out) ==
         MBD_OK;
}

static const struct {
  const char *name, *what;
  bool (*run)(robot_t * r, int s);
} calls[] = {
  {"forward", "forward dynamics", forward_dynamics},
  {"free", "step without contacts", free_flight},
  {"open", "step with open contacts", open_contacts},
  {"standing", "step with closed contacts", standing},
};
enum { CALLS = sizeof calls / sizeof *calls };

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static bool
run_calls(robot_t * r, int call, int times)
{
  for (int i = 0; i < times; i++) {
    if (!calls[call].run(r, i % STATES)) return false;
  }
  return true;
}

static bool
table(robot_t * r)
{
  double best[CALLS];
  for (int k = 0; k < CALLS; k++) best[k] = HUGE_VAL;
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < CALLS; k++) {
      const double start = now();
      if (!run_calls(r, k, CALLS_PER_ROUND)) return fprintf(stderr, "%s\n", calls[k].what), false;
      best[k] = fmin(best[k], (now() - start) / CALLS_PER_ROUND);
    }
  }
  printf("\n%s: %d degrees of freedom, %d contacts\n", r->name, r->model->nv, r->n);
  for (int k = 0; k < CALLS; k++) printf("  %-28s %8.2f us\n", calls[k].what, best[k]);
  return true;
}

int
main(int argc, char ** argv)
{
  static const char * const names[] = {"quadruped", "humanoid"};
  for (size_t i = 0; i < 2; i++) {
    robot_t r;
    if (argc == 4 && strcmp(argv[1], names[i]) != 0) continue;
    if (!make(names[i], &r)) return fprintf(stderr, "%s does not load\n", names[i]), 1;
    if (argc != 4 && !table(&r)) return fprintf(stderr, "%s fails\n", names[i]), 1;
    for (int k = 0; argc == 4 && k < CALLS; k++) {
      if (strcmp(argv[2], calls[k].name) != 0) continue;
      if (!run_calls(&r, k, atoi(argv[3]))) return fprintf(stderr, "%s fails\n", calls[k].name), 1;
    }
    mbd_data_destroy(r.data);
    mbd_model_destroy(r.model);
    free(r.q), free(r.work);
  }
  return 0;
}
