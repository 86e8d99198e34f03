// Dynamics of robots with loops: embedded and by cut joints, beside their spanning tree without loops, and
// by Pinocchio and RBDL where they were found.
//   bench_loops                       table in ns; thread CPU time, minimum of interleaved rounds
//   bench_loops ROBOT CALL TIMES      one call alone, to be counted by valgrind --tool=callgrind; the CALL of
//                                     a peer is its number, from 0
// Robots: config/robots/finger.urdf (one four-bar), and two legs on a free base with two four-bars each
// (26 degrees of freedom of the spanning tree, 18 independent). States change on every call.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loops_peer.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

enum { ROUNDS = 200, CALLS_PER_ROUND = 64, STATES = 16, PEERS_MAX = 8 };

typedef struct robot {
  const char * name;
  mbd_model_t *embedded, *tree;
  mbd_data_t *data, *on;
  double *q, *noisy, *v, *v_tree, *u;  // STATES of each
  double *work, *out;
  int npeers;
  struct {
    const loops_peer_t * peer;
    void * loaded;
  } peer[PEERS_MAX];
} robot_t;

//---------- robots ----------

static int
link_text(char * to, size_t size, const char * name, const char * side, double mass)
{
  return snprintf(
    to, size,
    "<link name='%s_%s'><inertial><origin xyz='0.01 0 -0.08'/><mass value='%g'/><inertia ixx='%g' "
    "iyy='%g' izz='%g' ixy='0' ixz='0' iyz='0'/></inertial></link>\n",
    name, side, mass, 0.01 * mass, 0.01 * mass, 0.004 * mass);
}

static int
joint_text(
  char * to, size_t size, const char * name, const char * parent, const char * child,
  const char * side, const char * xyz, const char * axis)
{
  const bool base = !strcmp(parent, "pelvis");
  return snprintf(
    to, size,
    "<joint name='%s_%s' type='continuous'><parent link='%s%s%s'/><child link='%s_%s'/><origin "
    "xyz='%s'/><axis xyz='%s'/></joint>\n",
    name, side, parent, base ? "" : "_", base ? "" : side, child, side, xyz, axis);
}

// six joints of a leg, of which knee and ankle pitch are driven through parallelograms of crank and rod
static int
leg_text(char * to, size_t size, const char * side, double y)
{
  static const struct {
    const char *joint, *parent, *child, *xyz, *axis;
    double mass;
  } part[] = {
    {"yaw", "pelvis", "hip", NULL, "0 0 1", 1},
    {"roll", "hip", "cross", "0 0 -0.05", "1 0 0", 1},
    {"pitch", "cross", "thigh", "0 0 -0.05", "0 1 0", 4},
    {"knee", "thigh", "shank", "0 0 -0.4", "0 1 0", 2},
    {"knee_motor", "thigh", "knee_crank", "0 0 -0.05", "0 1 0", 0.3},
    {"knee_pin", "knee_crank", "knee_rod", "0.05 0 0", "0 1 0", 0.2},
    {"ankle", "shank", "ankle_cross", "0 0 -0.4", "0 1 0", 0.3},
    {"foot", "ankle_cross", "foot", "0 0 -0.02", "1 0 0", 0.8},
    {"ankle_motor", "shank", "ankle_crank", "0 0 -0.1", "0 1 0", 0.3},
    {"ankle_pin", "ankle_crank", "ankle_rod", "0.05 0 0", "0 1 0", 0.2},
  };
  int n = 0;
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    char xyz[32];
    snprintf(xyz, sizeof xyz, "0 %g 0", y);
    n += link_text(to + n, size - (size_t)n, part[k].child, side, part[k].mass);
    n += joint_text(
      to + n, size - (size_t)n, part[k].joint, part[k].parent, part[k].child, side,
      part[k].xyz ? part[k].xyz : xyz, part[k].axis);
  }
  return n;
}

static int
pins_text(char * to, size_t size, const char * side)
{
  return snprintf(
    to, size,
    "  - {name: knee_%s, type: on_line, a: {link: shank_%s, xyz: [0.05, 0, 0], axis: [0, 1, 0]}, "
    "b: {link: knee_rod_%s, xyz: [0, 0, -0.35]}}\n"
    "  - {name: ankle_%s, type: on_line, a: {link: ankle_cross_%s, xyz: [0.05, 0, 0], axis: [0, 1, "
    "0]}, b: {link: ankle_rod_%s, xyz: [0, 0, -0.3]}}\n",
    side, side, side, side, side, side);
}

static bool
load_legs(mbdx_urdf_options_t options, mbd_model_t ** model)
{
  static char urdf[16384], loops[4096];
  int n = snprintf(
    urdf, sizeof urdf,
    "<robot name='legs'><link name='pelvis'><inertial><mass value='12'/><inertia ixx='0.3' "
    "iyy='0.2' "
    "izz='0.25' ixy='0' ixz='0' iyz='0'/></inertial></link>\n");
  n += leg_text(urdf + n, sizeof urdf - (size_t)n, "l", 0.1);
  n += leg_text(urdf + n, sizeof urdf - (size_t)n, "r", -0.1);
  snprintf(urdf + n, sizeof urdf - (size_t)n, "</robot>\n");
  n = snprintf(loops, sizeof loops, "closures:\n");
  n += pins_text(loops + n, sizeof loops - (size_t)n, "l");
  n += pins_text(loops + n, sizeof loops - (size_t)n, "r");
  snprintf(
    loops + n, sizeof loops - (size_t)n,
    "independent: [knee_motor_l, ankle_motor_l, knee_motor_r, ankle_motor_r]\n");
  options.base = MBDX_BASE_FLOATING;
  options.loops_text = loops;
  return mbdx_urdf_load_string(urdf, strlen(urdf), "legs", &options, model, NULL) == MBD_OK;
}

static bool
load(const char * name, bool embed, mbd_model_t ** model)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = embed;
  if (!strcmp(name, "legs")) return load_legs(options, model);
  options.loops_file = BENCH_ROBOTS "/finger.loops.yaml";
  return mbdx_urdf_load_file(BENCH_ROBOTS "/finger.urdf", &options, model, NULL) == MBD_OK;
}

static bool
make(const char * name, robot_t * r)
{
  *r = (robot_t){.name = name};
  if (!load(name, true, &r->embedded) || !load(name, false, &r->tree)) return false;
  if (mbd_data_create(r->embedded, &r->data) != MBD_OK) return false;
  if (mbd_data_create(r->tree, &r->on) != MBD_OK) return false;
  const size_t nq = (size_t)r->tree->nq, nv = (size_t)r->tree->nv;
  r->q = calloc(STATES * (2 * nq + 3 * nv), sizeof *r->q);
  r->work = calloc(mbd_constrained_work(r->tree), sizeof *r->work);
  r->out = calloc(nv * nv, sizeof *r->out);
  if (!r->q || !r->work || !r->out) return false;
  r->noisy = r->q + STATES * nq;
  r->v = r->noisy + STATES * nq;
  r->v_tree = r->v + STATES * nv;
  r->u = r->v_tree + STATES * nv;
  double * rest = r->out;
  for (int s = 0; s < STATES; s++) {
    double *q = r->q + (size_t)s * nq, *noisy = r->noisy + (size_t)s * nq;
    double *v = r->v + (size_t)s * nv, *v_tree = r->v_tree + (size_t)s * nv;
    for (size_t k = 0; k < nv; k++) v[k] = 0.3 * sin((double)(s + 7) * (double)(k + 1));
    for (size_t k = 0; k < nv; k++) r->u[(size_t)s * nv + k] = cos((double)(s + 3 * (int)k));
    if (mbd_neutral(r->embedded, rest) != MBD_OK) return false;
    if (mbd_integrate(r->embedded, rest, v, 1, q) != MBD_OK) return false;
    if (mbd_set_state(r->embedded, r->data, q, v) != MBD_OK) return false;
    memcpy(q, r->data->q, nq * sizeof *q);
    if (mbd_tree_velocity(r->embedded, r->data, NULL, v_tree) != MBD_OK) return false;
    // encoders of 17 bits
    memcpy(noisy, q, nq * sizeof *q);
    for (size_t k = nq - (nv > 6 ? nv - 6 : nv); k < nq; k++)
      noisy[k] += 2.4e-5 * sin(97. * (double)(k * 16 + (size_t)s));
  }
  return true;
}

//---------- calls ----------

#define STATE(r, array, n) ((r)->array + (size_t)s * (size_t)(r)->tree->n)

static bool
embedded_forward(robot_t * r, int s)
{
  return mbd_forward_dynamics(
           r->embedded, r->data, STATE(r, q, nq), STATE(r, v, nv), STATE(r, u, nv), NULL, r->out) ==
         MBD_OK;
}

static bool
embedded_inverse(robot_t * r, int s)
{
  return mbd_inverse_dynamics(
           r->embedded, r->data, STATE(r, q, nq), STATE(r, v, nv), STATE(r, u, nv), NULL, r->out) ==
         MBD_OK;
}

static bool
embedded_mass(robot_t * r, int s)
{
  return mbd_set_position(r->embedded, r->data, STATE(r, q, nq)) == MBD_OK &&
         mbd_mass_matrix(r->embedded, r->data, r->out) == MBD_OK;
}

static bool
position(robot_t * r, int s)
{
  return mbd_set_position(r->embedded, r->data, STATE(r, q, nq)) == MBD_OK;
}

static bool
position_noisy(robot_t * r, int s)
{
  return mbd_set_position(r->embedded, r->data, STATE(r, noisy, nq)) == MBD_OK;
}

static bool
integrate(robot_t * r, int s)
{
  return mbd_integrate(r->embedded, STATE(r, q, nq), STATE(r, v, nv), 1e-3, r->out) == MBD_OK;
}

static bool
cut_forward(robot_t * r, int s)
{
  return mbd_constrained_forward_dynamics(
           r->tree, r->on, STATE(r, q, nq), STATE(r, v_tree, nv), STATE(r, u, nv), NULL, NULL,
           r->work, r->out, NULL, NULL) == MBD_OK;
}

static bool
tree_forward(robot_t * r, int s)
{
  return mbd_forward_dynamics(
           r->tree, r->on, STATE(r, q, nq), STATE(r, v_tree, nv), STATE(r, u, nv), NULL, r->out) ==
         MBD_OK;
}

static bool
tree_inverse(robot_t * r, int s)
{
  return mbd_inverse_dynamics(
           r->tree, r->on, STATE(r, q, nq), STATE(r, v_tree, nv), STATE(r, u, nv), NULL, r->out) ==
         MBD_OK;
}

static bool
tree_mass(robot_t * r, int s)
{
  return mbd_set_state(r->tree, r->on, STATE(r, q, nq), NULL) == MBD_OK &&
         mbd_mass_matrix(r->tree, r->on, r->out) == MBD_OK;
}

static const struct {
  const char *name, *what;
  bool (*run)(robot_t * r, int s);
} calls[] = {
  {"forward", "forward dynamics, embedded", embedded_forward},
  {"cut", "forward dynamics, cut joints", cut_forward},
  {"tree_forward", "forward dynamics, tree without loops", tree_forward},
  {"inverse", "inverse dynamics, embedded", embedded_inverse},
  {"tree_inverse", "inverse dynamics, tree without loops", tree_inverse},
  {"mass", "position and mass matrix, embedded", embedded_mass},
  {"tree_mass", "mass matrix, tree without loops", tree_mass},
  {"position", "position, closed", position},
  {"noisy", "position, with encoder noise", position_noisy},
  {"integrate", "integrate q, embedded", integrate},
};
enum { CALLS = sizeof calls / sizeof *calls };

//---------- peers ----------

// largest difference of accelerations relative to the largest acceleration, or infinite
static double
difference(robot_t * r, const loops_peer_t * peer, void * loaded, double * a)
{
  const int nv = r->tree->nv;
  double worst = 0, largest = 0;
  for (int s = 0; s < STATES; s++) {
    if (!cut_forward(r, s) || !peer->run(loaded, s)) return HUGE_VAL;
    peer->result(loaded, s, a);
    for (int k = 0; k < nv; k++) {
      largest = fmax(largest, fabs(r->out[k]));
      worst = isfinite(a[k]) ? fmax(worst, fabs(a[k] - r->out[k])) : HUGE_VAL;
    }
  }
  return worst / largest;
}

// false if one disagrees. Pinocchio regularises: 1e-6
static bool
load_peers(robot_t * r)
{
  static const loops_peer_t * const libraries[] = {
#ifdef BENCH_PINOCCHIO
    loops_pinocchio,
#endif
#ifdef BENCH_RBDL
    loops_rbdl,
#endif
    NULL};
  const loops_case_t robot = {r->tree, STATES, r->q, r->v_tree, r->u};
  double * a = r->out + r->tree->nv;
  for (int i = 0; libraries[i] != NULL; i++) {
    for (const loops_peer_t * peer = libraries[i]; peer->name && r->npeers < PEERS_MAX; peer++) {
      void * loaded = peer->load(&robot);
      if (loaded == NULL)
        return fprintf(stderr, "%s does not load %s\n", peer->name, r->name), false;
      const double error = difference(r, peer, loaded, a);
      if (!(error < 1e-6))
        return fprintf(stderr, "%s, %s: differs by %.1e\n", r->name, peer->name, error), false;
      r->peer[r->npeers].peer = peer;
      r->peer[r->npeers++].loaded = loaded;
    }
  }
  return true;
}

//---------- measuring ----------

static const char *
name_of_call(const robot_t * r, int k)
{
  return k < CALLS ? calls[k].what : r->peer[k - CALLS].peer->name;
}

static bool
run_call(robot_t * r, int k, int s)
{
  if (k < CALLS) return calls[k].run(r, s);
  return r->peer[k - CALLS].peer->run(r->peer[k - CALLS].loaded, s);
}

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
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
      for (int i = 0; i < CALLS_PER_ROUND; i++) {
        if (!run_call(r, k, i % STATES)) return false;
      }
      best[k] = fmin(best[k], (now() - start) / CALLS_PER_ROUND);
    }
  }
  printf("\n%s: %d degrees of freedom, %d independent\n", r->name, r->tree->nv, r->embedded->nv);
  for (int k = 0; k < n; k++) printf("  %-38s %8.0f ns\n", name_of_call(r, k), best[k]);
  return true;
}

// one call again and again, for a profiler
static bool
repeat(robot_t * r, const char * name, int times)
{
  int k = 0;
  while (k < CALLS && strcmp(name, calls[k].name) != 0) k++;
  if (k == CALLS) k += atoi(name);
  if (k >= CALLS + r->npeers) return false;
  for (int n = 0; n < times; n++) {
    if (!run_call(r, k, n % STATES)) return false;
  }
  return true;
}

int
main(int argc, char ** argv)
{
  static const char * const names[] = {"finger", "legs"};
  for (size_t i = 0; i < 2; i++) {
    robot_t r;
    if (argc == 4 && strcmp(argv[1], names[i]) != 0) continue;
    if (!make(names[i], &r)) return fprintf(stderr, "%s does not load\n", names[i]), 1;
    if (!load_peers(&r)) return 1;
    if (!(argc == 4 ? repeat(&r, argv[2], atoi(argv[3])) : table(&r)))
      return fprintf(stderr, "%s fails\n", names[i]), 1;
    for (int k = 0; k < r.npeers; k++) r.peer[k].peer->unload(r.peer[k].loaded);
    mbd_data_destroy(r.data), mbd_data_destroy(r.on);
    mbd_model_destroy(r.embedded), mbd_model_destroy(r.tree);
    free(r.q), free(r.work), free(r.out);
  }
  return 0;
}
