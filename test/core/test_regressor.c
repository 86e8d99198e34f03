// Regressors and parameters: against the dynamics, rebuilt robots, singular values, known counts.
#include "mbdyn/dynamics/regressor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/urdf.h"

static const mbd_term_t both = MBD_TERM_FRICTION | MBD_TERM_ROTORS;

// every third robot is tilted, every second one holds something
static void
load(const tree_t * t, uint64_t seed)
{
  uint64_t state = seed;
  if (seed % 3 == 0) assert_ok(mbd_set_gravity(t->data, random_vec3(&state, 10)));
  if (seed % 2 == 0) return;
  const mbd_inertia_t payload = random_inertia(&state);
  const int frame = random_below(&state, t->model->nframe);
  assert_ok(mbd_payload_attach(t->model, t->data, frame, &payload));
}

static mat_t
parameters(const tree_t * t, bool drives)
{
  mat_t theta = mat(mbd_parameter_count(t->model, drives), 1);
  assert_ok(mbd_parameters_get(t->model, t->data, drives, theta.a));
  return theta;
}

static mbd_model_t *
load_file(const char * folder, const char * file, bool mimic_independent)
{
  char path[512];
  mbd_model_t * model;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.mimic_independent = mimic_independent;
  options.embed = false;
  snprintf(path, sizeof path, "%s/%s/%s", MBDYN_SOURCE_DIR, folder, file);
  assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
  return model;
}

//---------- regressors ----------

// tau = Y theta, with drives and without, with acceleration and without             (5.36)
static void
torque_is_linear_in_the_parameters(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    const int nv = t->model->nv;
    for (int drives = 0; drives < 2; drives++) {
      const double * qdd = seed % 5 ? t->qdd : NULL;
      const mat_t theta = parameters(t, drives);
      mat_t Y = mat(nv, theta.r), tau = mat(nv, 1);
      set_state(t);
      // the terms of the workspace have no say in Y
      assert_ok(mbd_set_terms(t->data, (uint32_t)(seed % 4)));
      assert_ok(mbd_torque_regressor(t->model, t->data, qdd, drives, Y.a));
      assert_ok(mbd_set_terms(t->data, drives ? both : 0));
      assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, qdd, NULL, tau.a));
      const double size = fmax(1, largest_entry(tau));
      assert_mat_floor(PROD(Y, theta), tau, 1e-11, size, "drives %d, seed %lu", drives, seed);
    }
  }
}

// p = Y theta, 1/2 v^T M v and potential energy as rows
static void
momentum_and_energies_are_linear_in_the_parameters(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    const int nv = t->model->nv;
    const mat_t theta = parameters(t, false);
    mat_t Y = mat(nv, theta.r), M = mat(nv, nv), k = mat(1, theta.r), p = mat(1, theta.r);
    double kinetic, potential;
    set_state(t);
    assert_ok(mbd_momentum_regressor(t->model, t->data, Y.a));
    assert_ok(mbd_energy_regressor(t->model, t->data, k.a, p.a));
    assert_ok(mbd_kinetic_energy(t->model, t->data, &kinetic));
    assert_ok(mbd_potential_energy(t->model, t->data, &potential));
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_mat_floor(
      PROD(Y, theta), PROD(M, column(nv, t->v)), 1e-11, 1, "momentum, seed %lu", seed);
    assert_near(scalar(PROD(k, theta)), kinetic, 1e-11, "kinetic, seed %lu", seed);
    assert_near(scalar(PROD(p, theta)), potential, 1e-11, "potential, seed %lu", seed);
    // v^T p = 2 Ke column by column
    assert_mat_floor(PROD(tr(column(nv, t->v)), Y), scale(2, k), 1e-11, 1, "v^T Y, seed %lu", seed);
    assert_ok(mbd_energy_regressor(t->model, t->data, NULL, p.a));
    assert_ok(mbd_energy_regressor(t->model, t->data, k.a, NULL));
  }
}

//---------- parameters ----------

static mat_t
inertia_of(const double * ten)
{
  const mbd_inertia_t M = {
    ten[0], {ten[1], ten[2], ten[3]}, {ten[4], ten[5], ten[6], ten[7], ten[8], ten[9]}};
  return inertia6(&M);
}

// inertia of a body about its link frame: that of every link that is part of it       (2.13)
static mat_t
body_from_links(const tree_t * t, int body)
{
  const mbd_frame_t * frame = t->model->frame;
  const mat_t to_link = inverse4(placement4(&frame[t->model->body[body].link_frame].X));
  mat_t sum = mat(6, 6);
  for (int k = 0; k < t->nlink; k++) {
    const mbd_frame_t * f = &frame[t->link[k].frame];
    if (f->body != body) continue;
    const mat_t phi = phi6(PROD(to_link, placement4(&f->X)));
    sum = SUM(sum, PROD(phi, inertia6(&t->link[k].spec.inertia), tr(phi)));
  }
  return sum;
}

static void
parameters_are_those_of_the_links(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    assert_int_equal(mbd_parameter_count(m, false), 10 * m->nbody);
    assert_int_equal(mbd_parameter_count(m, true), 10 * m->nbody + 3 * m->nv);
    const mat_t theta = parameters(t, true);
    for (int i = 0; i < m->nbody; i++) {
      assert_mat(
        inertia_of(theta.a + 10 * i), body_from_links(t, i), 1e-12, "body %d, seed %lu", i, seed);
      // what is a body can be one
      double margin;
      assert_ok(mbd_parameters_check(theta.a + 10 * i, &margin));
      assert_true(margin > 0 && margin <= 0.25);
    }
    for (int k = 0; k < m->nv; k++) {
      const mbd_drive_t * d = &m->body[m->dof_body[k]].drive;
      const double three[3] = {
        d->viscous, d->coulomb, d->gear_ratio * d->gear_ratio * d->rotor_inertia};
      assert_close(theta.a + 10 * m->nbody + 3 * k, three, 3, 1e-15, "drive %d, seed %lu", k, seed);
    }
  }
}

// what a frame holds is part of its body; what is fixed to the world is part of none
static void
payloads_are_part_of_the_parameters(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mbd_inertia_t held = random_inertia(&state);
    const int frame = random_below(&state, t->model->nframe);
    const int body = t->model->frame[frame].body;
    mat_t expected = parameters(t, false);
    assert_ok(mbd_payload_attach(t->model, t->data, frame, &held));
    const mat_t theta = parameters(t, false);
    for (int i = 0; i < t->model->nbody; i++) {
      mat_t M = inertia_of(expected.a + 10 * i);
      const int link = t->model->body[i].link_frame;
      const mat_t to_link = inverse4(placement4(&t->model->frame[link].X));
      const mat_t phi = phi6(PROD(to_link, placement4(&t->model->frame[frame].X)));
      if (i == body) M = SUM(M, PROD(phi, inertia6(&held), tr(phi)));
      assert_mat(inertia_of(theta.a + 10 * i), M, 1e-12, "body %d, seed %lu", i, seed);
    }
  }
}

//---------- can this be a body? ----------

// smallest eigenvalue over trace of [tr(I)/2 - I, h; h^T, m], lengths in units of sqrt(tr(I)/2m)
static double
margin_of(const double * ten)
{
  const double I[9] = {ten[4], ten[5], ten[6], ten[5], ten[7], ten[8], ten[6], ten[8], ten[9]};
  const double half = 0.5 * (ten[4] + ten[7] + ten[9]), unit = sqrt(half / ten[0]);
  mat_t P = mat(4, 4);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      *at(P, i, j) = ((i == j ? half : 0) - I[3 * i + j]) / (unit * unit);
    }
    *at(P, i, 3) = *at(P, 3, i) = ten[1 + i] / unit;
  }
  *at(P, 3, 3) = ten[0];
  return smallest_eigenvalue(P) / trace(P);
}

// any clouds of point masses pass, in any frame; their margin is that of the eigenvalues
static void
clouds_of_points_can_be_bodies(void ** context)
{
  (void)context;
  tally_t flat = {0};
  tally_t bodies = {0};
  FOR_SEEDS(500)
  {
    uint64_t state = seed;
    mbd_inertia_t M = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    const int points = 1 + random_below(&state, 6);
    const double far = pow(10, random_between(&state, -2, 1)),
                 heavy = pow(10, random_signed(&state));
    for (int k = 0; k < points; k++) {
      const mbd_inertia_t point = mbdu_inertia_from_com(
        heavy * random_between(&state, 0.1, 1), random_vec3(&state, far), (mbd_sym3_t){0});
      M = mbdu_inertia_add(&M, &point);
    }
    const double ten[10] = {M.mass, M.h.x,  M.h.y,  M.h.z,  M.I.xx,
                            M.I.xy, M.I.xz, M.I.yy, M.I.yz, M.I.zz};
    double margin;
    assert_ok(mbd_parameters_check(ten, &margin));
    assert_near(margin, margin_of(ten), 1e-13, "margin, seed %lu", seed);
    // four points or more fill space
    if (tally(&bodies, points > 4)) assert_true(margin > 0);
    if (tally(&flat, points < 4)) assert_true(fabs(margin) < 1e-12);
    assert_ok(mbd_parameters_check(ten, NULL));
  }
  assert_enough(&bodies, 0.2);
  assert_enough(&flat, 0.2);
}

static void
what_no_body_has_is_refused(void ** context)
{
  (void)context;
  static const struct {
    double ten[10];
    mbd_status_t status;
  } bodies[] = {
    {{2, 0, 0, 0, 1, 0, 0, 1, 0, 1}, MBD_OK},
    {{2, 0.2, 0.1, -0.1, 1, 0.1, 0, 1, 0, 1}, MBD_OK},
    // a disc, a rod, a point beside the origin and in it
    {{2, 0, 0, 0, 1, 0, 0, 1, 0, 2}, MBD_OK},
    {{2, 0, 0, 0, 1, 0, 0, 1, 0, 0}, MBD_OK},
    {{2, 2, 0, 0, 0, 0, 0, 2, 0, 2}, MBD_OK},
    {{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, MBD_OK},
    // mass
    {{0, 0, 0, 0, 1, 0, 0, 1, 0, 1}, MBD_ERROR_BAD_INERTIA},
    {{-1, 0, 0, 0, 1, 0, 0, 1, 0, 1}, MBD_ERROR_BAD_INERTIA},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, MBD_ERROR_BAD_INERTIA},
    // A + B < C, a negative moment, products that are too large
    {{2, 0, 0, 0, 1, 0, 0, 1, 0, 2.1}, MBD_ERROR_BAD_INERTIA},
    {{2, 0, 0, 0, -1, 0, 0, 1, 0, 1}, MBD_ERROR_BAD_INERTIA},
    {{2, 0, 0, 0, -1, 0, 0, -1, 0, -1}, MBD_ERROR_BAD_INERTIA},
    {{2, 0, 0, 0, 1, 0.9, 0, 1, 0, 1}, MBD_ERROR_BAD_INERTIA},
    {{2, 0, 0, 0, 0, 0.1, 0, 0, 0, 0}, MBD_ERROR_BAD_INERTIA},
    // a centre of mass further out than the inertia allows
    {{2, 2, 0, 0, 1, 0, 0, 1, 0, 1}, MBD_ERROR_BAD_INERTIA},
    {{2, 0, 0, 0.1, 0, 0, 0, 0, 0, 0}, MBD_ERROR_BAD_INERTIA},
    {{2, 0, 0, 0, (double)NAN, 0, 0, 1, 0, 1}, MBD_ERROR_NOT_FINITE},
    {{HUGE_VAL, 0, 0, 0, 1, 0, 0, 1, 0, 1}, MBD_ERROR_NOT_FINITE},
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    double margin = 0;
    const mbd_status_t status = mbd_parameters_check(bodies[i].ten, &margin);
    if (status != bodies[i].status) fail_msg("%zu: %s", i, mbd_status_name(status));
    if (!(status == MBD_OK ? margin >= -1e-12 : margin <= 0)) fail_msg("%zu: margin %g", i, margin);
  }
  double margin;
  assert_ok(mbd_parameters_check(bodies[0].ten, &margin));
  assert_true(margin > 0.1);
  assert_status(mbd_parameters_check(bodies[9].ten, &margin), MBD_ERROR_BAD_INERTIA);
  assert_true(margin < 0);
  assert_status(mbd_parameters_check(NULL, &margin), MBD_ERROR_NULL_ARGUMENT);
}

//---------- the same robot with other parameters ----------

static void
assert_same_robot(const mbd_model_t * a, const mbd_model_t * b, uint64_t seed)
{
  assert_true(b->finalized);
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->nq, b->nq);
  assert_int_equal(a->nv, b->nv);
  assert_int_equal(a->nbody, b->nbody);
  assert_int_equal(a->nframe, b->nframe);
  assert_int_equal(a->nmimic, b->nmimic);
  assert_int_equal(a->mimic_independent, b->mimic_independent);
  assert_near(a->mass_fixed, b->mass_fixed, 0, "fixed mass, seed %lu", seed);
  assert_memory_equal(&a->gravity, &b->gravity, sizeof a->gravity);
  for (int i = 0; i < a->nframe; i++) {
    const mbd_frame_t *f = &a->frame[i], *g = &b->frame[i];
    assert_string_equal(f->name, g->name);
    assert_int_equal(f->body, g->body);
    assert_int_equal(f->is_link, g->is_link);
    assert_memory_equal(&f->X, &g->X, sizeof f->X);
  }
  for (int i = 0; i < a->nbody; i++) {
    const mbd_body_t *f = &a->body[i], *g = &b->body[i];
    assert_string_equal(f->name, g->name);
    assert_string_equal(f->joint_name, g->joint_name);
    assert_int_equal(f->type, g->type);
    assert_int_equal(f->parent, g->parent);
    assert_int_equal(f->link_frame, g->link_frame);
    assert_memory_equal(&f->X_tree, &g->X_tree, sizeof f->X_tree);
    assert_memory_equal(&f->limits, &g->limits, sizeof f->limits);
    assert_true(f->pitch == g->pitch && f->mimic_body == g->mimic_body);
    assert_true(f->mimic_multiplier == g->mimic_multiplier && f->mimic_offset == g->mimic_offset);
    assert_true(f->user.ctx == g->user.ctx && f->user.transform == g->user.transform);
  }
}

// torques of another model at the robot's state, drives counted
static mat_t
torques_of(const mbd_model_t * model, const tree_t * t)
{
  mbd_data_t * data;
  mat_t tau = mat(model->nv, 1);
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_terms(data, both));
  assert_ok(mbd_inverse_dynamics(model, data, t->q, t->v, t->qdd, NULL, tau.a));
  mbd_data_destroy(data);
  return tau;
}

// its own parameters give the same robot: frames, joints, drives, mass matrix, torques
static void
own_parameters_give_the_robot_back(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    const mat_t theta = parameters(t, true);
    mbd_model_t * same;
    assert_ok(mbd_model_with_parameters(t->model, true, theta.a, &same));
    assert_same_robot(t->model, same, seed);
    mbd_data_t * data;
    mat_t again = mat(theta.r, 1), M = mat(nv, nv), N = mat(nv, nv);
    assert_ok(mbd_data_create(same, &data));
    assert_ok(mbd_parameters_get(same, data, true, again.a));
    assert_mat(again, theta, 1e-13, "parameters, seed %lu", seed);
    assert_ok(mbd_set_terms(data, MBD_TERM_ROTORS));
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
    assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_ok(mbd_set_state(same, data, t->q, NULL));
    assert_ok(mbd_mass_matrix(same, data, N.a));
    assert_mat(N, M, 1e-12, "mass matrix, seed %lu", seed);
    const mat_t tau = torques_of(t->model, t);
    assert_mat_floor(torques_of(same, t), tau, 1e-11, 1, "torques, seed %lu", seed);
    mbd_data_destroy(data);
    mbd_model_destroy(same);
  }
}

// parameters of other bodies and drives, the same drive for all degrees of freedom of a joint
static mat_t
other_parameters(const mbd_model_t * model, uint64_t * state)
{
  mat_t theta = mat(mbd_parameter_count(model, true), 1);
  for (int i = 0; i < model->nbody; i++) {
    const mbd_inertia_t M = random_inertia(state);
    const double ten[10] = {M.mass, M.h.x,  M.h.y,  M.h.z,  M.I.xx,
                            M.I.xy, M.I.xz, M.I.yy, M.I.yz, M.I.zz};
    memcpy(theta.a + 10 * i, ten, sizeof ten);
    const double three[3] = {
      random_between(state, 0, 1), random_between(state, 0, 1), random_between(state, 0, 1)};
    for (int k = 0; k < model->body[i].nv; k++) {
      const int at_dof = model->body[i].v_index + k;
      memcpy(theta.a + 10 * model->nbody + 3 * at_dof, three, sizeof three);
    }
  }
  return theta;
}

// other parameters: the torques of the new robot are Y theta' of the old one
static void
other_parameters_give_another_robot(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mat_t theta = other_parameters(t->model, &state);
    mbd_model_t * other;
    assert_ok(mbd_model_with_parameters(t->model, true, theta.a, &other));
    assert_same_robot(t->model, other, seed);
    mat_t Y = mat(t->model->nv, theta.r);
    set_state(t);
    assert_ok(mbd_torque_regressor(t->model, t->data, t->qdd, true, Y.a));
    assert_mat_floor(PROD(Y, theta), torques_of(other, t), 1e-11, 1, "seed %lu", seed);
    mbd_model_destroy(other);
    // without drives they stay what they were
    assert_ok(mbd_model_with_parameters(t->model, false, theta.a, &other));
    const int nb = t->model->nbody;
    for (int i = 0; i < nb; i++) {
      const mbd_drive_t *a = &t->model->body[i].drive, *b = &other->body[i].drive;
      assert_memory_equal(a, b, sizeof *a);
    }
    const mat_t own = parameters(t, true);
    memcpy(theta.a + 10 * nb, own.a + 10 * nb, (size_t)(theta.r - 10 * nb) * sizeof *theta.a);
    assert_mat_floor(PROD(Y, theta), torques_of(other, t), 1e-11, 1, "no drives, %lu", seed);
    mbd_model_destroy(other);
  }
}

// a robot that had links merged into its bodies weighs what its parameters say, no more
static void
merged_links_become_massless(void ** context)
{
  (void)context;
  int merged = 0;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mat_t theta = other_parameters(t->model, &state);
    mbd_model_t * other;
    assert_ok(mbd_model_with_parameters(t->model, false, theta.a, &other));
    double mass = 0;
    for (int i = 0; i < t->model->nbody; i++) mass += theta.a[10 * i];
    assert_near(other->mass / mass, 1, 1e-14, "mass, seed %lu", seed);
    for (int k = 0; k < t->nlink; k++) {
      const mbd_frame_t * f = &t->model->frame[t->link[k].frame];
      merged += f->body >= 0 && t->model->body[f->body].link_frame != t->link[k].frame;
    }
    mbd_model_destroy(other);
  }
  assert_count(merged, TREES / 2);
}

// a drive without a gear can get a rotor, too
static void
no_gear_takes_a_reflected_inertia(void ** context)
{
  (void)context;
  mbd_model_t *model, *with;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  spec.name = spec.joint_name = "wheel", spec.type = MBD_JOINT_REVOLUTE;
  spec.drive.gear_ratio = 0;
  spec.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  assert_ok(mbd_model_create("wheel", &model));
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  const double theta[13] = {1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0.1, 0.2, 0.3};
  double again[13];
  assert_ok(mbd_model_with_parameters(model, true, theta, &with));
  mbd_data_t * data;
  assert_ok(mbd_data_create(with, &data));
  assert_ok(mbd_parameters_get(with, data, true, again));
  assert_close(again, theta, 13, 1e-15, "parameters");
  mbd_data_destroy(data);
  mbd_model_destroy(with);
  mbd_model_destroy(model);
}

// mimic joints stay what they are; dynamics of them is asked for or refused
static void
mimic_joints_survive(void ** context)
{
  (void)context;
  for (int independent = 0; independent < 2; independent++) {
    mbd_model_t *model = load_file("test/data", "mimic_gripper.urdf", independent), *same;
    mbd_data_t * data;
    mat_t theta = mat(mbd_parameter_count(model, true), 1), q = mat(model->nq, 1);
    mat_t Y = mat(model->nv, theta.r);
    assert_ok(mbd_data_create(model, &data));
    assert_ok(mbd_parameters_get(model, data, true, theta.a));
    assert_ok(mbd_model_with_parameters(model, true, theta.a, &same));
    assert_int_equal(model->nmimic, 2);
    assert_same_robot(model, same, 0);
    assert_ok(mbd_set_position(model, data, q.a));
    assert_ok(mbd_set_velocity(model, data, q.a));
    const mbd_status_t expected = independent ? MBD_OK : MBD_ERROR_MIMIC;
    assert_status(mbd_torque_regressor(model, data, NULL, true, Y.a), expected);
    assert_status(mbd_momentum_regressor(model, data, Y.a), expected);
    assert_status(mbd_energy_regressor(model, data, Y.a, NULL), expected);
    assert_status(mbd_momentum(model, data, Y.a), expected);
    mbd_data_destroy(data);
    mbd_model_destroy(same);
    mbd_model_destroy(model);
  }
  mats_free();
}

// a change to one number, and what comes of it
static void
assert_refused(const tree_t * t, int index, double value, mbd_status_t expected)
{
  mat_t theta = parameters(t, true);
  mbd_model_t * out = NULL;
  theta.a[index] = value;
  assert_status(mbd_model_with_parameters(t->model, true, theta.a, &out), expected);
  assert_null(out);
}

static void
bad_parameters_make_no_robot(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.floating_base = true, options.forest = false;
  tree_t * t = random_tree(4, &options);
  const int drives = 10 * t->model->nbody;
  assert_refused(t, 0, -1, MBD_ERROR_BAD_INERTIA);
  assert_refused(t, 0, 0, MBD_ERROR_BAD_INERTIA);
  assert_refused(t, 1, 1e3, MBD_ERROR_BAD_INERTIA);
  assert_refused(t, 4, -1, MBD_ERROR_BAD_INERTIA);
  assert_refused(t, 7, (double)NAN, MBD_ERROR_NOT_FINITE);
  assert_refused(t, drives + 2, HUGE_VAL, MBD_ERROR_NOT_FINITE);
  for (int k = 0; k < 3; k++) assert_refused(t, drives + k, -1, MBD_ERROR_BAD_JOINT);
  // a joint has one drive: its six degrees of freedom cannot differ
  for (int k = 0; k < 18; k++) assert_refused(t, drives + k, 77, MBD_ERROR_BAD_JOINT);
  mbd_model_t *out, *open;
  const mat_t theta = parameters(t, true);
  assert_ok(mbd_model_create("open", &open));
  assert_status(mbd_model_with_parameters(open, true, theta.a, &out), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_model_with_parameters(NULL, true, theta.a, &out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_with_parameters(t->model, true, NULL, &out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_with_parameters(t->model, true, theta.a, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(mbd_parameter_count(open, true), 0);
  assert_int_equal(mbd_parameter_count(NULL, true), 0);
  mbd_model_destroy(open);
  tree_free(t);
  mats_free();
}

//---------- base parameters ----------

// regressors at random states, stacked: at least twice as many rows as columns
static mat_t
stack(const mbd_model_t * model, mbd_data_t * data, bool drives, uint64_t seed)
{
  uint64_t state = seed;
  const int columns = mbd_parameter_count(model, drives), nv = model->nv;
  const int states = 2 * columns / nv + 2;
  mat_t W = mat(states * nv, columns), q = mat(model->nq, 1), v = mat(nv, 1), a = mat(nv, 1);
  for (int s = 0; s < states; s++) {
    assert_ok(mbd_random_configuration(model, seed + (uint64_t)s, q.a));
    for (int k = 0; k < nv; k++) {
      v.a[k] = 2 * random_signed(&state), a.a[k] = 5 * random_signed(&state);
    }
    assert_ok(mbd_set_position(model, data, q.a));
    assert_ok(mbd_set_velocity(model, data, v.a));
    assert_ok(mbd_torque_regressor(model, data, a.a, drives, at(W, s * nv, 0)));
  }
  return W;
}

static int
base_rank(const mbd_model_t * model, mbd_data_t * data, bool drives, uint64_t seed)
{
  mat_t W = stack(model, data, drives, seed);
  int pivot[512], rank;
  assert_true(W.c <= 512);
  const int singular_values = rank_of(tr(W), 1e-6);
  assert_ok(mbd_base_parameters(W.r, W.c, W.a, 1e-9, pivot, &rank, NULL));
  assert_int_equal(rank, singular_values);
  return rank;
}

// W theta = W[:, base] (theta_base + K theta_rest), for any theta; the rank is that of singular
// values
static void
base_parameters_carry_everything(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.max_bodies = 5;
  FOR_TREES(TREES, &options)
  {
    const bool drives = seed % 2;
    const mat_t W = stack(t->model, t->data, drives, seed), copy = SUM(W);
    int pivot[512], rank;
    mat_t K = mat(W.c * W.c / 4 + 1, 1);
    assert_true(W.c <= 512);
    assert_ok(mbd_base_parameters(W.r, W.c, copy.a, 1e-9, pivot, &rank, K.a));
    assert_int_equal(rank, rank_of(tr(W), 1e-6));
    // the pivots are a permutation
    int seen[512] = {0};
    for (int j = 0; j < W.c; j++) seen[pivot[j]]++;
    for (int j = 0; j < W.c; j++) assert_int_equal(seen[j], 1);
    const int rest = W.c - rank;
    uint64_t state = seed;
    mat_t theta = mat(W.c, 1), base = mat(rank, 1), columns = mat(W.r, rank);
    for (int j = 0; j < W.c; j++) theta.a[j] = random_signed(&state);
    for (int i = 0; i < rank; i++) {
      base.a[i] = theta.a[pivot[i]];
      for (int j = 0; j < rest; j++) base.a[i] += K.a[i * rest + j] * theta.a[pivot[rank + j]];
      set_block(columns, 0, i, block(W, 0, pivot[i], W.r, 1));
    }
    assert_mat(PROD(columns, base), PROD(W, theta), 1e-10, "seed %lu", seed);
  }
}

// a body that floats shows all ten; every further revolute joint in general position seven more
static void
floating_bodies_show_all(void ** context)
{
  (void)context;
  for (int joints = 0; joints <= 3; joints++) {
    uint64_t state = (uint64_t)joints + 5;
    mbd_model_t * model;
    mbd_data_t * data;
    int parent = MBD_WORLD_BODY;
    assert_ok(mbd_model_create("floating", &model));
    for (int k = 0; k <= joints; k++) {
      char name[8];
      mbd_body_spec_t spec = mbd_body_spec_default();
      snprintf(name, sizeof name, "l%d", k);
      spec.name = spec.joint_name = name, spec.parent = parent;
      spec.type = k ? MBD_JOINT_CONTINUOUS : MBD_JOINT_FREE;
      spec.axis = random_axis(&state), spec.placement = random_placement(&state);
      spec.inertia = random_inertia(&state);
      assert_ok(mbd_model_add_body(model, &spec, &parent));
    }
    assert_ok(mbd_model_finalize(model));
    assert_ok(mbd_data_create(model, &data));
    assert_int_equal(base_rank(model, data, false, 3), 10 + 7 * joints);
    mbd_data_destroy(data);
    mbd_model_destroy(model);
    mats_free();
  }
}

// counts that can be found by hand, or in the literature
static void
known_counts(void ** context)
{
  (void)context;
  // planar double pendulum: J1 + m2 l^2, J2, and both first moments in the plane; without gravity
  // the first link's first moment is not felt
  mbd_model_t * model = load_file("test/data", "double_pendulum.urdf", false);
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  assert_int_equal(base_rank(model, data, false, 1), 6);
  // viscous and dry friction of both, the rotor of the second; the first's is J1's
  assert_int_equal(base_rank(model, data, true, 1), 6 + 4 + 1);
  assert_ok(mbd_set_gravity(data, mbdu_vec3(0, 0, 0)));
  assert_int_equal(base_rank(model, data, false, 1), 4);
  mbd_data_destroy(data);
  mbd_model_destroy(model);

  // seven revolute axes, the first along gravity: 7 * 7 - 4 - 2 = 43 (Gautier's rule), which is
  // what is found for the robot that arm7 is modelled on; turned on its side, the first link's
  // first moments across its axis are felt, too
  model = load_file("config/robots", "arm7.urdf", false);
  assert_ok(mbd_data_create(model, &data));
  assert_int_equal(base_rank(model, data, false, 1), 43);
  // the second axis is always square to the first: its rotor is felt as its link's moment about it
  // is, and the first's as the first link's
  assert_int_equal(base_rank(model, data, true, 1), 43 + 3 * 7 - 2);
  assert_ok(mbd_set_gravity(data, mbdu_vec3(9.81, 0, 0)));
  assert_int_equal(base_rank(model, data, false, 1), 45);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mats_free();
}

static void
base_parameters_of_simple_matrices(void ** context)
{
  (void)context;
  double K[8], W[12] = {0};
  int pivot[3], rank = -1;
  assert_ok(mbd_base_parameters(4, 3, W, 1e-9, pivot, &rank, K));
  assert_int_equal(rank, 0);
  // columns e1, 2 e1, e2: the longer one leads, the shorter one is half of it
  const double dependent[12] = {1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
  memcpy(W, dependent, sizeof W);
  assert_ok(mbd_base_parameters(4, 3, W, 1e-9, pivot, &rank, K));
  assert_int_equal(rank, 2);
  assert_true(pivot[0] == 1 && pivot[1] == 2 && pivot[2] == 0);
  assert_close(K, ((double[]){0.5, 0}), 2, 1e-15, "K");
  // all independent
  const double square[9] = {1, 2, 3, 0, 1, 4, 5, 6, 0};
  memcpy(W, square, sizeof square);
  assert_ok(mbd_base_parameters(3, 3, W, 1e-9, pivot, &rank, K));
  assert_int_equal(rank, 3);
  // the tolerance decides
  const double almost[4] = {1, 1, 0, 1e-6};
  memcpy(W, almost, sizeof almost);
  assert_ok(mbd_base_parameters(2, 2, W, 1e-9, pivot, &rank, K));
  assert_int_equal(rank, 2);
  memcpy(W, almost, sizeof almost);
  assert_ok(mbd_base_parameters(2, 2, W, 1e-3, pivot, &rank, K));
  assert_int_equal(rank, 1);
  assert_status(mbd_base_parameters(2, 3, W, 1e-9, pivot, &rank, K), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_base_parameters(2, 0, W, 1e-9, pivot, &rank, K), MBD_ERROR_BAD_ARGUMENT);
  const double bad[] = {0, -1, 1, (double)NAN};
  for (size_t i = 0; i < 4; i++) {
    assert_status(mbd_base_parameters(2, 2, W, bad[i], pivot, &rank, K), MBD_ERROR_BAD_ARGUMENT);
  }
  assert_status(mbd_base_parameters(2, 2, NULL, 1e-9, pivot, &rank, K), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_base_parameters(2, 2, W, 1e-9, NULL, &rank, K), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_base_parameters(2, 2, W, 1e-9, pivot, NULL, K), MBD_ERROR_NULL_ARGUMENT);
  W[3] = (double)NAN;
  assert_status(mbd_base_parameters(2, 2, W, 1e-9, pivot, &rank, K), MBD_ERROR_NOT_FINITE);
}

//---------- behaviour ----------

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t Y = mat(m->nv, mbd_parameter_count(m, true));
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_torque_regressor(m, d, NULL, true, Y.a), MBD_ERROR_STAGE);
  assert_status(mbd_momentum_regressor(m, d, Y.a), MBD_ERROR_STAGE);
  assert_status(mbd_energy_regressor(m, d, Y.a, Y.a), MBD_ERROR_STAGE);
  set_state(t);
  assert_status(mbd_torque_regressor(m, d, NULL, true, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_torque_regressor(m, NULL, NULL, true, Y.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum_regressor(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_parameters_get(m, d, true, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_torque_regressor(other->model, d, NULL, true, Y.a), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_parameters_get(other->model, d, true, Y.a), MBD_ERROR_MODEL_MISMATCH);
  t->qdd[0] = (double)NAN;
  Y.a[0] = 7;
  assert_status(mbd_torque_regressor(m, d, t->qdd, true, Y.a), MBD_ERROR_NOT_FINITE);
  assert_true(Y.a[0] == 7);
  tree_free(other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(torque_is_linear_in_the_parameters),
    cmocka_unit_test(momentum_and_energies_are_linear_in_the_parameters),
    cmocka_unit_test(parameters_are_those_of_the_links),
    cmocka_unit_test(payloads_are_part_of_the_parameters),
    cmocka_unit_test(clouds_of_points_can_be_bodies),
    cmocka_unit_test(what_no_body_has_is_refused),
    cmocka_unit_test(own_parameters_give_the_robot_back),
    cmocka_unit_test(other_parameters_give_another_robot),
    cmocka_unit_test(merged_links_become_massless),
    cmocka_unit_test(no_gear_takes_a_reflected_inertia),
    cmocka_unit_test(mimic_joints_survive),
    cmocka_unit_test(bad_parameters_make_no_robot),
    cmocka_unit_test(base_parameters_carry_everything),
    cmocka_unit_test(floating_bodies_show_all),
    cmocka_unit_test(known_counts),
    cmocka_unit_test(base_parameters_of_simple_matrices),
    cmocka_unit_test(stages_and_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
