// Nonholonomic mechanisms of Haug, chapter 6. Reference values are integrated independently: the transporter as
// Chaplygin's sleigh, the tractor from its kinematics and constant kinetic energy, the disk in lean and heading
// angles, the ellipsoid with the coordinates of the contact.
#include "mechanism_file.h"
#include "reactions.h"

typedef char text_t[4096];

static void
read_text(const char * name, text_t text)
{
  char path[1024];
  snprintf(path, sizeof path, "%s%s.mechanism.yaml", FOLDER, name);
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof(text_t) - 1, file);
  fclose(file);
  assert_true(size < sizeof(text_t) - 1);
  text[size] = 0;
}

// every `old` by `new`; there are `times` of them
static void
replace(text_t text, const char * old, const char * new, int times)
{
  text_t rest;
  for (char * at = text; (at = strstr(at, old)) != NULL; times--) {
    strcpy(rest, at + strlen(old));
    assert_true((size_t)(at - text) + strlen(new) + strlen(rest) < sizeof(text_t));
    strcpy(at, new);
    strcpy(at += strlen(new), rest);
  }
  if (times != 0) fail_msg("%d times more: %s", times, old);
}

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

typedef struct wheels {
  int heading;  // of its angular velocity in v
  double torque;
} wheels_t;

// forces of the two driven wheels turn it: -40, then 40 N m for two seconds each
static mbd_status_t
wheel_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t, (void)q, (void)v;
  const wheels_t * w = ctx;
  tau[w->heading] = w->torque;
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

// On a planar joint, or free with the plane as a closure: the mass 1 m ahead of the middle of the rear axle, which does
// not slip sideways.
static mbd_model_t *
transporter_model(double inertia_about_com, bool cartesian)
{
  mbd_model_t * model;
  int frame;
  assert_ok(mbd_model_create("transporter", &model));
  assert_ok(mbd_model_set_gravity(model, mbdu_vec3(0, 0, 0)));
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = spec.joint_name = "chassis";
  spec.type = cartesian ? MBD_JOINT_FREE : MBD_JOINT_PLANAR;
  spec.axis = mbdu_vec3(0, 0, 1);
  const mbd_sym3_t about_com = {1, 0, 0, 1, 0, inertia_about_com};
  spec.inertia = mbdu_inertia_from_com(10, mbdu_vec3(0, 1, 0), about_com);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  no_slip(model, "axle", frame);
  if (cartesian) {
    mbd_closure_spec_t plane = mbd_closure_spec_default();
    plane.name = "chassis", plane.type = MBD_CLOSURE_PLANAR;
    plane.frame_a = MBD_WORLD_BODY, plane.frame_b = frame;
    plane.X_a = plane.X_b = mbdu_placement_identity();
    assert_ok(mbd_model_add_closure(model, &plane, NULL));
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

static const double TORQUE[3] = {-40, 40, 0}, END[3] = {2, 4, 10};

// the same as the sleigh at the ends of the three phases
static int
same_as_sleigh(
  double inertia_about_com, bool cartesian, mbd_method_t method, double rtol, double tolerance,
  reactions_t * joints)
{
  int compared = 0;
  mbd_model_t * model = transporter_model(inertia_about_com, cartesian);
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  options.ode.rtol = options.ode.atol = rtol;
  options.ode.step = 1e-3;
  mbd_simulation_t * sim;
  assert_ok(mbd_simulation_create(model, &options, &sim));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  double q[7] = {0}, v[6] = {0, 5}, s[5] = {0, 0, 0, 5, 0}, now = 0;
  if (cartesian) q[6] = 1;
  for (int phase = 0; phase < 3; phase++) {
    wheels_t wheels = {cartesian ? 5 : 2, TORQUE[phase]};
    sleigh(10 + inertia_about_com, TORQUE[phase], END[phase] - now, s);
    assert_ok(mbd_simulation_set_input(sim, wheel_torque, &wheels));
    assert_ok(mbd_simulation_start(sim, now, q, v, NULL));
    assert_ok(mbd_simulation_run(sim, now = END[phase]));
    memcpy(q, info->q, (size_t)model->nq * sizeof *q);
    memcpy(v, info->v, (size_t)model->nv * sizeof *v);
    // velocities are in axes of the body: forward is y, sideways is x
    const double heading = cartesian ? 2 * atan2(q[5], q[6]) : q[2];
    const double is[5] = {q[0], q[1], heading, v[1], v[wheels.heading]};
    for (int k = 0; k < 5; k++, compared++) near(is[k], s[k], tolerance, "transporter");
    near(v[0], 0, 1e-13, "sideways");
    near(info->energy - info->energy_start - info->work, 0, 220e-8, "balance of energy");
    if (joints) same_reactions(joints, cartesian, sim, model, 1e-8);
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
  // unconstrained mass matrix is singular; that of the velocities which the axle leaves is not
  const mbd_method_t rkf45 = MBD_METHOD_RKF45;
  compared += same_as_sleigh(1e-6, false, rkf45, 1e-12, 1e-9, NULL);
  compared += same_as_sleigh(2, false, MBD_METHOD_RK4, 1e-12, 1e-9, NULL);
  compared += same_as_sleigh(2, false, MBD_METHOD_NYSTROM4, 1e-12, 1e-9, NULL);
  reactions_t joints = {0};
  for (int c = 0; c < 2; c++) compared += same_as_sleigh(2, c, rkf45, 1e-12, 1e-9, &joints);
  assert_int_equal(compared, 90);
  reactions_compared("6.3.1", &joints, 12);
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

// index of the steering in q and v
static const mbd_body_t *
steering(const run_t * r)
{
  int joint;
  assert_ok(mbd_find_joint(r->m->model, "steering", &joint));
  return &r->m->model->body[joint];
}

static void
turn_and_go_straight(mbdx_coordinates_t coordinates, reactions_t * joints)
{
  static const double turned[6] = {35.98136048, 0.87564092, 0.060191241,
                                   29.98974780, 0.56206665, 0.044384427};
  static const double straight[6] = {155.76418207, 8.09423732, 0.060191241,
                                     149.77504774, 7.73330791, 0.060191241};
  const bool cartesian = coordinates == MBDX_COORDINATES_CARTESIAN;
  run_t r = run_file("tractor_trailer", coordinates, 1, 1e-11);
  same_reactions(joints, cartesian, r.sim, r.m->model, 1e-7);
  assert_ok(mbd_simulation_run(r.sim, 2));
  same_reactions(joints, cartesian, r.sim, r.m->model, 1e-7);
  tractor_is_at(&r, turned, "tractor at 2 s");
  balanced(&r, 337500 * 1e-8);
  // the wheels are straight at once, and the driver of the file is replaced by a fixed one. An impact would
  // take energy: the book keeps the kinetic energy.
  text_t text;
  read_text("tractor_trailer", text);
  replace(text, "sine: {amplitude: 0.017, frequency: 0.15915494309189535}", "value: 0", 1);
  replace(text, "v: 0.017", "v: 0", 1);
  run_t s = start(load_mechanism_text(text, coordinates), MBD_METHOD_RKF45, 1e-11);
  const int nq = s.m->model->nq, nv = s.m->model->nv;
  assert_int_equal(nv, cartesian ? 13 : 5);
  double q[16], v[16];
  memcpy(q, r.info->q, (size_t)nq * sizeof *q), memcpy(v, r.info->v, (size_t)nv * sizeof *v);
  q[steering(&s)->q_index] = v[steering(&s)->v_index] = 0;
  assert_ok(mbd_simulation_start(s.sim, 2, q, v, NULL));
  memcpy(v, s.info->v, (size_t)nv * sizeof *v);
  const double scale = sqrt(337500 / s.info->energy);
  for (int k = 0; k < nv; k++) v[k] *= scale;
  assert_ok(mbd_simulation_start(s.sim, 2, q, v, NULL));
  assert_ok(mbd_simulation_run(s.sim, 10));
  // no forces then
  same_motion(joints, cartesian, s.sim, mbd_simulation_data(s.sim), s.m->model);
  tractor_is_at(&s, straight, "tractor at 10 s");
  balanced(&s, 337500 * 1e-8);
  run_free(&s);
  run_free(&r);
}

static void
tractor_trailer(void ** state)
{
  (void)state;
  reactions_t joints = {0};
  turn_and_go_straight(MBDX_COORDINATES_TREE, &joints);
  turn_and_go_straight(MBDX_COORDINATES_CARTESIAN, &joints);
  reactions_compared("6.3.2", &joints, 20);
}

//---------- 6.3.3: rolling disk ----------

enum { TRACK_X, TRACK_Y, LEAN, HEADING, W1, W2, W3, DISK_STATE };

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
  rate[TRACK_X] = -w3 * cos(s[HEADING]) + w1 * sine * sin(s[HEADING]);
  rate[TRACK_Y] = -w3 * sin(s[HEADING]) - w1 * sine * cos(s[HEADING]);
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
start_disk(mbdx_coordinates_t coordinates, double speed, double rtol)
{
  run_t r = {.m = load_mechanism("rolling_disk", coordinates)};
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.rtol = options.ode.atol = rtol;
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
  reactions_t contact = {0};
  for (int layout = 0; layout < 2; layout++) {
    const mbdx_coordinates_t coordinates =
      layout ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE;
    run_t r = start_disk(coordinates, 1, 1e-12);
    double s[DISK_STATE] = {[LEAN] = acos(0), [HEADING] = acos(0), [W1] = 0.01, [W3] = 1};
    for (int k = 1; k <= 5; k++) {
      // later the disk is nearly flat once, and errors grow
      runge_kutta(disk_rates, DISK_STATE, 1, 4000, s);
      assert_ok(mbd_simulation_run(r.sim, k));
      const mbd_placement_t disk = pose(&r, "disk");
      const double is[6] = {disk.p.x, disk.p.y, disk.p.z, disk.R.m[0], disk.R.m[3], disk.R.m[6]};
      const double want[6] = {
        s[TRACK_X],
        s[TRACK_Y],
        sin(s[LEAN]),
        sin(s[LEAN]) * sin(s[HEADING]),
        -sin(s[LEAN]) * cos(s[HEADING]),
        cos(s[LEAN])};
      for (int j = 0; j < 6; j++, compared++) near(is[j], want[j], 1e-8, "disk");
      assert_true(r.info->error_position < 1e-13 && r.info->error_velocity < 1e-12);
      same_reactions(&contact, layout, r.sim, r.m->model, 1e-7);
    }
    balanced(&r, 1e-8 * 103.5);
    run_free(&r);
  }
  assert_int_equal(compared, 60);
  reactions_compared("6.3.3", &contact, 15);
  run_t r = start_disk(MBDX_COORDINATES_TREE, 1, 1e-11);
  assert_ok(mbd_simulation_run(r.sim, 40));
  near(r.info->energy, 103.500625, 1e-7, "energy of the disk");
  run_free(&r);
}

// In the coordinates of the contact (place, heading, lean and spin) the disk touches the ground by its joints.
static void
rolling_disk_as_a_tree(void ** state)
{
  (void)state;
  static const char text[] =
    "gravity: [0, 0, -9.6]\n"
    "bodies:\n"
    "  - {name: x, mass: 0}\n"
    "  - {name: y, mass: 0}\n"
    "  - {name: track, mass: 0}\n"
    "  - {name: fork, mass: 0}\n"
    "  - {name: disk, mass: 10, inertia: [5, 2.5001, 2.5001], xyz: [0, 0, 1]}\n"
    "joints:\n"
    "  - {name: along_x, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: x, axis: "
    "[1, 0, 0]}}\n"
    "  - {name: along_y, type: prismatic, a: {link: x, axis: [0, 1, 0]}, b: {link: y, axis: "
    "[0, 1, 0]}}\n"
    "  - {name: heading, type: continuous, a: y, b: track}\n"
    "  - {name: lean, type: continuous, a: {link: track, axis: [0, 1, 0]}, b: {link: fork, axis: "
    "[0, 1, 0]}}\n"
    "  - {name: spin, type: continuous, a: {link: fork, xyz: [0, 0, 1], axis: [1, 0, 0]}, b: "
    "{link: disk, axis: [1, 0, 0]}}\n"
    "closures:\n"
    "  - {name: grip, type: roll, a: {link: world, surface: plane}, b: {link: disk, axis: [1, 0, "
    "0], surface: {disk: 1}}}\n"
    "initial:\n"
    "  along_y: {q: 0, v: -1}\n"
    "  lean: {q: 0, v: 0.01}\n"
    "  spin: {q: 0, v: 1}\n";
  reactions_t motion = {0};
  for (int layout = 0; layout < 2; layout++) {
    run_t r = layout
                ? start_disk(MBDX_COORDINATES_CARTESIAN, 1, 1e-12)
                : start(load_mechanism_text(text, MBDX_COORDINATES_FILE), MBD_METHOD_RKF45, 1e-12);
    assert_int_equal(r.m->model->nv, layout ? 6 : 5);
    for (int k = 1; k <= 10; k++) {
      assert_ok(mbd_simulation_run(r.sim, 0.5 * k));
      same_motion(&motion, layout, r.sim, mbd_simulation_data(r.sim), r.m->model);
    }
    balanced(&r, 1e-8 * 103.5);
    run_free(&r);
  }
  assert_int_equal(motion.poses, 10);
  print_message("6.3.3 as a tree: off by %.1e\n", motion.off);
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
    run_t r = start_disk(MBDX_COORDINATES_TREE, threshold * (fast ? 1.05 : 0.95), 1e-10);
    double most = 0;
    while (r.info->t < 40) {
      assert_ok(mbd_simulation_step(r.sim, 40));
      most = fmax(most, fabs(pose(&r, "disk").R.m[6]));
    }
    print_message("%g of the threshold: lean up to %g\n", fast ? 1.05 : 0.95, most);
    balanced(&r, 1e-8 * r.info->energy_start);
    assert_true(fast ? most < 0.02 : most > 0.2);
    run_free(&r);
  }
}

//---------- 6.3.4: ellipsoid in a moving bowl ----------

// Independent of rows and charts: the centre r, orientation, angular velocity w and the contact point x, y of the
// bowl are integrated, with the force at the contact eliminated. The bowl z = bend (x^2 + 2 y^2) + height moves as
// prescribed, or as a mass on a spring.
typedef struct ball {
  double axes[3], mass, bend;
  bool driven;
  double wave;  // amplitude
  double spin;
} ball_t;

enum { R0, Q0 = 3, WX = 7, CX = 10, CY, HEIGHT, LIFT, TIME, BALL_STATE };

static ball_t BALL;

static mbd_vec3_t
shaped(mbd_mat3_t R, mbd_vec3_t n)
{
  mbd_vec3_t m = mbdu_mat3_tvec(&R, n);
  m.x *= BALL.axes[0] * BALL.axes[0];
  m.y *= BALL.axes[1] * BALL.axes[1];
  m.z *= BALL.axes[2] * BALL.axes[2];
  return mbdu_mat3_vec(&R, m);
}

// change of k = f Q n while n changes by d
static mbd_vec3_t
bent(mbd_mat3_t R, double f, mbd_vec3_t k, mbd_vec3_t d)
{
  const mbd_vec3_t along = mbdu_vec3_scale(mbdu_vec3_dot(k, d), k);
  return mbdu_vec3_scale(f, mbdu_vec3_sub(shaped(R, d), along));
}

// n x = b by elimination
static void
solve_dense(int n, double A[4][5])
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++) best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
    for (int j = 0; j <= n; j++) {
      const double swap = A[k][j];
      A[k][j] = A[best][j], A[best][j] = swap;
    }
    for (int i = 0; i < n; i++) {
      const double f = A[i][k] / A[k][k];
      for (int j = 0; j <= n && i != k; j++) A[i][j] -= f * A[k][j];
    }
  }
  for (int k = 0; k < n; k++) A[k][n] /= A[k][k];
}

static void
ball_rates(const double * s, double * rate)
{
  const double m = BALL.mass, g = 9.8, c = BALL.bend;
  const double *a = BALL.axes,
               size = 1 / hypot(hypot(s[Q0], s[Q0 + 1]), hypot(s[Q0 + 2], s[Q0 + 3]));
  const mbd_quat_t q = {size * s[Q0], size * s[Q0 + 1], size * s[Q0 + 2], size * s[Q0 + 3]};
  const mbd_mat3_t R = mbdu_quat_to_mat3(q);
  const mbd_vec3_t w = {s[WX], s[WX + 1], s[WX + 2]}, r = {s[R0], s[R0 + 1], s[R0 + 2]};
  // k from the contact to the centre: by the normal n, and dk/dt = w x k + K (dn/dt - w x n)
  const mbd_vec3_t n = {-2 * c * s[CX], -4 * c * s[CY], 1}, Qn = shaped(R, n);
  const double f = 1 / sqrt(mbdu_vec3_dot(n, Qn));
  const mbd_vec3_t k = mbdu_vec3_scale(f, Qn), wn = mbdu_vec3_cross(w, n);
  const mbd_vec3_t dx = {-2 * c, 0, 0}, dy = {0, -4 * c, 0};
  const mbd_vec3_t Kx = bent(R, f, k, dx), Ky = bent(R, f, k, dy);
  const mbd_vec3_t Kw = bent(R, f, k, wn);
  double T[4][5] = {{1 + Kx.x, Ky.x, Kw.x}, {Kx.y, 1 + Ky.y, Kw.y}};
  solve_dense(2, T);
  rate[CX] = T[0][2], rate[CY] = T[1][2];
  mbd_vec3_t dk = mbdu_vec3_cross(w, k);
  dk = mbdu_vec3_add(dk, mbdu_vec3_scale(rate[CX], Kx));
  dk = mbdu_vec3_sub(mbdu_vec3_add(dk, mbdu_vec3_scale(rate[CY], Ky)), Kw);
  // J dw/dt + w x J w = F x k, F = m (dV/dt + dw/dt x k + w x dk/dt + g) + 150 r; V along z
  const double lifted = BALL.driven ? 9 * BALL.wave * cos(3 * s[TIME]) : 0;
  const mbd_vec3_t local = mbdu_mat3_tvec(&R, w);
  const mbd_vec3_t J = {
    m / 5 * (a[1] * a[1] + a[2] * a[2]), m / 5 * (a[0] * a[0] + a[2] * a[2]),
    m / 5 * (a[0] * a[0] + a[1] * a[1])};
  const mbd_vec3_t Jw = mbdu_mat3_vec(&R, mbdu_vec3(J.x * local.x, J.y * local.y, J.z * local.z));
  mbd_vec3_t known = mbdu_vec3_scale(m, mbdu_vec3_cross(w, dk));
  known =
    mbdu_vec3_add(mbdu_vec3_add(known, mbdu_vec3_scale(150, r)), mbdu_vec3(0, 0, m * (g + lifted)));
  const mbd_vec3_t right = mbdu_vec3_sub(mbdu_vec3_cross(known, k), mbdu_vec3_cross(w, Jw));
  double A[4][5] = {{0}};
  for (int j = 0; j < 3; j++) {
    const mbd_vec3_t e = {j == 0, j == 1, j == 2}, u = mbdu_mat3_tvec(&R, e);
    const mbd_vec3_t ek = mbdu_vec3_cross(e, k);
    mbd_vec3_t column = mbdu_mat3_vec(&R, mbdu_vec3(J.x * u.x, J.y * u.y, J.z * u.z));
    column = mbdu_vec3_sub(column, mbdu_vec3_scale(m, mbdu_vec3_cross(ek, k)));
    A[0][j] = column.x, A[1][j] = column.y, A[2][j] = column.z;
    A[3][j] = BALL.driven ? 0 : m * ek.z;
  }
  // and the acceleration of the bowl, known or not
  A[0][3] = BALL.driven ? 0 : m * k.y, A[1][3] = BALL.driven ? 0 : -m * k.x;
  A[3][3] = BALL.driven ? 1 : 10 + m;
  A[0][4] = right.x, A[1][4] = right.y, A[2][4] = right.z;
  A[3][4] = BALL.driven ? lifted : -known.z - 10 * g - 3000 * s[HEIGHT];
  solve_dense(4, A);
  for (int j = 0; j < 3; j++) rate[WX + j] = A[j][4];
  rate[LIFT] = A[3][4], rate[HEIGHT] = s[LIFT], rate[TIME] = 1;
  const mbd_vec3_t v = mbdu_vec3_cross(w, k);
  rate[R0] = v.x, rate[R0 + 1] = v.y, rate[R0 + 2] = v.z + s[LIFT];
  const mbd_quat_t spin = mbdu_quat_mul((mbd_quat_t){w.x / 2, w.y / 2, w.z / 2, 0}, q);
  rate[Q0] = spin.x, rate[Q0 + 1] = spin.y, rate[Q0 + 2] = spin.z, rate[Q0 + 3] = spin.w;
}

// the file with these data
static void
ball_text(text_t text)
{
  text_t part;
  const double *a = BALL.axes, m = BALL.mass;
  read_text("rolling_ellipsoid", text);
  replace(text, "mass: 35.18583772", "mass: MASS", 1);
  replace(text, "inertia: [1.759291886, 2.392636965, 2.885238693]", "inertia: INERTIA", 1);
  replace(
    text, "xyz: [0, 0, 0.3], velocity: [0.3, 0.3, 0], angular_velocity: [-1, 1, 10]", "START", 1);
  replace(text, "{ellipsoid: [0.5, 0.4, 0.3]}", "SHAPE", 2);
  snprintf(part, sizeof part, "mass: %.17g", m);
  replace(text, "mass: MASS", part, 1);
  snprintf(
    part, sizeof part, "inertia: [%.17g, %.17g, %.17g]", m / 5 * (a[1] * a[1] + a[2] * a[2]),
    m / 5 * (a[0] * a[0] + a[2] * a[2]), m / 5 * (a[0] * a[0] + a[1] * a[1]));
  replace(text, "inertia: INERTIA", part, 1);
  snprintf(
    part, sizeof part,
    "xyz: [0, 0, %.17g], velocity: [0.3, 0.3, 0], angular_velocity: [%.17g, %.17g, %.17g]", a[2],
    -0.3 / a[2], 0.3 / a[2], BALL.spin);
  replace(text, "START", part, 1);
  snprintf(part, sizeof part, "{ellipsoid: [%.17g, %.17g, %.17g]}", a[0], a[1], a[2]);
  if (a[0] == a[1]) snprintf(part, sizeof part, "{sphere: %.17g}", a[0]);
  replace(text, "SHAPE", part, 2);
  snprintf(part, sizeof part, "{paraboloid: [%.17g, %.17g]}", BALL.bend, 2 * BALL.bend);
  replace(text, "{paraboloid: [0.1, 0.2]}", BALL.bend == 0 ? "plane" : part, 2);
  if (!BALL.driven) {
    *strstr(text, "drivers:") = 0;
    strcat(
      text,
      "  - {name: seat, type: spring, a: {link: world, xyz: [0, 0, 5]}, b: bowl, rest: 5, "
      "stiffness: 3000}\n");
    return;
  }
  snprintf(part, sizeof part, "value: %.17g, sine: {amplitude: %.17g,", BALL.wave, -BALL.wave);
  replace(text, "value: 0.1, sine: {amplitude: -0.1,", part, 1);
}

// the same for 5 s; what of the motion is off the line x = y
static double
same_as_ball(ball_t ball, mbdx_coordinates_t coordinates, reactions_t * contact)
{
  BALL = ball;
  text_t text;
  ball_text(text);
  run_t r = start(load_mechanism_text(text, coordinates), MBD_METHOD_RKF45, 4e-12);
  double s[BALL_STATE] = {0};
  const double height = ball.axes[2];
  s[R0 + 2] = height, s[Q0 + 3] = 1;
  s[WX] = -0.3 / height, s[WX + 1] = 0.3 / height, s[WX + 2] = ball.spin;
  double off = 0, worst = 0;
  for (int k = 1; k <= 5; k++) {
    runge_kutta(ball_rates, BALL_STATE, 1, 2000, s);
    assert_ok(mbd_simulation_run(r.sim, k));
    const mbd_placement_t X = pose(&r, "ellipsoid"), bowl = pose(&r, "bowl");
    const mbd_mat3_t R =
      mbdu_quat_to_mat3(mbdu_quat_normalize((mbd_quat_t){s[Q0], s[Q0 + 1], s[Q0 + 2], s[Q0 + 3]}));
    worst = fmax(worst, fabs(X.p.x - s[R0]));
    worst = fmax(worst, fabs(X.p.y - s[R0 + 1]));
    worst = fmax(worst, fabs(X.p.z - s[R0 + 2]));
    worst = fmax(worst, fabs(bowl.p.z - s[HEIGHT]));
    for (int j = 0; j < 9; j++) worst = fmax(worst, fabs(X.R.m[j] - R.m[j]));
    balanced(&r, 1e-7);
    assert_true(r.info->error_position < 1e-12 && r.info->error_velocity < 1e-11);
    off = fmax(off, fabs(X.p.x - X.p.y));
    if (contact)
      same_reactions(contact, coordinates == MBDX_COORDINATES_CARTESIAN, r.sim, r.m->model, 1e-7);
  }
  if (!ball.driven || ball.wave == 0) near(r.info->work, 0, 1e-12, "work");
  print_message("off by %.1g, charts %d, off the line %.2g\n", worst, r.info->charts, off);
  assert_true(worst < 1e-9);
  run_free(&r);
  return off;
}

static void
rolling_ellipsoid(void ** state)
{
  (void)state;
  const double density = 140 * 4 * acos(-1) / 3;
  ball_t ellipsoid = {{0.5, 0.4, 0.3}, density * 0.06, 0.1, true, 0.1, 10};
  ball_t sphere = {{0.4, 0.4, 0.4}, density * 0.064, 0.1, true, 0.1, 10};
  // the four runs of the book: bowl in motion, without spin, at rest, plane
  for (int k = 0; k < 4; k++) {
    const double e = same_as_ball(ellipsoid, MBDX_COORDINATES_TREE, NULL);
    const double s = same_as_ball(sphere, MBDX_COORDINATES_TREE, NULL);
    if (k == 3) assert_true(s < 1e-10 && e > 0.01);
    ball_t * both[2] = {&ellipsoid, &sphere};
    for (int i = 0; i < 2; i++) {
      if (k == 0) both[i]->spin = 0;
      if (k == 1) both[i]->wave = 0;
      if (k == 2) both[i]->bend = 0;
    }
  }
  // the bowl on a spring: both bodies feel the contact, in both layouts
  ellipsoid.bend = sphere.bend = 0.1;
  ellipsoid.spin = sphere.spin = 10;
  ellipsoid.driven = sphere.driven = false;
  reactions_t contact = {0};
  for (int c = 0; c < 2; c++) {
    const mbdx_coordinates_t layout = c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE;
    same_as_ball(ellipsoid, layout, &contact);
    same_as_ball(sphere, layout, &contact);
  }
  reactions_compared("6.3.4, on a spring", &contact, 100);
}

//---------- a cart, not in the book ----------

// x, y, heading of the middle of the axle; forward and angular velocity. The chassis of 10 kg is 0.1 m ahead; wheels
// of 1 kg with J / r^2 = 0.5 kg are 0.2 m to the sides.
static void
cart_rates(const double * s, double * rate)
{
  const double mass = 12 + 2 * 0.5;
  const double inertia = 0.4 + 10 * 0.01 + 2 * (0.003 + 0.04) + 2 * 0.5 * 0.04;
  rate[0] = s[3] * cos(s[2]), rate[1] = s[3] * sin(s[2]), rate[2] = s[4];
  rate[3] = s[4] * s[4] / mass, rate[4] = -s[3] * s[4] / inertia;
}

static void
cart(void ** state)
{
  (void)state;
  reactions_t joints = {0};
  for (int layout = 0; layout < 2; layout++) {
    double s[5] = {0, 0, 0, 1, 0.5};
    run_t r = start(
      load_mechanism("cart", layout ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE),
      MBD_METHOD_RKF45, 1e-11);
    for (int k = 1; k <= 3; k++) {
      runge_kutta(cart_rates, 5, 1, 1000, s);
      assert_ok(mbd_simulation_run(r.sim, k));
      const mbd_placement_t X = pose(&r, "chassis");
      near(X.p.x, s[0], 1e-8, "x of the cart");
      near(X.p.y, s[1], 1e-8, "y of the cart");
      near(X.p.z, 0.1, 1e-12, "height of the cart");
      near(atan2(X.R.m[3], X.R.m[0]), s[2], 1e-8, "heading of the cart");
      balanced(&r, 1e-8);
      same_reactions(&joints, layout, r.sim, r.m->model, 1e-7);
    }
    run_free(&r);
  }
  reactions_compared("cart", &joints, 20);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(transporter),
    cmocka_unit_test(tractor_trailer),
    cmocka_unit_test(rolling_disk),
    cmocka_unit_test(rolling_disk_as_a_tree),
    cmocka_unit_test(rolling_disk_is_stable_when_fast),
    cmocka_unit_test(rolling_ellipsoid),
    cmocka_unit_test(cart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
