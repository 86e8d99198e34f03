// Mechanisms of Haug, chapter 5, from config/mechanisms, as trees and in Cartesian coordinates. Reference values
// are integrated independently in minimal coordinates.
#include "mechanism_file.h"
#include "reactions.h"

typedef struct figure {
  double t, value[4];
} figure_t;

// at the times of the figures: number k of the table against coordinate(k); energy: its scale, for the balance
static int
compare(
  const char * name, mbdx_coordinates_t coordinates, const figure_t * figure, int n, int numbers,
  double (*coordinate)(const run_t * r, int k), double tolerance, double energy)
{
  static reactions_t joints;
  if (coordinates == MBDX_COORDINATES_TREE) joints = (reactions_t){0};
  int compared = 0;
  run_t r = run_file(name, coordinates, figure[0].t, 1e-12);
  for (int i = 0; i < n; i++) {
    assert_ok(mbd_simulation_run(r.sim, figure[i].t));
    for (int k = 0; k < numbers; k++) {
      char what[64];
      snprintf(what, sizeof what, "%s, number %d at %g s", name, k, figure[i].t);
      near(coordinate(&r, k), figure[i].value[k], tolerance, what);
      compared++;
    }
    same_reactions(&joints, coordinates == MBDX_COORDINATES_CARTESIAN, r.sim, r.m->model, 1e-8);
  }
  balanced(&r, 1e-8 * energy);
  if (coordinates == MBDX_COORDINATES_CARTESIAN) reactions_compared(name, &joints, 16);
  run_free(&r);
  return compared;
}

// velocity of a link's origin along k, and its angular velocity about z, in its axes
static mbd_motion_t
velocity(const run_t * r, const char * link)
{
  int frame;
  mbd_motion_t V;
  mbd_data_t * data = mbd_simulation_data(r->sim);
  assert_ok(mbd_set_state(r->m->model, data, r->info->q, r->info->v));
  assert_ok(mbd_find_frame(r->m->model, link, &frame));
  assert_ok(mbd_frame_velocity(r->m->model, data, frame, MBD_LOCAL, &V));
  return V;
}

static double
angle_z(mbd_placement_t X)
{
  return atan2(X.R.m[3], X.R.m[0]);
}

//---------- 5.8.6: disk with a sliding body ----------

// angle of the disk, position of the slider on it, and their rates
static double
disk_coordinate(const run_t * r, int k)
{
  const mbd_placement_t disk = pose(r, "disk"), slider = pose(r, "slider");
  const mbd_vec3_t p = mbdu_mat3_tvec(&disk.R, slider.p);
  const mbd_motion_t V = velocity(r, "slider"), W = velocity(r, "disk");
  switch (k) {
    case 0: return angle_z(disk);
    case 1: return p.y;
    case 2: return W.ang.z;
    default: return V.lin.y - W.ang.z * p.x;  // relative to the disk, whose axes it shares
  }
}

static void
sliding_disk(void ** state)
{
  (void)state;
  static const figure_t figure[] = {
    {1, {0.026524627, -0.106198150, 0.040612747, -0.162909019}},
    {2, {0.049649603, -0.199253744, -0.004921210, 0.019880222}},
    {5, {0.032503655, -0.130198074, 0.038727416, -0.155566152}},
    {10, {0.045348111, -0.181891453, -0.023206093, 0.093592133}}};
  int compared = 0;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++)
    compared +=
      compare("sliding_disk", (mbdx_coordinates_t)c, figure, 4, 4, disk_coordinate, 2e-9, 0.05);
  assert_int_equal(compared, 32);
}

//---------- 5.10.4: cylindrical joint ----------

static double
sleeve_coordinate(const run_t * r, int k)
{
  const mbd_placement_t X = pose(r, "body");
  const mbd_motion_t V = velocity(r, "body");
  switch (k) {
    case 0: return angle_z(X);
    case 1: return X.p.z;
    case 2: return V.ang.z;
    default: return V.lin.z;
  }
}

static void
cylindrical_spring(void ** state)
{
  (void)state;
  static const figure_t figure[] = {
    {0.5, {2.0113642644, -0.5122056094, -9.0077788074, 1.4146661900}},
    {1, {-0.5843914412, -0.4399745645, 7.7168176830, 3.2346881456}},
    {2, {-0.4396643223, -0.9888677655, 5.0719475936, 6.2648259925}},
    {5, {-0.8305249659, -0.6545867216, 5.8457322496, -0.4481306055}}};
  int compared = 0;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++)
    compared += compare(
      "cylindrical_spring", (mbdx_coordinates_t)c, figure, 4, 4, sleeve_coordinate, 1e-8, 50);
  assert_int_equal(compared, 32);
}

//---------- 5.10.6: four bodies on axes ----------

static double
slider_coordinate(const run_t * r, int k)
{
  static const char * const link[] = {"one", "two", "three", "four"};
  const mbd_vec3_t p = pose(r, link[k]).p;
  return p.x + p.y + p.z;  // the other two are zero
}

static void
four_sliders(void ** state)
{
  (void)state;
  static const figure_t figure[] = {
    {0.5, {3.3456036387, 3.7157686006, 5.9323742049, 4.5128133749}},
    {1, {1.0587165198, 4.8866265798, 5.0120734900, 3.8998869734}},
    {2, {1.1908939391, 4.8561066325, 5.0416493704, 0.5673274066}},
    {5, {-0.4151701607, 4.9827335608, 4.9165400702, 0.7430090097}}};
  int compared = 0;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++)
    compared +=
      compare("four_sliders", (mbdx_coordinates_t)c, figure, 4, 4, slider_coordinate, 2e-9, 100);
  assert_int_equal(compared, 32);
}

//---------- 5.10.7: fly-ball governor ----------

typedef struct engine {
  const mbd_model_t * model;
  int collar, shaft;  // frame; index of the rotor's angular velocity in v
  bool pulls;         // the collar is low
} engine_t;

// 300 N m while the collar is below 0.1 m, and the load of the book from 3 to 6 s
static mbd_status_t
engine_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)q, (void)v;
  const engine_t * e = ctx;
  const double load = t > 3 && t < 6 ? 500 * pow(sin((t - 3) * acos(-1.0)), 2) : 0;
  tau[e->shaft] = (e->pulls ? -300 : 0) + load;
  return MBD_OK;
}

// height of the collar above its switch
static double
collar_height(void * ctx, mbd_data_t * data, double t, const double * q, const double * v)
{
  (void)t, (void)q, (void)v;
  const engine_t * e = ctx;
  mbd_placement_t X;
  assert_ok(mbd_frame_placement(e->model, data, e->collar, &X));
  return X.p.z - 0.1;
}

// its speed after the load; integrated in two coordinates, the printed data settle at 12.717 rad/s
static void
governor(void ** state)
{
  (void)state;
  double speed[2];
  reactions_t joints = {0};
  for (int c = 0; c < 2; c++) {
    run_t r =
      run_file("governor", c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE, 0, 1e-11);
    engine_t e = {.model = r.m->model};
    int rotor;
    assert_ok(mbd_find_frame(e.model, "collar", &e.collar));
    assert_ok(mbd_find_joint(e.model, c ? "rotor" : "shaft", &rotor));
    e.shaft = e.model->body[rotor].v_index + (c ? 5 : 0);
    const mbd_event_t passes = {.value = collar_height, .ctx = &e, .terminal = true};
    e.pulls = true;
    assert_ok(mbd_simulation_add_event(r.sim, &passes, NULL));
    assert_ok(mbd_simulation_set_input(r.sim, engine_torque, &e));
    assert_ok(mbd_simulation_start(r.sim, 0, r.m->q, r.m->v, NULL));
    near(pose(&r, "collar").p.z, 0.068, 1e-3, "collar at the start");
    int jumps = 0;
    for (int part = 0; part < 6; part++) {
      const double end = (const double[]){1, 2, 3, 6, 8, 10}[part];
      // the torque jumps where the collar passes the switch
      while (r.info->t < end) {
        assert_ok(mbd_simulation_run(r.sim, end));
        if (r.info->event < 0) continue;
        e.pulls = !e.pulls, jumps++;
        assert_ok(mbd_simulation_refresh(r.sim));
      }
      same_reactions(&joints, c, r.sim, e.model, 1e-8);
    }
    speed[c] = fabs(velocity(&r, "rotor").ang.z);
    near(speed[c], 12.717, 1e-3, "speed of the rotor");
    print_message("governor: %d jumps of the torque\n", jumps);
    balanced(&r, 1e-8 * 4000);
    assert_true(r.info->error_position < 1e-12 && r.info->error_velocity < 1e-11);
    run_free(&r);
  }
  near(speed[1], speed[0], 1e-8, "speed in two formulations");
  reactions_compared("governor", &joints, 60);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(sliding_disk),
    cmocka_unit_test(cylindrical_spring),
    cmocka_unit_test(four_sliders),
    cmocka_unit_test(governor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
