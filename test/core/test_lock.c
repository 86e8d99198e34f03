// Reduced models: locked joints against the complete model with these joints at rest, and against a model
// that was built with fixed joints.
#include <stdlib.h>
#include <string.h>

#include "by_hand.h"
#include "linkage.h"
#include "loops.h"
#include "mbdyn/constraints/gear.h"
#include "mbdyn/dynamics.h"

enum { ROBOTS = 200 };

// joints to lock and what is left of a robot
typedef struct reduced {
  const mbd_model_t * full;
  mbd_model_t * model;
  mbd_data_t * data;
  const char ** name;  // [n]
  int n;
  int *q_of, *v_of;  // index in the complete tree of each number                 [nq], [nv]
  mat_t q, v, qdd;
} reduced_t;

// numbers of the remaining joints in those of the complete tree
static void
number_joints(reduced_t * r)
{
  const mbd_model_t * model = r->model->tree ? r->model->tree : r->model;
  const mbd_model_t * full = r->full->tree ? r->full->tree : r->full;
  r->q_of = calloc((size_t)model->nq + 1, sizeof *r->q_of);
  r->v_of = calloc((size_t)model->nv + 1, sizeof *r->v_of);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    int at;
    assert_ok(mbd_find_joint(full, body->joint_name, &at));
    assert_int_equal(full->body[at].nq, body->nq);
    assert_string_equal(full->body[at].name, body->name);
    for (int k = 0; k < body->nq; k++) r->q_of[body->q_index + k] = full->body[at].q_index + k;
    for (int k = 0; k < body->nv; k++) r->v_of[body->v_index + k] = full->body[at].v_index + k;
  }
}

static mat_t
pick(int n, const int * of, const double * from)
{
  mat_t x = mat(n, 1);
  for (int k = 0; k < n; k++) x.a[k] = from[of[k]];
  return x;
}

// numbers of the complete tree, zero for joints that are locked
static mat_t
spread(int n, const int * of, const double * from, int all)
{
  mat_t x = mat(all, 1);
  for (int k = 0; k < n; k++) x.a[of[k]] = from[k];
  return x;
}

// some joints of the complete tree by chance
static void
choose(reduced_t * r, uint64_t * state)
{
  const mbd_model_t * full = r->full->tree ? r->full->tree : r->full;
  r->name = calloc((size_t)full->nbody + 1, sizeof *r->name);
  for (int i = 0; i < full->nbody; i++) {
    if (random_below(state, 2)) r->name[r->n++] = full->body[i].joint_name;
  }
}

static void
reduced_free(reduced_t * r)
{
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->model);
  free(r->name);
  free(r->q_of);
  free(r->v_of);
}

static void
assert_frames(const mbd_model_t * full, mbd_data_t * data, const reduced_t * r, uint64_t seed)
{
  assert_int_equal(r->model->nframe, full->nframe);
  for (int f = 0; f < full->nframe; f++) {
    mbd_placement_t X, Y;
    mbd_motion_t V, W;
    assert_string_equal(r->model->frame[f].name, full->frame[f].name);
    assert_ok(mbd_frame_placement(full, data, f, &X));
    assert_ok(mbd_frame_placement(r->model, r->data, f, &Y));
    assert_mat(placement4(&Y), placement4(&X), 1e-12, "seed %d, frame %d", (int)seed, f);
    assert_ok(mbd_frame_velocity(full, data, f, MBD_WORLD, &V));
    assert_ok(mbd_frame_velocity(r->model, r->data, f, MBD_WORLD, &W));
    assert_mat(motion6(W), motion6(V), 1e-11, "seed %d, velocity of %d", (int)seed, f);
  }
}

//---------- trees ----------

// the complete tree at the same motion, locked joints at rest: poses, torques with wrenches, mass matrix
static void
trees_move_as_with_joints_at_rest(void ** context)
{
  (void)context;
  int locked = 0, left = 0;
  FOR_TREES(ROBOTS, NULL)
  {
    uint64_t state = seed;
    const mbd_model_t * m = t->model;
    reduced_t r = {.full = m};
    choose(&r, &state);
    assert_ok(mbd_model_lock(m, r.n, r.name, t->q, &r.model));
    assert_ok(mbd_data_create(r.model, &r.data));
    number_joints(&r);
    assert_int_equal(r.model->nbody, m->nbody - r.n);
    const int n = r.model->nv;
    mat_t q = pick(r.model->nq, r.q_of, t->q), v = pick(n, r.v_of, t->v);
    mat_t qdd = pick(n, r.v_of, t->qdd), tau = mat(n, 1), M = mat(n, n);
    mat_t v_all = spread(n, r.v_of, v.a, m->nv), qdd_all = spread(n, r.v_of, qdd.a, m->nv);
    mat_t tau_all = mat(m->nv, 1), M_all = mat(m->nv, m->nv), part = mat(n, n);
    const uint32_t terms = (uint32_t)(seed % 4);
    assert_ok(mbd_set_terms(t->data, terms));
    assert_ok(mbd_set_terms(r.data, terms));
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, v_all.a, qdd_all.a, &t->f_ext, tau_all.a));
    assert_ok(mbd_inverse_dynamics(r.model, r.data, q.a, v.a, qdd.a, &t->f_ext, tau.a));
    assert_mat(tau, pick(n, r.v_of, tau_all.a), 1e-12, "seed %d, torques", (int)seed);
    assert_ok(mbd_mass_matrix(m, t->data, M_all.a));
    assert_ok(mbd_mass_matrix(r.model, r.data, M.a));
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) part.a[i * n + j] = M_all.a[r.v_of[i] * m->nv + r.v_of[j]];
    }
    assert_mat(M, part, 1e-12, "seed %d, mass matrix", (int)seed);
    assert_frames(m, t->data, &r, seed);
    locked += r.n, left += r.model->nbody;
    reduced_free(&r);
  }
  print_message("%d joints locked, %d left\n", locked, left);
  assert_true(robots(ROBOTS) < ROBOTS || (locked > 400 && left > 400));
}

// every other joint fixed
static void
edit_fixed(mbd_body_spec_t * spec, int link, void * arg)
{
  (void)arg;
  if (link % 2) spec->type = MBD_JOINT_FIXED;
}

// at rest locked and fixed joints are the same, but for user joints, whose frames at rest are anywhere
static void
trees_are_those_of_fixed_joints(void ** context)
{
  (void)context;
  int compared = 0;
  const tree_options_t options = plain_trees();
  FOR_TREES(ROBOTS, &options)
  {
    mbd_model_t * all = rebuild(t, NULL, NULL);
    mbd_model_t * fixed = rebuild(t, edit_fixed, NULL);
    reduced_t r = {.full = all};
    r.name = calloc((size_t)t->nlink + 1, sizeof *r.name);
    for (int k = 1; k < t->nlink; k += 2) {
      if (t->link[k].spec.type != MBD_JOINT_FIXED) r.name[r.n++] = t->link[k].joint_name;
    }
    mat_t q = mat(all->nq, 1), rest = mat(fixed->nq, 1), M = mat(fixed->nv, fixed->nv);
    assert_ok(mbd_neutral(all, q.a));
    assert_ok(mbd_model_lock(all, r.n, r.name, q.a, &r.model));
    assert_ok(mbd_data_create(r.model, &r.data));
    assert_int_equal(r.model->nv, fixed->nv);
    assert_close(&r.model->mass, &fixed->mass, 1, 1e-14, "mass");
    assert_close(&r.model->mass_fixed, &fixed->mass_fixed, 1, 1e-14, "fixed mass");
    for (int i = 0; i < fixed->nbody; i++) {
      const mbd_body_t *a = &r.model->body[i], *b = &fixed->body[i];
      assert_string_equal(a->joint_name, b->joint_name);
      assert_mat(placement4(&a->X_tree), placement4(&b->X_tree), 1e-14, "X of %d", i);
      assert_mat(inertia6(&a->inertia), inertia6(&b->inertia), 1e-13, "inertia of %d", i);
    }
    mbd_data_t * data;
    mat_t M_fixed = mat(fixed->nv, fixed->nv);
    assert_ok(mbd_data_create(fixed, &data));
    assert_ok(mbd_random_configuration(fixed, seed, rest.a));
    assert_ok(mbd_set_position(fixed, data, rest.a));
    assert_ok(mbd_set_position(r.model, r.data, rest.a));
    assert_ok(mbd_mass_matrix(fixed, data, M_fixed.a));
    assert_ok(mbd_mass_matrix(r.model, r.data, M.a));
    assert_mat(M, M_fixed, 1e-12, "seed %d", (int)seed);
    compared += r.n;
    mbd_data_destroy(data);
    reduced_free(&r);
    mbd_model_destroy(fixed);
    mbd_model_destroy(all);
  }
  assert_true(robots(ROBOTS) < ROBOTS || compared > 300);
}

//---------- loops ----------

// The embedded model at the same motion: energies, and torques by their power.
static void
compare_embedded(const closed_t * c, reduced_t * r, uint64_t * state, uint64_t seed)
{
  const mbd_model_t *full = c->model, *tree = full->tree;
  const mbd_model_t * model = r->model->tree ? r->model->tree : r->model;
  const int n = r->model->nv;
  assert_ok(mbd_data_create(r->model, &r->data));
  number_joints(r);
  mat_t q = pick(model->nq, r->q_of, c->t->q), v = mat(n, 1), qdd = mat(n, 1);
  for (int k = 0; k < n; k++) v.a[k] = random_signed(state), qdd.a[k] = random_signed(state);
  mat_t tau = mat(n, 1), tau_full = mat(full->nv, 1);
  mat_t v_tree = mat(model->nv, 1), a_tree = mat(model->nv, 1);
  assert_ok(mbd_inverse_dynamics(r->model, r->data, q.a, v.a, qdd.a, NULL, tau.a));
  if (!r->model->tree) v_tree = v, a_tree = qdd;
  if (r->model->tree) {
    assert_ok(mbd_tree_velocity(r->model, r->data, v.a, v_tree.a));
    assert_ok(mbd_tree_acceleration(r->model, r->data, qdd.a, a_tree.a));
  }
  mat_t v_all = spread(model->nv, r->v_of, v_tree.a, tree->nv);
  mat_t a_all = spread(model->nv, r->v_of, a_tree.a, tree->nv);
  mat_t v_full = mat(full->nv, 1), a_full = mat(full->nv, 1);
  for (int k = 0; k < full->nv; k++) {
    v_full.a[k] = v_all.a[full->dof_tree[k]], a_full.a[k] = a_all.a[full->dof_tree[k]];
  }
  assert_ok(mbd_inverse_dynamics(full, c->data, c->t->q, v_full.a, a_full.a, NULL, tau_full.a));
  // joints that are locked do not move in the complete model either
  mat_t v_check = mat(tree->nv, 1);
  assert_ok(mbd_tree_velocity(full, c->data, v_full.a, v_check.a));
  assert_mat(v_check, v_all, 1e-9, "seed %d, velocities", (int)seed);
  double power = 0, power_full = 0, energy, energy_full;
  for (int k = 0; k < n; k++) power += tau.a[k] * v.a[k];
  for (int k = 0; k < full->nv; k++) power_full += tau_full.a[k] * v_full.a[k];
  if (!(fabs(power - power_full) <= 1e-8 * fmax(1, fabs(power))))
    fail_msg("seed %d: power %.15g, %.15g", (int)seed, power, power_full);
  assert_ok(mbd_kinetic_energy(r->model, r->data, &energy));
  assert_ok(mbd_kinetic_energy(full, c->data, &energy_full));
  if (!(fabs(energy - energy_full) <= 1e-9 * fmax(1, energy)))
    fail_msg("seed %d: energy %.15g, %.15g", (int)seed, energy, energy_full);
}

static void
loops_move_as_with_joints_at_rest(void ** context)
{
  (void)context;
  int compared = 0, embedded = 0, implied = 0, refused = 0;
  FOR_SEEDS(ROBOTS)
  {
    uint64_t state = seed;
    const tree_options_t options = small_trees();
    closed_t c = closed_tree(seed, &options, 1 + (int)(seed % 2), 1);
    if (embed(&c, NULL, 0)) {
      double condition;
      reduced_t r = {.full = c.model};
      r.name = calloc(2, sizeof *r.name);
      assert_ok(mbd_set_position(c.model, c.data, c.t->q));
      assert_ok(mbd_embedding_condition(c.model, c.data, &condition, NULL));
      // the joint of an independent velocity
      const int k = c.model->nv > 0 ? random_below(&state, c.model->nv) : 0;
      if (condition <= 20 && c.model->nv > 1) {
        r.name[r.n++] = c.tree->body[c.tree->dof_body[c.model->dof_tree[k]]].joint_name;
        const mbd_status_t status = mbd_model_lock(c.model, r.n, r.name, c.t->q, &r.model);
        refused += status == MBD_ERROR_LOCKED;
        if (status != MBD_ERROR_LOCKED) {
          assert_ok(status);
          compare_embedded(&c, &r, &state, seed);
          compared++;
          embedded += r.model->tree != NULL;
          const mbd_model_t * left = r.model->tree ? r.model->tree : r.model;
          implied += c.tree->nbody - 1 - left->nbody;
        }
      }
      reduced_free(&r);
    }
    closed_free(&c);
  }
  print_message(
    "%d robots, %d with loops left, %d joints locked by loops, %d refused\n", compared, embedded,
    implied, refused);
  assert_true(robots(ROBOTS) < ROBOTS || (compared > 60 && embedded > 30 && implied > 10));
}

// a four-bar with its crank locked is a rigid body, and joints of the loop need not be named
static void
four_bar_with_a_locked_crank_is_rigid(void ** context)
{
  (void)context;
  mbd_model_t *model, *locked;
  double q[3] = {0.7};
  close_crank_rocker(q[0], &q[1], &q[2]);
  model = embed_with(crank_rocker(MBD_CLOSURE_REVOLUTE), q, "crank");
  const char * crank = "j_crank";
  assert_ok(mbd_model_lock(model, 1, &crank, q, &locked));
  assert_int_equal(locked->nv, 0);
  assert_int_equal(locked->nbody, 0);
  assert_int_equal(locked->nclosure, 0);
  mbd_model_destroy(locked);
  // the tree with cut joints alike
  assert_ok(mbd_model_lock(model->tree, 1, &crank, q, &locked));
  assert_int_equal(locked->nbody, 0);
  mbd_model_destroy(locked);
  // not where the loop is open
  q[2] += 0.01;
  assert_status(mbd_model_lock(model->tree, 1, &crank, q, &locked), MBD_ERROR_NOT_ASSEMBLED);
  q[2] += 0.1;
  assert_status(mbd_model_lock(model, 1, &crank, q, &locked), MBD_ERROR_NOT_ASSEMBLED);
  assert_null(locked);
  mbd_model_destroy(model);
}

//---------- gears, springs, bearings ----------

static mbd_model_t *
geared(bool driven)
{
  const mbd_inertia_t ball = {1, {0.1, 0, 0}, {1, 0, 0, 1, 0, 1}};
  mbd_model_t * model;
  int a, b, c;
  assert_ok(mbd_model_create("geared", &model));
  mbd_body_spec_t spec = hinge_by_hand("a", MBD_WORLD_BODY, ball);
  assert_ok(mbd_model_add_body(model, &spec, &a));
  spec = hinge_by_hand("b", a, ball);
  assert_ok(mbd_model_add_body(model, &spec, &b));
  spec = hinge_by_hand("c", b, ball);
  spec.mimic.joint = "b", spec.mimic.multiplier = 2, spec.mimic.offset = 0.1;
  assert_ok(mbd_model_add_body(model, &spec, &c));
  mbd_motor_spec_t motor = mbd_motor_spec_default();
  motor.name = "motor", motor.joint = "a", motor.mount = MBD_WORLD_BODY, motor.ratio = 50;
  motor.inertia = (mbd_inertia_t){0.1, {0, 0, 0}, {1e-4, 0, 0, 1e-4, 0, 1e-4}};
  assert_ok(mbd_model_add_motor(model, &motor, NULL));
  mbd_element_spec_t spring = mbd_element_spec_default();
  spring.name = "on a", spring.type = MBD_ELEMENT_JOINT, spring.joint = "a", spring.stiffness = 3;
  assert_ok(mbd_model_add_element(model, &spring, NULL));
  spring.name = "on b", spring.joint = "b";
  assert_ok(mbd_model_add_element(model, &spring, NULL));
  mbd_bearing_spec_t bearing = mbd_bearing_spec_default();
  bearing.joint = "b", bearing.mu_static = bearing.mu_dynamic = 0.1, bearing.radius = 0.01;
  assert_ok(mbd_model_add_bearing(model, &bearing, NULL));
  mbd_closure_spec_t driver = mbd_closure_spec_default();
  driver.name = "driver", driver.type = MBD_CLOSURE_COUPLING, driver.ncoupled = 1;
  driver.joint[0] = "b", driver.coefficient[0] = 1, driver.driver.rate = 1;
  if (driven) assert_ok(mbd_model_add_closure(model, &driver, NULL));
  assert_ok(mbd_model_finalize(model));
  return model;
}

static void
what_hangs_on_joints_goes_with_them(void ** context)
{
  (void)context;
  mbd_model_t *model = geared(false), *locked;
  assert_int_equal(model->nbody, 4);
  double q[4] = {0};
  int i, b, c;
  assert_ok(mbd_find_joint(model, "b", &b));
  assert_ok(mbd_find_joint(model, "c", &c));
  q[model->body[b].q_index] = 0.2, q[model->body[c].q_index] = 0.5;

  // b takes c along; the spring and the bearing on b are gone, that on a and its rotor are not
  const char * name = "b";
  assert_ok(mbd_model_lock(model, 1, &name, q, &locked));
  assert_int_equal(locked->nbody, 2);
  assert_int_equal(locked->nmimic, 0);
  assert_int_equal(locked->nelement, 1);
  assert_string_equal(locked->element[0].spec.name, "on a");
  assert_int_equal(locked->nbearing, 0);
  assert_int_equal(locked->nclosure, 1);
  mbd_model_destroy(locked);

  // a takes its rotor along
  name = "a";
  assert_ok(mbd_model_lock(model, 1, &name, q, &locked));
  assert_int_equal(locked->nbody, 2);
  assert_int_equal(locked->nmimic, 1);
  assert_string_equal(locked->element[0].spec.name, "on b");
  assert_int_equal(locked->nbearing, 1);
  assert_status(mbd_find_joint(locked, "a", &i), MBD_ERROR_NOT_FOUND);
  assert_ok(mbd_find_frame(locked, "motor", &i));
  mbd_model_destroy(locked);

  // and nothing locked is a copy
  assert_ok(mbd_model_lock(model, 0, NULL, q, &locked));
  assert_int_equal(locked->nv, model->nv);
  assert_int_equal(locked->nrow, model->nrow);
  mbd_model_destroy(locked);
  mbd_model_destroy(model);

  model = geared(true);
  name = "b";
  q[model->body[b].q_index] = 0, q[model->body[c].q_index] = 0.1;
  assert_status(mbd_model_lock(model, 1, &name, q, &locked), MBD_ERROR_BAD_CLOSURE);
  mbd_model_destroy(model);
}

// a locked joint of a differential is a part of its offset
static void
couplings_keep_the_joints_that_move(void ** context)
{
  (void)context;
  const mbd_inertia_t ball = {1, {0.1, 0, 0}, {1, 0, 0, 1, 0, 1}};
  const char * const name[3] = {"a", "b", "c"};
  mbd_model_t *model, *locked;
  int frame;
  assert_ok(mbd_model_create("differential", &model));
  mbd_closure_spec_t gear = mbd_closure_spec_default();
  gear.name = "differential", gear.type = MBD_CLOSURE_COUPLING, gear.offset = 0.5;
  for (int k = 0; k < 3; k++) {
    const mbd_body_spec_t spec = hinge_by_hand(name[k], MBD_WORLD_BODY, ball);
    assert_ok(mbd_model_add_body(model, &spec, &frame));
    gear.joint[gear.ncoupled] = name[k], gear.coefficient[gear.ncoupled++] = k + 1;
  }
  assert_ok(mbd_model_add_closure(model, &gear, NULL));
  assert_ok(mbd_model_finalize(model));
  const double q[3] = {0.1, 0.3, -0.4};
  assert_ok(mbd_model_lock(model, 1, &name[1], q, &locked));
  assert_int_equal(locked->closure[0].ncoupled, 2);
  const double left[3] = {
    locked->closure[0].coefficient[0], locked->closure[0].coefficient[1],
    locked->closure[0].offset};
  assert_close(left, ((double[]){1, 3, 0.5 + 2 * 0.3}), 3, 1e-15, "differential");
  mbd_model_destroy(locked);
  mbd_model_destroy(model);
}

static void
bad_arguments_are_refused(void ** context)
{
  (void)context;
  mbd_model_t *model = geared(false), *locked = model;
  double q[4] = {0};
  const char *name = "b", *unknown = "no such joint", *none = NULL;
  assert_status(mbd_model_lock(NULL, 1, &name, q, &locked), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_lock(model, 1, NULL, q, &locked), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_lock(model, 1, &name, NULL, &locked), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_lock(model, 1, &name, q, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_lock(model, 1, &none, q, &locked), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_lock(model, -1, &name, q, &locked), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_model_lock(model, 1, &unknown, q, &locked), MBD_ERROR_NOT_FOUND);
  assert_null(locked);
  q[0] = NAN;
  assert_status(mbd_model_lock(model, 1, &name, q, &locked), MBD_ERROR_NOT_FINITE);
  mbd_model_destroy(model);
  assert_ok(mbd_model_create("open", &model));
  assert_status(mbd_model_lock(model, 0, NULL, q, &locked), MBD_ERROR_NOT_FINALIZED);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(trees_move_as_with_joints_at_rest),
    cmocka_unit_test(trees_are_those_of_fixed_joints),
    cmocka_unit_test(loops_move_as_with_joints_at_rest),
    cmocka_unit_test(four_bar_with_a_locked_crank_is_rigid),
    cmocka_unit_test(what_hangs_on_joints_goes_with_them),
    cmocka_unit_test(couplings_keep_the_joints_that_move),
    cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
