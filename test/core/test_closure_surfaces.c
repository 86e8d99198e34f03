// Closures between surfaces: where they touch, and what roll does there, between two free bodies.
#include <math.h>
#include <string.h>

#include "close.h"
#include "core_test.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/simulate.h"
#include "surfaces.h"

typedef struct pair {
  mbd_closure_spec_t spec;
  mbd_model_t * model;
  mbd_data_t * data;
  double q[14], v[12];
  mbd_placement_t A, B;
} pair_t;

static int
free_body(mbd_model_t * model, const char * name)
{
  mbd_body_spec_t body = mbd_body_spec_default();
  int frame;
  body.name = body.joint_name = name, body.type = MBD_JOINT_FREE;
  body.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  assert_ok(mbd_model_add_body(model, &body, &frame));
  return frame;
}

static void
put(pair_t * p, const char * name, mbd_placement_t X)
{
  int body;
  assert_ok(mbd_find_joint(p->model, name, &body));
  double * q = p->q + p->model->body[body].q_index;
  const mbd_quat_t turn = mbdu_quat_from_mat3(&X.R);
  const double all[7] = {X.p.x, X.p.y, X.p.z, turn.x, turn.y, turn.z, turn.w};
  memcpy(q, all, sizeof all);
}

// two free bodies with surfaces, B at X in A; on_surface, touch and roll between them
static pair_t
pair_of(const mbd_closure_spec_t * spec, mbd_placement_t X, uint64_t * state)
{
  pair_t p = {.spec = *spec};
  assert_ok(mbd_model_create("pair", &p.model));
  p.spec.frame_a = free_body(p.model, "a"), p.spec.frame_b = free_body(p.model, "b");
  static const mbd_closure_type_t types[3] = {
    MBD_CLOSURE_TOUCH, MBD_CLOSURE_ROLL, MBD_CLOSURE_ON_SURFACE};
  for (int k = 0; k < 3; k++) {
    p.spec.type = types[k], p.spec.name = mbd_closure_type_name(types[k]);
    assert_ok(mbd_model_add_closure(p.model, &p.spec, NULL));
  }
  assert_ok(mbd_model_finalize(p.model));
  assert_ok(mbd_data_create(p.model, &p.data));
  p.A = random_placement(state), p.B = mbdu_placement_mul(&p.A, &X);
  put(&p, "a", p.A), put(&p, "b", p.B);
  for (int k = 0; k < 12; k++) p.v[k] = random_signed(state);
  assert_ok(mbd_set_position(p.model, p.data, p.q));
  assert_ok(mbd_set_velocity(p.model, p.data, p.v));
  return p;
}

static void
pair_free(pair_t * p)
{
  mbd_data_destroy(p->data);
  mbd_model_destroy(p->model);
}

// what a multiplier of one does to B, in axes of A at B's origin
static mbd_force_t
wrench(pair_t * p, int closure, int row)
{
  double lambda[4] = {0};
  mbd_force_t f;
  lambda[p->model->closure[closure].row + row] = 1;
  assert_ok(mbd_closure_wrench(p->model, p->data, closure, lambda, &f));
  return f;
}

static double
norm_of_difference(mbd_vec3_t a, mbd_vec3_t b)
{
  return mbdu_vec3_norm(mbdu_vec3_sub(a, b));
}

// The contact point of B is furthest against the normal; a line along the normal from there, as long as the gap,
// ends on A, whose normal it is.
static void
check_contact(pair_t * p, mbd_placement_t X, double most, uint64_t seed)
{
  double d[4];
  assert_ok(mbd_closure_error(p->model, p->data, 0, d));
  const mbd_force_t touch = wrench(p, 0, 0);
  const mbd_vec3_t n = touch.lin, down = mbdu_mat3_tvec(&X.R, mbdu_vec3_neg(n));
  assert_near(mbdu_vec3_norm(n), 1, 1e-14, "normal, seed %lu", seed);
  const mbd_vec3_t arm = mbdu_mat3_vec(&X.R, furthest(&p->spec.surface_b, down));
  const mbd_vec3_t on_b = mbdu_vec3_add(X.p, arm);
  const mbd_vec3_t on_a = mbdu_vec3_sub(on_b, mbdu_vec3_scale(d[0], n));
  mbd_vec3_t g;
  assert_near(surface_value(&p->spec.surface_a, on_a, &g), 0, 1e-12, "on A, seed %lu", seed);
  g = mbdu_vec3_scale(1 / mbdu_vec3_norm(g), g);
  assert_near(norm_of_difference(g, n), 0, 1e-10, "normal of A, seed %lu", seed);
  assert_near(
    norm_of_difference(touch.ang, mbdu_vec3_cross(arm, n)), 0, 1e-14, "moment, seed %lu", seed);
  assert_near(d[0], 0, most, "gap, seed %lu", seed);
  // two unit tangents, with the same arm
  mbd_force_t t[2];
  for (int k = 0; k < 2; k++) {
    t[k] = wrench(p, 1, k);
    assert_near(mbdu_vec3_norm(t[k].lin), 1, 1e-14, "tangent, seed %lu", seed);
    assert_near(mbdu_vec3_dot(t[k].lin, n), 0, 1e-14, "tangent, seed %lu", seed);
    assert_near(
      norm_of_difference(t[k].ang, mbdu_vec3_cross(arm, t[k].lin)), 0, 1e-14, "seed %lu", seed);
  }
  assert_near(mbdu_vec3_dot(t[0].lin, t[1].lin), 0, 1e-14, "tangents, seed %lu", seed);
  assert_true(d[1] == 0 && d[2] == 0);
  // a point: its distance along the normal at its foot
  const mbd_vec3_t m = wrench(p, 2, 0).lin;
  const mbd_vec3_t foot = mbdu_vec3_sub(X.p, mbdu_vec3_scale(d[3], m));
  assert_near(surface_value(&p->spec.surface_a, foot, &g), 0, 1e-12, "foot, seed %lu", seed);
  g = mbdu_vec3_scale(1 / mbdu_vec3_norm(g), g);
  assert_near(norm_of_difference(g, m), 0, 1e-10, "normal at the foot, seed %lu", seed);
  assert_near(mbdu_vec3_norm(wrench(p, 2, 0).ang), 0, 0, "moment, seed %lu", seed);
}

static void
contacts_are_where_normals_agree(void ** state)
{
  (void)state;
  int seen[MBD_SURFACE_TYPES][MBD_SURFACE_TYPES] = {{0}}, inside = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    uint64_t random = seed;
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.type = MBD_CLOSURE_TOUCH;
    random_surfaces(&random, &spec);
    mbd_placement_t X = touching(&spec, &random);
    // half of them touch, the others are off a little
    const bool off = seed % 2;
    if (off) X.p = mbdu_vec3_add(X.p, random_vec3(&random, 0.1));
    pair_t p = pair_of(&spec, X, &random);
    check_contact(&p, X, off ? 0.25 : 1e-14, seed);
    seen[spec.surface_a.type][spec.surface_b.type]++;
    inside += spec.surface_a.inside;
    pair_free(&p);
  }
  for (int a = MBD_SURFACE_PLANE; a <= MBD_SURFACE_PARABOLOID; a++) {
    for (int b = MBD_SURFACE_SPHERE; b < MBD_SURFACE_TYPES; b++) {
      const bool has =
        b == MBD_SURFACE_SPHERE || b == MBD_SURFACE_ELLIPSOID || b == MBD_SURFACE_DISK;
      assert_true(has ? seen[a][b] >= 80 : seen[a][b] == 0);
    }
  }
  assert_true(inside >= 300);
}

//---------- roll ----------

static mbd_placement_t
placement_of(const pair_t * p, const char * name, const double * q)
{
  int frame;
  mbd_placement_t X;
  assert_ok(mbd_set_position(p->model, p->data, q));
  assert_ok(mbd_find_frame(p->model, name, &frame));
  assert_ok(mbd_frame_placement(p->model, p->data, frame, &X));
  return X;
}

// G v of roll is the velocity of B's material point less that of A's at the contact, along the tangents
static void
roll_compares_material_points(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t random = seed;
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.type = MBD_CLOSURE_TOUCH;
    random_surfaces(&random, &spec);
    const mbd_placement_t X = touching(&spec, &random);
    pair_t p = pair_of(&spec, X, &random);
    double G[4 * 12], rate[2] = {0};
    assert_ok(mbd_closure_jacobian(p.model, p.data, G));
    for (int k = 0; k < 24; k++) rate[k / 12] += G[12 + k] * p.v[k % 12];
    const mbd_force_t t[2] = {wrench(&p, 1, 0), wrench(&p, 1, 1)};
    const mbd_vec3_t n = wrench(&p, 0, 0).lin;
    const mbd_vec3_t on_b = furthest(&spec.surface_b, mbdu_mat3_tvec(&X.R, mbdu_vec3_neg(n)));
    const mbd_vec3_t on_a = mbdu_placement_point(&X, on_b);
    mbd_vec3_t apart[2];
    const double h = 1e-5;
    for (int k = 0; k < 2; k++) {
      double q[14];
      assert_ok(mbd_integrate(p.model, p.q, p.v, k ? h : -h, q));
      const mbd_placement_t A = placement_of(&p, "a", q), B = placement_of(&p, "b", q);
      apart[k] = mbdu_vec3_sub(mbdu_placement_point(&B, on_b), mbdu_placement_point(&A, on_a));
    }
    mbd_vec3_t slip = mbdu_vec3_scale(0.5 / h, mbdu_vec3_sub(apart[1], apart[0]));
    slip = mbdu_mat3_tvec(&p.A.R, slip);
    for (int k = 0; k < 2; k++) {
      assert_near(rate[k], mbdu_vec3_dot(t[k].lin, slip), 1e-8, "seed %lu", seed);
    }
    pair_free(&p);
  }
}

//---------- distances ----------

// Convex bodies apart: the distance is the largest difference of their supports over all directions.
static void
far_bodies_have_their_distance(void ** state)
{
  (void)state;
  int compared = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    uint64_t random = seed;
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.type = MBD_CLOSURE_TOUCH;
    random_surfaces(&random, &spec);
    mbd_surface_t *a = &spec.surface_a, *b = &spec.surface_b;
    if (a->type != MBD_SURFACE_SPHERE && a->type != MBD_SURFACE_ELLIPSOID) continue;
    // the face of a disk is nearer than its rim for many directions
    if (b->type == MBD_SURFACE_DISK) continue;
    a->inside = false;
    for (int k = 0; k < 3; k++) {
      a->size[k] = random_between(&random, 0.3, 2), b->size[k] = random_between(&random, 0.2, 1);
    }
    mbd_placement_t X = {random_rotation(&random), random_vec3(&random, 1)};
    X.p = mbdu_vec3_scale(random_between(&random, 3.1, 8) / mbdu_vec3_norm(X.p), X.p);
    pair_t p = pair_of(&spec, X, &random);
    double d[4];
    assert_ok(mbd_closure_error(p.model, p.data, 0, d));
    // steepest ascent on the sphere of directions
    mbd_vec3_t n = mbdu_vec3_scale(1 / mbdu_vec3_norm(X.p), X.p);
    double distance = 0;
    for (int k = 0; k < 3000; k++) {
      const mbd_vec3_t down = mbdu_mat3_tvec(&X.R, mbdu_vec3_neg(n));
      mbd_vec3_t e = mbdu_vec3_sub(X.p, furthest(a, n));
      e = mbdu_vec3_add(e, mbdu_mat3_vec(&X.R, furthest(b, down)));
      distance = mbdu_vec3_dot(n, e);
      n = mbdu_vec3_add(n, mbdu_vec3_scale(0.5 / (4 + mbdu_vec3_norm(X.p)), e));
      n = mbdu_vec3_scale(1 / mbdu_vec3_norm(n), n);
    }
    assert_near(d[0], distance, 1e-11, "seed %lu", seed);
    compared++;
    pair_free(&p);
  }
  assert_true(compared >= 100);
}

// a disk that lies flat, a ball at the centre of a hollow one: the contact is undefined, nothing is infinite
static void
undefined_contacts_are_finite(void ** state)
{
  (void)state;
  uint64_t random = 5;
  for (int k = 0; k < 4; k++) {
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    mbd_placement_t X = mbdu_placement_identity();
    spec.surface_a.type = k == 0   ? MBD_SURFACE_PLANE
                          : k == 3 ? MBD_SURFACE_PARABOLOID
                          : k == 2 ? MBD_SURFACE_CYLINDER
                                   : MBD_SURFACE_SPHERE;
    spec.surface_a.inside = k == 1 || k == 2;
    spec.surface_a.size[0] = spec.surface_a.size[1] = 1;
    spec.surface_b.type = k == 0 ? MBD_SURFACE_DISK : MBD_SURFACE_SPHERE;
    spec.surface_b.size[0] = 0.5;
    // the last is at the focal point
    if (k == 3) X.p.z = 1;
    pair_t p = pair_of(&spec, X, &random);
    double d[4], gamma[4], G[48];
    assert_ok(mbd_closure_error(p.model, p.data, 0, d));
    assert_ok(mbd_closure_jacobian(p.model, p.data, G));
    assert_ok(mbd_closure_bias(p.model, p.data, 0, gamma));
    for (int j = 0; j < 4; j++) assert_true(isfinite(d[j]) && isfinite(gamma[j]));
    for (int j = 0; j < 48; j++) assert_true(isfinite(G[j]));
    const double gap[4] = {0, 0.5, 0.5, 0.5};
    assert_near(d[0], gap[k], 1e-12, "gap of %d", k);
    pair_free(&p);
  }
}

//---------- forces ----------

// the multiplier of touch is the normal force: the weight of a ball at rest on the ground
static void
contact_carries_the_weight(void ** state)
{
  (void)state;
  mbd_model_t * model;
  mbd_data_t * data;
  assert_ok(mbd_model_create("ball", &model));
  const int ball = free_body(model, "ball");
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "touch", spec.type = MBD_CLOSURE_TOUCH, spec.frame_b = ball;
  spec.surface_a.type = MBD_SURFACE_PLANE;
  spec.surface_b = (mbd_surface_t){MBD_SURFACE_SPHERE, {0.5}, false};
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  spec.name = "roll", spec.type = MBD_CLOSURE_ROLL;
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  assert_ok(mbd_model_finalize(model));
  assert_ok(mbd_data_create(model, &data));
  double work[4096], qdd[6], lambda[3];
  assert_true(mbd_constrained_work(model) <= 4096);
  const double q[7] = {1, 2, 0.5, 0, 0, 0, 1}, v[6] = {0}, tau[6] = {2};
  assert_ok(
    mbd_constrained_forward_dynamics(model, data, q, v, tau, NULL, NULL, work, qdd, lambda, NULL));
  const double g = -model->gravity.z;
  assert_near(lambda[0], g, 1e-12, "weight");
  // pushed by 2 N at its centre: m a = 2 - f, J a / r = f r, for 1 kg, 1 kg m^2
  assert_near(qdd[0], 2 / (1 + 1 / 0.25), 1e-12, "acceleration");
  assert_near(lambda[1], qdd[0] - 2, 1e-12, "friction");
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// A disk that rolls on a ball: three independent velocities, the accelerations of cut joints, also after a while.
static void
rolling_is_embedded(void ** state)
{
  (void)state;
  mbd_model_t *tree, *model;
  mbd_data_t *on, *data;
  assert_ok(mbd_model_create("disk", &tree));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.frame_b = free_body(tree, "disk");
  spec.surface_a = (mbd_surface_t){MBD_SURFACE_SPHERE, {2}, false};
  spec.surface_b = (mbd_surface_t){MBD_SURFACE_DISK, {0.5}, false};
  spec.name = "touch", spec.type = MBD_CLOSURE_TOUCH;
  assert_ok(mbd_model_add_closure(tree, &spec, NULL));
  spec.name = "roll", spec.type = MBD_CLOSURE_ROLL;
  assert_ok(mbd_model_add_closure(tree, &spec, NULL));
  assert_ok(mbd_model_finalize(tree));
  // the axis of the disk along x, its centre above the ball
  const double h = sqrt(0.5), start[7] = {0, 0, 2.5, 0, h, 0, h};
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = start;
  assert_ok(mbd_model_embed(tree, &options, &model));
  assert_ok(mbd_data_create(tree, &on));
  assert_ok(mbd_data_create(model, &data));
  assert_int_equal(model->nv, 3);
  double q[7], v[3] = {0.3, -0.2, 0.4}, v_tree[6], qdd[3], all[6], want[6], work[4096], d[3];
  assert_ok(mbd_set_position(model, data, start));
  memcpy(q, data->q, sizeof q);
  for (int k = 0; k < 40; k++) {
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(mbd_tree_velocity(model, data, NULL, v_tree));
    assert_ok(mbd_forward_dynamics(model, data, q, v, NULL, NULL, qdd));
    assert_ok(mbd_tree_acceleration(model, data, qdd, all));
    assert_ok(mbd_constrained_forward_dynamics(
      tree, on, q, v_tree, NULL, NULL, NULL, work, want, NULL, NULL));
    assert_close_floor(all, want, 6, 1e-10, 1, "step %d", k);
    assert_ok(mbd_closure_error(tree, on, 0, d));
    assert_near(d[0], 0, 1e-12, "step %d", k);
    assert_ok(mbd_integrate_in(model, data, q, v, 0.02, q));
    for (int j = 0; j < 3; j++) v[j] += 0.02 * qdd[j];
  }
  assert_true(hypot(q[0], q[1]) > 0.05);
  mbd_data_destroy(on);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mbd_model_destroy(tree);
}

// a nut on a screw falls by many turns: z'' = -g / (1 + J / (m pitch^2))
static void
screws_turn_on(void ** state)
{
  (void)state;
  mbd_model_t * model;
  mbd_simulation_t * sim;
  int nut;
  const double pitch = -0.05;
  assert_ok(mbd_model_create("screw", &model));
  mbd_body_spec_t body = mbd_body_spec_default();
  body.name = body.joint_name = "nut", body.type = MBD_JOINT_CYLINDRICAL;
  body.axis = mbdu_vec3(0, 0, 1);
  body.inertia =
    mbdu_inertia_from_com(2, mbdu_vec3(0, 0, 0), (mbd_sym3_t){0.01, 0, 0, 0.01, 0, 0.01});
  assert_ok(mbd_model_add_body(model, &body, &nut));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "thread", spec.type = MBD_CLOSURE_SCREW, spec.frame_b = nut, spec.pitch = pitch;
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  assert_ok(mbd_model_finalize(model));
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.rtol = options.ode.atol = 1e-11;
  assert_ok(mbd_simulation_create(model, &options, &sim));
  const double q[2] = {0, 0}, v[2] = {0, 0}, a = model->gravity.z / (1 + 0.01 / (2 * 0.0025));
  assert_ok(mbd_simulation_start(sim, 0, q, v, NULL));
  assert_ok(mbd_simulation_run(sim, 2));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  assert_near(info->q[1], 2 * a, 1e-9, "height");
  assert_near(info->q[0], 2 * a / pitch, 1e-8, "angle");
  assert_true(info->q[0] > 100 && info->error_position < 1e-13);
  mbd_simulation_destroy(sim);
  mbd_model_destroy(model);
}

// d/dt of X where a driver tilts the axis of a screw, by differences
static void
tilted_screws_have_their_rate(void ** state)
{
  (void)state;
  mbd_model_t *tree, *model;
  mbd_data_t * data;
  assert_ok(mbd_model_create("screw", &tree));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "thread", spec.type = MBD_CLOSURE_SCREW, spec.pitch = 0.3;
  spec.frame_b = free_body(tree, "nut");
  spec.driver.row = 2, spec.driver.value = 0.4, spec.driver.rate = 0.7;
  assert_ok(mbd_model_add_closure(tree, &spec, NULL));
  assert_ok(mbd_model_finalize(tree));
  const double q[7] = {0, 0, 0, 0, 0.2, 0, 0.98}, v = 1.3, h = 1e-5;
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q;
  assert_ok(mbd_model_embed(tree, &options, &model));
  assert_ok(mbd_data_create(model, &data));
  assert_int_equal(model->nv, 1);
  double X[3][6], rate[6], start[7], at[7];
  assert_ok(mbd_set_position(model, data, q));
  memcpy(start, data->q, sizeof start);
  for (int k = 0; k < 3; k++) {
    assert_ok(mbd_set_time(model, data, 0));
    assert_ok(mbd_set_position(model, data, start));
    if (k) assert_ok(mbd_integrate_in(model, data, start, &v, k == 1 ? -h : h, at));
    assert_ok(mbd_embedding_matrix(model, data, X[k]));
  }
  assert_ok(mbd_set_time(model, data, 0));
  assert_ok(mbd_set_position(model, data, start));
  assert_ok(mbd_set_velocity(model, data, &v));
  assert_ok(mbd_embedding_rate(model, data, rate));
  double largest = 0;
  for (int k = 0; k < 6; k++) {
    assert_near(rate[k], (X[2][k] - X[1][k]) / (2 * h), 1e-7, "row %d", k);
    largest = fmax(largest, fabs(rate[k]));
  }
  assert_true(largest > 0.01);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mbd_model_destroy(tree);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(contacts_are_where_normals_agree),
    cmocka_unit_test(roll_compares_material_points),
    cmocka_unit_test(far_bodies_have_their_distance),
    cmocka_unit_test(undefined_contacts_are_finite),
    cmocka_unit_test(contact_carries_the_weight),
    cmocka_unit_test(rolling_is_embedded),
    cmocka_unit_test(screws_turn_on),
    cmocka_unit_test(tilted_screws_have_their_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
