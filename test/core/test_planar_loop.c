// Loops that move in parallel planes: against the same robot with its general rows, which a driver of no
// size makes the model take.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraints/embedding_internal.h"
#include "loops.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/mbdyn.h"
#include "simd/kernels.h"

enum { ROBOTS = 200, MOST_LINKS = 16 };

typedef struct twin {
  mbd_model_t *tree, *model;
  mbd_data_t *on, *data;
} twin_t;

typedef struct robot {
  twin_t planar, general;
  int nlink;
  mbd_body_spec_t link[MOST_LINKS];
  char name[MOST_LINKS][2][8];
  mbd_placement_t at[MOST_LINKS];  // of links of a loop in what carries it, at zero
  mbd_closure_spec_t pin[2];
  int npin;
} robot_t;

static mbd_mat3_t
rotation_about(mbd_vec3_t n, double angle)
{
  const double s = sin(angle), c = cos(angle);
  mbd_mat3_t R = {{c, -n.z * s, n.y * s, n.z * s, c, -n.x * s, -n.y * s, n.x * s, c}};
  const double d[3] = {n.x, n.y, n.z};
  for (int i = 0; i < 9; i++) R.m[i] += (1 - c) * d[i / 3] * d[i % 3];
  return R;
}

static int
add_link(robot_t * r, int parent, mbd_joint_type_t type, uint64_t * state)
{
  const int k = r->nlink++;
  mbd_body_spec_t * spec = &r->link[k];
  *spec = mbd_body_spec_default();
  snprintf(r->name[k][0], sizeof r->name[k][0], "l%d", k);
  snprintf(r->name[k][1], sizeof r->name[k][1], "j%d", k);
  spec->name = r->name[k][0];
  spec->joint_name = r->name[k][1];
  spec->parent = parent;
  spec->type = type;
  spec->inertia = random_inertia(state);
  return k;
}

// Chains on two links of one body or loop, and a pin that is closed where all joints are at zero; n is the
// normal. `in`: placements of the two links.
static void
add_chains(
  robot_t * r, const int on[2], const mbd_placement_t in[2], mbd_vec3_t n, int bodies,
  uint64_t * state)
{
  mbd_placement_t at[2] = {in[0], in[1]};
  int end[2] = {on[0], on[1]};
  const int slider = random_below(state, 2 * bodies);
  for (int k = 0; k < bodies; k++) {
    const int side = 2 * k < bodies ? 0 : 1;
    const bool slides = k == slider;
    mbd_placement_t * X = &at[side];
    // axes of the link turned at random, about anything: the joint's axis is what counts
    const int link = add_link(
      r, end[side],
      slides  ? MBD_JOINT_PRISMATIC
      : k % 2 ? MBD_JOINT_REVOLUTE
              : MBD_JOINT_CONTINUOUS,
      state);
    mbd_body_spec_t * spec = &r->link[link];
    spec->placement.R = random_rotation(state);
    spec->placement.p = random_vec3(state, 0.4);
    *X = mbdu_placement_mul(X, &spec->placement);
    r->at[link] = *X;
    mbd_vec3_t axis = slides ? mbdu_vec3_cross(n, random_vec3(state, 1)) : n;
    axis = mbdu_vec3_scale(1 / mbdu_vec3_norm(axis), axis);
    if (random_below(state, 2)) axis = mbdu_vec3_neg(axis);
    spec->axis = mbdu_mat3_tvec(&X->R, axis);
    end[side] = link;
  }
  static const mbd_closure_type_t types[] = {
    MBD_CLOSURE_REVOLUTE, MBD_CLOSURE_CYLINDRICAL, MBD_CLOSURE_ON_LINE, MBD_CLOSURE_SPHERICAL};
  mbd_closure_spec_t * pin = &r->pin[r->npin];
  *pin = mbd_closure_spec_default();
  pin->name = r->npin ? "second" : "first";
  pin->type = types[random_below(state, 4)];
  // at B's place, at random: z along the axis
  const mbd_placement_t here = {random_rotation(state), random_vec3(state, 0.4)};
  const mbd_vec3_t z = mbdu_vec3(here.R.m[2], here.R.m[5], here.R.m[8]);
  const mbd_vec3_t turn = mbdu_vec3_cross(z, n);
  const double size = mbdu_vec3_norm(turn), angle = atan2(size, mbdu_vec3_dot(z, n));
  const mbd_mat3_t to = rotation_about(mbdu_vec3_scale(1 / size, turn), angle);
  mbd_placement_t A = {mbdu_mat3_mul(&to, &here.R), here.p};
  for (int side = 0; side < 2; side++) {
    const mbd_placement_t inverse = mbdu_placement_inverse(&at[side]);
    const mbd_placement_t X = mbdu_placement_mul(&inverse, &A);
    if (side == 0) {
      pin->X_a = X, pin->frame_a = end[0];
    } else {
      pin->X_b = X, pin->frame_b = end[1];
    }
  }
  r->npin++;
}

static mbd_vec3_t
random_normal(uint64_t * state)
{
  const mbd_vec3_t n = random_vec3(state, 1);
  return mbdu_vec3_scale(1 / mbdu_vec3_norm(n), n);
}

static void
make_twin(const robot_t * r, bool general, twin_t * twin)
{
  assert_ok(mbd_model_create("planar", &twin->tree));
  int frame[MOST_LINKS];
  for (int k = 0; k < r->nlink; k++) {
    mbd_body_spec_t spec = r->link[k];
    if (spec.parent != MBD_WORLD_BODY) spec.parent = frame[spec.parent];
    assert_ok(mbd_model_add_body(twin->tree, &spec, &frame[k]));
  }
  for (int k = 0; k < r->npin; k++) {
    mbd_closure_spec_t spec = r->pin[k];
    spec.frame_a = spec.frame_a == MBD_WORLD_BODY ? spec.frame_a : frame[spec.frame_a];
    spec.frame_b = spec.frame_b == MBD_WORLD_BODY ? spec.frame_b : frame[spec.frame_b];
    if (general) spec.driver.value = 1e-300;
    assert_ok(mbd_model_add_closure(twin->tree, &spec, NULL));
  }
  assert_ok(mbd_model_finalize(twin->tree));
  assert_ok(mbd_data_create(twin->tree, &twin->on));
}

static bool
embed_twin(twin_t * twin)
{
  const mbd_status_t status = mbd_model_embed(twin->tree, NULL, &twin->model);
  if (status == MBD_ERROR_LOCKED || status == MBD_ERROR_NOT_ASSEMBLED) return false;
  assert_ok(status);
  assert_ok(mbd_data_create(twin->model, &twin->data));
  return true;
}

// one or two loops, the second on a body of the first or coupled with it; false if it is singular
static bool
make_robot(uint64_t seed, robot_t * r)
{
  uint64_t state = seed * 77 + 3;
  *r = (robot_t){0};
  const int base =
    add_link(r, MBD_WORLD_BODY, seed % 3 ? MBD_JOINT_FREE : MBD_JOINT_REVOLUTE, &state);
  r->link[base].placement = random_placement(&state);
  const mbd_placement_t none[2] = {mbdu_placement_identity(), mbdu_placement_identity()};
  const int carrier = seed % 5 ? base : MBD_WORLD_BODY;
  const mbd_vec3_t n = random_normal(&state);
  add_chains(r, (int[2]){carrier, carrier}, none, n, 3 + random_below(&state, 2), &state);
  if (seed % 4 == 1) {
    const int on = 1 + random_below(&state, r->nlink - 1);
    add_chains(r, (int[2]){on, on}, none, random_normal(&state), 3, &state);
  } else if (seed % 4 == 2) {
    // in the same plane: one group of two pins
    const mbd_placement_t in[2] = {r->at[1], r->at[3]};
    add_chains(r, (int[2]){1, 3}, in, n, 2 + random_below(&state, 2), &state);
  }
  // a link that the last one carries
  add_link(r, r->nlink - 1, MBD_JOINT_REVOLUTE, &state);
  r->link[r->nlink - 1].placement = random_placement(&state);
  make_twin(r, false, &r->planar);
  make_twin(r, true, &r->general);
  return embed_twin(&r->planar) && embed_twin(&r->general);
}

static void
free_twin(twin_t * twin)
{
  mbd_data_destroy(twin->data);
  mbd_data_destroy(twin->on);
  mbd_model_destroy(twin->model);
  mbd_model_destroy(twin->tree);
}

static void
free_robot(robot_t * r)
{
  free_twin(&r->planar);
  free_twin(&r->general);
  mats_free();
}

// planar groups with `pins` pins, 0: any number
static int
planar_groups(const mbd_model_t * model, int pins)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  int n = 0;
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_planar_t * planar = e->group[e->aggregate[k]].planar;
    n += planar && (pins == 0 || planar->npin == pins);
  }
  return n;
}

// a configuration of both, near enough to the neutral one, and its condition; false if singular
static bool
random_state(const robot_t * r, uint64_t seed, mat_t q, mat_t v)
{
  uint64_t state = seed + 5;
  mat_t step = mat(r->general.model->nv, 1), rest = mat(q.r, 1);
  for (int k = 0; k < step.r; k++) step.a[k] = 0.4 * random_signed(&state);
  for (int k = 0; k < v.r; k++) v.a[k] = random_signed(&state);
  assert_ok(mbd_neutral(r->general.model, rest.a));
  return mbd_integrate(r->general.model, rest.a, step.a, 1, q.a) == MBD_OK;
}

static double
size_of(mat_t A)
{
  return fmax(1, largest_entry(A));
}

#define SAME(what, a, b, tolerance, condition) \
  assert_mat_floor(a, b, (tolerance) * (condition), size_of(b), "%s, %lu", what, seed)

static void
compare_dynamics(const robot_t * r, uint64_t seed, mat_t q, mat_t v, double condition)
{
  const twin_t *p = &r->planar, *g = &r->general;
  const int nv = p->model->nv, n = p->tree->nv, m = p->tree->nrow;
  uint64_t state = seed + 11;
  mat_t tau = mat(nv, 1), a[2], all[2], M[2], lambda[2], dX[2], C[2], D[2];
  for (int k = 0; k < nv; k++) tau.a[k] = random_signed(&state);
  for (int k = 0; k < 2; k++) {
    const twin_t * t = k ? g : p;
    a[k] = mat(nv, 1), all[k] = mat(n, 1), M[k] = mat(nv, nv), lambda[k] = mat(m, 1);
    dX[k] = mat(n, nv), C[k] = mat(nv, nv), D[k] = mat(nv, nv);
    assert_ok(mbd_set_terms(t->data, seed % 2 ? MBD_TERM_ROTORS : 0));
    assert_ok(mbd_forward_dynamics(t->model, t->data, q.a, v.a, tau.a, NULL, a[k].a));
    assert_ok(mbd_tree_acceleration(t->model, t->data, a[k].a, all[k].a));
    assert_ok(mbd_closure_forces(t->model, t->data, a[k].a, NULL, NULL, lambda[k].a));
    assert_ok(mbd_mass_matrix(t->model, t->data, M[k].a));
    assert_ok(mbd_embedding_rate(t->model, t->data, dX[k].a));
    assert_ok(mbd_coriolis_matrix(t->model, t->data, C[k].a));
    mat_t work = mat((int)mbd_derivatives_work(t->model), 1), unused = mat(nv, nv);
    assert_ok(mbd_inverse_dynamics_derivatives(
      t->model, t->data, q.a, v.a, a[k].a, NULL, work.a, D[k].a, unused.a, NULL));
  }
  SAME("qdd", a[0], a[1], 1e-10, condition);
  SAME("qdd of all", all[0], all[1], 1e-10, condition);
  SAME("lambda", lambda[0], lambda[1], 1e-9, condition);
  SAME("M", M[0], M[1], 1e-11, condition);
  SAME("dX", dX[0], dX[1], 1e-10, condition);
  SAME("C", C[0], C[1], 1e-10, condition);
  SAME("derivatives", D[0], D[1], 1e-8, condition);
}

static void
agrees_with_the_general_rows(void ** context)
{
  (void)context;
  int compared = 0, one = 0, two = 0;
  FOR_SEEDS(ROBOTS)
  {
    robot_t r;
    if (make_robot(seed, &r)) {
      const twin_t *p = &r.planar, *g = &r.general;
      assert_int_equal(planar_groups(g->model, 0), 0);
      assert_int_equal(p->model->nv, g->model->nv);
      const int nv = p->model->nv, n = p->tree->nv;
      mat_t q = mat(p->tree->nq, 1), v = mat(nv, 1), X[2], xd[2];
      double condition[2] = {1e9, 1e9};
      int worst[2] = {-1, -1};
      if (random_state(&r, seed, q, v)) {
        for (int k = 0; k < 2; k++) {
          const twin_t * t = k ? g : p;
          X[k] = mat(n, nv), xd[k] = mat(n, 1);
          assert_ok(mbd_set_position(t->model, t->data, q.a));
          assert_ok(mbd_embedding_matrix(t->model, t->data, X[k].a));
          assert_ok(mbd_embedding_condition(t->model, t->data, &condition[k], &worst[k]));
          assert_ok(mbd_set_velocity(t->model, t->data, v.a));
          assert_ok(mbd_tree_acceleration(t->model, t->data, NULL, xd[k].a));
        }
      }
      if (condition[1] < 1e3 && planar_groups(p->model, 0) == mbd_aggregate_count(p->model)) {
        assert_true(fabs(condition[0] - condition[1]) < 1e-9 * condition[1]);
        assert_int_equal(worst[0], worst[1]);
        SAME("X", X[0], X[1], 1e-11, condition[1]);
        SAME("Xdot v", xd[0], xd[1], 1e-10, condition[1]);
        compare_dynamics(&r, seed, q, v, condition[1]);
        one += planar_groups(p->model, 1);
        two += planar_groups(p->model, 2);
        compared++;
      }
    }
    free_robot(&r);
  }
  assert_count(compared, 100);
  assert_count(one, 100);
  assert_count(two, 20);
}

// Newton on the pins: noise of encoders, and gaps that are too large or cannot be closed
static void
closes_gaps(void ** context)
{
  (void)context;
  int closed = 0, refused = 0, with_noise = 0;
  FOR_SEEDS(ROBOTS)
  {
    robot_t r;
    if (make_robot(seed, &r)) {
      const twin_t *p = &r.planar, *g = &r.general;
      mat_t q = mat(p->tree->nq, 1), v = mat(p->model->nv, 1), d = mat(p->tree->nrow, 1);
      uint64_t state = seed + 21;
      if (random_state(&r, seed, q, v) && planar_groups(p->model, 0) > 0) {
        static const double noises[] = {0.6, 3e-3, 2e-5, 3e-10};
        const double noise = noises[seed % 4];
        for (int k = 0; k < p->tree->nbody; k++) {
          if (p->tree->body[k].nq == 1)
            q.a[p->tree->body[k].q_index] += noise * random_signed(&state);
        }
        const mbd_status_t one = mbd_set_position(p->model, p->data, q.a);
        const mbd_status_t other = mbd_set_position(g->model, g->data, q.a);
        assert_int_equal(one, other);
        if (one == MBD_OK) {
          double condition;
          assert_ok(mbd_closure_error(p->model, p->data, 0, d.a));
          assert_true(largest_entry(d) < 2e-12);
          assert_ok(mbd_embedding_condition(g->model, g->data, &condition, NULL));
          for (int k = 0; k < q.r; k++) {
            assert_true(fabs(p->data->q[k] - g->data->q[k]) < 1e-11 * condition);
          }
          // dynamics at the closed configuration, from the same noisy q
          if (noise < 0.1) {
            compare_dynamics(&r, seed, q, v, condition);
            with_noise++;
          }
          closed++;
        } else {
          const char *name = mbd_error_joint_name(p->data),
                     *other_name = mbd_error_joint_name(g->data);
          if (r.npin == 1) assert_string_equal(name, other_name);
          double M;
          assert_int_equal(mbd_kinetic_energy(p->model, p->data, &M), MBD_ERROR_STAGE);
          refused++;
        }
      }
    }
    free_robot(&r);
  }
  assert_count(closed, 100);
  assert_count(with_noise, 80);
  assert_count(refused, 10);
}

enum { MOST_WRENCHES = 20 };

static mbd_wrenches_t
random_wrenches(const mbd_model_t * tree, int n, uint64_t seed, mbd_wrench_t * w)
{
  uint64_t state = seed + 9;
  for (int k = 0; k < n; k++) {
    w[k] = (mbd_wrench_t){.frame = tree->body[random_below(&state, tree->nbody)].link_frame};
    w[k].f.ang = random_vec3(&state, 1);
    w[k].f.lin = random_vec3(&state, 3);
  }
  return (mbd_wrenches_t){n, w};
}

// forces through the joints and accelerations of the links, of deferred stages and others
static mat_t
forces_of(const twin_t * t)
{
  mat_t out = mat(12 * t->tree->nbody, 1);
  for (int i = 0; i < t->tree->nbody; i++) {
    mbd_force_t f;
    mbd_motion_t A;
    double * to = out.a + (size_t)(12 * i);
    assert_ok(mbd_joint_force(t->tree, t->on, i, &f));
    assert_ok(mbd_frame_acceleration(t->tree, t->on, t->tree->body[i].link_frame, MBD_LOCAL, &A));
    memcpy(to, &f, sizeof f);
    memcpy(to + 6, &A, sizeof A);
  }
  return out;
}

// without kernels all loops have general rows
static bool
has_kernels(const mbd_model_t * tree)
{
  return tree->internal->plan->single_supported;
}

// cut joints: positions and velocities that drifted too
static void
cut_joints_agree_with_the_general_rows(void ** context)
{
  (void)context;
  int compared = 0, drifted = 0, without = 0;
  FOR_SEEDS(ROBOTS)
  {
    robot_t r;
    if (make_robot(seed, &r)) {
      const mbd_model_t * tree = r.planar.tree;
      const int n = tree->nv, m = tree->nrow;
      mat_t q = mat(tree->nq, 1), v = mat(r.planar.model->nv, 1), v_tree = mat(n, 1);
      mat_t tau = mat(n, 1), qdd[2], lambda[2], f[2];
      mbd_constrained_t info[2];
      mbd_wrench_t w[MOST_WRENCHES];
      const mbd_wrenches_t f_ext = random_wrenches(
        tree,
        seed % 3 == 0   ? 0
        : seed % 3 == 1 ? 2
                        : MOST_WRENCHES,
        seed, w);
      mbd_constrained_options_t options = mbd_constrained_options_default();
      uint64_t state = seed + 31;
      double condition = 1e9;
      for (int k = 0; k < n; k++) tau.a[k] = random_signed(&state);
      if (random_state(&r, seed, q, v)) {
        assert_ok(mbd_set_state(r.general.model, r.general.data, q.a, v.a));
        assert_ok(mbd_tree_velocity(r.general.model, r.general.data, NULL, v_tree.a));
        assert_ok(mbd_embedding_condition(r.general.model, r.general.data, &condition, NULL));
      }
      without += !has_kernels(tree);
      if (condition < 100 && tree->internal->cut_plan) {
        const mbdi_kernels_t * kernels = tree->internal->plan->kernels;
        assert_true(!r.general.tree->internal->cut_plan);
        if (seed % 2) {
          options.stabilisation = 20;
          for (int k = 0; k < n; k++) v_tree.a[k] += 1e-2 * random_signed(&state);
          for (int k = 0; k < tree->nbody; k++) {
            if (tree->body[k].nq == 1) q.a[tree->body[k].q_index] += 1e-3 * random_signed(&state);
          }
          drifted++;
        }
        for (int k = 0; k < 2; k++) {
          const twin_t * t = k ? &r.general : &r.planar;
          mat_t work = mat((int)mbd_constrained_work(t->tree), 1);
          qdd[k] = mat(n, 1), lambda[k] = mat(m, 1);
          assert_ok(mbd_set_terms(t->on, seed % 4 < 2 ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0));
          assert_ok(mbd_constrained_forward_dynamics(
            t->tree, t->on, q.a, v_tree.a, seed % 7 ? tau.a : NULL, f_ext.n ? &f_ext : NULL,
            &options, work.a, qdd[k].a, lambda[k].a, &info[k]));
          // the bit of the deferred stage is that of the planar one alone
          const bool deferred = stage_any(t->on, MBD_STAGE_DEFERRED_CLOSURES);
          const bool keeps = f_ext.n == 0 || (f_ext.n < MOST_WRENCHES && kernels->copy_wrenches);
          assert_true(deferred == (k == 0 && keeps));
          f[k] = forces_of(t);
          assert_int_equal(info[k].rank + info[k].mobility, n);
          assert_int_equal(info[k].error_closure, -1);
          assert_true(info[k].residual < 1e-9 * size_of(qdd[k]));
        }
        assert_int_equal(info[0].rank, info[1].rank);
        assert_int_equal(info[0].nredundant, info[1].nredundant);
        SAME("qdd", qdd[0], qdd[1], 1e-10, condition);
        SAME("lambda", lambda[0], lambda[1], 1e-10, condition);
        SAME("forces", f[0], f[1], 1e-10, condition);
        // another call forgets the closures
        assert_ok(mbd_inverse_dynamics(tree, r.planar.on, NULL, NULL, tau.a, NULL, qdd[0].a));
        assert_true(!stage_any(r.planar.on, MBD_STAGE_DEFERRED_CLOSURES));
        compared++;
      }
    }
    free_robot(&r);
  }
  if (without > 0) {
    print_message("no kernels, no plan of planar loops: nothing to compare\n");
    return;
  }
  assert_count(compared, 80);
  assert_count(drifted, 30);
}

// where the parallelogram is flat, the general rows have to say that it is locked
static void
cut_joints_leave_singular_ones_to_the_general_rows(void ** context)
{
  (void)context;
  mbd_model_t * tree;
  int crank, rod, rocker;
  assert_ok(mbd_model_create("parallelogram", &tree));
  mbd_body_spec_t spec = mbd_body_spec_default();
  uint64_t state = 4;
  spec.type = MBD_JOINT_REVOLUTE;
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.inertia = random_inertia(&state);
  spec.name = "crank", spec.joint_name = "a", spec.parent = MBD_WORLD_BODY;
  assert_ok(mbd_model_add_body(tree, &spec, &crank));
  spec.name = "rod", spec.joint_name = "b", spec.parent = crank;
  spec.placement.p = mbdu_vec3(0.2, 0, 0);
  assert_ok(mbd_model_add_body(tree, &spec, &rod));
  spec.name = "rocker", spec.joint_name = "c", spec.parent = MBD_WORLD_BODY;
  spec.placement.p = mbdu_vec3(0.5, 0, 0);
  assert_ok(mbd_model_add_body(tree, &spec, &rocker));
  mbd_closure_spec_t pin = mbd_closure_spec_default();
  pin.name = "pin", pin.type = MBD_CLOSURE_ON_LINE;
  pin.frame_a = rod, pin.frame_b = rocker;
  pin.X_a.p = mbdu_vec3(0.5, 0, 0), pin.X_b.p = mbdu_vec3(0.2, 0, 0);
  assert_ok(mbd_model_add_closure(tree, &pin, NULL));
  assert_ok(mbd_model_finalize(tree));
  mbd_data_t * data;
  assert_ok(mbd_data_create(tree, &data));
  mat_t work = mat((int)mbd_constrained_work(tree), 1);
  double q[3] = {0}, v[3] = {0}, tau[3] = {1, 2, 3}, qdd[3];
  assert_status(
    mbd_constrained_forward_dynamics(tree, data, q, v, tau, NULL, NULL, work.a, qdd, NULL, NULL),
    MBD_ERROR_LOCKED);
  // nearly flat: the rows are regular, but not regular enough for one pair of joints
  for (int k = 0; k < 2; k++) {
    const double angle = k ? 1 : 1e-5;
    q[0] = q[2] = angle, q[1] = -angle;
    for (int i = 0; i < 3; i++) v[i] = i == 1 ? -0.1 : 0.1;
    assert_ok(
      mbd_constrained_forward_dynamics(tree, data, q, v, tau, NULL, NULL, work.a, qdd, NULL, NULL));
    assert_true(stage_any(data, MBD_STAGE_DEFERRED_CLOSURES) == (k == 1 && has_kernels(tree)));
    // a parallelogram stays one
    assert_near(qdd[0], qdd[2], 1e-9, "crank and rocker");
    assert_near(qdd[0], -qdd[1], 1e-9, "crank and rod");
  }
  mbd_data_destroy(data);
  mbd_model_destroy(tree);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(agrees_with_the_general_rows),
    cmocka_unit_test(closes_gaps),
    cmocka_unit_test(cut_joints_agree_with_the_general_rows),
    cmocka_unit_test(cut_joints_leave_singular_ones_to_the_general_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
