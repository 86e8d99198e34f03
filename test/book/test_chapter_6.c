// Nonholonomic mechanisms of Haug, chapter 6. Reference values are integrated independently: the transporter as
// Chaplygin's sleigh, the tractor from its kinematics and constant kinetic energy, the disk with lean and heading
// angles.
#include "mechanism_file.h"

// the origin of the link has no velocity along its x axis
static void
no_slip(mbd_model_t * model, const char * name, int a)
{
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = name;
  spec.type = MBD_CLOSURE_NO_SLIP;
  spec.frame_a = spec.frame_b = a;
  spec.X_a = spec.X_b = mbdu_placement_identity();
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
}

//---------- 6.3.1: three-wheel transporter ----------

// forces of the two driven wheels turn it: -40, then 40 N m for two seconds each
static mbd_status_t
wheel_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t, (void)q, (void)v;
  tau[2] = *(const double *)ctx;
  return MBD_OK;
}

// Chaplygin's sleigh: x, y, phi, forward velocity, angular velocity; inertia about the axle
static void
sleigh_rates(double inertia, double torque, const double s[5], double rate[5])
{
  rate[0] = -s[3] * sin(s[2]), rate[1] = s[3] * cos(s[2]);
  rate[2] = s[4], rate[3] = s[4] * s[4];
  rate[4] = (torque - 10 * s[3] * s[4]) / inertia;
}

static void
sleigh(double inertia, double torque, double time, double s[5])
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  const int n = 4000;
  const double h = time / n;
  for (int i = 0; i < n; i++) {
    double k[5] = {0}, sum[5] = {0}, at[5];
    for (int stage = 0; stage < 4; stage++) {
      for (int j = 0; j < 5; j++) at[j] = s[j] + part[stage] * h * k[j];
      sleigh_rates(inertia, torque, at, k);
      for (int j = 0; j < 5; j++) sum[j] += weight[stage] * h * k[j] / 6;
    }
    for (int j = 0; j < 5; j++) s[j] += sum[j];
  }
}

// on a planar joint: the mass 1 m ahead of the middle of the rear axle, which does not slip sideways
static mbd_model_t *
transporter_model(double inertia_about_com)
{
  mbd_model_t * model;
  int frame;
  assert_ok(mbd_model_create("transporter", &model));
  assert_ok(mbd_model_set_gravity(model, mbdu_vec3(0, 0, 0)));
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = spec.joint_name = "chassis";
  spec.type = MBD_JOINT_PLANAR;
  spec.axis = mbdu_vec3(0, 0, 1);
  const mbd_sym3_t about_com = {1, 0, 0, 1, 0, inertia_about_com};
  spec.inertia = mbdu_inertia_from_com(10, mbdu_vec3(0, 1, 0), about_com);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  no_slip(model, "axle", frame);
  assert_ok(mbd_model_finalize(model));
  return model;
}

static const double TORQUE[3] = {-40, 40, 0}, END[3] = {2, 4, 10};

// the same as the sleigh at the ends of the three phases
static int
same_as_sleigh(double inertia_about_com, mbd_method_t method, double rtol, double tolerance)
{
  int compared = 0;
  mbd_model_t * model = transporter_model(inertia_about_com);
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  options.ode.rtol = options.ode.atol = rtol;
  options.ode.step = 1e-3;
  mbd_simulation_t * sim;
  assert_ok(mbd_simulation_create(model, &options, &sim));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  double q[3] = {0}, v[3] = {0, 5, 0}, s[5] = {0, 0, 0, 5, 0}, now = 0;
  for (int phase = 0; phase < 3; phase++) {
    double tau = TORQUE[phase];
    sleigh(10 + inertia_about_com, tau, END[phase] - now, s);
    assert_ok(mbd_simulation_set_input(sim, wheel_torque, &tau));
    assert_ok(mbd_simulation_start(sim, now, q, v, NULL));
    assert_ok(mbd_simulation_run(sim, now = END[phase]));
    memcpy(q, info->q, sizeof q), memcpy(v, info->v, sizeof v);
    // planar velocities are in axes of the body: forward is y, sideways is x
    const double is[5] = {q[0], q[1], q[2], v[1], v[2]};
    for (int k = 0; k < 5; k++, compared++) near(is[k], s[k], tolerance, "transporter");
    near(v[0], 0, 1e-13, "sideways");
    near(info->energy - info->energy_start - info->work, 0, 220e-8, "balance of energy");
  }
  mbd_simulation_destroy(sim);
  mbd_model_destroy(model);
  return compared;
}

static void
transporter(void ** state)
{
  (void)state;
  static const double figure[3][5] = {
    {6.037415298, 7.918602136, -1.340623206, 5.937859230, -0.683237452},
    {15.072656900, 15.407101430, -0.274320084, 6.624525767, 0.609154317},
    {22.410878812, 54.637425222, -0.182623550, 6.652474023, 0}};
  double s[5] = {0, 0, 0, 5, 0};
  int compared = 0;
  for (int phase = 0; phase < 3; phase++) {
    sleigh(10, TORQUE[phase], END[phase] - (phase ? END[phase - 1] : 0), s);
    for (int k = 0; k < 5; k++, compared++) near(s[k], figure[phase][k], 2e-9, "sleigh");
  }
  // The book's 10 kg m^2 about the axle are those of the mass: without inertia about the centre of mass, the
  // unconstrained mass matrix is singular, and with little of it, accelerations are less accurate
  compared += same_as_sleigh(1e-6, MBD_METHOD_RKF45, 1e-10, 1e-7);
  compared += same_as_sleigh(2, MBD_METHOD_RKF45, 1e-12, 1e-9);
  compared += same_as_sleigh(2, MBD_METHOD_RK4, 1e-12, 1e-9);
  compared += same_as_sleigh(2, MBD_METHOD_NYSTROM4, 1e-12, 1e-9);
  assert_int_equal(compared, 75);
}

//---------- 6.3.2: tractor and trailer ----------

static double
heading(const run_t * r, const char * link)
{
  const mbd_placement_t X = pose(r, link);
  return atan2(X.R.m[3], X.R.m[0]);
}

static void
tractor_is_at(const run_t * r, const double figure[6], const char * what)
{
  const mbd_placement_t one = pose(r, "tractor"), two = pose(r, "trailer");
  const double is[6] = {one.p.x, one.p.y, heading(r, "tractor"),
                        two.p.x, two.p.y, heading(r, "trailer")};
  for (int k = 0; k < 6; k++) near(is[k], figure[k], 1e-7, what);
  near(r->info->energy, 337500, 337500 * 1e-9, "kinetic energy");
  assert_true(r->info->error_velocity < 1e-11);
}

static void
tractor_trailer(void ** state)
{
  (void)state;
  static const double turned[6] = {35.98136048, 0.87564092, 0.060191241,
                                   29.98974780, 0.56206665, 0.044384427};
  static const double straight[6] = {155.76418207, 8.09423732, 0.060191241,
                                     149.77504774, 7.73330791, 0.060191241};
  run_t r = run_file("tractor_trailer", MBDX_COORDINATES_TREE, 2, 1e-11);
  tractor_is_at(&r, turned, "tractor at 2 s");
  // the wheels are straight at once, and the driver of the file is replaced by a fixed one. An impact would
  // take energy: the book keeps the kinetic energy.
  char path[1024], text[4096];
  snprintf(path, sizeof path, "%stractor_trailer.mechanism.yaml", FOLDER);
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = 0;
  char * driver = strstr(text, "sine: {");
  assert_non_null(driver);
  memset(driver, ' ', strcspn(driver, "\n"));
  memcpy(driver, "value: 0}", 9);
  char * speed = strstr(text, "v: 0.017");
  assert_non_null(speed);
  memcpy(speed, "v: 0.000", 8);
  run_t s = start(load_mechanism_text(text, MBDX_COORDINATES_TREE), MBD_METHOD_RKF45, 1e-11);
  assert_int_equal(s.m->model->nv, 5);
  double q[5], v[5];
  memcpy(q, r.info->q, sizeof q), memcpy(v, r.info->v, sizeof v);
  q[4] = v[4] = 0;
  assert_ok(mbd_simulation_start(s.sim, 2, q, v, NULL));
  memcpy(v, s.info->v, sizeof v);
  const double scale = sqrt(337500 / s.info->energy);
  for (int k = 0; k < 5; k++) v[k] *= scale;
  assert_ok(mbd_simulation_start(s.sim, 2, q, v, NULL));
  assert_ok(mbd_simulation_run(s.sim, 10));
  tractor_is_at(&s, straight, "tractor at 10 s");
  run_free(&s);
  run_free(&r);
}

//---------- 6.3.3: rolling disk ----------

enum { X, Y, LEAN, HEADING, W1, W2, W3, DISK_STATE };

// Thin disk: 10 kg, 1 m, moments of inertia a across and c about the axis. e1 is along the track, e2 from the contact
// to the centre, e3 the axis; the angular velocity is w1 e1 + w2 e2 + w3 e3, that of e1, e2, e3 has w2 / tan(lean)
// about e3.
static void
disk_rates(const double s[DISK_STATE], double rate[DISK_STATE])
{
  const double m = 10, a = 2.5001, c = 5, g = 9.6;
  const double w1 = s[W1], w2 = s[W2], w3 = s[W3], sine = sin(s[LEAN]), cosine = cos(s[LEAN]);
  rate[W1] = (a * w2 * w2 * cosine / sine - (c + m) * w2 * w3 - m * g * cosine) / (a + m);
  rate[W2] = c / a * w1 * w3 - w1 * w2 * cosine / sine;
  rate[W3] = m * w1 * w2 / (c + m);
  rate[LEAN] = w1;
  rate[HEADING] = w2 / sine;
  // the velocity of the centre is w1 e3 - w3 e1
  rate[X] = -w3 * cos(s[HEADING]) + w1 * sine * sin(s[HEADING]);
  rate[Y] = -w3 * sin(s[HEADING]) - w1 * sine * cos(s[HEADING]);
}

typedef void (*rates_t)(const double * s, double * rate);

static void
runge_kutta(rates_t rates, int n, double time, int steps, double * s)
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  const double h = time / steps;
  assert_true(n <= 16);
  for (int i = 0; i < steps; i++) {
    double k[16] = {0}, sum[16] = {0}, at[16];
    for (int stage = 0; stage < 4; stage++) {
      for (int j = 0; j < n; j++) at[j] = s[j] + part[stage] * h * k[j];
      rates(at, k);
      for (int j = 0; j < n; j++) sum[j] += weight[stage] * h * k[j] / 6;
    }
    for (int j = 0; j < n; j++) s[j] += sum[j];
  }
}

// the disk on its edge, rolling along -y at `speed` with a push of 0.01 rad/s
static run_t
start_disk(mbdx_coordinates_t coordinates, double speed, mbd_method_t method)
{
  run_t r = {.m = load_mechanism("rolling_disk", coordinates)};
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  options.ode.rtol = options.ode.atol = 1e-12;
  options.ode.step = 5e-4;
  assert_ok(mbd_simulation_create(r.m->model, &options, &r.sim));
  r.info = mbd_simulation_info(r.sim);
  assert_int_equal(r.m->model->nv, 6);
  double q[7], v[6] = {0.01, -speed, 0, speed, 0.01, 0};
  memcpy(q, r.m->q, sizeof q);
  assert_close(r.m->v, ((double[6]){0.01, -1, 0, 1, 0.01, 0}), 6, 1e-14, "velocity of the file");
  assert_ok(mbd_simulation_start(r.sim, 0, q, v, NULL));
  return r;
}

static void
rolling_disk(void ** state)
{
  (void)state;
  int compared = 0;
  for (int layout = 0; layout < 2; layout++) {
    const mbdx_coordinates_t coordinates =
      layout ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE;
    run_t r = start_disk(coordinates, 1, MBD_METHOD_RK4);
    double s[DISK_STATE] = {[LEAN] = acos(0), [HEADING] = acos(0), [W1] = 0.01, [W3] = 1};
    for (int k = 1; k <= 5; k++) {
      // later the disk is nearly flat once, and errors grow
      runge_kutta(disk_rates, DISK_STATE, 1, 4000, s);
      assert_ok(mbd_simulation_run(r.sim, k));
      const mbd_placement_t disk = pose(&r, "disk");
      const double is[6] = {disk.p.x, disk.p.y, disk.p.z, disk.R.m[0], disk.R.m[3], disk.R.m[6]};
      const double want[6] = {s[X],
                              s[Y],
                              sin(s[LEAN]),
                              sin(s[LEAN]) * sin(s[HEADING]),
                              -sin(s[LEAN]) * cos(s[HEADING]),
                              cos(s[LEAN])};
      for (int j = 0; j < 6; j++, compared++) near(is[j], want[j], 1e-8, "disk");
      assert_true(r.info->error_position < 1e-13 && r.info->error_velocity < 1e-12);
    }
    run_free(&r);
  }
  assert_int_equal(compared, 60);
  run_t r = start_disk(MBDX_COORDINATES_TREE, 1, MBD_METHOD_RKF45);
  assert_ok(mbd_simulation_run(r.sim, 40));
  near(r.info->energy, 103.500625, 1e-7, "energy of the disk");
  run_free(&r);
}

// a small push grows below the threshold only
static void
rolling_disk_is_stable_when_fast(void ** state)
{
  (void)state;
  // w3^2 > m g a / ((c + m) c), of the linear equations
  const double threshold = sqrt(10 * 9.6 * 2.5001 / (15 * 5));
  near(threshold, sqrt(9.6 / 3), 1e-4, "threshold");
  for (int fast = 0; fast < 2; fast++) {
    run_t r = start_disk(MBDX_COORDINATES_TREE, threshold * (fast ? 1.05 : 0.95), MBD_METHOD_RKF45);
    double most = 0;
    while (r.info->t < 40) {
      assert_ok(mbd_simulation_step(r.sim, 40));
      most = fmax(most, fabs(pose(&r, "disk").R.m[6]));
    }
    print_message("%g of the threshold: lean up to %g\n", fast ? 1.05 : 0.95, most);
    assert_true(fast ? most < 0.02 : most > 0.2);
    run_free(&r);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(transporter),
    cmocka_unit_test(tractor_trailer),
    cmocka_unit_test(rolling_disk),
    cmocka_unit_test(rolling_disk_is_stable_when_fast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
