// Contact problems made from known solutions: all are solved, and what is not is physical. Warm starts.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core_test.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/forward.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/operators/factors.h"

enum { MOST = 16, CASES = 100 };

typedef enum state { OPENS, STICKS, SLIDES } state_t;

// a robot, contacts, and the step that the known solution is of
typedef struct problem {
  tree_t * t;
  uint64_t random;
  double dt;
  int n;
  mbd_contact_t contact[MOST];
  state_t state[MOST];
  double *v_known, *row, *white, *basis;  // [nv], basis [nv nv]
  double *tau, *v_free, *v_out, *work;
  int nbasis, repeated;
} problem_t;

// robots by default; MBDYN_TEST_ROBOTS scales them
enum { ROBOTS = 100 };

static problem_t
problem_of(uint64_t seed)
{
  const tree_options_t options = {1, 8, false, seed % 2 == 0, seed % 3 == 0, seed % 4 != 0};
  problem_t p = {.t = random_tree(seed, &options), .random = seed * 77 + 1, .dt = 2e-3};
  const size_t nv = (size_t)p.t->model->nv;
  p.v_known = calloc(7 * nv + nv * nv + 1, sizeof *p.v_known);
  p.row = p.v_known + nv;
  p.white = p.row + nv;
  p.tau = p.white + nv;
  p.v_free = p.tau + nv;
  p.v_out = p.v_free + nv;
  p.basis = p.v_out + nv;
  p.work = calloc(mbd_contact_work(p.t->model, MOST) + 1, sizeof *p.work);
  set_state(p.t);
  return p;
}

static void
problem_free(problem_t * p)
{
  free(p->v_known);
  free(p->work);
  tree_free(p->t);
  mats_free();
}

//---------- geometry ----------

static mbd_vec3_t
random_unit(uint64_t * state)
{
  const mbd_vec3_t x = random_vec3(state, 1);
  const double length = mbdu_vec3_norm(x);
  return length > 1e-3 ? mbdu_vec3_scale(1 / length, x) : mbdu_vec3(0, 0, 1);
}

static void
tangents(mbd_vec3_t n, mbd_vec3_t * t)
{
  const mbd_vec3_t e = fabs(n.x) < 0.5 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0);
  t[0] = mbdu_vec3_cross(n, e);
  t[0] = mbdu_vec3_scale(1 / mbdu_vec3_norm(t[0]), t[0]);
  t[1] = mbdu_vec3_cross(n, t[0]);
}

// joint forces of a force f at a contact, added with a factor
static void
add_force(const problem_t * p, const mbd_contact_t * c, mbd_vec3_t f, double factor, double * to)
{
  const mbd_vec3_t moment = mbdu_vec3_cross(c->point, f);
  const mbd_wrench_t w[2] = {
    {c->frame_b, MBD_WORLD, {moment, f}},
    {c->frame_a, MBD_WORLD, {mbdu_vec3_neg(moment), mbdu_vec3_neg(f)}}};
  const mbd_wrenches_t pair = {c->frame_a < 0 ? 1 : 2, w};
  assert_ok(mbd_jacobian_transpose_product(p->t->model, p->t->data, &pair, p->row));
  for (int k = 0; k < p->t->model->nv; k++) to[k] += factor * p->row[k];
}

static mbd_vec3_t
point_velocity(const problem_t * p, int frame, mbd_vec3_t point)
{
  mbd_motion_t V;
  if (frame < 0) return mbdu_vec3(0, 0, 0);
  assert_ok(mbd_frame_velocity(p->t->model, p->t->data, frame, MBD_WORLD, &V));
  return mbdu_vec3_add(V.lin, mbdu_vec3_cross(V.ang, point));
}

// of B's point less A's; by the kinematics of the velocity that is set
static mbd_vec3_t
relative_velocity(const problem_t * p, const mbd_contact_t * c)
{
  return mbdu_vec3_sub(
    point_velocity(p, c->frame_b, c->point), point_velocity(p, c->frame_a, c->point));
}

static double
compliance_along(const problem_t * p, const mbd_contact_t * c, mbd_vec3_t e)
{
  double sum = 0;
  memset(p->white, 0, (size_t)p->t->model->nv * sizeof *p->white);
  add_force(p, c, e, 1, p->white);
  memcpy(p->row, p->white, (size_t)p->t->model->nv * sizeof *p->row);
  assert_ok(mbd_mass_sqrt(p->t->model, p->t->data, MBD_SQRT_INVERSE, p->row, p->white));
  for (int k = 0; k < p->t->model->nv; k++) sum += p->white[k] * p->white[k];
  return sum;
}

// of all three directions, or of the normal alone without friction
static double
compliance_of(const problem_t * p, const mbd_contact_t * c)
{
  mbd_vec3_t t[2];
  tangents(c->normal, t);
  double sum = compliance_along(p, c, c->normal);
  for (int j = 0; c->friction > 0 && j < 2; j++) sum += compliance_along(p, c, t[j]);
  return sum;
}

//---------- known solutions ----------

static double
dot(const double * a, const double * b, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

// the known velocity is to have none along a direction at a contact: its row joins the basis
static void
forbid(problem_t * p, const mbd_contact_t * c, mbd_vec3_t e)
{
  const int nv = p->t->model->nv;
  double * x = p->basis + (size_t)p->nbasis * (size_t)nv;
  if (p->nbasis == nv) return;
  memset(x, 0, (size_t)nv * sizeof *x);
  add_force(p, c, e, 1, x);
  const double before = sqrt(dot(x, x, nv));
  for (int pass = 0; pass < 2; pass++) {
    for (int b = 0; b < p->nbasis; b++) {
      const double * y = p->basis + (size_t)b * (size_t)nv;
      const double along = dot(x, y, nv);
      for (int k = 0; k < nv; k++) x[k] -= along * y[k];
    }
  }
  const double length = sqrt(dot(x, x, nv));
  if (!(length > 1e-8 * before) || !(length > 0)) return;
  for (int k = 0; k < nv; k++) x[k] /= length;
  p->nbasis++;
}

static void
choose_contacts(problem_t * p)
{
  const mbd_model_t * m = p->t->model;
  const double opens = random_between(&p->random, 0.2, 0.5),
               sticks = random_between(&p->random, 0, 0.5);
  p->nbasis = p->repeated = 0;
  for (int k = 0; k < p->n; k++) {
    mbd_contact_t * c = &p->contact[k];
    *c = mbd_contact_default();
    c->frame_b = m->body[random_below(&p->random, m->nbody)].link_frame;
    if (random_below(&p->random, 3) == 0) {
      c->frame_a = m->body[random_below(&p->random, m->nbody)].link_frame;
    }
    if (c->frame_a == c->frame_b) c->frame_a = MBD_WORLD_BODY;
    c->point = random_vec3(&p->random, 1);
    c->normal = random_unit(&p->random);
    const double draw = random_between(&p->random, 0, 1);
    p->state[k] = draw < opens ? OPENS : draw < opens + sticks ? STICKS : SLIDES;
    // the same point again: dependent rows whatever the robot
    if (k > 0 && random_below(&p->random, 4) == 0) {
      const int of = random_below(&p->random, k);
      *c = p->contact[of];
      p->state[k] = p->state[of];
      p->repeated++;
    }
    c->friction = random_below(&p->random, 20) == 0 ? 0 : random_between(&p->random, 0, 2);
    if (p->state[k] == STICKS) {
      mbd_vec3_t t[2];
      tangents(c->normal, t);
      for (int j = 0; j < 2; j++) forbid(p, c, t[j]);
    }
  }
}

// a random velocity with which what is to stick does not slip; returns its size
static double
choose_velocity(problem_t * p)
{
  const int nv = p->t->model->nv;
  const double speed = pow(10, random_signed(&p->random));
  double * v = p->v_known;
  for (int k = 0; k < nv; k++) v[k] = random_signed(&p->random);
  for (int pass = 0; pass < 2; pass++) {
    for (int b = 0; b < p->nbasis; b++) {
      const double * y = p->basis + (size_t)b * (size_t)nv;
      const double along = dot(v, y, nv);
      for (int k = 0; k < nv; k++) v[k] -= along * y[k];
    }
  }
  const double length = sqrt(dot(v, v, nv));
  const bool stands = !(length > 1e-6);
  for (int k = 0; k < nv; k++) v[k] *= stands ? 0 : speed / length;
  return speed;
}

// Gaps and normals that go with the known velocity, and impulses of it; then torques that make it the
// velocity after a step from the robot's
static void
make_known(problem_t * p)
{
  const mbd_model_t * m = p->t->model;
  const double speed = choose_velocity(p);
  assert_ok(mbd_set_velocity(m, p->t->data, p->v_known));
  mbd_vec3_t impulse[MOST];
  for (int k = 0; k < p->n; k++) {
    mbd_contact_t * c = &p->contact[k];
    const mbd_vec3_t w = relative_velocity(p, c);
    double wn = mbdu_vec3_dot(w, c->normal);
    impulse[k] = mbdu_vec3(0, 0, 0);
    // what touches after the step came nearer: by the gap
    if (p->state[k] != OPENS && wn > 0) c->normal = mbdu_vec3_neg(c->normal), wn = -wn;
    c->gap = fmax(0, -wn) * p->dt;
    if (p->state[k] == OPENS) {
      if (random_below(&p->random, 3)) c->gap += speed * p->dt * random_between(&p->random, 0, 1);
      continue;
    }
    const mbd_vec3_t slip = mbdu_vec3_sub(w, mbdu_vec3_scale(wn, c->normal));
    const double slips = mbdu_vec3_norm(slip);
    const double compliance = compliance_of(p, c);
    const double pn = pow(10, random_signed(&p->random)) * speed / fmax(compliance, 1e-6);
    mbd_vec3_t along = mbdu_vec3(0, 0, 0);
    if (slips > 1e-9 * speed) {
      along = mbdu_vec3_scale(-1 / slips, slip);
    } else {
      mbd_vec3_t t[2];
      tangents(c->normal, t);
      along = mbdu_vec3_scale(0.99 * random_signed(&p->random), t[random_below(&p->random, 2)]);
    }
    impulse[k] = mbdu_vec3_scale(pn, mbdu_vec3_add(c->normal, mbdu_vec3_scale(c->friction, along)));
  }
  // tau = M (v_known - v) / dt + C - J^T p / dt
  for (int k = 0; k < m->nv; k++) p->v_free[k] = (p->v_known[k] - p->t->v[k]) / p->dt;
  assert_ok(mbd_set_velocity(m, p->t->data, p->t->v));
  assert_ok(mbd_inverse_dynamics(m, p->t->data, NULL, NULL, p->v_free, NULL, p->tau));
  for (int k = 0; k < p->n; k++) add_force(p, &p->contact[k], impulse[k], -1 / p->dt, p->tau);
  assert_ok(mbd_forward_dynamics(m, p->t->data, NULL, NULL, p->tau, NULL, p->v_free));
  for (int k = 0; k < m->nv; k++) p->v_free[k] = p->t->v[k] + p->dt * p->v_free[k];
  assert_ok(mbd_set_velocity(m, p->t->data, p->t->v));
}

//---------- what a solution is ----------

// forces are inside the cones, and add no energy to the motion without them
static void
assert_physical(const problem_t * p)
{
  const int nv = p->t->model->nv;
  double energy = 0, size = 0;
  double * joint = p->white;
  memset(joint, 0, (size_t)nv * sizeof *joint);
  for (int k = 0; k < p->n; k++) {
    const mbd_contact_t * c = &p->contact[k];
    const double pn = mbdu_vec3_dot(c->force, c->normal);
    const double all = mbdu_vec3_norm(c->force);
    const mbd_vec3_t pt = mbdu_vec3_sub(c->force, mbdu_vec3_scale(pn, c->normal));
    assert_true(pn >= -1e-14 * all && mbdu_vec3_norm(pt) <= c->friction * pn + 1e-12 * all);
    add_force(p, c, c->force, 1, joint);
  }
  // (|v|^2 - |v_free|^2) / 2 with M (v - v_free) = J^T p
  for (int k = 0; k < nv; k++) {
    energy += joint[k] * (p->v_out[k] + p->v_free[k]) / 2;
    size += fabs(joint[k] * p->v_out[k]) + fabs(joint[k] * p->v_free[k]);
  }
  assert_true(energy <= 1e-9 * size);
}

// sqrt(c) |f - P(f - u / c)| with u = w + mu |w_t| n, P onto the friction cone
static double
contact_residual(const problem_t * p, const mbd_contact_t * c, mbd_vec3_t w, double compliance)
{
  const double mu = c->friction;
  const mbd_vec3_t n = c->normal;
  const double wn = mbdu_vec3_dot(w, n) + c->gap / p->dt;
  mbd_vec3_t wt = mbdu_vec3_sub(w, mbdu_vec3_scale(mbdu_vec3_dot(w, n), n));
  const double pn = mbdu_vec3_dot(c->force, n);
  mbd_vec3_t pt = mbdu_vec3_sub(c->force, mbdu_vec3_scale(pn, n));
  if (mu == 0) wt = pt = mbdu_vec3(0, 0, 0);
  double zn = pn - (wn + mu * mbdu_vec3_norm(wt)) / compliance;
  mbd_vec3_t zt = mbdu_vec3_sub(pt, mbdu_vec3_scale(1 / compliance, wt));
  const double length = mbdu_vec3_norm(zt);
  if (mu * length <= -zn) {
    zn = 0, zt = mbdu_vec3(0, 0, 0);
  } else if (length > mu * zn) {
    zn = (zn + mu * length) / (1 + mu * mu);
    zt = mbdu_vec3_scale(mu * zn / length, zt);
  }
  const double off = hypot(zn - pn, mbdu_vec3_norm(mbdu_vec3_sub(zt, pt)));
  return sqrt(compliance) * off;
}

// residual of what was written, by the kinematics of the velocities after the step and without forces
static double
residual_of(const problem_t * p)
{
  double scale = 0, worst = 0, compliance[MOST];
  assert_ok(mbd_set_velocity(p->t->model, p->t->data, p->v_out));
  for (int k = 0; k < p->n; k++) {
    const mbd_contact_t * c = &p->contact[k];
    compliance[k] = compliance_of(p, c);
    if (!(compliance[k] > 1e-20)) continue;
    worst = fmax(worst, contact_residual(p, c, relative_velocity(p, c), compliance[k]));
  }
  assert_ok(mbd_set_velocity(p->t->model, p->t->data, p->v_free));
  for (int k = 0; k < p->n; k++) {
    const mbd_contact_t * c = &p->contact[k];
    const mbd_vec3_t w = relative_velocity(p, c);
    const double wn = mbdu_vec3_dot(w, c->normal) + c->gap / p->dt;
    const bool acts = mbdu_vec3_dot(c->force, c->normal) > 0 || wn < 0;
    if (!(compliance[k] > 1e-20)) continue;
    // where all stay open, one that just touches has a residual of rounding, that of forward dynamics by
    // kernels: 1e-13 of the speeds
    const double share = acts ? 1 : 1e-4;
    const double wt = mbdu_vec3_norm(mbdu_vec3_cross(w, c->normal));
    const double speed = fmax(fabs(wn), c->friction > 0 ? wt : 1e-7 * wt);
    scale = fmax(scale, share * speed / sqrt(compliance[k]));
  }
  assert_ok(mbd_set_velocity(p->t->model, p->t->data, p->t->v));
  return scale > 0 ? worst / scale : 0;
}

//---------- all of them ----------

typedef struct score {
  int n, unsolved, redundant, repeated, open, stuck, slid;
  double worst;
  int * iterations;
  double * seconds;
} score_t;

// processor time: the machine may be busy
static double
now(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

static int
by_int(const void * a, const void * b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int
by_double(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static mbd_contact_options_t
no_limits(void)
{
  mbd_contact_options_t options = mbd_contact_options_default();
  options.limits = false;
  return options;
}

static mbd_status_t
step(problem_t * p, const mbd_contact_options_t * options, mbd_contact_info_t * info)
{
  return mbd_contact_step(
    p->t->model, p->t->data, p->tau, NULL, p->dt, p->n, p->contact, options, p->work, p->v_out,
    NULL, NULL, info);
}

static void
solve_and_check(problem_t * p, score_t * score)
{
  const mbd_contact_options_t options = no_limits();
  mbd_contact_info_t info;
  const double start = now();
  const mbd_status_t status = step(p, &options, &info);
  score->seconds[score->n] = now() - start;
  score->iterations[score->n++] = info.iterations;
  score->repeated += p->repeated > 0;
  score->redundant += 3 * p->n > p->t->model->nv;
  assert_true(status == MBD_OK || status == MBD_ERROR_NOT_CONVERGED);
  assert_physical(p);
  if (status != MBD_OK) {
    assert_true(info.residual > options.tolerance);
    score->unsolved++;
    return;
  }
  assert_true(info.residual <= 1e-9);
  const double residual = residual_of(p);
  score->worst = fmax(score->worst, residual);
  for (int k = 0; k < p->n; k++) {
    score->open += p->contact[k].mode == MBD_CONTACT_OPEN;
    score->stuck += p->contact[k].mode == MBD_CONTACT_STICK;
    score->slid += p->contact[k].mode == MBD_CONTACT_SLIDE;
  }
}

static void
report(int n, score_t * y)
{
  qsort(y->iterations, (size_t)y->n, sizeof *y->iterations, by_int);
  qsort(y->seconds, (size_t)y->n, sizeof *y->seconds, by_double);
  print_message(
    "%2d contacts: %d of %d unsolved, residual %.1e; iterations %d, 99 %% %d, most %d; "
    "%.0f us, 99 %% %.0f, most %.0f; %d opened, %d stuck, %d slid, %d with repeated contacts\n",
    n, y->unsolved, y->n, y->worst, y->iterations[y->n / 2], y->iterations[y->n * 99 / 100],
    y->iterations[y->n - 1], 1e6 * y->seconds[y->n / 2], 1e6 * y->seconds[y->n * 99 / 100],
    1e6 * y->seconds[y->n - 1], y->open, y->stuck, y->slid, y->repeated);
}

// 10000 problems with 4, 8 and 16 contacts
static void
known_solutions_are_found(void ** context)
{
  (void)context;
  static const int sizes[3] = {4, 8, 16};
  score_t score[3] = {{0}};
  for (int k = 0; k < 3; k++) {
    score[k].iterations = calloc(CASES * robots(ROBOTS), sizeof(int));
    score[k].seconds = calloc(CASES * robots(ROBOTS), sizeof(double));
  }
  FOR_SEEDS(ROBOTS)
  {
    problem_t p = problem_of(seed);
    for (int k = 0; k < CASES; k++) {
      p.n = sizes[k % 3];
      choose_contacts(&p);
      make_known(&p);
      solve_and_check(&p, &score[k % 3]);
    }
    problem_free(&p);
  }
  int total = 0, unsolved = 0;
  for (int k = 0; k < 3; k++) {
    const score_t * y = &score[k];
    report(sizes[k], &score[k]);
    total += y->n, unsolved += y->unsolved;
    assert_true(y->open > y->n / 2 && y->stuck > y->n / 4 && y->slid > y->n / 4);
    assert_true(y->repeated > y->n / 3 && y->redundant > y->n / 5);
    assert_true(y->worst <= 1e-8);
    free(y->iterations), free(y->seconds);
  }
  assert_int_equal(total, CASES * robots(ROBOTS));
  assert_true(unsolved <= 1e-3 * total);
}

// with too few iterations what is written is physical, and says what it is worth
static void
fallbacks_are_physical(void ** context)
{
  (void)context;
  int written = 0, bounced = 0;
  FOR_SEEDS(ROBOTS / 2)
  {
    problem_t p = problem_of(seed);
    for (int k = 0; k < 20; k++) {
      mbd_contact_options_t options = no_limits();
      mbd_contact_info_t info;
      options.iterations = 1 + k % 4;
      p.n = 8;
      choose_contacts(&p);
      make_known(&p);
      // also from forces that are far off
      for (int j = 0; j < p.n; j++) {
        p.contact[j].mode = k % 2 ? MBD_CONTACT_STICK : MBD_CONTACT_OPEN;
        p.contact[j].force =
          mbdu_vec3_scale(random_between(&p.random, 0, 1e3), p.contact[j].normal);
      }
      // overlaps and bounces: a solution may add energy then, a fallback may not
      const bool bounces = k % 5 == 0;
      for (int j = 0; bounces && j < p.n; j++) {
        p.contact[j].gap = 1e-3 * random_signed(&p.random);
        p.contact[j].restitution = random_between(&p.random, 0, 1);
      }
      const mbd_status_t status = step(&p, &options, &info);
      if (status != MBD_OK || !bounces) assert_physical(&p);
      if (status == MBD_OK) continue;
      bounced += bounces;
      assert_int_equal(status, MBD_ERROR_NOT_CONVERGED);
      assert_true(info.residual > 1e-9 && isfinite(info.residual) && info.iterations <= 4);
      const double residual = bounces ? info.residual : residual_of(&p);
      assert_true(residual > 0.1 * info.residual && residual < 10 * info.residual);
      written++;
    }
    problem_free(&p);
  }
  assert_count(written, 5 * ROBOTS / 2);
  assert_count(bounced, ROBOTS / 2);
}

//---------- warm starts ----------

enum { BOXES = 3, CORNERS = 4 * BOXES };

// cubes of 0.2 m, each of which moves freely
static mbd_model_t *
boxes_model(void)
{
  static const char * const name[BOXES] = {"a", "b", "c"};
  static const char * const joint[BOXES] = {"joint_a", "joint_b", "joint_c"};
  mbd_model_t * model;
  assert_ok(mbd_model_create("boxes", &model));
  for (int k = 0; k < BOXES; k++) {
    mbd_body_spec_t spec = mbd_body_spec_default();
    const mbd_sym3_t I = {0.02, 0, 0, 0.02, 0, 0.02};
    int frame;
    spec.name = name[k], spec.joint_name = joint[k], spec.type = MBD_JOINT_FREE;
    spec.inertia = mbdu_inertia_from_com(2, mbdu_vec3(0, 0, 0), I);
    assert_ok(mbd_model_add_body(model, &spec, &frame));
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

// one box on the other, four corners each; forces and modes stay
static void
stack_contacts(const mbd_model_t * model, const double * q, mbd_contact_t * contact)
{
  for (int box = 0; box < BOXES; box++) {
    const double * x = q + model->body[box].q_index;
    for (int k = 0; k < 4; k++) {
      mbd_contact_t * c = &contact[4 * box + k];
      const mbd_contact_mode_t mode = c->mode;
      const mbd_vec3_t force = c->force;
      *c = mbd_contact_default();
      c->mode = mode, c->force = force;
      c->frame_b = model->body[box].link_frame;
      if (box > 0) c->frame_a = model->body[box - 1].link_frame;
      c->point = mbdu_vec3(x[0] + (k & 1 ? 0.1 : -0.1), x[1] + (k & 2 ? 0.1 : -0.1), x[2] - 0.1);
      c->gap = x[2] - 0.1 - (box > 0 ? q[model->body[box - 1].q_index + 2] + 0.1 : 0);
      c->friction = 0.5;
    }
  }
}

// a start that is not finite does not count
static void
bad_starts_do_not_count(void ** context)
{
  (void)context;
  static const double bad[3] = {(double)NAN, HUGE_VAL, 1e300};
  mbd_model_t * model = boxes_model();
  mbd_data_t * data;
  double q[7 * BOXES] = {0}, v[6 * BOXES] = {0}, tau[6 * BOXES] = {0}, out[6 * BOXES];
  double * work = calloc(mbd_contact_work(model, CORNERS), sizeof *work);
  mbd_contact_options_t options = no_limits();
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < BOXES; k++) {
    q[model->body[k].q_index + 2] = 0.1 + 0.2 * k;
    q[model->body[k].q_index + 6] = 1;
  }
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_set_velocity(model, data, v));
  for (int k = 0; k < 18; k++) {
    mbd_contact_t contact[CORNERS] = {{0}};
    mbd_contact_info_t info;
    // at rest the equations of the active set need no start; pushed by 40 N the floor slides
    const double push = k < 9 ? 0 : 40, speed = fmax(0, push - 0.5 * 6 * 9.81) / 6 * 1e-3;
    tau[model->body[0].v_index] = push;
    stack_contacts(model, q, contact);
    contact[1].mode = MBD_CONTACT_SLIDE;
    contact[1].force =
      mbdu_vec3(k / 3 % 3 == 0 ? bad[k % 3] : 0, k / 3 % 3 == 1 ? bad[k % 3] : 0, 1);
    if (k / 3 % 3 == 2) contact[1].force.z = bad[k % 3];
    assert_ok(mbd_contact_step(
      model, data, tau, NULL, 1e-3, CORNERS, contact, &options, work, out, NULL, NULL, &info));
    assert_true(info.residual <= 1e-9);
    for (int j = 0; j < 6 * BOXES; j++) {
      assert_near(out[j], j % 6 == 0 ? speed : 0, 1e-9, "velocity %d, start %d", j, k);
    }
  }
  // without the time to find another: whatever the workspace held before, it is the same fallback
  options.iterations = 1;
  for (int k = 0; k < 2; k++) {
    mbd_contact_t contact[CORNERS] = {{0}};
    mbd_contact_info_t info;
    double again[6 * BOXES];
    stack_contacts(model, q, contact);
    contact[1].mode = MBD_CONTACT_SLIDE;
    contact[1].force = mbdu_vec3(0, 0, 1e300);
    for (size_t i = 0; i < mbd_contact_work(model, CORNERS); i++) work[i] = 5 * k;
    assert_int_equal(
      mbd_contact_step(
        model, data, tau, NULL, 1e-3, CORNERS, contact, &options, work, k ? again : out, NULL, NULL,
        &info),
      MBD_ERROR_NOT_CONVERGED);
    if (k == 1) assert_memory_equal(again, out, sizeof out);
  }
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// Most iterations and their mean over steps of a stack, from the tenth on. `push`, and a part of it to
// and fro, acts on the lowest box, whose velocity at the end is *speed.
static int
iterations_of_stack(double push, bool warm, double * mean, double * speed)
{
  mbd_model_t * model = boxes_model();
  mbd_data_t * data;
  mbd_contact_t contact[CORNERS] = {{0}};
  double q[7 * BOXES] = {0}, v[6 * BOXES] = {0}, tau[6 * BOXES] = {0};
  double * work = calloc(mbd_contact_work(model, CORNERS), sizeof *work);
  const mbd_contact_options_t options = no_limits();
  int most = 0, sum = 0;
  enum { STEPS = 200 };
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < BOXES; k++) {
    q[model->body[k].q_index + 2] = 0.1 + 0.2 * k;
    q[model->body[k].q_index + 6] = 1;
  }
  for (int k = 0; k < STEPS; k++) {
    mbd_contact_info_t info;
    // four periods in all
    tau[model->body[0].v_index] = push * (1 + 0.05 * sin(0.12566370614359173 * k));
    if (!warm) memset(contact, 0, sizeof contact);
    stack_contacts(model, q, contact);
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(mbd_contact_step(
      model, data, tau, NULL, 1e-3, CORNERS, contact, &options, work, v, NULL, NULL, &info));
    assert_true(info.residual <= 1e-9);
    assert_ok(mbd_integrate(model, q, v, 1e-3, q));
    if (k < 10) continue;
    most = info.iterations > most ? info.iterations : most;
    sum += info.iterations;
  }
  *mean = (double)sum / (STEPS - 10);
  *speed = v[model->body[0].v_index];
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  return most;
}

// forces of the step before: nothing to do for a stack at rest, a Newton step or two for one that slides
static void
warm_starts_need_few_iterations(void ** context)
{
  (void)context;
  // friction on the floor holds up to 0.5 * 6 * 9.81 = 29.4 N
  static const struct {
    const char * what;
    double push, most, mean;
  } stack[3] = {{"at rest", 0, 2, 0.5}, {"pushed", 20, 6, 3}, {"sliding", 40, 6, 3}};
  for (int k = 0; k < 3; k++) {
    double mean, cold, speed;
    const int most = iterations_of_stack(stack[k].push, true, &mean, &speed);
    iterations_of_stack(stack[k].push, false, &cold, &speed);
    print_message(
      "stack %s: %.2f iterations a step, at most %d; %.2f without a start\n", stack[k].what, mean,
      most, cold);
    assert_true(most <= stack[k].most && mean <= stack[k].mean);
    if (stack[k].push > 0) assert_true(cold > mean + 5);
    const double slides = fmax(0, stack[k].push - 0.5 * 6 * 9.81) / 6 * 0.2;
    assert_near(speed, slides, 1e-6, "speed, %s", stack[k].what);
  }
}

// a box that overlaps a floor and a ceiling has no solution: it takes a while to know, no more
static void
squeezed_boxes_get_a_fallback(void ** context)
{
  (void)context;
  mbd_model_t * model = boxes_model();
  mbd_data_t * data;
  mbd_contact_t contact[8] = {{0}};
  double q[7 * BOXES] = {0}, v[6 * BOXES] = {0}, out[6 * BOXES];
  double * work = calloc(mbd_contact_work(model, 8), sizeof *work);
  mbd_contact_options_t options = no_limits();
  mbd_contact_info_t info;
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < BOXES; k++) q[model->body[k].q_index + 6] = 1;
  for (int k = 0; k < 8; k++) {
    mbd_contact_t * c = &contact[k];
    const double up = k & 4 ? 1 : -1;
    *c = mbd_contact_default();
    c->frame_b = model->body[0].link_frame;
    c->point = mbdu_vec3(k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, 0.1 * up);
    c->normal = mbdu_vec3(0, 0, -up);
    c->gap = -1e-3;
    c->friction = 0.5;
  }
  v[model->body[0].v_index] = 1;
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_set_velocity(model, data, v));
#define SQUEEZE     \
  mbd_contact_step( \
    model, data, NULL, NULL, 1e-3, 8, contact, &options, work, out, NULL, NULL, &info)
  assert_int_equal(SQUEEZE, MBD_ERROR_NOT_CONVERGED);
  assert_true(info.residual > 1e-9 && info.iterations <= options.iterations);
  double energy = 0;
  for (int k = 0; k < 6; k++) energy += out[k] * out[k] * (k < 3 ? 2 : 0.02) / 2;
  // that of the motion without forces
  assert_true(energy <= 1 + pow(9.81e-3, 2) + 1e-12);
  for (int k = 0; k < 8; k++) {
    const mbd_contact_t * c = &contact[k];
    const double pn = c->force.z * c->normal.z;
    assert_true(pn >= 0 && hypot(c->force.x, c->force.y) <= 0.5 * pn + 1e-12);
  }
  // nothing of it unless asked for
  options.fallback = false;
  out[0] = 7;
  contact[0].force = mbdu_vec3(0, 0, 8);
  assert_int_equal(SQUEEZE, MBD_ERROR_NO_SOLUTION);
  assert_true(out[0] == 7 && contact[0].force.z == 8);
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_solutions_are_found),       cmocka_unit_test(fallbacks_are_physical),
    cmocka_unit_test(squeezed_boxes_get_a_fallback),   cmocka_unit_test(bad_starts_do_not_count),
    cmocka_unit_test(warm_starts_need_few_iterations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
