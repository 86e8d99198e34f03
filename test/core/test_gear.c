// Motors as bodies: against the closed form, the diagonal approximation and free rotors.
#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/gear.h"

#include <string.h>

#include "by_hand.h"
#include "mbdyn/constraints/embedding.h"

static mbd_inertia_t
disc(double across, double spin)
{
  return (mbd_inertia_t){0.5, {0, 0, 0}, {across, 0, 0, across, 0, spin}};
}

static mbd_model_t *
embed(mbd_model_t * tree)
{
  mbd_model_t * model;
  mbd_embed_options_t options = mbd_embed_options_default();
  options.own_tree = true;
  assert_ok(mbd_model_embed(tree, &options, &model));
  return model;
}

//---------- by hand ----------

// a turning platform, and on it a link with its motor: axis and ratio of the motor are the cases
static mbd_model_t *
platform(mbd_mat3_t turn, double ratio, bool elastic)
{
  mbd_model_t * model;
  int P, link;
  assert_ok(mbd_model_create("platform", &model));
  assert_ok(mbd_model_set_gravity(model, mbdu_vec3(0, -9.81, 0)));
  mbd_body_spec_t spec = hinge_by_hand(
    "P", MBD_WORLD_BODY,
    mbdu_inertia_from_com(4, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){0.1, 0, 0, 0.2, 0, 0.25}));
  assert_ok(mbd_model_add_body(model, &spec, &P));
  spec = hinge_by_hand(
    "link", P,
    mbdu_inertia_from_com(2, mbdu_vec3(0.3, 0, 0), (mbd_sym3_t){0.01, 0, 0, 0.05, 0, 0.06}));
  spec.placement.p = mbdu_vec3(1, 0, 0);
  assert_ok(mbd_model_add_body(model, &spec, &link));
  mbd_motor_spec_t motor = mbd_motor_spec_default();
  motor.name = "motor", motor.joint = "link", motor.mount = P, motor.ratio = ratio;
  motor.X.p = mbdu_vec3(0.8, 0, 0), motor.X.R = turn;
  motor.inertia = disc(0.0002, 0.0003), motor.elastic = elastic;
  assert_ok(mbd_model_add_motor(model, &motor, NULL));
  assert_ok(mbd_model_finalize(model));
  return model;
}

// mass matrix, bias and accelerations with 16 digits             embedding digest, case of gears
static void
geared_platform_has_the_known_numbers(void ** context)
{
  (void)context;
  // about z, and about x: x of the rotor's frame is -z of the platform's
  const mbd_mat3_t z = mbdu_mat3_identity(), x = {{0, 0, 1, 0, 1, 0, -1, 0, 0}};
  const struct {
    mbd_mat3_t turn;
    double ratio, M[3], h[2], qdd[2];
  } known[3] = {
    {z,
     10,
     {4.728110624741386, 0.7019053123706931, 0.27},
     {46.17884718209235, 3.971886069238649},
     {-12.45199560075719, 19.51198441684935}},
    {z,
     -50,
     {4.728110624741386, 0.6839053123706931, 0.99},
     {46.17884718209235, 3.971886069238649},
     {-9.565610202917786, 0.07079349960012942}},
    // the platform turns about z only, so that a rotor about x has no share in it but its mass
    {x, 20, {0, 0.6989053123706931, 0.36}, {0, 0}, {0, 0}}};
  for (int k = 0; k < 3; k++) {
    mbd_model_t * model = embed(platform(known[k].turn, known[k].ratio, false));
    mbd_data_t * data;
    assert_ok(mbd_data_create(model, &data));
    assert_int_equal(model->nv, 2);
    int link, motor;
    assert_ok(mbd_find_joint(model, "link", &link));
    assert_ok(mbd_find_joint(model, "motor_spin", &motor));
    double q[3] = {0}, M[4], h[2], qdd[2];
    q[model->body[0].q_index] = 0.2;
    q[model->body[link].q_index] = 0.7;
    q[model->body[motor].q_index] = 0.7 * known[k].ratio;
    const double v[2] = {0.9, -0.4}, tau[2] = {1, 0.05 * known[k].ratio};
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(mbd_mass_matrix(model, data, M));
    assert_near(M[1], known[k].M[1], 1e-13, "M12");
    assert_near(M[2], known[k].M[1], 1e-13, "M21");
    if (k < 2) {
      assert_near(M[0], known[k].M[0], 1e-13, "M11");
      assert_near(M[3], known[k].M[2], 1e-13, "M22");
      assert_ok(mbd_bias(model, data, h));
      assert_close(h, known[k].h, 2, 1e-13, "bias");
      assert_ok(mbd_forward_dynamics(model, data, q, v, tau, NULL, qdd));
      assert_close(qdd, known[k].qdd, 2, 1e-12, "accelerations");
    }
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
}

//---------- drives of any robot ----------

static void
take_drive(mbd_body_spec_t * spec, int link, void * arg)
{
  uint64_t * state = arg;
  (void)link;
  spec->drive = mbd_body_spec_default().drive;
  if (spec->type != MBD_JOINT_REVOLUTE && spec->type != MBD_JOINT_PRISMATIC) return;
  spec->drive.rotor_inertia = random_between(state, 1e-5, 1e-4);
  spec->drive.gear_ratio = random_between(state, 20, 100) * (random_signed(state) > 0 ? 1 : -1);
}

// the robot with motors from its drives, embedded
static mbd_model_t *
with_motors(const tree_t * t, uint64_t seed, int * n)
{
  uint64_t state = seed;
  mbd_model_t * model;
  assert_ok(mbd_model_create("motors", &model));
  assert_ok(mbd_model_set_gravity(model, t->model->gravity));
  for (int k = 0; k < t->nlink; k++) {
    mbd_body_spec_t spec = t->link[k].spec;
    int frame;
    take_drive(&spec, k, &state);
    assert_ok(mbd_model_add_body(model, &spec, &frame));
  }
  assert_ok(mbd_model_add_motors(model, n));
  assert_ok(mbd_model_finalize(model));
  return embed(model);
}

// the link that the joint's motor sits on has mass, and so the rotor's in it; one without has not,
// and gets what the rotor brings
static bool
had_rotor(const tree_t * t, const char * joint)
{
  int mount = MBD_WORLD_BODY;
  for (int k = 0; k < t->nlink; k++) {
    if (strcmp(t->link[k].joint_name, joint) == 0) mount = t->link[k].spec.parent;
  }
  for (int k = 0; k < t->nlink; k++) {
    if (t->link[k].frame == mount) return t->link[k].spec.inertia.mass > 0;
  }
  return false;
}

// M of rotors as bodies = M of the rigid robot + ratio^2 J on the diagonal + the coupling that the
// approximation leaves out: ratio J axis . (how the mount turns per joint velocity)       (12.19)
static void
motors_add_what_the_diagonal_leaves_out(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  double largest = 0;
  int motors = 0;
  FOR_TREES(TREES, &options)
  {
    uint64_t state = seed;
    int n = 0;
    mbd_model_t *plain = rebuild(t, take_drive, &state), *exact = with_motors(t, seed, &n);
    mbd_data_t *d, *e;
    assert_ok(mbd_data_create(plain, &d));
    assert_ok(mbd_data_create(exact, &e));
    assert_int_equal(exact->nv, plain->nv);
    mat_t q = mat(exact->nq, 1), M = mat(plain->nv, plain->nv), E = mat(plain->nv, plain->nv);
    for (int i = 0; i < exact->nbody; i++) {
      int body;
      if (mbd_find_joint(plain, exact->body[i].joint_name, &body) != MBD_OK) continue;
      q.a[exact->body[i].q_index] = t->q[plain->body[body].q_index];
    }
    for (int c = 0; c < exact->nclosure; c++) {
      const mbd_closure_t * g = &exact->closure[c];
      q.a[exact->body[g->coupled[0]].q_index] =
        -g->coefficient[1] * q.a[exact->body[g->coupled[1]].q_index];
    }
    assert_ok(mbd_set_terms(d, MBD_TERM_ROTORS));
    assert_ok(mbd_set_position(plain, d, t->q));
    assert_ok(mbd_set_position(exact, e, q.a));
    assert_ok(mbd_mass_matrix(plain, d, M.a));
    assert_ok(mbd_mass_matrix(exact, e, E.a));
    motors += n;

    mat_t expected = SUM(M, mat(plain->nv, plain->nv));
    for (int i = 0; i < plain->nbody; i++) {
      const mbd_body_t * body = &plain->body[i];
      const double rJ = body->drive.gear_ratio * body->drive.rotor_inertia;
      if (rJ == 0 || body->drive.rotor_inertia == 0) continue;
      if (body->parent < 0) continue;
      // body axes: the joint turns or slides about z of the body's frame
      const mbd_vec3_t z = {0, 0, 1};
      const mbd_vec3_t axis = mbdu_mat3_vec(&d->X_parent[i].R, z);
      mat_t J = mat(6, plain->nv);
      assert_ok(mbd_jacobian(plain, d, plain->body[body->parent].link_frame, MBD_WORLD, J.a));
      const mbd_vec3_t a = mbdu_mat3_vec(&d->X_world[body->parent].R, axis);
      for (int k = 0; k < plain->nv; k++) {
        const double turn = a.x * *at(J, 0, k) + a.y * *at(J, 1, k) + a.z * *at(J, 2, k);
        *at(expected, body->v_index, k) += rJ * turn;
        *at(expected, k, body->v_index) += rJ * turn;
        for (int l = 0; !had_rotor(t, body->joint_name) && l < plain->nv; l++) {
          const double other = a.x * *at(J, 0, l) + a.y * *at(J, 1, l) + a.z * *at(J, 2, l);
          *at(expected, k, l) += body->drive.rotor_inertia * turn * other;
        }
      }
    }
    int row, column;
    largest = fmax(largest, mbd_rotor_error(plain->nv, E.a, M.a, &row, &column));
    assert_mat(E, expected, 1e-10, "seed %lu", seed);
    mbd_data_destroy(d);
    mbd_data_destroy(e);
    mbd_model_destroy(plain);
    mbd_model_destroy(exact);
  }
  assert_count(motors, TREES);
  assert_true(largest > 1e-3);
}

//---------- springs ----------

// a stiff spring is a gear: the same acceleration of the link, but for what swings
static void
a_spring_pulls_both_ways(void ** context)
{
  (void)context;
  mbd_model_t * model = platform(mbdu_mat3_identity(), 10, true);
  assert_int_equal(model->nv, 3);
  mbd_elastic_t s = {.ratio = 10, .stiffness = 400, .damping = 3};
  assert_ok(mbd_find_joint(model, "motor_spin", &s.motor));
  assert_ok(mbd_find_joint(model, "link", &s.joint));
  double q[3] = {0.1, 0, 0}, v[3] = {0}, tau[3] = {1, 2, 3};
  q[model->body[s.joint].q_index] = 0.2, q[model->body[s.motor].q_index] = 3;
  v[model->body[s.joint].v_index] = 0.5, v[model->body[s.motor].v_index] = 4;
  assert_ok(mbd_elastic_torque(model, &s, 1, q, v, tau));
  // stretched by 0.1, by -0.1 more a second: 400 * 0.1 - 3 * 0.1
  const int link = model->body[s.joint].v_index, motor = model->body[s.motor].v_index;
  double expected[3] = {1, 2, 3};
  expected[link] += 39.7, expected[motor] -= 3.97;
  assert_close(tau, expected, 3, 1e-14, "torques");
  s.ratio = 0;
  assert_status(mbd_elastic_torque(model, &s, 1, q, v, tau), MBD_ERROR_BAD_ARGUMENT);
  assert_close(tau, expected, 3, 1e-14, "nothing is written");
  mbd_model_destroy(model);
}

//---------- refusals ----------

static void
bad_motors_are_refused(void ** context)
{
  (void)context;
  mbd_model_t * model;
  int link;
  assert_ok(mbd_model_create("bad", &model));
  const mbd_body_spec_t body = hinge_by_hand("link", MBD_WORLD_BODY, disc(0.01, 0.01));
  assert_ok(mbd_model_add_body(model, &body, &link));
  mbd_motor_spec_t motor = mbd_motor_spec_default();
  assert_status(mbd_model_add_motor(model, &motor, NULL), MBD_ERROR_NULL_ARGUMENT);
  motor.name = "motor", motor.joint = "link", motor.mount = link;
  motor.inertia = (mbd_inertia_t){1, {0, 0, 0}, {1e-4, 0, 0, 2e-4, 0, 1e-4}};
  assert_status(mbd_model_add_motor(model, &motor, NULL), MBD_ERROR_BAD_INERTIA);
  motor.inertia = disc(1e-4, 0.5), motor.in_link = true;
  assert_status(mbd_model_add_motor(model, &motor, NULL), MBD_ERROR_BAD_INERTIA);
  motor.inertia = disc(1e-4, 1e-4), motor.axis = mbdu_vec3(0, 0, 0);
  assert_status(mbd_model_add_motor(model, &motor, NULL), MBD_ERROR_BAD_AXIS);
  motor.axis = mbdu_vec3(0, 0, 1), motor.mount = 7;
  assert_status(mbd_model_add_motor(model, &motor, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(model->nframe, 1);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(geared_platform_has_the_known_numbers),
    cmocka_unit_test(motors_add_what_the_diagonal_leaves_out),
    cmocka_unit_test(a_spring_pulls_both_ways),
    cmocka_unit_test(bad_motors_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
