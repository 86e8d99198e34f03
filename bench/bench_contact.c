// Time steps with contact: feet of a quadruped, soles and hands of a humanoid (config/robots), and MuJoCo's
// mj_step beside them where it was found.
//   bench_contact                     table in us; thread CPU time, minimum of interleaved rounds
//   bench_contact ROBOT CALL TIMES    one call alone, to be counted by valgrind --tool=callgrind; the CALL
//                                     of a peer is its number, from 0
// States are consecutive steps of simulations, standing (joints held by PD control that carries the
// weight) and sliding; contacts keep their forces from call to call, as in a simulation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contact_peer.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "mbdyn/urdf.h"

enum { ROUNDS = 50, STATES = 64, MOST_CONTACTS = 16, PEERS_MAX = 4 };
#define TIME_STEP 1e-3

// consecutive states of a simulation, STATES of each
typedef struct scene {
  double *q, *v, *tau;
  double friction;
} scene_t;

typedef struct robot {
  const char * name;
  char file[256];
  mbd_model_t * model;
  mbd_data_t * data;
  scene_t standing, sliding;
  double *rest, *work, *out, *q_out, *limit;
  double *hold, *inertia;  // torques that carry the weight at rest; and inertia of each joint alone
  int n;
  mbd_vec3_t foot[MOST_CONTACTS], wall[MOST_CONTACTS];  // in the frame; a point that is touched
  mbd_contact_t contact[MOST_CONTACTS];
  mbd_contact_info_t info;
  int npeers;
  struct {
    const contact_peer_t * library;
    const char * scene;
    void * loaded;
  } peer[PEERS_MAX];
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

// a point of a link, pushed along `normal` by what it touches at rest; false if there is no such link
static bool
touch(robot_t * r, const char * link, double x, double y, mbd_vec3_t normal)
{
  mbd_contact_t * c = &r->contact[r->n];
  mbd_placement_t X;
  *c = mbd_contact_default();
  if (mbd_find_frame(r->model, link, &c->frame_b) != MBD_OK) return false;
  if (mbd_frame_placement(r->model, r->data, c->frame_b, &X) != MBD_OK) return false;
  r->foot[r->n] = mbdu_vec3(x, y, 0);
  r->wall[r->n] = mbdu_placement_point(&X, r->foot[r->n]);
  c->normal = normal;
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

// points and gaps at the state of the workspace
static bool
find_contacts(robot_t * r)
{
  for (int k = 0; k < r->n; k++) {
    mbd_contact_t * c = &r->contact[k];
    mbd_placement_t X;
    if (mbd_frame_placement(r->model, r->data, c->frame_b, &X) != MBD_OK) return false;
    c->point = mbdu_placement_point(&X, r->foot[k]);
    c->gap = mbdu_vec3_dot(c->normal, mbdu_vec3_sub(c->point, r->wall[k]));
  }
  return true;
}

// r->hold: gravity less equal forces of what is below; r->inertia
static bool
carry_weight(robot_t * r)
{
  const mbd_model_t * model = r->model;
  const int nv = model->nv;
  double * J = calloc((size_t)(nv * (nv + 6)), sizeof *J);
  int below = 0;
  bool good = J && mbd_set_position(model, r->data, r->rest) == MBD_OK &&
              mbd_gravity(model, r->data, r->hold) == MBD_OK &&
              mbd_mass_matrix_inverse(model, r->data, J) == MBD_OK;
  for (int i = 0; good && i < nv; i++) r->inertia[i] = 1 / J[i * (nv + 1)];
  for (int k = 0; k < r->n; k++) below += r->contact[k].normal.z > 0;
  // the third torque of the base is the weight, as the base is upright
  const double weight = good ? r->hold[2] : 0;
  for (int k = 0; good && k < r->n; k++) {
    if (!(r->contact[k].normal.z > 0)) continue;
    const mbd_vec3_t p = r->wall[k];
    good = mbd_jacobian(model, r->data, r->contact[k].frame_b, MBD_WORLD, J) == MBD_OK;
    for (int i = 0; i < nv; i++) {
      const double rise = J[5 * nv + i] + p.y * J[i] - p.x * J[nv + i];
      r->hold[i] -= weight / below * rise;
    }
  }
  for (int i = 0; i < 6; i++) r->hold[i] = 0;
  free(J);
  return good;
}

static void
control(const robot_t * r, const double * q, const double * v, double * tau)
{
  for (int i = 0; i < r->model->nv; i++) {
    tau[i] = r->hold[i];
    // critically damped at 60 rad/s
    if (i >= 6) tau[i] += r->inertia[i] * (3600 * (r->rest[i + 1] - q[i + 1]) - 120 * v[i]);
  }
}

// a simulation, of which the last states are kept; `speed` of the base along y
static bool
record(robot_t * r, double friction, double speed, scene_t * to)
{
  enum { BEFORE = 100 };
  const mbd_model_t * model = r->model;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  to->q = calloc(STATES * (nq + 2 * nv) + nq + nv, sizeof *to->q);
  if (!to->q) return false;
  to->friction = friction;
  to->v = to->q + STATES * nq;
  to->tau = to->v + STATES * nv;
  double *q = to->tau + STATES * nv, *v = q + nq;
  memcpy(q, r->rest, nq * sizeof *q);
  v[0] = 0.02, v[1] = speed;
  memset(r->limit, 0, nv * sizeof *r->limit);
  for (int k = 0; k < r->n; k++) {
    r->contact[k].friction = friction;
    r->contact[k].mode = MBD_CONTACT_OPEN;
    r->contact[k].force = mbdu_vec3(0, 0, 0);
  }
  for (int i = 0; i < BEFORE + STATES; i++) {
    const size_t s = (size_t)(i < BEFORE ? 0 : i - BEFORE);
    double * tau = to->tau + s * nv;
    if (mbd_set_state(model, r->data, q, v) != MBD_OK || !find_contacts(r)) return false;
    control(r, q, v, tau);
    memcpy(to->q + s * nq, q, nq * sizeof *q);
    memcpy(to->v + s * nv, v, nv * sizeof *v);
    if (
      mbd_contact_step(
        model, r->data, tau, NULL, TIME_STEP, r->n, r->contact, NULL, r->work, v, r->limit, NULL,
        NULL) != MBD_OK)
      return false;
    if (mbd_integrate(model, q, v, TIME_STEP, q) != MBD_OK) return false;
  }
  return true;
}

static bool
make(const char * name, robot_t * r)
{
  *r = (robot_t){.name = name};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  snprintf(r->file, sizeof r->file, BENCH_ROBOTS "/%s.urdf", name);
  if (mbdx_urdf_load_file(r->file, &options, &r->model, NULL) != MBD_OK) return false;
  if (mbd_data_create(r->model, &r->data) != MBD_OK) return false;
  const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv;
  r->rest = calloc(2 * nq + 4 * nv, sizeof *r->rest);
  r->work = calloc(mbd_contact_work(r->model, MOST_CONTACTS), sizeof *r->work);
  if (!r->rest || !r->work) return false;
  r->hold = r->rest + nq;
  r->inertia = r->hold + nv;
  r->out = r->inertia + nv;
  r->limit = r->out + nv;
  r->q_out = r->limit + nv;
  if (mbd_neutral(r->model, r->rest) != MBD_OK) return false;
  stand(r->model, r->rest);
  if (mbd_set_position(r->model, r->data, r->rest) != MBD_OK || !touch_ground(r)) return false;
  return carry_weight(r) && record(r, 0.7, 0, &r->standing) && record(r, 0.1, 0.5, &r->sliding);
}

static bool
load_peers(robot_t * r, const scene_t * scene, const char * name)
{
  static const contact_peer_t * const library =
#ifdef BENCH_MUJOCO
    contact_mujoco;
#else
    NULL;
#endif
  const contact_case_t robot = {
    .file = r->file,
    .model = r->model,
    .time_step = TIME_STEP,
    .n = r->n,
    .contact = r->contact,
    .foot = r->foot,
    .wall = r->wall,
    .nstate = STATES,
    .q = scene->q,
    .v = scene->v,
    .tau = scene->tau,
    .friction = scene->friction};
  for (const contact_peer_t * p = library; p && p->name && r->npeers < PEERS_MAX; p++) {
    void * loaded = p->load(&robot);
    if (!loaded) return false;
    r->peer[r->npeers].library = p;
    r->peer[r->npeers].scene = name;
    r->peer[r->npeers++].loaded = loaded;
  }
  return true;
}

static void
destroy(robot_t * r)
{
  for (int k = 0; k < r->npeers; k++) r->peer[k].library->unload(r->peer[k].loaded);
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->model);
  free(r->standing.q), free(r->sliding.q), free(r->rest), free(r->work);
}

//---------- calls ----------

// as mj_step: placements, contacts, velocities, positions
static bool
step(robot_t * r, const scene_t * scene, int s, int n, bool open)
{
  const mbd_model_t * model = r->model;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv, at = (size_t)s;
  const double *q = scene->q + at * nq, *v = scene->v + at * nv, *tau = scene->tau + at * nv;
  if (mbd_set_state(model, r->data, q, v) != MBD_OK) return false;
  if (n > 0 && !find_contacts(r)) return false;
  for (int k = 0; k < n; k++) {
    r->contact[k].friction = scene->friction;
    if (open) r->contact[k].gap = 0.1;
  }
  return mbd_contact_step(
           model, r->data, tau, NULL, TIME_STEP, n, r->contact, NULL, r->work, r->out, r->limit,
           NULL, &r->info) == MBD_OK &&
         mbd_integrate(model, q, r->out, TIME_STEP, r->q_out) == MBD_OK;
}

static bool
free_flight(robot_t * r, int s)
{
  return step(r, &r->standing, s, 0, false);
}

static bool
open_contacts(robot_t * r, int s)
{
  return step(r, &r->standing, s, r->n, true);
}

static bool
standing(robot_t * r, int s)
{
  return step(r, &r->standing, s, r->n, false);
}

static bool
sliding(robot_t * r, int s)
{
  return step(r, &r->sliding, s, r->n, false);
}

static bool
forward_dynamics(robot_t * r, int s)
{
  const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv, at = (size_t)s;
  const scene_t * scene = &r->standing;
  return mbd_forward_dynamics(
           r->model, r->data, scene->q + at * nq, scene->v + at * nv, scene->tau + at * nv, NULL,
           r->out) == MBD_OK;
}

static const struct {
  const char *name, *what;
  bool (*run)(robot_t * r, int s);
} calls[] = {
  {"forward", "forward dynamics", forward_dynamics},
  {"free", "step without contacts", free_flight},
  {"open", "step with open contacts", open_contacts},
  {"standing", "step with closed contacts", standing},
  {"sliding", "step with sliding contacts", sliding},
};
enum { CALLS = sizeof calls / sizeof *calls };

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// the calls, then the peers
static bool
run_call(robot_t * r, int k, int s)
{
  if (k < CALLS) return calls[k].run(r, s);
  return r->peer[k - CALLS].library->run(r->peer[k - CALLS].loaded, s);
}

static bool
run_calls(robot_t * r, int call, int times)
{
  for (int i = 0; i < times; i++) {
    if (!run_call(r, call, i % STATES)) return false;
  }
  return true;
}

// contacts that exert a force (of MuJoCo: that were found) in a state, on average
static double
mean_active(robot_t * r, int call)
{
  double sum = 0;
  for (int s = 0; s < STATES; s++) {
    if (!run_call(r, call, s)) return NAN;
    if (call >= CALLS) {
      sum += r->peer[call - CALLS].library->active(r->peer[call - CALLS].loaded);
    } else {
      for (int k = 0; k < r->n; k++) sum += r->contact[k].mode != MBD_CONTACT_OPEN;
    }
  }
  return sum / STATES;
}

static bool
table(robot_t * r)
{
  double best[CALLS + PEERS_MAX];
  const int n = CALLS + r->npeers;
  for (int k = 0; k < n; k++) best[k] = HUGE_VAL;
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < n; k++) {
      const double start = now();
      if (!run_calls(r, k, STATES)) return fprintf(stderr, "call %d\n", k), false;
      best[k] = fmin(best[k], (now() - start) / STATES);
    }
  }
  printf("\n%s: %d degrees of freedom, %d contacts\n", r->name, r->model->nv, r->n);
  for (int k = 0; k < n; k++) {
    char what[64];
    if (k < CALLS) {
      snprintf(what, sizeof what, "%s", calls[k].what);
    } else {
      snprintf(
        what, sizeof what, "%s, %s", r->peer[k - CALLS].library->name, r->peer[k - CALLS].scene);
    }
    printf("  %-38s %8.2f us", what, best[k]);
    const bool contacts = k >= CALLS || calls[k].run == standing || calls[k].run == sliding;
    contacts ? printf(", %.1f contacts\n", mean_active(r, k)) : printf("\n");
  }
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
    if (!load_peers(&r, &r.standing, "standing") || !load_peers(&r, &r.sliding, "sliding"))
      return 1;
    if (argc != 4 && !table(&r)) return fprintf(stderr, "%s fails\n", names[i]), 1;
    int call = 0;
    while (argc == 4 && call < CALLS && strcmp(argv[2], calls[call].name) != 0) call++;
    if (call == CALLS) call += atoi(argv[2]);
    if (call >= CALLS + r.npeers) return fprintf(stderr, "no call %s\n", argv[2]), 1;
    if (argc == 4 && !run_calls(&r, call, atoi(argv[3])))
      return fprintf(stderr, "%s fails\n", argv[2]), 1;
    destroy(&r);
  }
  return 0;
}
