// The same floating robot from each of its links.
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/operators/reroot.h"

#include <stdio.h>
#include <string.h>

#include "by_hand.h"
#include "closed_tree.h"

//---------- robots ----------

typedef struct edit {
  const tree_t * t;
  bool driven;
} edit_t;

// no drive on what the world carries; on other joints as `arg` says
static void
edit_drives(mbd_body_spec_t * spec, int link, void * arg)
{
  (void)link;
  const edit_t * edit = arg;
  int parent = spec->parent;
  while (parent >= 0 && edit->t->link[parent].spec.type == MBD_JOINT_FIXED) {
    parent = edit->t->link[parent].spec.parent;
  }
  if (parent >= 0 && edit->driven) return;
  spec->drive.viscous = spec->drive.coulomb = spec->drive.rotor_inertia = 0;
}

// a random robot whose bases have no drives, in two models, with states of both
typedef struct pair {
  mbd_model_t * model;
  mbd_reroot_t * reroot;
  mbd_data_t *data, *data_new;
  mat_t q, v, qdd, tau;  // of the new model
  mbd_wrench_t wrench[3];
  mbd_wrenches_t f_ext;
} pair_t;

static bool
can_be_base(const mbd_model_t * m, int frame)
{
  int body = m->frame[frame].body;
  if (body < 0) return false;
  while (m->body[body].parent >= 0) body = m->body[body].parent;
  return m->body[body].type == MBD_JOINT_FREE;
}

static pair_t
pair_of(const tree_t * t, bool driven, uint64_t * state)
{
  edit_t edit = {t, driven};
  pair_t p = {.model = rebuild(t, edit_drives, &edit)};
  const mbd_model_t * m = p.model;
  int frame;
  do frame = random_below(state, m->nframe);
  while (!can_be_base(m, frame));
  assert_ok(mbd_reroot_create(p.model, frame, &p.reroot));
  assert_ok(mbd_data_create(m, &p.data));
  assert_ok(mbd_data_create(p.reroot->model, &p.data_new));
  p.q = mat(m->nq, 1), p.v = mat(m->nv, 1), p.qdd = mat(m->nv, 1), p.tau = mat(m->nv, 1);
  assert_ok(
    mbd_reroot_motion(p.reroot, MBD_REROOT_TO_NEW, t->q, t->v, t->qdd, p.q.a, p.v.a, p.qdd.a));
  assert_ok(mbd_reroot_torque(p.reroot, MBD_REROOT_TO_NEW, t->q, t->tau, p.tau.a));
  for (int k = 0; k < 3; k++) {
    p.wrench[k].frame = random_below(state, m->nframe);
    p.wrench[k].reference = (mbd_reference_t)k;
    p.wrench[k].f = random_force(state);
  }
  return p;
}

static void
pair_free(pair_t * p)
{
  mbd_data_destroy(p->data);
  mbd_data_destroy(p->data_new);
  mbd_reroot_destroy(p->reroot);
  mbd_model_destroy(p->model);
}

/// For each robot: `body` with t, p, m (as given), w (re-rooted) and seed in scope.
#define FOR_PAIRS(n)                                                                        \
  FOR_TREES(n, (&(const tree_options_t){1, 12, false, true, seed % 3 == 0, seed % 4 == 1})) \
  for (pair_t p = pair_of(t, seed % 2, (uint64_t[]){seed}); p.model;                        \
       pair_free(&p), p.model = NULL)                                                       \
    for (const mbd_model_t *m = p.model, *w = p.reroot->model; w; w = NULL)

static void
set_both(const tree_t * t, pair_t * p)
{
  assert_ok(mbd_set_position(p->model, p->data, t->q));
  assert_ok(mbd_set_velocity(p->model, p->data, t->v));
  assert_ok(mbd_set_position(p->reroot->model, p->data_new, p->q.a));
  assert_ok(mbd_set_velocity(p->reroot->model, p->data_new, p->v.a));
}

//---------- kinematics ----------

// every frame is where it was, moves and accelerates as it did
static void
frames_are_where_they_were(void ** context)
{
  (void)context;
  FOR_PAIRS(TREES)
  {
    assert_int_equal(m->nframe, w->nframe);
    assert_int_equal(m->nv, w->nv);
    set_both(t, &p);
    assert_ok(mbd_set_acceleration(m, p.data, t->qdd));
    assert_ok(mbd_set_acceleration(w, p.data_new, p.qdd.a));
    for (int f = 0; f < m->nframe; f++) {
      mbd_placement_t X, Y;
      mbd_motion_t V, U;
      assert_string_equal(m->frame[f].name, w->frame[f].name);
      assert_ok(mbd_frame_placement(m, p.data, f, &X));
      assert_ok(mbd_frame_placement(w, p.data_new, f, &Y));
      assert_mat_floor(placement4(&Y), placement4(&X), 1e-12, 1, "frame %d, seed %lu", f, seed);
      assert_ok(mbd_frame_velocity(m, p.data, f, MBD_LOCAL, &V));
      assert_ok(mbd_frame_velocity(w, p.data_new, f, MBD_LOCAL, &U));
      assert_mat_floor(motion6(U), motion6(V), 1e-11, 1, "V, frame %d, seed %lu", f, seed);
      assert_ok(mbd_frame_acceleration(m, p.data, f, MBD_LOCAL, &V));
      assert_ok(mbd_frame_acceleration(w, p.data_new, f, MBD_LOCAL, &U));
      assert_mat_floor(motion6(U), motion6(V), 1e-10, 1, "A, frame %d, seed %lu", f, seed);
    }
  }
}

// the base is the link that was asked for, at the frame of that link
static void
base_is_the_link(void ** context)
{
  (void)context;
  FOR_PAIRS(TREES)
  {
    const mbd_body_t * base = &w->body[p.reroot->base];
    assert_int_equal(base->type, MBD_JOINT_FREE);
    assert_int_equal(base->parent, MBD_WORLD_BODY);
    const mbd_placement_t * X = &w->frame[base->link_frame].X;
    assert_mat(placement4(X), eye(4), 1e-15, "seed %lu", seed);
    for (int i = 0; i < m->nbody; i++) {
      const mbd_body_t * joint = &w->body[p.reroot->joint[i]];
      assert_string_equal(joint->joint_name, m->body[i].joint_name);
      assert_int_equal(joint->nv, m->body[i].nv);
    }
  }
}

// q of the new model moves with v, and v with qdd: by differences along the motion
static void
coordinates_move_with_their_rates(void ** context)
{
  (void)context;
  tally_t cases = {0};
  const double h = 1e-6;
  FOR_PAIRS(TREES)
  {
    // rolling balls have no differences
    if (!tally(&cases, dense_holonomic(m))) continue;
    mat_t q[2], v[2];
    for (int side = 0; side < 2; side++) {
      q[side] = mat(m->nq, 1), v[side] = mat(m->nv, 1);
      const double s = side ? h : -h;
      const mat_t v_then = v_later(t, s), q_then = q_later(t, s);
      assert_ok(mbd_reroot_motion(
        p.reroot, MBD_REROOT_TO_NEW, q_then.a, v_then.a, NULL, q[side].a, v[side].a, NULL));
    }
    mat_t rate = mat(m->nv, 1);
    assert_ok(mbd_difference(w, q[0].a, q[1].a, rate.a));
    assert_mat_floor(scale(0.5 / h, rate), p.v, 1e-6, 1, "v, seed %lu", seed);
    assert_mat_floor(scale(0.5 / h, sub(v[1], v[0])), p.qdd, 1e-6, 1, "qdd, seed %lu", seed);
  }
  assert_enough(&cases, 0.6);
}

// columns of the motion subspace of joints that became user-defined: the placement's derivative, and
// their own rates, by differences
static void
reversed_subspaces_are_derivatives(void ** context)
{
  (void)context;
  const double h = 1e-6;
  int count = 0;
  FOR_PAIRS(TREES)
  {
    for (int i = 0; i < m->nbody; i++) {
      const mbd_body_t * joint = &w->body[p.reroot->joint[i]];
      if (joint->type != MBD_JOINT_USER) continue;
      const mbd_user_joint_t * user = &joint->user;
      const double *q = p.q.a + joint->q_index, *v = p.v.a + joint->v_index;
      mbd_motion_t S[6], S_then[2][6], rate[6], V = {{0, 0, 0}, {0, 0, 0}};
      mbd_placement_t X, X_then[2];
      user->transform(user->ctx, q, &X);
      user->subspace(user->ctx, q, S);
      user->subspace_rate(user->ctx, q, v, rate);
      for (int side = 0; side < 2; side++) {
        double q_then[8];
        dense_step(joint, q, v, side ? h : -h, q_then);
        user->transform(user->ctx, q_then, &X_then[side]);
        user->subspace(user->ctx, q_then, S_then[side]);
      }
      for (int k = 0; k < joint->nv; k++) {
        const mat_t moved = sub(motion6(S_then[1][k]), motion6(S_then[0][k]));
        assert_mat_floor(
          scale(0.5 / h, moved), motion6(rate[k]), 1e-7, 1, "rate %d, body %d, seed %lu", k, i,
          seed);
        V = mbdu_motion_add(V, mbdu_motion_scale(v[k], S[k]));
      }
      const mat_t moved = sub(placement4(&X_then[1]), placement4(&X_then[0]));
      assert_mat_floor(
        PROD(inverse4(placement4(&X)), scale(0.5 / h, moved)), twist4(motion6(V).a), 1e-7, 1,
        "S, body %d, seed %lu", i, seed);
      count++;
    }
  }
  assert_count(count, TREES / 4);
}

// every joint but the bases is neutral in both models at once
static void
neutral_joints_stay_neutral(void ** context)
{
  (void)context;
  tally_t reversed = {0};
  FOR_PAIRS(TREES)
  {
    mat_t there = mat(m->nq, 1), moved = mat(m->nq, 1), neutral = mat(m->nq, 1);
    assert_ok(mbd_neutral(m, there.a));
    assert_ok(
      mbd_reroot_motion(p.reroot, MBD_REROOT_TO_NEW, there.a, NULL, NULL, moved.a, NULL, NULL));
    for (int k = 0; k < m->nq; k++) neutral.a[k] = (double)NAN;
    assert_ok(mbd_neutral(w, neutral.a));
    for (int i = 0; i < w->nbody; i++) {
      const mbd_body_t * joint = &w->body[i];
      if (!tally(&reversed, joint->parent >= 0 && joint->type == MBD_JOINT_USER)) continue;
      assert_close_floor(
        neutral.a + joint->q_index, moved.a + joint->q_index, joint->nq, 1e-13, 1,
        "body %d, seed %lu", i, seed);
    }
  }
  assert_enough(&reversed, 0.05);
}

// there and back again
static void
states_come_back(void ** context)
{
  (void)context;
  FOR_PAIRS(TREES)
  {
    mat_t q = mat(m->nq, 1), v = mat(m->nv, 1), qdd = mat(m->nv, 1), tau = mat(m->nv, 1);
    assert_ok(
      mbd_reroot_motion(p.reroot, MBD_REROOT_TO_ORIGINAL, p.q.a, p.v.a, p.qdd.a, q.a, v.a, qdd.a));
    assert_ok(mbd_reroot_torque(p.reroot, MBD_REROOT_TO_ORIGINAL, p.q.a, p.tau.a, tau.a));
    for (int i = 0; i < m->nbody; i++) {
      // a quaternion and its opposite are the same
      const int k = m->body[i].q_index + 3;
      if (m->body[i].type != MBD_JOINT_FREE) continue;
      double dot = 0;
      for (int c = 0; c < 4; c++) dot += q.a[k + c] * t->q[k + c];
      for (int c = 0; c < 4 && dot < 0; c++) q.a[k + c] = -q.a[k + c];
    }
    assert_mat_floor(q, column(m->nq, t->q), 1e-13, 1, "q, seed %lu", seed);
    assert_mat_floor(v, column(m->nv, t->v), 1e-12, 1, "v, seed %lu", seed);
    assert_mat_floor(qdd, column(m->nv, t->qdd), 1e-11, 1, "qdd, seed %lu", seed);
    assert_mat_floor(tau, column(m->nv, t->tau), 1e-12, 1, "tau, seed %lu", seed);
  }
}

// the model re-rooted at its former base is the model
static void
models_come_back(void ** context)
{
  (void)context;
  FOR_PAIRS(TREES)
  {
    int base = m->frame[w->body[p.reroot->base].link_frame].body;
    while (m->body[base].parent >= 0) base = m->body[base].parent;
    mbd_reroot_t * back;
    assert_ok(mbd_reroot_create(p.reroot->model, m->body[base].link_frame, &back));
    const mbd_model_t * b = back->model;
    for (int i = 0; i < m->nbody; i++) {
      assert_string_equal(b->body[i].joint_name, m->body[i].joint_name);
      assert_int_equal(b->body[i].type, m->body[i].type);
      assert_int_equal(b->body[i].parent, m->body[i].parent);
      const mbd_placement_t X = m->body[i].X_tree;
      assert_mat_floor(
        placement4(&b->body[i].X_tree), placement4(&X), 1e-13, 1, "body %d, seed %lu", i, seed);
      assert_mat_floor(
        inertia6(&b->body[i].inertia), inertia6(&m->body[i].inertia), 1e-12, 1, "body %d, seed %lu",
        i, seed);
    }
    mbd_reroot_destroy(back);
  }
}

//---------- dynamics ----------

// forward dynamics with any link as the base, with wrenches, friction and rotors       (17.3)
static void
accelerations_do_not_depend_on_the_base(void ** context)
{
  (void)context;
  FOR_PAIRS(TREES)
  {
    const uint32_t terms = seed % 2 ? MBD_TERM_FRICTION | MBD_TERM_ROTORS : 0;
    p.f_ext = (mbd_wrenches_t){.n = 3, .w = p.wrench};
    mat_t qdd = mat(m->nv, 1), expected = mat(m->nv, 1), found = mat(m->nv, 1);
    mat_t q = mat(m->nq, 1), v = mat(m->nv, 1);
    assert_ok(mbd_set_terms(p.data, terms));
    assert_ok(mbd_set_terms(p.data_new, terms));
    assert_ok(mbd_forward_dynamics(m, p.data, t->q, t->v, t->tau, &p.f_ext, qdd.a));
    assert_ok(
      mbd_reroot_motion(p.reroot, MBD_REROOT_TO_NEW, t->q, t->v, qdd.a, q.a, v.a, expected.a));
    assert_ok(mbd_forward_dynamics(w, p.data_new, p.q.a, p.v.a, p.tau.a, &p.f_ext, found.a));
    const double size = fmax(1, largest_entry(expected));
    assert_mat_floor(found, expected, 1e-10, size, "seed %lu", seed);
  }
}

// M = J^T M' J with J the map of velocities, tau' = J^-T tau; M' by the dense oracle        (17.3)
static void
mass_matrices_are_congruent(void ** context)
{
  (void)context;
  FOR_PAIRS(TREES)
  {
    mat_t J = mat(m->nv, m->nv), q = mat(m->nq, 1), v = mat(m->nv, 1);
    for (int k = 0; k < m->nv; k++) {
      assert_ok(mbd_reroot_motion(
        p.reroot, MBD_REROOT_TO_NEW, t->q, unit_column(m->nv, k).a, NULL, q.a, v.a, NULL));
      set_block(J, 0, k, v);
    }
    const dense_t d = dense_at(m, NULL, t->q, t->v, m->gravity);
    const dense_t e = dense_at(w, NULL, p.q.a, p.v.a, w->gravity);
    const mat_t M = dense_mass(&d), M_new = dense_mass(&e);
    assert_mat(PROD(tr(J), M_new, J), M, 1e-11, "M, seed %lu", seed);
    assert_mat(PROD(tr(J), p.tau), column(m->nv, t->tau), 1e-11, "tau, seed %lu", seed);
    assert_mat(PROD(J, column(m->nv, t->v)), p.v, 1e-12, "v, seed %lu", seed);
  }
}

// which joints were reversed on the way, by type and whether their type stayed
static void
every_joint_is_reversed(void ** context)
{
  (void)context;
  int stayed[MBD_JOINT_USER + 1] = {0}, wrapped[MBD_JOINT_USER + 1] = {0};
  FOR_PAIRS(TREES)
  {
    for (int i = m->frame[w->body[p.reroot->base].link_frame].body; m->body[i].parent >= 0;
         i = m->body[i].parent) {
      const mbd_body_t * joint = &w->body[p.reroot->joint[i]];
      if (joint->type == m->body[i].type)
        stayed[m->body[i].type]++;
      else
        wrapped[m->body[i].type]++;
    }
  }
  for (int type = MBD_JOINT_REVOLUTE; type <= MBD_JOINT_USER; type++) assert_count(stayed[type], 1);
  const mbd_joint_type_t kinds[] = {MBD_JOINT_SPHERICAL, MBD_JOINT_PLANAR, MBD_JOINT_FREE};
  for (int k = 0; k < 3; k++) assert_count(wrapped[kinds[k]], 1);
}

//---------- what else a model has ----------

// a link on a frame on a link, a mimic joint, a closure, parameters: all go along
static void
everything_goes_along(void ** context)
{
  (void)context;
  uint64_t state = 5;
  mbd_model_t * model;
  int base, link, tip, mount;
  assert_ok(mbd_model_create("craft", &model));
  mbd_body_spec_t spec = hinge_by_hand("base", MBD_WORLD_BODY, random_inertia(&state));
  spec.type = MBD_JOINT_FREE;
  assert_ok(mbd_model_add_body(model, &spec, &base));
  const mbd_placement_t X = random_placement(&state);
  assert_ok(mbd_model_add_frame(model, "mount", base, &X, &mount));
  spec = hinge_by_hand("arm", mount, random_inertia(&state));
  spec.placement = random_placement(&state);
  assert_ok(mbd_model_add_body(model, &spec, &link));
  spec = hinge_by_hand("tip", link, random_inertia(&state));
  spec.placement = random_placement(&state);
  spec.mimic.joint = "arm", spec.mimic.multiplier = 2;
  assert_ok(mbd_model_add_body(model, &spec, &tip));
  mbd_closure_spec_t loop = mbd_closure_spec_default();
  loop.name = "rod", loop.type = MBD_CLOSURE_DISTANCE, loop.distance = 1;
  loop.frame_a = tip, loop.frame_b = base;
  assert_ok(mbd_model_add_closure(model, &loop, NULL));
  assert_ok(mbd_model_finalize(model));

  mbd_reroot_t * reroot;
  assert_ok(mbd_reroot_create(model, tip, &reroot));
  const mbd_model_t * w = reroot->model;
  assert_int_equal(reroot->nreversed, 2);
  assert_int_equal(w->nclosure, 2);
  assert_int_equal(w->nmimic, 1);
  assert_string_equal(w->body[0].name, "tip");
  assert_string_equal(w->body[2].name, "base");

  mbd_data_t *d, *e;
  assert_ok(mbd_data_create(model, &d));
  assert_ok(mbd_data_create(w, &e));
  mat_t q = mat(model->nq, 1), q_new = mat(w->nq, 1), rows = mat(2, 1), rows_new = mat(2, 1);
  assert_ok(mbd_random_configuration(model, 3, q.a));
  assert_ok(mbd_reroot_motion(reroot, MBD_REROOT_TO_NEW, q.a, NULL, NULL, q_new.a, NULL, NULL));
  assert_ok(mbd_set_position(model, d, q.a));
  assert_ok(mbd_set_position(w, e, q_new.a));
  assert_ok(mbd_closure_error(model, d, 0, rows.a));
  assert_ok(mbd_closure_error(w, e, 0, rows_new.a));
  assert_mat(rows_new, rows, 1e-13, "rows");
  mbd_placement_t P, Q;
  assert_ok(mbd_frame_placement(model, d, mount, &P));
  assert_ok(mbd_frame_placement(w, e, mount, &Q));
  assert_mat(placement4(&Q), placement4(&P), 1e-13, "mount");

  // and the re-rooted model can be rebuilt from its parameters
  mat_t theta = mat(mbd_parameter_count(w, false), 1);
  mbd_model_t * again;
  assert_ok(mbd_parameters_get(w, e, false, theta.a));
  assert_ok(mbd_model_with_parameters(w, false, theta.a, &again));
  for (int i = 0; i < w->nbody; i++) {
    assert_mat(
      inertia6(&again->body[i].inertia), inertia6(&w->body[i].inertia), 1e-13, "body %d", i);
    assert_mat(
      placement4(&again->body[i].X_tree), placement4(&w->body[i].X_tree), 1e-15, "X %d", i);
  }
  mbd_model_destroy(again);
  mbd_data_destroy(d);
  mbd_data_destroy(e);
  mbd_reroot_destroy(reroot);
  mbd_model_destroy(model);
  mats_free();
}

// a model that was re-rooted twice outlives those before; user joints that were reversed go along
static void
chains_of_models(void ** context)
{
  (void)context;
  FOR_PAIRS(TREES)
  {
    uint64_t state = seed;
    int frame;
    do frame = random_below(&state, w->nframe);
    while (!can_be_base(w, frame));
    mbd_reroot_t * second;
    assert_ok(mbd_reroot_create(p.reroot->model, frame, &second));
    mat_t q = mat(m->nq, 1), v = mat(m->nv, 1), qdd = mat(m->nv, 1), tau = mat(m->nv, 1);
    assert_ok(mbd_reroot_motion(second, MBD_REROOT_TO_NEW, p.q.a, p.v.a, p.qdd.a, q.a, v.a, qdd.a));
    mbd_data_t * data;
    assert_ok(mbd_data_create(second->model, &data));
    set_both(t, &p);
    double energy, expected;
    assert_ok(mbd_kinetic_energy(m, p.data, &expected));
    // the model in the middle is not needed for what comes from it
    mbd_data_destroy(p.data_new);
    mbd_reroot_destroy(p.reroot);
    p.data_new = NULL, p.reroot = NULL;
    assert_ok(mbd_set_position(second->model, data, q.a));
    assert_ok(mbd_set_velocity(second->model, data, v.a));
    assert_ok(mbd_kinetic_energy(second->model, data, &energy));
    assert_near(energy / expected, 1, 1e-12, "seed %lu", seed);
    assert_ok(mbd_inverse_dynamics(second->model, data, NULL, NULL, qdd.a, NULL, tau.a));
    mbd_data_destroy(data);
    mbd_reroot_destroy(second);
  }
}

// accelerations of all joints of an embedded model under gravity, from velocities of all joints
static mat_t
embedded_acceleration(mbd_model_t * tree, const double * q, double * v_tree, mbd_status_t * status)
{
  mbd_model_t * model = NULL;
  mbd_data_t * data = NULL;
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q;
  mat_t qdd = mat(tree->nv, 1), v = mat(tree->nv, 1), zero = mat(tree->nv, 1);
  *status = mbd_model_embed(tree, &options, &model);
  if (*status != MBD_OK) return qdd;
  assert_ok(mbd_data_create(model, &data));
  *status = mbd_set_position(model, data, q);
  if (*status == MBD_OK) {
    assert_ok(mbd_reduce_velocity(model, v_tree, v.a));
    assert_ok(mbd_set_velocity(model, data, v.a));
    assert_ok(mbd_tree_velocity(model, data, NULL, v_tree));
    assert_ok(mbd_forward_dynamics(model, data, NULL, NULL, zero.a, NULL, v.a));
    assert_ok(mbd_tree_acceleration(model, data, v.a, qdd.a));
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  return qdd;
}

// loops go along: a robot with closures is re-rooted, then embedded
static void
loops_do_not_depend_on_the_base(void ** context)
{
  (void)context;
  int count = 0;
  tree_options_t options = tree_options_default();
  options.floating_base = true, options.min_bodies = 4;
  FOR_TREES(TREES, &options)
  {
    uint64_t state = seed;
    edit_t edit = {t, true};
    for (int k = 0; k < t->nlink; k++) edit_drives(&t->link[k].spec, k, &edit);
    const loops_t loops = assembled_loops(t, &state, t->model->nv / 2);
    close_tree(t, &loops);
    mbd_model_t * m = t->model;
    int frame;
    do frame = random_below(&state, m->nframe);
    while (!can_be_base(m, frame));
    mbd_reroot_t * reroot;
    assert_ok(mbd_reroot_create(m, frame, &reroot));
    mbd_status_t status, status_new;
    mat_t q = mat(m->nq, 1), v = mat(m->nv, 1), v_new = mat(m->nv, 1), expected = mat(m->nv, 1);
    const mat_t qdd = embedded_acceleration(m, t->q, t->v, &status);
    if (status == MBD_OK) {
      assert_ok(
        mbd_reroot_motion(reroot, MBD_REROOT_TO_NEW, t->q, t->v, qdd.a, q.a, v.a, expected.a));
      memcpy(v_new.a, v.a, (size_t)m->nv * sizeof *v.a);
      const mat_t found = embedded_acceleration(reroot->model, q.a, v_new.a, &status_new);
      assert_ok(status_new);
      assert_mat_floor(v_new, v, 1e-7, fmax(1, largest_entry(v)), "v, seed %lu", seed);
      const double size = fmax(1, largest_entry(expected));
      assert_mat_floor(found, expected, 1e-6, size, "qdd, seed %lu", seed);
      count++;
    }
    mbd_reroot_destroy(reroot);
  }
  assert_count(count, TREES / 4);
}

// long arms: nothing recurses, and errors do not grow
static void
long_arms(void ** context)
{
  (void)context;
  enum { LINKS = 300 };
  uint64_t state = 9;
  mbd_model_t * m;
  int frame = MBD_WORLD_BODY;
  assert_ok(mbd_model_create("long", &m));
  for (int k = 0; k < LINKS; k++) {
    char name[8];
    snprintf(name, sizeof name, "l%d", k);
    mbd_body_spec_t spec = hinge_by_hand(name, frame, random_inertia(&state));
    spec.type = k == 0 ? MBD_JOINT_FREE : MBD_JOINT_REVOLUTE;
    spec.axis = random_axis(&state);
    spec.placement.p = mbdu_vec3(0.2, 0, 0);
    assert_ok(mbd_model_add_body(m, &spec, &frame));
  }
  assert_ok(mbd_model_finalize(m));
  mbd_reroot_t * reroot;
  assert_ok(mbd_reroot_create(m, frame, &reroot));
  assert_int_equal(reroot->nreversed, LINKS - 1);
  mbd_data_t *data, *data_new;
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_data_create(reroot->model, &data_new));
  mat_t q = mat(m->nq, 1), v = random_column(m->nv, &state), tau = random_column(m->nv, &state);
  mat_t q_new = mat(m->nq, 1), v_new = mat(m->nv, 1), tau_new = mat(m->nv, 1);
  mat_t qdd = mat(m->nv, 1), expected = mat(m->nv, 1), found = mat(m->nv, 1);
  for (int k = 6; k < m->nv; k++) v.a[k] *= 0.01;
  assert_ok(mbd_random_configuration(m, 1, q.a));
  assert_ok(mbd_forward_dynamics(m, data, q.a, v.a, tau.a, NULL, qdd.a));
  assert_ok(mbd_reroot_torque(reroot, MBD_REROOT_TO_NEW, q.a, tau.a, tau_new.a));
  assert_ok(
    mbd_reroot_motion(reroot, MBD_REROOT_TO_NEW, q.a, v.a, qdd.a, q_new.a, v_new.a, expected.a));
  assert_ok(
    mbd_forward_dynamics(reroot->model, data_new, q_new.a, v_new.a, tau_new.a, NULL, found.a));
  assert_mat_floor(found, expected, 1e-9, fmax(1, largest_entry(expected)), "long arm");
  mbd_data_destroy(data);
  mbd_data_destroy(data_new);
  mbd_reroot_destroy(reroot);
  mbd_model_destroy(m);
  mats_free();
}

static void
what_cannot_be_done_is_said(void ** context)
{
  (void)context;
  uint64_t state = 1;
  tree_options_t options = tree_options_default();
  options.floating_base = true, options.forest = false;
  tree_t * t = random_tree(7, &options);
  edit_t edit = {t, false};
  mbd_model_t * m = rebuild(t, edit_drives, &edit);
  mbd_reroot_t * r = NULL;
  assert_status(mbd_reroot_create(NULL, 0, &r), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_reroot_create(m, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_reroot_create(m, -1, &r), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_reroot_create(m, m->nframe, &r), MBD_ERROR_BAD_ARGUMENT);
  assert_null(r);
  // a base with friction
  assert_true(t->model->body[0].drive.viscous > 0);
  assert_status(mbd_reroot_create(t->model, t->model->body[0].link_frame, &r), MBD_ERROR_BAD_JOINT);
  assert_string_equal(t->model->error_name, t->model->body[0].joint_name);

  assert_ok(mbd_reroot_create(m, m->body[m->nbody - 1].link_frame, &r));
  mat_t q = mat(m->nq, 1), v = mat(m->nv, 1), bad = mat_from(m->nq, 1, t->q);
  const mbd_reroot_direction_t no_way = (mbd_reroot_direction_t)2;
  assert_status(
    mbd_reroot_motion(r, no_way, t->q, t->v, NULL, q.a, v.a, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_reroot_motion(r, MBD_REROOT_TO_NEW, t->q, t->v, NULL, q.a, NULL, NULL),
    MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_reroot_motion(r, MBD_REROOT_TO_NEW, t->q, NULL, t->qdd, q.a, v.a, v.a),
    MBD_ERROR_NULL_ARGUMENT);
  bad.a[0] = (double)NAN;
  assert_status(
    mbd_reroot_motion(r, MBD_REROOT_TO_NEW, bad.a, t->v, NULL, q.a, v.a, NULL),
    MBD_ERROR_NOT_FINITE);
  bad.a[0] = 0;
  for (int k = 0; k < 4; k++) bad.a[m->body[0].q_index + 3 + k] = 0;
  assert_status(
    mbd_reroot_torque(r, MBD_REROOT_TO_NEW, bad.a, t->tau, v.a), MBD_ERROR_BAD_QUATERNION);
  assert_true(largest_entry(q) == 0 && largest_entry(v) == 0);
  mbd_reroot_destroy(r);
  mbd_reroot_destroy(NULL);
  mbd_model_destroy(m);
  tree_free(t);

  // a robot that stands
  const joint_by_hand_t joints[] = {
    {MBD_JOINT_REVOLUTE, {0, 0, 1}, {0, 0, 0}}, {MBD_JOINT_REVOLUTE, {0, 1, 0}, {1, 0, 0}}};
  int tip;
  m = arm_by_hand(joints, 2, mbdu_vec3(0, 0, 1), &state, &tip);
  assert_status(mbd_reroot_create(m, tip, &r), MBD_ERROR_BAD_JOINT);
  assert_string_equal(m->error_name, "a");
  mbd_model_destroy(m);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(frames_are_where_they_were),
    cmocka_unit_test(base_is_the_link),
    cmocka_unit_test(coordinates_move_with_their_rates),
    cmocka_unit_test(reversed_subspaces_are_derivatives),
    cmocka_unit_test(neutral_joints_stay_neutral),
    cmocka_unit_test(states_come_back),
    cmocka_unit_test(models_come_back),
    cmocka_unit_test(accelerations_do_not_depend_on_the_base),
    cmocka_unit_test(mass_matrices_are_congruent),
    cmocka_unit_test(every_joint_is_reversed),
    cmocka_unit_test(everything_goes_along),
    cmocka_unit_test(chains_of_models),
    cmocka_unit_test(loops_do_not_depend_on_the_base),
    cmocka_unit_test(long_arms),
    cmocka_unit_test(what_cannot_be_done_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
