// Contact with the ground: simple bodies by closed forms, robots that stand.
#include "ground_robots.h"

//---------- simple bodies ----------

static const plant_ground_t LEVEL = {
  .on = true, .normal = {0, 0, 1}, .friction = 0.5, .clearance = -1};

// a body of 3 kg, a ball of radius 0.1 or a block with corners at 0.1
static plant_t *
body_on(const plant_ground_t * ground, bool ball)
{
  const double I = ball ? 0.4 * 3 * 0.01 : 3 * 2 * 0.04 / 12;
  plant_t * plant = plant_create(free_body((mbd_sym3_t){I, 0, 0, I, 0, I}));
  assert_non_null(plant);
  plant_contact_t contact[8] = {0};
  for (int k = 0; k < 8; k++) {
    contact[k].frame = plant->model->body[0].link_frame;
    if (ball)
      contact[k].radius = 0.1;
    else
      contact[k].centre = mbdu_vec3(k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, k & 4 ? 0.1 : -0.1);
  }
  assert_true(plant_set_contacts(plant, ball ? 1 : 8, contact));
  plant_options_t o = plant_options_default(plant->model);
  o.ground = *ground;
  plant_set_options(plant, &o);
  return plant;
}

// its turn about y is that of a slope
static void
put(plant_t * plant, double x, double z, double slope)
{
  const double q[7] = {x, 0, z, 0, sin(slope / 2), 0, cos(slope / 2)};
  assert_ok(plant_reset(plant, q));
}

static plant_ground_t
slope_of(double angle, double friction)
{
  plant_ground_t g = LEVEL;
  g.normal = mbdu_vec3(sin(angle), 0, cos(angle));
  g.friction = friction;
  return g;
}

// a ball falls by g t^2 / 2, stays on the ground, presses with its weight
static void
ball_falls_and_rests(void ** state)
{
  (void)state;
  const double h = 1e-3, drop = 0.5, radius = 0.1;
  plant_t * plant = body_on(&LEVEL, true);
  put(plant, 0, radius + drop, 0);
  while (plant->touch.points == 0) coast(plant, h, 1);
  const double fall = sqrt(2 * drop / 9.81);
  near_to("time of the fall", plant->time, fall, 2 * h);
  coast(plant, h, 1000);
  const double rest[3] = {0, 0, radius}, weight = 3 * 9.81;
  assert_close(plant->q, rest, 3, 1e-12, "place");
  near_to("force", plant->touch.normal_force, weight, 1e-9);
  assert_true(plant->touch.unsolved == 0 && plant->touch.depth < 1e-12);
  mbd_force_t f;
  plant_contact_wrench(plant, plant->model->body[0].link_frame, &f);
  near_to("wrench", f.lin.z, weight, 1e-9);
  plant_end(plant);
}

// rebounds to e^2 of its height
static void
ball_rebounds(void ** state)
{
  (void)state;
  const double h = 1e-4, drop = 0.5, e = 0.7;
  plant_ground_t ground = LEVEL;
  ground.restitution = e;
  plant_t * plant = body_on(&ground, true);
  put(plant, 0, 0.1 + drop, 0);
  double top = 0;
  while (plant->v[2] <= 0) coast(plant, h, 1);
  while (plant->v[2] > 0) coast(plant, h, 1), top = plant->q[2] - 0.1;
  const double want = e * e * drop;
  near_to("height of the rebound", top, want, 2e-3 * want);
  // and comes to rest
  coast(plant, 1e-3, 5000);
  assert_true(fabs(plant->q[2] - 0.1) < 1e-9 && fabs(plant->v[2]) < 1e-9);
  plant_end(plant);
}

// a block slides v^2 / (2 mu g) and stays
static void
block_slides_and_stops(void ** state)
{
  (void)state;
  const double h = 1e-4, speed = 1;
  plant_t * plant = body_on(&LEVEL, false);
  put(plant, 0, 0.1, 0);
  const double v[6] = {speed}, want = speed * speed / (2 * 0.5 * 9.81);
  assert_ok(plant_set_velocity(plant, v));
  coast(plant, h, 3000);
  near_to("distance", plant->q[0], want - speed * h / 2, 1e-8);
  assert_true(fabs(plant->v[0]) < 1e-12);
  plant_end(plant);
}

// stays on a slope below the friction angle for a minute; beyond it a = g (sin - mu cos)
static void
block_on_a_slope(void ** state)
{
  (void)state;
  const double mu = 0.5, limit = atan(mu), h = 1e-3;
  for (int k = 0; k < 2; k++) {
    const double angle = limit * (k == 0 ? 0.995 : 1.005);
    const plant_ground_t ground = slope_of(angle, mu);
    plant_t * plant = body_on(&ground, false);
    put(plant, 0.1 * sin(angle), 0.1 * cos(angle), angle);
    const double start[3] = {plant->q[0], plant->q[1], plant->q[2]};
    coast(plant, h, k == 0 ? 60000 : 2000);
    const double went =
      (plant->q[0] - start[0]) * cos(angle) - (plant->q[2] - start[2]) * sin(angle);
    const double t = plant->time, a = 9.81 * (sin(angle) - mu * cos(angle));
    const double want = k == 0 ? 0 : a * t * (t + h) / 2;
    print_message("slope %.4f: %.3e m, expected %.3e\n", angle, went, want);
    near_to("way down", went, want, k == 0 ? 1e-9 : 1e-9 + 1e-6 * want);
    plant_end(plant);
  }
}

// a ball rolls down a slope with 5/7 g sin, without slip
static void
ball_rolls(void ** state)
{
  (void)state;
  const double angle = 0.2, h = 1e-4, a = 5.0 / 7 * 9.81 * sin(angle);
  const plant_ground_t ground = slope_of(angle, 0.5);
  plant_t * plant = body_on(&ground, true);
  put(plant, 0.1 * sin(angle), 0.1 * cos(angle), 0);
  coast(plant, h, 10000);
  const double went = (plant->q[0] - 0.1 * sin(angle)) / cos(angle), want = a * (1 + h) / 2;
  const double spin = a / 0.1;
  // velocities of the base are in its axes, which turn by spin h in a step
  near_to("way", went, want, 1e-6 * want);
  near_to("spin", plant->v[4], spin, 1e-6 * spin);
  plant_end(plant);
}

//---------- robots ----------

// gains: of legs they hold the robot, of others w^2 and 2 w of their own inertia
typedef struct holder {
  plant_t * plant;
  double q[64], tau[64], kp[64], kd[64];
} holder_t;

static bool
of_leg(const char * joint)
{
  static const char * const part[] = {"hip", "knee", "ankle", "thigh", "calf"};
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    if (strstr(joint, part[k])) return true;
  }
  return false;
}

static void
hold_at(holder_t * s, const double * q)
{
  const mbd_model_t * m = s->plant->model;
  double * M = calloc((size_t)(m->nv * m->nv), sizeof *M);
  assert_ok(plant_reset(s->plant, q));
  memcpy(s->q, s->plant->q, (size_t)m->nq * sizeof *s->q);
  stance_torques(s->plant, s->q, s->tau);
  assert_ok(mbd_set_position(m, s->plant->data, s->q));
  assert_ok(mbd_mass_matrix(m, s->plant->data, M));
  const double heavy = weight_of(m) / 9.81;
  for (int k = 6; k < m->nv; k++) {
    const double I = M[k * m->nv + k], w = 20;
    // below 2 I / h of a foot in the air: the damping is that of the last step
    const bool leg = of_leg(m->body[m->dof_body[k]].joint_name);
    s->kp[k] = leg ? 40 * heavy : w * w * I;
    s->kd[k] = leg ? 0.3 * heavy : 2 * w * I;
  }
  free(M);
}

static void
hold(holder_t * s, double h, int steps)
{
  const mbd_model_t * m = s->plant->model;
  for (int i = 0; i < steps; i++) {
    double tau[64];
    for (int k = 0; k < 6; k++) tau[k] = 0;
    for (int k = 6; k < m->nv; k++) {
      const double error =
        s->q[m->body[m->dof_body[k]].q_index] - s->plant->q[m->body[m->dof_body[k]].q_index];
      tau[k] = s->tau[k] + s->kp[k] * error - s->kd[k] * s->plant->v[k];
    }
    assert_ok(plant_step(s->plant, tau, h));
  }
}

static void
base_pose(const plant_t * plant, double * pose)
{
  memcpy(pose, plant->q, 7 * sizeof *pose);
}

static void
stands(
  const char * name, plant_friction_t friction, const double * legs, double force, double seconds)
{
  holder_t s = {.plant = standing_robot(name)};
  plant_options_t o = s.plant->options;
  o.friction_model = friction;
  plant_set_options(s.plant, &o);
  const mbd_model_t * m = s.plant->model;
  double q[64], before[7], after[7];
  const double h = 1e-3, weight = weight_of(m);
  plant_start(m, q);
  for (int k = 0; legs && k < 12; k++) q[7 + k] = legs[k % 3];
  hold_at(&s, q);
  hold(&s, h, 2000);
  base_pose(s.plant, before);
  hold(&s, h, 60000);
  base_pose(s.plant, after);
  double creep = 0;
  for (int k = 0; k < 3; k++) creep = fmax(creep, fabs(after[k] - before[k]));
  print_message(
    "%s: creep %.1e m in 60 s, forces %.9f of the weight\n", name, creep,
    s.plant->touch.normal_force / weight);
  assert_true(creep < 1e-3);
  near_to("normal forces", s.plant->touch.normal_force, weight, 1e-6 * weight);
  assert_true(s.plant->touch.unsolved == 0);
  // a push, forwards and to the side
  for (int side = 0; side < 2; side++) {
    const plant_push_t push = {
      m->body[0].link_frame,
      MBD_LOCAL_WORLD_ALIGNED,
      {{0, 0, 0}, {side ? 0 : force, side ? force : 0, 0}},
      seconds};
    base_pose(s.plant, before);
    assert_true(plant_push(s.plant, &push));
    hold(&s, h, 5000);
    base_pose(s.plant, after);
    const double tilt = 2 * asin(fmin(1, hypot(after[3], after[4])));
    print_message(
      "%s pushed with %g N for %g s: moved %.1e m, tilt %.1e rad, %d points\n", name, force,
      seconds, hypot(after[0] - before[0], after[1] - before[1]), tilt, s.plant->touch.points);
    assert_true(fabs(after[2] - before[2]) < 5e-3 && tilt < 0.02);
    near_to("after the push", s.plant->touch.normal_force, weight, 1e-4 * weight);
  }
  plant_end(s.plant);
}

static void
quadruped_stands(void ** state)
{
  (void)state;
  const double leg[3] = {0, 0.8, -1.6};
  stands("quadruped", PLANT_FRICTION_TANH, leg, 40, 0.2);
  stands("quadruped", PLANT_FRICTION_EXACT, leg, 40, 0.2);
}

static void
humanoid_stands(void ** state)
{
  (void)state;
  stands("humanoid", PLANT_FRICTION_TANH, NULL, 80, 0.1);
}

// without torques they fall, lie still, and weigh what they weigh
static void
robots_fall(void ** state)
{
  (void)state;
  static const char * const name[] = {"quadruped", "humanoid"};
  for (int k = 0; k < 2; k++) {
    plant_t * plant = standing_robot(name[k]);
    plant_options_t o = plant->options;
    o.ground.clearance = 0.2;
    plant_set_options(plant, &o);
    assert_ok(plant_reset(plant, NULL));
    const plant_push_t push = {
      plant->model->body[0].link_frame, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {30, 20, 0}}, 0.5};
    assert_true(plant_push(plant, &push));
    const double weight = weight_of(plant->model);
    coast(plant, 1e-3, 6000);
    double kinetic, potential, q = 0;
    assert_ok(plant_energy(plant, &kinetic, &potential));
    for (int i = 0; i < plant->model->nq; i++) q += plant->q[i];
    print_message(
      "%s: %d points, forces %.6f of the weight, %.1e J, %llu steps of 6000 not exact, %llu "
      "crowded\n",
      name[k], plant->touch.points, plant->touch.normal_force / weight, kinetic,
      (unsigned long long)plant->touch.unsolved, (unsigned long long)plant->touch.crowded);
    assert_true(isfinite(q) && kinetic < 1e-3);
    assert_true(plant->q[2] < (k ? 0.5 : 0.2));
    near_to("normal forces", plant->touch.normal_force, weight, 1e-2 * weight);
    assert_true(plant->touch.depth < 1e-3);
    plant_end(plant);
  }
}

// brakes lock the joints, not the base
static void
brakes_do_not_hold_the_base(void ** state)
{
  (void)state;
  plant_t * plant = standing_robot("quadruped");
  plant_options_t o = plant->options;
  o.ground.clearance = 0.1;
  plant_set_options(plant, &o);
  double q[64];
  plant_start(plant->model, q);
  for (int k = 0; k < 12; k++) q[7 + k] = (const double[]){0, 0.8, -1.6}[k % 3];
  assert_ok(plant_reset(plant, q));
  memcpy(q, plant->q, (size_t)plant->model->nq * sizeof *q);
  for (int i = 0; i < 2000; i++) assert_ok(plant_brake(plant, 1e-3));
  const double weight = weight_of(plant->model);
  assert_close(plant->q + 7, q + 7, 12, 1e-9, "joints");
  q[2] -= 0.1;
  assert_close(plant->q, q, 3, 1e-6, "base");
  near_to("normal forces", plant->touch.normal_force, weight, 1e-6 * weight);
  plant_end(plant);
}

//---------- shapes ----------

static void
shapes_become_contacts(void ** state)
{
  (void)state;
  static const char urdf[] =
    "<robot name='r' version='1.1'><link name='base'/>"
    "<joint name='j' type='prismatic'><parent link='base'/><child link='l'/><axis xyz='0 0 1'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    "<link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
    "iyz='0'/></inertial>"
    "<collision><origin xyz='1 2 3'/><geometry><sphere radius='0.5'/></geometry></collision>"
    "<collision><geometry><box size='2 4 6'/></geometry></collision>"
    "<collision><origin rpy='0 1.5707963267948966 0'/><geometry><cylinder radius='0.1' "
    "length='2'/></geometry></collision>"
    "<collision><geometry><capsule radius='0.2' length='4'/></geometry></collision>"
    "<collision><geometry><mesh filename='a.stl'/></geometry></collision></link></robot>";
  mbd_model_t * model;
  mbdx_shapes_t * shapes;
  mbdx_report_t * report;
  plant_contact_t * c;
  char why[256];
  assert_ok(mbdx_urdf_load_string(urdf, sizeof urdf, NULL, NULL, &model, NULL));
  assert_ok(mbdx_shapes_load_string(urdf, sizeof urdf, NULL, &shapes, &report));
  assert_int_equal(report->nwarning, 1);
  assert_non_null(strstr(report->entry[0].text, "<mesh>"));
  const int n = contacts_create(model, shapes, NULL, 0, &c, why, sizeof why);
  assert_int_equal(n, 1 + 8 + 2 + 2);
  assert_true(c[0].radius == 0.5 && c[0].centre.z == 3);
  double corners = 0;
  for (int k = 1; k < 9; k++) {
    const mbd_vec3_t p = c[k].centre;
    assert_true(fabs(p.x) == 1 && fabs(p.y) == 2 && fabs(p.z) == 3);
    corners += p.x + 10 * p.y + 100 * p.z;
  }
  assert_true(corners == 0);
  assert_true(fabs(c[10].centre.x - 1) < 1e-12 && c[10].rim == 0.1 && fabs(c[10].axis.x) > 0.999);
  assert_true(c[12].radius == 0.2 && c[12].centre.z == 2);
  free(c);
  const char * frame[] = {"nothing"};
  assert_int_equal(contacts_create(model, shapes, frame, 1, &c, why, sizeof why), -1);
  assert_non_null(strstr(why, "'nothing'"));
  mbdx_shapes_free(shapes);
  mbdx_report_free(report);
  // bad shapes are errors with a line
  static const char * const bad[] = {
    "<sphere radius='-1'/>", "<sphere/>", "<box/>", "<box size='1 0 1'/>",
    "<cylinder radius='1' length='nan'/>"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char text[512];
    snprintf(
      text, sizeof text,
      "<robot name='r'><link "
      "name='l'><collision><geometry>%s</geometry></collision></link></robot>",
      bad[k]);
    assert_int_equal(
      mbdx_shapes_load_string(text, strlen(text), "file", &shapes, &report), MBD_ERROR_URDF);
    assert_null(shapes);
    assert_true(report->nerror == 1 && report->entry[0].line == 1);
    mbdx_report_free(report);
  }
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ball_falls_and_rests),
    cmocka_unit_test(ball_rebounds),
    cmocka_unit_test(block_slides_and_stops),
    cmocka_unit_test(block_on_a_slope),
    cmocka_unit_test(ball_rolls),
    cmocka_unit_test(quadruped_stands),
    cmocka_unit_test(humanoid_stands),
    cmocka_unit_test(robots_fall),
    cmocka_unit_test(brakes_do_not_hold_the_base),
    cmocka_unit_test(shapes_become_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
