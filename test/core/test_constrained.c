// Cut joints against elimination in null spaces, closed forms and figures of the literature.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "closed_tree.h"
#include "core_test.h"
#include "mbdyn/assembly.h"
#include "mbdyn/constrained.h"
#include "null_space.h"
#include "rig.h"

//---------- the oracle ----------

typedef struct oracle {
  dense_t dense;
  mat_t M, h, G, gamma;  // M with rotors, h with friction
} oracle_t;

static oracle_t
oracle_of(const rig_t * r, double time)
{
  oracle_t o;
  const mbd_model_t * model = r->model;
  o.dense = dense_at(model, NULL, r->q, r->v, model->gravity);
  o.M = dense_mass(&o.dense);
  o.h = dense_bias(&o.dense);
  const mat_t rotors = dense_rotors(model);
  mat_t friction = mat(model->nv, 1);
  assert_ok(mbd_friction(model, r->v, friction.a));
  for (int k = 0; k < model->nv; k++) {
    if (r->data->terms & MBD_TERM_ROTORS) *at(o.M, k, k) += rotors.a[k];
    if (r->data->terms & MBD_TERM_FRICTION) o.h.a[k] += friction.a[k];
  }
  o.G = mat(model->nrow, model->nv);
  o.gamma = mat(model->nrow, 1);
  assert_ok(mbd_set_position(model, r->data, r->q));
  assert_ok(mbd_set_velocity(model, r->data, r->v));
  assert_ok(mbd_closure_jacobian(model, r->data, o.G.a));
  assert_ok(mbd_closure_bias(model, r->data, time, o.gamma.a));
  return o;
}

// well enough conditioned that 1e-9 can be asked for: no rank in doubt
static bool
decent(const oracle_t * o)
{
  return null_space(o->G, 1e-4).c == null_space(o->G, 1e-9).c;
}

static mat_t
wrenches_in_joints(const oracle_t * o, const mbd_wrenches_t * wrenches)
{
  mat_t sum = mat(o->dense.nv, 1);
  for (int k = 0; wrenches && k < wrenches->n; k++) {
    const mat_t J = dense_jacobian(&o->dense, wrenches->w[k].frame, wrenches->w[k].reference);
    sum = SUM(sum, PROD(tr(J), force6(wrenches->w[k].f)));
  }
  return sum;
}

// a closed robot from a seed, assembled; wrenches on two frames
typedef struct closed {
  tree_t * t;
  rig_t r;
  mbd_wrench_t w[2];
  mbd_wrenches_t wrenches;
} closed_t;

static void
closed_begin(closed_t * c, uint64_t seed, const tree_options_t * options)
{
  c->t = closed_tree(seed, options, 1);
  c->r = rig_of(c->t->model);
  uint64_t state = seed + 7;
  memcpy(c->r.q, c->t->q, (size_t)c->t->model->nq * sizeof *c->r.q);
  memcpy(c->r.v, c->t->v, (size_t)c->t->model->nv * sizeof *c->r.v);
  memcpy(c->r.tau, c->t->tau, (size_t)c->t->model->nv * sizeof *c->r.tau);
  for (int k = 0; k < 2; k++) {
    c->w[k].frame = random_below(&state, c->t->model->nframe);
    c->w[k].reference = (mbd_reference_t)random_below(&state, 3);
    c->w[k].f = random_force(&state);
  }
  c->wrenches = (mbd_wrenches_t){2, c->w};
  assert_ok(mbd_set_terms(c->r.data, (uint32_t)random_below(&state, 4)));
  rig_assemble(&c->r);
}

static bool
closed_end(closed_t * c)
{
  rig_free(&c->r);
  tree_free(c->t);
  mats_free();
  return false;
}

#define FOR_CLOSED(n, options)                 \
  for (uint64_t seed = 1; seed <= (n); seed++) \
    for (bool open_ = (closed_begin(&the, seed, options), true); open_; open_ = closed_end(&the))

static closed_t the;

//---------- forward dynamics ----------

// accelerations are those of the null space; multipliers make up what is missing of the torques
static void
accelerations_are_those_of_the_null_space(void ** context)
{
  (void)context;
  int found = 0, redundant = 0;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const oracle_t o = oracle_of(r, 0);
    const mat_t applied = SUM(column(r->model->nv, r->tau), wrenches_in_joints(&o, &the.wrenches));
    const mat_t rhs = sub(applied, o.h);
    if (!decent(&o)) continue;
    found++;
    const mat_t qdd = constrained_acceleration(o.M, rhs, o.G, o.gamma);
    const answer_t a = forward(r, &the.wrenches, NULL);
    redundant += a.info.nredundant > 0;
    const double size = fmax(1, largest_entry(qdd));
    assert_mat_floor(a.qdd, qdd, 1e-9, size, "qdd, seed %lu", seed);
    const mat_t force = sub(PROD(o.M, qdd), rhs);
    const double heavy = fmax(1, largest_entry(force));
    assert_mat_floor(PROD(tr(o.G), a.lambda), force, 1e-9, 10 * heavy, "G^T lambda, %lu", seed);
    mat_t torque = mat(r->model->nv, 1);
    assert_ok(mbd_closure_torque(r->model, r->data, a.lambda.a, torque.a));
    assert_mat_floor(torque, force, 1e-9, 10 * heavy, "closure torque, seed %lu", seed);
    assert_int_equal(a.info.mobility, null_space(o.G, 1e-6).c);
    // tau may be qdd, and lambda and info need not be there
    memcpy(torque.a, r->tau, (size_t)r->model->nv * sizeof *torque.a);
    assert_ok(mbd_constrained_forward_dynamics(
      r->model, r->data, NULL, NULL, torque.a, &the.wrenches, NULL, r->work, torque.a, NULL, NULL));
    assert_mat_floor(torque, a.qdd, 1e-12, size, "in place, seed %lu", seed);
  }
  assert_true(found > 0.8 * TREES && redundant > 10);
}

// multipliers as wrenches on links: with them the tree moves as it does, by Newton and Euler
static void
joint_forces_are_those_of_the_motion(void ** context)
{
  (void)context;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const oracle_t o = oracle_of(r, 0);
    if (!decent(&o)) continue;
    const answer_t a = forward(r, &the.wrenches, NULL);
    mbd_wrench_t all[2 + 2 * MOST_LOOPS] = {the.w[0], the.w[1]};
    int n = 2;
    for (int k = 0; k < r->model->nclosure; k++) {
      const mbd_closure_t * c = &r->model->closure[k];
      if (c->type == MBD_CLOSURE_COUPLING) continue;
      mbd_force_t f;
      assert_ok(mbd_closure_wrench(r->model, r->data, k, a.lambda.a, &f));
      // from B's origin (A's for rows of velocity) in axes of A to the world
      const mat_t A =
        c->body_a < 0 ? placement4(&c->X_a) : PROD(o.dense.X_world[c->body_a], placement4(&c->X_a));
      const mat_t B =
        c->body_b < 0 ? placement4(&c->X_b) : PROD(o.dense.X_world[c->body_b], placement4(&c->X_b));
      mat_t where = A;
      if (c->nposition > 0) set_block(where, 0, 3, block(B, 0, 3, 4, 1));
      const mat_t F = PROD(phi6(where), force6(f));
      for (int side = 0; side < 2; side++) {
        const int body = side ? c->body_a : c->body_b;
        const double sign = side ? -1 : 1;
        if (body < 0 || (side && c->nposition == 0)) continue;
        mbd_wrench_t w = {r->model->body[body].link_frame, MBD_WORLD, {{0, 0, 0}, {0, 0, 0}}};
        w.f.ang = mbdu_vec3(sign * F.a[0], sign * F.a[1], sign * F.a[2]);
        w.f.lin = mbdu_vec3(sign * F.a[3], sign * F.a[4], sign * F.a[5]);
        all[n++] = w;
      }
    }
    const mbd_wrenches_t list = {n, all};
    const mat_t through = dense_force(&o.dense, a.qdd, &list);
    const double size = fmax(1, largest_entry(through));
    for (int i = 0; i < r->model->nbody; i++) {
      mbd_force_t f;
      assert_ok(mbd_joint_force(r->model, r->data, i, &f));
      const mat_t X = placement4(&r->model->frame[r->model->body[i].link_frame].X);
      const mat_t ours = PROD(phi6(X), force6(f));
      assert_mat_floor(ours, block(through, 6 * i, 0, 6, 1), 1e-9, size, "seed %lu, %d", seed, i);
    }
  }
}

// a closure that is open is not there
static void
open_closures_do_not_act(void ** context)
{
  (void)context;
  FOR_CLOSED(60, NULL)
  {
    const rig_t * r = &the.r;
    bool open[MOST_LOOPS];
    for (int k = 0; k < MOST_LOOPS; k++) open[k] = k % 2 == 0;
    mbd_constrained_options_t options = mbd_constrained_options_default();
    options.open = open;
    const oracle_t o = oracle_of(r, 0);
    if (!decent(&o)) continue;
    mat_t G = mat_from(o.G.r, o.G.c, o.G.a), gamma = mat_from(o.G.r, 1, o.gamma.a);
    for (int k = 0; k < r->model->nclosure; k += 2) {
      const mbd_closure_t * c = &r->model->closure[k];
      set_block(G, c->row, 0, mat(c->nrow, G.c));
      set_block(gamma, c->row, 0, mat(c->nrow, 1));
    }
    const mat_t rhs = sub(column(r->model->nv, r->tau), o.h);
    const answer_t a = forward(r, NULL, &options);
    const mat_t qdd = constrained_acceleration(o.M, rhs, G, gamma);
    assert_mat_floor(a.qdd, qdd, 1e-9, fmax(1, largest_entry(qdd)), "seed %lu", seed);
    for (int k = 0; k < r->model->nclosure; k += 2) {
      const mbd_closure_t * c = &r->model->closure[k];
      for (int i = 0; i < c->nrow; i++) assert_true(fabs(a.lambda.a[c->row + i]) == 0);
    }
    for (int k = 0; k < r->model->nclosure; k++) open[k] = true;
    mat_t free_qdd = mat(r->model->nv, 1);
    assert_ok(mbd_forward_dynamics(r->model, r->data, r->q, r->v, r->tau, NULL, free_qdd.a));
    assert_mat_floor(forward(r, NULL, &options).qdd, free_qdd, 1e-12, 1, "all, seed %lu", seed);
  }
}

// the same four-bar with pins of two, three and five rows moves alike, and its pin carries the same
static void
redundant_rows_change_nothing(void ** context)
{
  (void)context;
  static const mbd_closure_type_t pins[3] = {
    MBD_CLOSURE_ON_LINE, MBD_CLOSURE_SPHERICAL, MBD_CLOSURE_REVOLUTE};
  uint64_t state = 3;
  for (int k = 0; k < 20; k++) {
    four_bar_t bar = four_bar_default();
    bar.base = random_placement(&state);
    const double angle = random_between(&state, -3, 3), rate = 3 * random_signed(&state);
    double qdd[3][3], pin[3][2];
    for (int p = 0; p < 3; p++) {
      bar.type = pins[p];
      mbd_model_t * model = four_bar(&bar);
      rig_t r = rig_of(model);
      bool held[3] = {false};
      held[dof(model, "crank_joint")] = true;
      mbd_assembly_options_t options = mbd_assembly_options_default();
      options.held = held;
      assert_true(four_bar_at(&bar, model, angle, r.q));
      r.v[dof(model, "crank_joint")] = rate;
      assert_ok(mbd_set_position(model, r.data, r.q));
      assert_ok(mbd_project_velocity(model, r.data, &options, r.v, r.work, r.v, NULL));
      const answer_t a = forward(&r, NULL, NULL);
      assert_int_equal(a.info.rank, 2);
      assert_int_equal(a.info.nredundant, model->nrow - 2);
      memcpy(qdd[p], a.qdd.a, sizeof qdd[p]);
      memcpy(pin[p], a.lambda.a, sizeof pin[p]);
      // nothing out of the plane
      for (int i = 2; i < model->nrow; i++) assert_near(a.lambda.a[i], 0, 1e-10, "row %d", i);
      rig_free(&r);
      mbd_model_destroy(model);
    }
    for (int p = 1; p < 3; p++) {
      assert_close(qdd[p], qdd[0], 3, 1e-10, "qdd of pin %d, %d", p, k);
      assert_close(pin[p], pin[0], 2, 1e-10, "force of pin %d, %d", p, k);
    }
    mats_free();
  }
}

// a weight on two rods side by side hangs on each alike
static void
twins_share_the_load(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_body_spec_t link = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("weight", &model));
  link.name = "weight", link.joint_name = "slide", link.type = MBD_JOINT_PRISMATIC;
  link.inertia.mass = 3;
  assert_ok(mbd_model_add_body(model, &link, &frame));
  mbd_closure_spec_t rod = mbd_closure_spec_default();
  rod.type = MBD_CLOSURE_DISTANCE, rod.frame_b = frame, rod.distance = 1;
  rod.X_a.p.z = 1;
  static const char * const names[3] = {"left", "right", "third"};
  for (int k = 0; k < 3; k++) {
    rod.name = names[k];
    assert_ok(mbd_model_add_closure(model, &rod, NULL));
  }
  assert_ok(mbd_model_finalize(model));
  rig_t r = rig_of(model);
  const answer_t a = forward(&r, NULL, NULL);
  assert_int_equal(a.info.nredundant, 2);
  for (int k = 0; k < 3; k++) assert_near(a.lambda.a[k], -9.81, 1e-12, "rod %d pulls", k);
  mbd_force_t f;
  assert_ok(mbd_closure_wrench(model, r.data, 0, a.lambda.a, &f));
  assert_near(f.lin.z, 9.81, 1e-12, "upwards");
  rig_free(&r);
  mbd_model_destroy(model);
  mats_free();
}

//---------- mechanisms ----------

// rungs of four-bars on each other's couplers, some closed to the ground, cranks geared together
static mbd_model_t *
ladder(int n, bool in_plane, uint64_t * state)
{
  mbd_model_t * model;
  int base = MBD_WORLD_BODY;
  char name[8][32], joint[64][32];
  int used = 0;
  assert_ok(mbd_model_create("ladder", &model));
  for (int k = 0; k < n; k++) {
    int link[3];
    for (int j = 0; j < 3; j++) {
      mbd_body_spec_t spec = mbd_body_spec_default();
      snprintf(name[j], sizeof name[j], "l%d%d", k, j);
      snprintf(joint[used], sizeof joint[used], "j%d%d", k, j);
      spec.name = name[j], spec.joint_name = joint[used++];
      spec.type = MBD_JOINT_REVOLUTE;
      spec.parent = j == 1 ? link[0] : base;
      spec.placement.p.x = j == 1 ? 0.4 : j == 2 ? 1 : 0;
      // a spherical four-bar: all axes through one point; else all parallel
      if (!in_plane) spec.axis = mbdu_vec3(spec.placement.p.x - 3, -1, 0.2 * j);
      spec.inertia = random_inertia(state);
      assert_ok(mbd_model_add_body(model, &spec, &link[j]));
    }
    mbd_closure_spec_t pin = mbd_closure_spec_default();
    snprintf(name[3], sizeof name[3], "pin%d", k);
    pin.name = name[3];
    pin.type = in_plane ? MBD_CLOSURE_REVOLUTE : MBD_CLOSURE_DISTANCE;
    pin.distance = 0.9;
    pin.frame_a = link[1], pin.X_a.p = mbdu_vec3(1.1, 0, 0);
    pin.frame_b = link[2], pin.X_b.p = mbdu_vec3(0.8, 0, 0);
    assert_ok(mbd_model_add_closure(model, &pin, NULL));
    if (k > 0 && k % 2 == 0) {
      // this rung's crank is geared to the one before
      mbd_closure_spec_t gear = mbd_closure_spec_default();
      snprintf(name[4], sizeof name[4], "gear%d", k);
      gear.name = name[4], gear.type = MBD_CLOSURE_COUPLING, gear.ncoupled = 2;
      gear.joint[0] = joint[3 * k], gear.joint[1] = joint[3 * (k - 1)];
      gear.coefficient[0] = 1, gear.coefficient[1] = -0.5;
      assert_ok(mbd_model_add_closure(model, &gear, NULL));
    }
    // nested: the next rung stands on this one's coupler; else beside it on the ground
    if (k % 3 != 2) base = link[1];
  }
  mbd_closure_spec_t slot = mbd_closure_spec_default();
  slot.name = "slot", slot.type = MBD_CLOSURE_ON_PLANE, slot.frame_b = base;
  slot.X_a.R = random_rotation(state), slot.X_a.p = mbdu_vec3(0.6, 0.5, 0.1);
  if (!in_plane) assert_ok(mbd_model_add_closure(model, &slot, NULL));
  assert_ok(mbd_model_finalize(model));
  return model;
}

static void
mechanisms_move_as_eliminated(void ** context)
{
  (void)context;
  int found = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    const int n = 1 + random_below(&state, 5);
    mbd_model_t * model = ladder(n, seed % 2 == 0, &state);
    rig_t r = rig_of(model);
    for (int k = 0; k < model->nv; k++) {
      const char kind = model->body[model->dof_body[k]].joint_name[2];
      r.q[k] = (kind == '0' ? 1 : kind == '1' ? -0.6 : 1.3) + 0.1 * random_signed(&state);
      r.v[k] = 2 * random_signed(&state);
      r.tau[k] = 5 * random_signed(&state);
    }
    mbd_assembly_t closed;
    if (mbd_assemble(model, r.data, NULL, r.q, r.work, r.q, &closed) == MBD_OK) {
      assert_true(closed.error_position < 1e-12 && closed.error_angle < 1e-12);
      rig_assemble(&r);
      const oracle_t o = oracle_of(&r, 0);
      if (decent(&o)) {
        found++;
        const mat_t rhs = sub(column(model->nv, r.tau), o.h);
        const mat_t qdd = constrained_acceleration(o.M, rhs, o.G, o.gamma);
        const answer_t a = forward(&r, NULL, NULL);
        assert_mat_floor(a.qdd, qdd, 1e-9, fmax(1, largest_entry(qdd)), "seed %lu", seed);
        const mat_t force = sub(PROD(o.M, qdd), rhs);
        assert_mat_floor(
          PROD(tr(o.G), a.lambda), force, 1e-9, fmax(1, largest_entry(force)), "force %lu", seed);
        if (seed % 2 == 0) assert_int_equal(a.info.nredundant, 3 * n);
      }
    }
    rig_free(&r);
    mbd_model_destroy(model);
    mats_free();
  }
  assert_true(found > 25);
}

//---------- torques ----------

// Y_C tau = N (N^T M N)^-1 N^T tau
static void
response_is_that_of_the_null_space(void ** context)
{
  (void)context;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const oracle_t o = oracle_of(r, 0);
    if (!decent(&o)) continue;
    const mat_t N = null_space(o.G, 1e-9), tau = column(r->model->nv, r->tau);
    const mat_t expected = N.c ? PROD(N, inverse(PROD(tr(N), o.M, N)), tr(N), tau) : mat(N.r, 1);
    mat_t qdd = column(r->model->nv, r->tau);
    assert_ok(mbd_constrained_response(r->model, r->data, qdd.a, NULL, r->work, qdd.a));
    assert_mat_floor(qdd, expected, 1e-9, fmax(1, largest_entry(expected)), "seed %lu", seed);
  }
}

// squeeze moves nothing, move moves as the whole; P = G^T (G W G^T)^-1 G W where that exists
static void
torques_move_or_squeeze(void ** context)
{
  (void)context;
  int found = 0;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const oracle_t o = oracle_of(r, 0);
    if (!decent(&o)) continue;
    mat_t W = mat(nv, nv), weight = mat(nv, 1), move = mat(nv, 1), squeeze = mat(nv, 1);
    uint64_t state = seed;
    for (int k = 0; k < nv; k++) *at(W, k, k) = weight.a[k] = random_between(&state, 0.1, 3);
    const mat_t tau = column(nv, r->tau);
    assert_ok(
      mbd_move_squeeze(r->model, r->data, tau.a, weight.a, NULL, r->work, move.a, squeeze.a));
    assert_mat_floor(SUM(move, squeeze), tau, 1e-13, 1, "sum, seed %lu", seed);
    const mat_t N = null_space(o.G, 1e-9);
    const double size = fmax(1, largest_entry(N)) * 10;
    assert_mat_floor(PROD(tr(N), squeeze), mat(N.c, 1), 1e-10, size, "squeeze, seed %lu", seed);
    // move is W-orthogonal to everything that squeezes
    assert_mat_floor(
      PROD(o.G, W, move), mat(o.G.r, 1), 1e-10, fmax(1, largest_entry(o.G)) * 10, "least %lu",
      seed);
    if (o.G.r > 0 && null_space(tr(o.G), 1e-6).c == 0) {
      const mat_t P = PROD(tr(o.G), inverse(PROD(o.G, W, tr(o.G))), o.G, W);
      assert_mat_floor(squeeze, PROD(P, tau), 1e-7, size, "projector, seed %lu", seed);
      found++;
    }
    // one of them alone, in place, equal weights
    assert_ok(
      mbd_move_squeeze(r->model, r->data, move.a, weight.a, NULL, r->work, NULL, squeeze.a));
    assert_mat_floor(squeeze, mat(nv, 1), 1e-10, 10, "twice, seed %lu", seed);
    assert_ok(mbd_move_squeeze(r->model, r->data, move.a, NULL, NULL, r->work, move.a, NULL));
    assert_mat_floor(PROD(o.G, move), mat(o.G.r, 1), 1e-10, size, "in place, seed %lu", seed);
  }
  assert_true(found > 20);
}

//---------- inverse dynamics ----------

// the torques give the motion; with them all joints are actuated or none of the rest is loaded
static void
torques_give_the_motion(void ** context)
{
  (void)context;
  int few = 0, enough = 0;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const oracle_t o = oracle_of(r, 0);
    if (!decent(&o)) continue;
    const mat_t qdd = forward(r, &the.wrenches, NULL).qdd;
    const mat_t N = null_space(o.G, 1e-9);
    bool actuated[64];
    uint64_t state = seed;
    for (int k = 0; k < nv; k++) actuated[k] = seed % 4 == 0 || random_below(&state, 3) > 0;
    mat_t tau = mat(nv, 1), lambda = mat(r->model->nrow, 1), again = mat(nv, 1);
    mat_t S = mat(nv, nv);
    for (int k = 0; k < nv; k++) *at(S, k, k) = actuated[k];
    const mbd_status_t status = mbd_constrained_inverse_dynamics(
      r->model, r->data, r->q, r->v, qdd.a, &the.wrenches, actuated, NULL, NULL, r->work, tau.a,
      lambda.a, NULL);
    // every motion that the loops leave can be given iff N^T S has full rank
    const bool full = N.c == 0 || null_space(tr(PROD(tr(N), S)), 1e-4).c == 0;
    const bool doubtful = full != (N.c == 0 || null_space(tr(PROD(tr(N), S)), 1e-9).c == 0);
    if (full && !doubtful) assert_int_equal(status, MBD_OK);
    if (status != MBD_OK) {
      assert_int_equal(status, MBD_ERROR_UNDERACTUATED);
      assert_false(actuated[r->model->body[r->data->culprit].v_index] && full);
      few++;
      continue;
    }
    enough++;
    for (int k = 0; k < nv; k++) assert_true(actuated[k] || tau.a[k] == 0);
    // what is not torque is closures: M qdd + h - J^T f = tau + G^T lambda
    const mat_t need = sub(SUM(PROD(o.M, qdd), o.h), wrenches_in_joints(&o, &the.wrenches));
    const double size = fmax(1, largest_entry(need)) * 10;
    assert_mat_floor(SUM(tau, PROD(tr(o.G), lambda)), need, 1e-8, size, "balance, %lu", seed);
    assert_ok(mbd_constrained_forward_dynamics(
      r->model, r->data, r->q, r->v, tau.a, &the.wrenches, NULL, r->work, again.a, NULL, NULL));
    assert_mat_floor(again, qdd, 1e-8, fmax(1, largest_entry(qdd)), "there and back, %lu", seed);
    // least: no internal force makes the torques smaller, so they are orthogonal to all of them
    const mat_t hidden = sub(eye(nv), S), K = null_space(PROD(hidden, tr(o.G)), 1e-8);
    const mat_t inner = PROD(tr(K), o.G, tau);
    assert_mat_floor(
      inner, mat(inner.r, 1), 1e-7, size * fmax(1, largest_entry(K) * largest_entry(o.G)),
      "least, seed %lu", seed);
  }
  assert_true(enough > 60 && few > 10);
}

// gravity acts in its plane: y is up
static four_bar_t
upright_four_bar(void)
{
  four_bar_t bar = four_bar_default();
  bar.base.R = (mbd_mat3_t){{1, 0, 0, 0, 0, -1, 0, 1, 0}};
  return bar;
}

// weights shift the load: the four-bar's crank driven alone, its rocker alone, or both
static void
weights_share_the_load(void ** context)
{
  (void)context;
  four_bar_t bar = upright_four_bar();
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  const int crank = dof(model, "crank_joint"), rocker = dof(model, "rocker_joint");
  const int coupler = dof(model, "coupler_joint");
  bool actuated[3] = {false};
  double tau[3], alone[2], weight[3] = {1, 1, 1}, lambda[2];
  assert_true(four_bar_at(&bar, model, 0.8, r.q));
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_set_velocity(model, r.data, r.v));
  mbd_constrained_options_t options = mbd_constrained_options_default();
#define HOLD(wish)                            \
  assert_ok(mbd_constrained_inverse_dynamics( \
    model, r.data, NULL, NULL, NULL, NULL, actuated, wish, &options, r.work, tau, lambda, NULL))
  actuated[crank] = true;
  HOLD(NULL);
  alone[0] = tau[crank];
  actuated[crank] = false, actuated[rocker] = true;
  HOLD(NULL);
  alone[1] = tau[rocker];
  assert_true(fabs(alone[0]) > 0.1 && fabs(alone[1]) > 0.1);
  actuated[crank] = true;
  HOLD(NULL);
  // on the line between both ways, and the point of it that is nearest to zero
  assert_near(tau[crank] / alone[0] + tau[rocker] / alone[1], 1, 1e-12, "line");
  assert_near(tau[crank] * alone[0], tau[rocker] * alone[1], 1e-12, "nearest");
  assert_true(tau[coupler] == 0);
  options.weight = weight;
  weight[rocker] = 1e8;
  HOLD(NULL);
  assert_near(tau[crank], alone[0], 1e-6, "the crank carries it all");
  // an internal force that was wished for is there, since two actuators leave one open
  options.weight = NULL;
  HOLD(NULL);
  double wish[2] = {lambda[0] + 10, lambda[1] + 10}, moved[2];
  HOLD(wish);
  for (int k = 0; k < 2; k++) moved[k] = lambda[k];
  assert_true(hypot(moved[0] - wish[0], moved[1] - wish[1]) < 10);
  HOLD(moved);
  assert_close(lambda, moved, 2, 1e-12, "a wish that can be had");
  // nothing actuated
  actuated[crank] = actuated[rocker] = false;
  assert_status(
    mbd_constrained_inverse_dynamics(
      model, r.data, NULL, NULL, NULL, NULL, actuated, NULL, NULL, r.work, tau, NULL, NULL),
    MBD_ERROR_UNDERACTUATED);
  assert_non_null(mbd_culprit_name(r.data));
  // a motion that the loop does not allow
  const double qdd[3] = {1, 1, 1};
  mbd_constrained_t info;
  assert_status(
    mbd_constrained_inverse_dynamics(
      model, r.data, NULL, NULL, qdd, NULL, NULL, NULL, NULL, r.work, tau, NULL, &info),
    MBD_ERROR_NOT_ASSEMBLED);
  assert_int_equal(info.culprit, 0);
  rig_free(&r);
  mbd_model_destroy(model);
}

//---------- impulses ----------

// G v = 0 after it; the closures do no work on what moves on: N^T M (v+ - v-) = N^T J^T p
static void
closing_loops_loses_energy(void ** context)
{
  (void)context;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const oracle_t o = oracle_of(r, 0);
    if (!decent(&o)) continue;
    // any velocity: the loops snap shut in this instant
    const mat_t before = column(nv, the.t->v), N = null_space(o.G, 1e-9);
    mat_t after = mat(nv, 1), impulse = mat(r->model->nrow, 1), U = mat(r->model->nrow, 1);
    for (int with = 0; with < 2; with++) {
      const mbd_wrenches_t * p = with ? &the.wrenches : NULL;
      assert_ok(mbd_closing_impulse(
        r->model, r->data, before.a, p, NULL, r->work, after.a, impulse.a, NULL));
      const double size = fmax(1, largest_entry(after)) * fmax(1, largest_entry(o.G));
      assert_mat_floor(PROD(o.G, after), U, 1e-9, size, "G v, seed %lu", seed);
      const mat_t change = PROD(o.M, sub(after, before)), push = wrenches_in_joints(&o, p);
      const double heavy = fmax(1, largest_entry(change)) * fmax(1, largest_entry(N));
      assert_mat_floor(
        PROD(tr(N), change), PROD(tr(N), push), 1e-9, heavy, "momentum, seed %lu", seed);
      assert_mat_floor(
        SUM(push, PROD(tr(o.G), impulse)), change, 1e-9, 10 * heavy, "impulse, seed %lu", seed);
      if (with) continue;
      const mat_t jump = sub(after, before);
      const double lost =
        scalar(PROD(tr(before), o.M, before)) - scalar(PROD(tr(after), o.M, after));
      const double kicked = scalar(PROD(tr(jump), o.M, jump));
      assert_near(lost / fmax(1, kicked), kicked / fmax(1, kicked), 1e-8, "Carnot, seed %lu", seed);
    }
  }
}

//---------- drivers and drift ----------

// a crank at constant speed: no acceleration of its own, and the torque of inverse dynamics
static void
drivers_prescribe_motion(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  mbd_model_t * plain = four_bar(&bar);
  rig_t p = rig_of(plain);
  const int crank = dof(plain, "crank_joint");
  bool held[3] = {false}, actuated[3] = {false};
  held[crank] = actuated[crank] = true;
  assert_true(four_bar_at(&bar, plain, 0.9, p.q));
  p.v[crank] = 2;
  mbd_assembly_options_t hold = mbd_assembly_options_default();
  hold.held = held;
  assert_ok(mbd_set_position(plain, p.data, p.q));
  assert_ok(mbd_project_velocity(plain, p.data, &hold, p.v, p.work, p.v, NULL));
  mbd_closure_spec_t motor = mbd_closure_spec_default();
  motor.name = "motor", motor.type = MBD_CLOSURE_COUPLING, motor.ncoupled = 1;
  motor.joint[0] = "crank_joint", motor.coefficient[0] = 1;
  motor.driver.value = 0.9 - 2 * 0.25, motor.driver.rate = 2;
  bar.extra = &motor;
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  memcpy(r.q, p.q, 3 * sizeof *r.q);
  memcpy(r.v, p.v, 3 * sizeof *r.v);
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.t = 0.25;
  double d[3];
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closure_error(model, r.data, 0.25, d));
  assert_near(d[2], 0, 1e-15, "the driver is where the crank is");
  const answer_t a = forward(&r, NULL, &options);
  assert_int_equal(a.info.mobility, 0);
  assert_near(a.qdd.a[crank], 0, 1e-12, "constant speed");
  double tau[3];
  assert_ok(mbd_constrained_inverse_dynamics(
    plain, p.data, p.q, p.v, a.qdd.a, NULL, actuated, NULL, NULL, p.work, tau, NULL, NULL));
  assert_near(a.lambda.a[2], tau[crank], 1e-11, "torque of the motor");
  rig_free(&r), rig_free(&p);
  mbd_model_destroy(model), mbd_model_destroy(plain);
  mats_free();
}

// a four-bar whose pin is off by a little, let go: rows after n steps of the midpoint rule
static void
fall(double stabilisation, double dt, int n, double * before, double * after)
{
  four_bar_t bar = upright_four_bar();
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.stabilisation = stabilisation;
  assert_true(four_bar_at(&bar, model, 1, r.q));
  r.q[dof(model, "coupler_joint")] += 1e-2;
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closure_error(model, r.data, 0, before));
  for (int k = 0; k < n; k++) {
    double qdd[3], q[3], v[3];
    assert_ok(mbd_constrained_forward_dynamics(
      model, r.data, r.q, r.v, NULL, NULL, &options, r.work, qdd, NULL, NULL));
    for (int i = 0; i < 3; i++) q[i] = r.q[i] + 0.5 * dt * r.v[i];
    for (int i = 0; i < 3; i++) v[i] = r.v[i] + 0.5 * dt * qdd[i];
    assert_ok(mbd_constrained_forward_dynamics(
      model, r.data, q, v, NULL, NULL, &options, r.work, qdd, NULL, NULL));
    for (int i = 0; i < 3; i++) r.q[i] += dt * v[i];
    for (int i = 0; i < 3; i++) r.v[i] += dt * qdd[i];
  }
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closure_error(model, r.data, 0, after));
  rig_free(&r);
  mbd_model_destroy(model);
}

// d'' + 2 w d' + w^2 d = 0 exactly: d = d0 (1 + w t) exp(-w t); without it the rows stay as they are
static void
stabilisation_is_a_damped_spring(void ** context)
{
  (void)context;
  double before[2], after[2];
  const double w = 8, t = 0.4, decay = (1 + w * t) * exp(-w * t);
  fall(0, 1e-3, 400, before, after);
  assert_close(after, before, 2, 1e-3, "not stabilised");
  fall(w, 1e-3, 400, before, after);
  for (int k = 0; k < 2; k++)
    assert_near(1e2 * after[k], 1e2 * decay * before[k], 1e-3, "row %d", k);
}

//---------- refusals ----------

static void
singular_and_contradictory_states_are_refused(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  bar.coupler = bar.ground, bar.rocker = bar.crank;
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  mbd_constrained_options_t options = mbd_constrained_options_default();
  mbd_constrained_t info;
  mbd_force_t f;
  double qdd[3] = {7, 7, 7};
  // flat: the rank is one; whoever knows that it ought to be two can ask for that
  options.rank = 2;
  assert_status(
    mbd_constrained_forward_dynamics(
      model, r.data, r.q, r.v, NULL, NULL, &options, r.work, qdd, NULL, &info),
    MBD_ERROR_LOCKED);
  assert_true(info.rank == 1 && info.culprit == 0 && qdd[0] == 7);
  // the free tree's accelerations are not left behind
  assert_status(mbd_joint_force(model, r.data, 0, &f), MBD_ERROR_STAGE);
  assert_ok(mbd_constrained_forward_dynamics(
    model, r.data, r.q, r.v, NULL, NULL, NULL, r.work, qdd, NULL, &info));
  for (int k = 0; k < 3; k++) assert_true(isfinite(qdd[k]));
  rig_free(&r);
  mbd_model_destroy(model);
  // two drivers that want one joint at different accelerations
  assert_ok(mbd_model_create("torn", &model));
  mbd_body_spec_t link = mbd_body_spec_default();
  int frame;
  link.name = "a", link.joint_name = "ja", link.type = MBD_JOINT_PRISMATIC, link.inertia.mass = 1;
  assert_ok(mbd_model_add_body(model, &link, &frame));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1, spec.joint[0] = "ja";
  spec.coefficient[0] = 1, spec.name = "one";
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  spec.name = "two", spec.driver.rate = 1;
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  assert_ok(mbd_model_finalize(model));
  r = rig_of(model);
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_status(
    mbd_closing_impulse(model, r.data, r.v, NULL, NULL, r.work, qdd, NULL, &info),
    MBD_ERROR_NOT_ASSEMBLED);
  assert_true(info.residual > 0.4 && info.culprit >= 0);
  // with stabilisation the contradiction of the rates is one of accelerations
  options = mbd_constrained_options_default();
  options.stabilisation = 10;
  assert_status(
    mbd_constrained_forward_dynamics(
      model, r.data, r.q, r.v, NULL, NULL, &options, r.work, qdd, NULL, &info),
    MBD_ERROR_NOT_ASSEMBLED);
  rig_free(&r);
  mbd_model_destroy(model);
}

static void
arguments_are_checked(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  double x[3] = {0}, l[2] = {0}, bad[3] = {0, (double)NAN, 0};
  mbd_force_t f;
  mbd_constrained_options_t o = mbd_constrained_options_default();
#define FORWARD(data, q, options, work, qdd) \
  mbd_constrained_forward_dynamics(model, data, q, r.v, x, NULL, options, work, qdd, NULL, NULL)
  assert_status(FORWARD(NULL, r.q, NULL, r.work, x), MBD_ERROR_NULL_ARGUMENT);
  assert_status(FORWARD(r.data, r.q, NULL, NULL, x), MBD_ERROR_NULL_ARGUMENT);
  assert_status(FORWARD(r.data, r.q, NULL, r.work, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(FORWARD(r.data, bad, NULL, r.work, x), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_constrained_response(model, r.data, x, NULL, r.work, x), MBD_ERROR_STAGE);
  assert_status(mbd_move_squeeze(model, r.data, x, NULL, NULL, r.work, x, NULL), MBD_ERROR_STAGE);
  assert_status(
    mbd_closing_impulse(model, r.data, x, NULL, NULL, r.work, x, NULL, NULL), MBD_ERROR_STAGE);
  assert_status(mbd_closure_torque(model, r.data, l, x), MBD_ERROR_STAGE);
  assert_status(mbd_closure_wrench(model, r.data, 0, l, &f), MBD_ERROR_STAGE);
  o.stabilisation = -1;
  assert_status(FORWARD(r.data, r.q, &o, r.work, x), MBD_ERROR_BAD_ARGUMENT);
  o = mbd_constrained_options_default(), o.t = (double)NAN;
  assert_status(FORWARD(r.data, r.q, &o, r.work, x), MBD_ERROR_NOT_FINITE);
  o = mbd_constrained_options_default(), o.rank_tolerance = 0;
  assert_status(FORWARD(r.data, r.q, &o, r.work, x), MBD_ERROR_BAD_ARGUMENT);
  assert_true(four_bar_at(&bar, model, 1, r.q));
  assert_ok(FORWARD(r.data, r.q, NULL, r.work, x));
  double weight[3] = {1, 0, 1};
  assert_status(
    mbd_move_squeeze(model, r.data, x, weight, NULL, r.work, x, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_move_squeeze(model, r.data, bad, NULL, NULL, r.work, x, NULL), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_closure_wrench(model, r.data, 1, l, &f), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_closure_wrench(model, r.data, -1, l, &f), MBD_ERROR_BAD_ARGUMENT);
  l[0] = (double)NAN;
  assert_status(mbd_closure_wrench(model, r.data, 0, l, &f), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_closure_torque(model, r.data, l, x), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_constrained_work(NULL), 0);
  rig_free(&r);
  mbd_model_destroy(model);
}

// nothing is written behind the work memory that was asked for
static void
memory_is_respected(void ** context)
{
  (void)context;
  FOR_CLOSED(60, NULL)
  {
    const rig_t * r = &the.r;
    const int nv = r->model->nv;
    const size_t n = mbd_constrained_work(r->model);
    double * work = calloc(n + 4, sizeof *work);
    mat_t x = mat(nv, 1), l = mat(r->model->nrow, 1);
    for (int k = 0; k < 4; k++) work[n + (size_t)k] = 7;
    assert_ok(mbd_constrained_forward_dynamics(
      r->model, r->data, r->q, r->v, r->tau, NULL, NULL, work, x.a, l.a, NULL));
    assert_ok(mbd_constrained_inverse_dynamics(
      r->model, r->data, r->q, r->v, x.a, NULL, NULL, NULL, NULL, work, x.a, l.a, NULL));
    assert_ok(mbd_constrained_inverse_dynamics(
      r->model, r->data, r->q, r->v, forward(r, NULL, NULL).qdd.a, NULL, NULL, l.a, NULL, work, x.a,
      l.a, NULL));
    assert_ok(mbd_constrained_response(r->model, r->data, x.a, NULL, work, x.a));
    assert_ok(mbd_move_squeeze(r->model, r->data, x.a, NULL, NULL, work, x.a, NULL));
    assert_ok(mbd_closing_impulse(r->model, r->data, r->v, NULL, NULL, work, x.a, l.a, NULL));
    for (int k = 0; k < 4; k++) assert_true(work[n + (size_t)k] == 7);
    free(work);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(accelerations_are_those_of_the_null_space),
    cmocka_unit_test(joint_forces_are_those_of_the_motion),
    cmocka_unit_test(open_closures_do_not_act),
    cmocka_unit_test(redundant_rows_change_nothing),
    cmocka_unit_test(twins_share_the_load),
    cmocka_unit_test(mechanisms_move_as_eliminated),
    cmocka_unit_test(response_is_that_of_the_null_space),
    cmocka_unit_test(torques_move_or_squeeze),
    cmocka_unit_test(torques_give_the_motion),
    cmocka_unit_test(weights_share_the_load),
    cmocka_unit_test(closing_loops_loses_energy),
    cmocka_unit_test(drivers_prescribe_motion),
    cmocka_unit_test(stabilisation_is_a_damped_spring),
    cmocka_unit_test(singular_and_contradictory_states_are_refused),
    cmocka_unit_test(arguments_are_checked),
    cmocka_unit_test(memory_is_respected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
