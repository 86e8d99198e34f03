// Haug, chapter 8: friction that grows with the load of the joint. Figures as computed independently of this
// code, in minimal coordinates; each mechanism as a tree and with every joint a closure.
#include "mbdyn/dynamics.h"
#include "mechanisms.h"

static void
bear(mechanism_t * m, mbd_bearing_spec_t spec, const char * joint)
{
  spec.joint = joint;
  assert_ok(mbd_model_add_bearing(m->model, &spec, NULL));
}

static mbd_bearing_spec_t
friction(double mu_static, double mu_dynamic, double velocity)
{
  mbd_bearing_spec_t spec = mbd_bearing_spec_default();
  spec.mu_static = mu_static, spec.mu_dynamic = mu_dynamic;
  spec.velocity = spec.smoothing = velocity;
  return spec;
}

static void
spring(
  mechanism_t * m, const char * name, int a, mbd_placement_t X_a, int b, mbd_placement_t X_b,
  double stiffness, double rest)
{
  mbd_element_spec_t spec = mbd_element_spec_default();
  spec.name = name, spec.type = MBD_ELEMENT_SPRING;
  spec.frame_a = a, spec.X_a = X_a, spec.frame_b = b, spec.X_b = X_b;
  spec.stiffness = stiffness, spec.rest = rest;
  assert_ok(mbd_model_add_element(m->model, &spec, NULL));
}

/// z of the frame along the given axis of the link.
static mbd_placement_t
along(char axis)
{
  mbd_placement_t X = point(0, 0, 0);
  const mbd_mat3_t x = {{0, 0, 1, 1, 0, 0, 0, 1, 0}}, y = {{0, 1, 0, 0, 0, 1, 1, 0, 0}};
  if (axis == 'x') X.R = x;
  if (axis == 'y') X.R = y;
  return X;
}

/// A body that slides along an axis through the origin, at a place and speed; `guide` is its closure.
static int
slider(
  mechanism_t * m, bool cartesian, const char * name, const char * guide, char axis, double mass,
  double J)
{
  const int frame = body(
    m, name, MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_PRISMATIC, axis, point(0, 0, 0),
    mass, ORIGIN, J, J, J);
  if (cartesian)
    closure(m, guide, MBD_CLOSURE_PRISMATIC, MBD_WORLD_BODY, along(axis), frame, along(axis), 0);
  return frame;
}

static void
start_slider(mechanism_t * m, bool cartesian, const char * name, char axis, double x, double xd)
{
  double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0};
  q[axis - 'x'] = x, v[axis - 'x'] = xd;
  start_joint(m, name, cartesian ? q : &x, cartesian ? v : &xd);
}

static double
speed_of(
  const mbd_simulation_t * sim, const mechanism_t * m, bool cartesian, const char * name, char axis)
{
  return mbd_simulation_info(sim)->v[joint_of(m, name)->v_index + (cartesian ? axis - 'x' : 0)];
}

static double
place_of(
  const mbd_simulation_t * sim, const mechanism_t * m, bool cartesian, const char * name, char axis)
{
  return mbd_simulation_info(sim)->q[joint_of(m, name)->q_index + (cartesian ? axis - 'x' : 0)];
}

//---------- intervals of rest ----------

enum { RESTS = 16 };

/// Intervals of at least 0.05 s in which a speed is below a limit [m/s], from steps of a simulation.
typedef struct rests {
  double limit, before, begin[RESTS], end[RESTS], t;
  int n;
  bool still;
} rests_t;

static void
look(rests_t * r, double t, double v)
{
  const double limit = r->limit, size = fabs(v);
  const bool still = size < limit;
  if (still != r->still && t > 0) {
    // where |v| crosses the limit
    const double share = (limit - r->before) / (size - r->before);
    const double at = r->t + share * (t - r->t);
    if (still && r->n < RESTS) r->begin[r->n] = at, r->end[r->n] = HUGE_VAL;
    if (!still && r->n < RESTS) {
      r->end[r->n] = at;
      if (at - r->begin[r->n] >= 0.05) r->n++;
    }
  }
  r->still = still, r->t = t, r->before = size;
}

/// The first intervals are these, to 3e-3 s; HUGE_VAL: to the end.
static void
check_rests(const char * what, const rests_t * r, int n, const double (*want)[2])
{
  // the last interval counts if it goes on
  assert_true(r->n + (r->still && r->n < RESTS) >= n);
  for (int k = 0; k < n; k++) {
    print_message("  %s at rest from %.4f to %.4f s\n", what, r->begin[k], r->end[k]);
    near_to("rest begins", r->begin[k], want[k][0], 3e-3);
    if (want[k][1] < HUGE_VAL)
      near_to("rest ends", r->end[k], want[k][1], 3e-3);
    else
      assert_true(r->end[k] == HUGE_VAL);
  }
}

//---------- 8.1.2: three masses ----------

static mechanism_t
three_masses(bool cartesian, double m1)
{
  mechanism_t m = mechanism(0, -9.8, 0);
  const int one = slider(&m, cartesian, "1", "guide 1", 'y', m1, 1);
  const int two = slider(&m, cartesian, "2", "guide 2", 'x', 2, 1);
  const int three = slider(&m, cartesian, "3", "guide 3", 'x', 2, 1);
  closure(&m, "rod", MBD_CLOSURE_DISTANCE, one, point(0, 0, 0), two, point(0, 0, 0), 5);
  spring(&m, "k1", MBD_WORLD_BODY, point(0, -10, 0), one, point(0, 0, 0), 10, 10);
  spring(&m, "k2", two, point(0, 0, 0), three, point(10, 0, 0), 10, 11);
  const char * tree[3] = {"1", "2", "3"};
  const char * closed[3] = {"guide 1", "guide 2", "guide 3"};
  for (int k = 0; k < 3; k++) bear(&m, friction(0.5, 0.3, 2e-3), cartesian ? closed[k] : tree[k]);
  assert_ok(mbd_model_finalize(m.model));
  start_slider(&m, cartesian, "1", 'y', 0, 0);
  start_slider(&m, cartesian, "2", 'x', 5, 0);
  start_slider(&m, cartesian, "3", 'x', 6, -1);
  return m;
}

static mbd_simulation_t *
with_springs(const mechanism_t * m, mbd_method_t method, double tolerance, double step_max)
{
  mbd_simulation_options_t options = options_of(method, tolerance);
  options.ode.step_max = step_max;
  mbd_simulation_t * sim = simulation(m, &options);
  assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_ELEMENTS));
  assert_ok(mbd_simulation_start(sim, 0, m->q, m->v, NULL));
  return sim;
}

static void
three_masses_stick(void ** state)
{
  (void)state;
  static const double both[2][2] = {{1.8171, 2.1191}, {3.3803, HUGE_VAL}};
  static const double third[2][2] = {{0.2913, 0.8718}, {3.3083, HUGE_VAL}};
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    mechanism_t m = three_masses(cartesian, 6.3);
    mbd_simulation_t * sim = with_springs(&m, MBD_METHOD_SDIRK54, 1e-7, 1e-2);
    rests_t one = {.limit = 1e-3}, three = {.limit = 1e-3};
    while (mbd_simulation_info(sim)->t < 4) {
      assert_ok(mbd_simulation_step(sim, 4));
      const double t = mbd_simulation_info(sim)->t;
      look(
        &one, t,
        fmax(
          fabs(speed_of(sim, &m, cartesian, "1", 'y')),
          fabs(speed_of(sim, &m, cartesian, "2", 'x'))));
      look(&three, t, speed_of(sim, &m, cartesian, "3", 'x'));
    }
    say(cartesian ? "8.1.2 cartesian" : "8.1.2 tree", sim);
    check_rests("1 and 2", &one, 2, both);
    check_rests("3", &three, 2, third);
    near_to("y1", place_of(sim, &m, cartesian, "1", 'y'), -4.93179, 2e-3);
    near_to("x2", place_of(sim, &m, cartesian, "2", 'x'), -0.82306, 2e-3);
    near_to("x3", place_of(sim, &m, cartesian, "3", 'x'), 0.56797, 2e-3);
    near_to("loss", -mbd_simulation_info(sim)->work, 183.11, 0.01);
    balanced(sim, 1e-3);
    assert_true(mbd_simulation_info(sim)->condition < 30);
    destroy_simulation(sim, &m);
  }
}

// masses 1 and 2 come to rest at 1.58 s: heavy ones stick at once, others fall on
static bool
sticks_at_once(double m1)
{
  mechanism_t m = three_masses(false, m1);
  mbd_simulation_t * sim = with_springs(&m, MBD_METHOD_SDIRK54, 1e-7, 1e-2);
  assert_ok(mbd_simulation_run(sim, 1.75));
  const double v = speed_of(sim, &m, false, "1", 'y');
  print_message("8.1.2 m1 = %.5f: %.5f m/s at 1.75 s\n", m1, v);
  destroy_simulation(sim, &m);
  return fabs(v) < 1e-3;
}

// the book has 6.34666, another integration 6.34614
static void
three_masses_transition(void ** state)
{
  (void)state;
  assert_false(sticks_at_once(6.34666 * (1 - 1e-4)));
  assert_true(sticks_at_once(6.34666 * (1 + 1e-4)));
}

//---------- 8.3.2: four masses ----------

static void
four_masses_stick(void ** state)
{
  (void)state;
  static const double stuck[1][2] = {{1.480, 2.678}};
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    mechanism_t m = mechanism(0, 0, -9.8);
    const int one = slider(&m, cartesian, "1", "guide 1", 'x', 2, 1);
    const int two = slider(&m, cartesian, "2", "guide 2", 'y', 2, 1);
    const int three = slider(&m, cartesian, "3", "guide 3", 'z', 6, 1);
    const int four = slider(&m, cartesian, "4", "guide 4", 'x', 6, 1);
    const mbd_placement_t o = point(0, 0, 0);
    closure(&m, "rod 1", MBD_CLOSURE_DISTANCE, one, o, two, o, 5);
    closure(&m, "rod 2", MBD_CLOSURE_DISTANCE, two, o, three, o, 7);
    spring(&m, "k1", MBD_WORLD_BODY, point(-20, 0, 0), one, o, 2, 20);
    spring(&m, "k2", MBD_WORLD_BODY, point(0, -20, 0), two, o, 2, 20);
    spring(&m, "k3", MBD_WORLD_BODY, point(0, 0, -20), three, o, 2, 20);
    spring(&m, "k4", one, o, four, point(10, 0, 0), 10, 11);
    const char * tree[4] = {"1", "2", "3", "4"};
    const char * closed[4] = {"guide 1", "guide 2", "guide 3", "guide 4"};
    for (int k = 0; k < 4; k++)
      bear(&m, friction(0.2, 0.13, 2e-3), cartesian ? closed[k] : tree[k]);
    assert_ok(mbd_model_finalize(m.model));
    start_slider(&m, cartesian, "1", 'x', 4, 0), start_slider(&m, cartesian, "2", 'y', 3, 0);
    start_slider(&m, cartesian, "3", 'z', sqrt(40), 0),
      start_slider(&m, cartesian, "4", 'x', 5, -1);
    mbd_simulation_t * sim = with_springs(&m, MBD_METHOD_SDIRK54, 1e-7, 1e-2);
    rests_t rest = {.limit = 1e-3};
    while (mbd_simulation_info(sim)->t < 4) {
      assert_ok(mbd_simulation_step(sim, 4));
      const double x = fabs(speed_of(sim, &m, cartesian, "1", 'x')),
                   y = fabs(speed_of(sim, &m, cartesian, "2", 'y'));
      look(
        &rest, mbd_simulation_info(sim)->t,
        fmax(fmax(x, y), fabs(speed_of(sim, &m, cartesian, "3", 'z'))));
    }
    say(cartesian ? "8.3.2 cartesian" : "8.3.2 tree", sim);
    check_rests("1, 2 and 3", &rest, 1, stuck);
    balanced(sim, 1e-3);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.8.2: slider-crank ----------

static mechanism_t
slider_crank_with_friction(bool cartesian, double length)
{
  mechanism_t m = slider_crank_bodies(cartesian, length);
  mbd_bearing_spec_t spec = friction(0.25, 0.2, 2e-3);
  spec.radius = spec.span = 0.1;
  bear(&m, spec, cartesian ? "rev" : "1");
  bear(&m, spec, cartesian ? "tran" : "2");
  slider_crank_start(&m, cartesian, length);
  return m;
}

static void
slider_crank_loses(void ** state)
{
  (void)state;
  static const double figures[3][4] = {
    {1.5, 0.5807, 37.87679, 64.1992},
    {1.25, 0.7099, 34.15342, 53.8176},
    {1.15, 0.7947, 31.09752, 43.8462}};
  double load[2] = {0};
  for (int k = 0; k < 6; k++) {
    const double * f = figures[k / 2];
    const bool cartesian = k % 2;
    mechanism_t m = slider_crank_with_friction(cartesian, f[0]);
    mbd_simulation_t * sim =
      with_springs(&m, k < 4 ? MBD_METHOD_RKF45 : MBD_METHOD_SDIRK54, 1e-9, 1e-3);
    assert_ok(mbd_simulation_run(sim, 0.5));
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    say("8.8.2", sim);
    const mbd_body_t * crank = joint_of(&m, "1");
    near_to("loss", 1 - info->energy / info->energy_start, f[1], 1e-4);
    near_to("phi", info->q[crank->q_index + (cartesian ? 2 : 0)], f[2], 1e-4);
    near_to("omega", info->v[crank->v_index + (cartesian ? 2 : 0)], f[3], 1e-3);
    balanced(sim, 1e-2);
    // both layouts have the same reactions
    for (int i = 0; i < 2; i++) {
      if (cartesian) near_to("load", info->load[i], load[i], 1e-3 * (1 + load[i]));
      load[i] = info->load[i];
    }
    destroy_simulation(sim, &m);
  }
}

// all methods slow the crank down alike
static void
every_method(void ** state)
{
  (void)state;
  double want = 0;
  for (int k = -1; k < MBD_METHODS; k++) {
    const mbd_method_t method = k < 0 ? MBD_METHOD_RKF45 : (mbd_method_t)k;
    mechanism_t m = slider_crank_with_friction(false, 1.5);
    mbd_simulation_options_t options = options_of(method, k < 0 ? 1e-10 : 1e-7);
    options.ode.step = 1e-5;
    mbd_simulation_t * sim = started(&m, &options);
    assert_ok(mbd_simulation_run(sim, 0.06));
    const double w = mbd_simulation_info(sim)->v[joint_of(&m, "1")->v_index];
    print_message("8.8.2 %-14s %.6f rad/s after 0.06 s\n", mbd_method_name(method), w);
    if (k < 0) want = w;
    near_to("omega", w, want, method == MBD_METHOD_SEMI_IMPLICIT ? 0.05 : 5e-3);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.8.4: coil spring ----------

static void
coil_loses(void ** state)
{
  (void)state;
  static const double ends[5] = {1.938e-3, 3.198e-3, 5.948e-3, 5.966e-3, 3.842e-3};
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    mechanism_t m = mechanism(0, -9.8, 0);
    static const char * const tree[5] = {"1", "2", "3", "4", "5"};
    static const char * const closed[5] = {"g1", "g2", "g3", "g4", "g5"};
    static const char * const coil[5] = {"c1", "c2", "c3", "c4", "c5"};
    int before = MBD_WORLD_BODY;
    mbd_bearing_spec_t spec = friction(0.2, 0.19, 2e-3);
    spec.span = 0.1;
    for (int k = 0; k < 5; k++) {
      const int mass = slider(&m, cartesian, tree[k], closed[k], 'x', 0.2, 0.1);
      spring(&m, coil[k], before, point(0, 0, 0), mass, point(0, 0, 0), 5000, 0.2);
      bear(&m, spec, cartesian ? closed[k] : tree[k]);
      before = mass;
    }
    assert_ok(mbd_model_finalize(m.model));
    for (int k = 0; k < 5; k++)
      start_slider(&m, cartesian, tree[k], 'x', 0.2 * (k + 1), k == 4 ? -1 : 0);
    mbd_simulation_t * sim = with_springs(&m, MBD_METHOD_SDIRK54, 1e-7, 1e-3);
    assert_ok(mbd_simulation_run(sim, 0.1));
    say("8.8.4", sim);
    near_to("loss", -mbd_simulation_info(sim)->work / 0.1, 0.402, 4e-4);
    for (int k = 0; k < 5; k++)
      near_to("x", place_of(sim, &m, cartesian, tree[k], 'x') - 0.2 * (k + 1), ends[k], 1e-6);
    balanced(sim, 1e-7);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.8.5 and 8.10.4: disk ----------

static mechanism_t
disk(bool cartesian, double mu_static, double mu_dynamic)
{
  mechanism_t m = mechanism(0, 0, 0);
  mbd_placement_t slot = along('y');
  slot.p = mbdu_vec3(1, 0, 0);
  mbd_bearing_spec_t spec = friction(mu_static, mu_dynamic, 0.02);
  spec.radius = spec.span = 0.1;
  const int one = body(
    &m, "disk", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_CONTINUOUS, 'z',
    point(0, 0, 0), 10, ORIGIN, 10, 10, 10);
  const int two = body(
    &m, "body", cartesian ? MBD_WORLD_BODY : one, cartesian ? MBD_JOINT_FREE : MBD_JOINT_PRISMATIC,
    'y', cartesian ? point(0, 0, 0) : point(1, 0, 0), 5, ORIGIN, 5, 5, 5);
  if (cartesian) {
    closure(
      &m, "shaft", MBD_CLOSURE_REVOLUTE, MBD_WORLD_BODY, point(0, 0, 0), one, point(0, 0, 0), 0);
    closure(&m, "slot", MBD_CLOSURE_PRISMATIC, one, slot, two, along('y'), 0);
  }
  spring(&m, "spring", one, point(1, 10, 0), two, point(0, 0, 0), 10, 10.1);
  bear(&m, spec, cartesian ? "shaft" : "disk");
  // the points of contact are those of the slot
  spec.on_a = true;
  spec.key = 0.1;
  bear(&m, spec, cartesian ? "slot" : "body");
  assert_ok(mbd_model_finalize(m.model));
  const double at_0[7] = {0, 0, 0, 0, 0, 0, 1}, at_1[7] = {1, 0, 0, 0, 0, 0, 1}, rest[6] = {0};
  start_joint(&m, "disk", at_0, rest);
  start_joint(&m, "body", cartesian ? at_1 : at_0, rest);
  return m;
}

static void
disk_loses(void ** state)
{
  (void)state;
  static const double figures[2][5] = {
    {0.08, 0.07, 0.9966, 0.0251166, -0.1037764}, {0.05, 0.04, 0.960, 0.0284634, -0.1159426}};
  for (int k = 0; k < 4; k++) {
    const bool cartesian = k % 2;
    const double * f = figures[k / 2];
    mechanism_t m = disk(cartesian, f[0], f[1]);
    mbd_simulation_t * sim = with_springs(&m, MBD_METHOD_SDIRK54, 1e-8, 0.05);
    assert_ok(mbd_simulation_run(sim, 10));
    say(cartesian ? "8.10.4 cartesian" : "8.8.5 tree", sim);
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    near_to("loss", -info->work / 0.05, f[2], 1e-3);
    balanced(sim, 1e-7);
    if (!cartesian) {
      near_to("phi", info->q[joint_of(&m, "disk")->q_index], f[3], 2e-6);
      near_to("s", info->q[joint_of(&m, "body")->q_index], f[4], 6e-6);
    }
    destroy_simulation(sim, &m);
  }
}

//---------- 8.10.1: cylindrical joint ----------

static void
cylinder_sticks(void ** state)
{
  (void)state;
  static const double stuck[3][2] = {{0.055, 0.162}, {0.259, 0.521}, {0.657, 0.867}};
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    mechanism_t m = mechanism(0, 0, -9.8);
    const int one = body(
      &m, "body", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_CYLINDRICAL, 'z',
      point(0, 0, 0), 1, ORIGIN, 0.1, 0.1, 0.1);
    if (cartesian)
      closure(
        &m, "post", MBD_CLOSURE_CYLINDRICAL, MBD_WORLD_BODY, point(0, 0, 0), one, point(0, 0, 0),
        0);
    spring(&m, "spring", MBD_WORLD_BODY, point(-1, 1, 1), one, point(0, 1, 1), 10, 1);
    mbd_bearing_spec_t spec = friction(0.24, 0.2, 2e-3);
    spec.radius = 0.05, spec.span = 0.1;
    bear(&m, spec, cartesian ? "post" : "body");
    assert_ok(mbd_model_finalize(m.model));
    const double free_q[7] = {0, 0, 0, 0, 0, 0, 1}, free_v[6] = {0, 0, 0, 0, 0, 10}, q[2] = {0},
                 v[2] = {10, 0};
    start_joint(&m, "body", cartesian ? free_q : q, cartesian ? free_v : v);
    mbd_simulation_t * sim = with_springs(&m, MBD_METHOD_SDIRK54, 1e-7, 1e-2);
    rests_t rest = {.limit = 2e-3};
    while (mbd_simulation_info(sim)->t < 1.3) {
      assert_ok(mbd_simulation_step(sim, 1.3));
      look(
        &rest, mbd_simulation_info(sim)->t,
        mbd_simulation_info(sim)->v[joint_of(&m, "body")->v_index + (cartesian ? 2 : 1)]);
    }
    say("8.10.1", sim);
    check_rests("axially", &rest, 3, stuck);
    balanced(sim, 1e-3);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.8.3: quick return ----------

static mbd_status_t
crank_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t, (void)q, (void)v;
  tau[*(const int *)ctx] = 5000;
  return MBD_OK;
}

static mbd_simulation_t *
quick_return_with_friction(mechanism_t * m, bool cartesian, bool slot_on_bar, int * crank)
{
  *m = quick_return_bodies(cartesian);
  mbd_bearing_spec_t spec = friction(0.3, 0.25, 2e-3);
  spec.radius = spec.span = 0.1;
  bear(m, spec, cartesian ? "rev 1" : "1");
  bear(m, spec, cartesian ? "rev 2" : "2");
  bear(m, spec, cartesian ? "rev 3" : "3");
  bear(m, spec, cartesian ? "tran 4" : "4");
  spec.span = 0.2, spec.on_a = slot_on_bar;
  bear(m, spec, "slot");
  quick_return_start(m, cartesian);
  mbd_simulation_options_t options = options_of(MBD_METHOD_RKF45, 1e-7);
  options.ode.step_max = 0.01;
  mbd_simulation_t * sim = simulation(m, &options);
  *crank = joint_of(m, "2")->v_index + (cartesian ? 2 : 0);
  assert_ok(mbd_simulation_set_input(sim, crank_torque, crank));
  assert_ok(mbd_simulation_start(sim, 0, m->q, m->v, NULL));
  return sim;
}

// largest kinetic energy of a turn: three of four that there are in 5 s
static void
quick_return_slows(void ** state)
{
  (void)state;
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    mechanism_t m;
    int crank;
    mbd_simulation_t * sim = quick_return_with_friction(&m, cartesian, false, &crank);
    // return strokes are near these times
    static const double around[4] = {0.5, 1.9, 3.4, 4.9};
    double peak[4] = {0};
    while (mbd_simulation_info(sim)->t < 5.2) {
      double kinetic;
      assert_ok(mbd_simulation_step(sim, 5.2));
      assert_ok(mbd_kinetic_energy(m.model, mbd_simulation_data(sim), &kinetic));
      for (int k = 0; k < 4; k++) {
        if (fabs(mbd_simulation_info(sim)->t - around[k]) < 0.25) peak[k] = fmax(peak[k], kinetic);
      }
    }
    say(cartesian ? "8.8.3 cartesian" : "8.8.3 tree", sim);
    print_message("  peaks %.0f %.0f %.0f %.0f J\n", peak[0], peak[1], peak[2], peak[3]);
    near_to("after 2 s", peak[1] / peak[0], 1 - 0.28, 0.02 * 0.72);
    near_to("after 5 s", peak[3] / peak[0], 1 - 0.32, 0.02 * 0.68);
    balanced(sim, 1);
    print_message("  condition %.3g\n", mbd_simulation_info(sim)->condition);
    assert_true(mbd_simulation_info(sim)->condition < 30);
    destroy_simulation(sim, &m);
  }
}

// With the points of contact on the bar the key's lever grows until the bearings jam: said before, and then.
static void
quick_return_jams(void ** state)
{
  (void)state;
  mechanism_t m;
  int crank;
  mbd_simulation_t * sim = quick_return_with_friction(&m, false, true, &crank);
  mbd_status_t status = MBD_OK;
  while (status == MBD_OK && mbd_simulation_info(sim)->t < 5) status = mbd_simulation_step(sim, 5);
  print_message(
    "8.8.3 jams at %.3f s, condition %.3g\n", mbd_simulation_info(sim)->t,
    mbd_simulation_info(sim)->condition);
  assert_true(status == MBD_ERROR_NO_SOLUTION || status == MBD_ERROR_STEP);
  assert_true(mbd_simulation_info(sim)->condition > 40);
  destroy_simulation(sim, &m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_masses_stick), cmocka_unit_test(three_masses_transition),
    cmocka_unit_test(four_masses_stick),  cmocka_unit_test(slider_crank_loses),
    cmocka_unit_test(every_method),       cmocka_unit_test(coil_loses),
    cmocka_unit_test(disk_loses),         cmocka_unit_test(cylinder_sticks),
    cmocka_unit_test(quick_return_slows), cmocka_unit_test(quick_return_jams)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
