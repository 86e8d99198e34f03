// What `mbdyn demo` asks of a robot, for every bundled one: against the limits of its description,
// finite differences, and the node's own trajectories.
#include <math.h>
#include <string.h>

#include "demo_rig.h"
#include "demo_stand.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/spatial.h"
#include "trajectory.h"

static const char * const ROBOTS[] = {"arm7",     "arm6",      "hand",     "quadruped",
                                      "humanoid", "arm7:weak", "arm7:slow"};
enum { NROBOT = sizeof ROBOTS / sizeof ROBOTS[0] };

static mbd_limits_t
limits_of(const rig_t * rig, int dof)
{
  return rig->model->body[rig->model->dof_body[dof]].limits;
}

//---------- robots ----------

// home is inside the limits, and the motors can hold it
static void
home_is_a_place_to_stay(void ** state)
{
  (void)state;
  for (int r = 0; r < NROBOT; r++) {
    rig_t * rig = rig_load(ROBOTS[r]);
    double g[DEMO_JOINTS];
    assert_ok(mbd_set_position(rig->model, rig->robot.data, rig->robot.home));
    assert_ok(mbd_gravity(rig->model, rig->robot.data, g));
    for (int i = 0; i < rig->robot.n; i++) {
      const mbd_limits_t limits = limits_of(rig, i);
      assert_true(rig->robot.home[i] > limits.lower && rig->robot.home[i] < limits.upper);
      assert_true(fabs(g[i]) < 0.61 * limits.effort);
    }
    rig_drop(rig);
  }
}

static void
tip_is_where_the_last_body_ends(void ** state)
{
  static const struct {
    const char *robot, *tip;
    int rank;
  } wanted[] = {
    {"arm7", "tool", 6},
    {"arm6", "tool", 6},
    {"hand", "thumb_tip", 4},
    {"quadruped", "rr_foot", 3},
    {"humanoid", "r_gripper", 6}};
  (void)state;
  for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
    rig_t * rig = rig_load(wanted[k].robot);
    assert_string_equal(demo_robot_tip(&rig->robot), wanted[k].tip);
    assert_int_equal(demo_robot_tip_rank(&rig->robot, rig->robot.home), wanted[k].rank);
    rig_drop(rig);
  }
}

// J^T f from the Jacobian's own numbers; how far it gives way from the inverse of the mass matrix
static void
push_is_bearable(void ** state)
{
  (void)state;
  for (int r = 0; r < NROBOT; r++) {
    rig_t * rig = rig_load(ROBOTS[r]);
    const int n = rig->robot.n;
    double J[6 * DEMO_JOINTS], tau[DEMO_JOINTS], a[DEMO_JOINTS];
    const mbd_vec3_t f = demo_robot_push(&rig->robot, rig->robot.home, 20);
    const double size = sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
    assert_true(size > 0.3 && size < 20.001);
    assert_ok(mbd_set_position(rig->model, rig->robot.data, rig->robot.home));
    assert_ok(
      mbd_jacobian(rig->model, rig->robot.data, rig->robot.tip, MBD_LOCAL_WORLD_ALIGNED, J));
    for (int i = 0; i < n; i++) {
      tau[i] = J[3 * n + i] * f.x + J[4 * n + i] * f.y + J[5 * n + i] * f.z;
      assert_true(fabs(tau[i]) < 0.301 * limits_of(rig, i).effort);
    }
    assert_ok(mbd_mass_solve(rig->model, rig->robot.data, tau, a));
    for (int i = 0; i < n; i++) assert_true(fabs(a[i]) < 0.151 * rig->robot.joint[i].stiffness);
    rig_drop(rig);
  }
}

static void
robots_that_it_cannot_show_are_refused(void ** state)
{
  static const struct {
    const char *file, *reason;
  } bad[] = {{"mimic_gripper", "mimics"}, {"all_joint_types", "several degrees of freedom"}};
  (void)state;
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    mbdx_urdf_options_t options = mbdx_urdf_options_default();
    options.mimic_independent = true;
    mbd_model_t * model;
    demo_robot_t robot;
    char path[512], reason[200] = "";
    snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/test/data/%s.urdf", bad[k].file);
    assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
    assert_false(demo_robot_init(&robot, model, reason, sizeof reason));
    assert_non_null(strstr(reason, bad[k].reason));
    mbd_model_destroy(model);
  }
}

//---------- motions ----------

static void
motion_keeps_the_limits(void ** state)
{
  (void)state;
  for (int r = 0; r < NROBOT; r++) {
    for (double seconds = 1; seconds < 30; seconds *= 2.3) {
      rig_t * rig = rig_load(ROBOTS[r]);
      demo_motion_t motion;
      double q[DEMO_JOINTS], v[DEMO_JOINTS], a[DEMO_JOINTS], tau[DEMO_JOINTS];
      demo_motion_plan(&motion, &rig->robot, rig->robot.home, seconds);
      const double duration = demo_motion_duration(&motion);
      assert_true(duration <= seconds + 1e-9 && duration > 0.3);
      assert_ok(mbd_set_terms(rig->robot.data, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
      for (double t = -0.1; t < duration + 0.1; t += 0.013) {
        demo_motion_at(&motion, t, q, v, a);
        assert_ok(mbd_inverse_dynamics(rig->model, rig->robot.data, q, v, a, NULL, tau));
        for (int i = 0; i < rig->robot.n; i++) {
          const mbd_limits_t limits = limits_of(rig, i);
          assert_true(q[i] > limits.lower && q[i] < limits.upper);
          assert_true(fabs(v[i]) < limits.velocity && fabs(tau[i]) < limits.effort);
        }
      }
      rig_drop(rig);
    }
  }
}

// every joint moves, from where the robot is to home, at rest at both ends
static void
motion_goes_somewhere_and_home(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_motion_t motion;
  double from[DEMO_JOINTS], q[DEMO_JOINTS], v[DEMO_JOINTS], a[DEMO_JOINTS], far[DEMO_JOINTS] = {0};
  const double rest[DEMO_JOINTS] = {0};
  for (int i = 0; i < 7; i++) from[i] = rig->robot.home[i] + 0.01 * (i - 3);
  demo_motion_plan(&motion, &rig->robot, from, 12);
  assert_true(motion.nsegment >= 6);
  demo_motion_at(&motion, 0, q, v, a);
  assert_close(q, from, 7, 1e-15, "start");
  assert_close(v, rest, 7, 1e-15, "start");
  for (double t = 0; t < demo_motion_duration(&motion); t += 0.01) {
    demo_motion_at(&motion, t, q, NULL, NULL);
    for (int i = 0; i < 7; i++) far[i] = fmax(far[i], fabs(q[i] - rig->robot.home[i]));
  }
  for (int i = 0; i < 7; i++) assert_true(far[i] > 0.1);
  demo_motion_at(&motion, demo_motion_duration(&motion), q, v, a);
  assert_close(q, rig->robot.home, 7, 1e-15, "end");
  assert_close(v, rest, 7, 1e-15, "end");
  assert_close(a, rest, 7, 1e-15, "end");
  rig_drop(rig);
}

static void
velocities_are_derivatives(void ** state)
{
  (void)state;
  rig_t * rig = rig_load("arm7");
  demo_motion_t motion;
  double before[2][DEMO_JOINTS], after[2][DEMO_JOINTS], v[DEMO_JOINTS], a[DEMO_JOINTS];
  double q[DEMO_JOINTS], dv[DEMO_JOINTS], da[DEMO_JOINTS];
  const double h = 1e-5;
  demo_motion_plan(&motion, &rig->robot, rig->robot.home, 10);
  for (double t = 0.0123; t < demo_motion_duration(&motion); t += 0.0371) {
    demo_motion_at(&motion, t - h, before[0], before[1], NULL);
    demo_motion_at(&motion, t + h, after[0], after[1], NULL);
    demo_motion_at(&motion, t, q, v, a);
    for (int i = 0; i < 7; i++) {
      dv[i] = (after[0][i] - before[0][i]) / (2 * h);
      da[i] = (after[1][i] - before[1][i]) / (2 * h);
    }
    // a tenth of what there is at the most
    assert_close_(v, dv, 7, 1e-6, 0.1, __FILE__, __LINE__, "velocity at %g", t);
    assert_close_(a, da, 7, 1e-5, 1, __FILE__, __LINE__, "acceleration at %g", t);
  }
  rig_drop(rig);
}

// what the node makes of the points is the motion itself: errors are the robot's, not the spline's
static void
points_say_all_of_the_motion(void ** state)
{
  (void)state;
  enum { MOST = 400 };
  static double number[MOST][3][DEMO_JOINTS];
  static trajectory_point_t point[MOST];
  rig_t * rig = rig_load("arm7");
  const char * name[DEMO_JOINTS];
  char reason[200];
  demo_motion_t motion;
  demo_motion_plan(&motion, &rig->robot, rig->robot.home, 10);
  const int steps = (int)lround(demo_motion_duration(&motion) / DEMO_STEP);
  assert_true(steps < MOST);
  for (int k = 0; k <= steps; k++) {
    demo_motion_at(&motion, k * DEMO_STEP, number[k][0], number[k][1], number[k][2]);
    point[k] = (trajectory_point_t){k * DEMO_STEP, number[k][0], number[k][1], number[k][2]};
  }
  for (int i = 0; i < 7; i++) name[i] = rig->robot.joint[i].name;
  trajectory_t * trajectory = trajectory_create(
    rig->model, 7, name, steps + 1, point, rig->robot.home, NULL, NULL, 1000, reason,
    sizeof reason);
  if (!trajectory) fail_msg("%s", reason);
  for (int64_t t = 1000; t < 1000 + 9000000000; t += 7654321) {
    double q[2][7], v[2][7], a[2][7];
    trajectory_sample(trajectory, t, q[0], v[0], a[0]);
    demo_motion_at(&motion, 1e-9 * (double)(t - 1000), q[1], v[1], a[1]);
    assert_close(q[0], q[1], 7, 1e-9, "position");
    assert_close(v[0], v[1], 7, 1e-7, "velocity");
    assert_close(a[0], a[1], 7, 1e-5, "acceleration");
  }
  trajectory->mail.destroy(&trajectory->mail);
  rig_drop(rig);
}

//---------- robots that stand ----------

// The base where the first foot says, upright but for the pitch of a squat; height of each foot's lowest point
// and the centre of mass, seen from the middle of the feet that carry.
typedef struct standing {
  double height;  // of the base [m]
  double apart;   // largest difference of heights of feet on the ground
  double lifted;  // height of the foot that is lifted
  mbd_vec3_t com;
} standing_t;

static standing_t
look_at_stance(const demo_stand_t * s, const double * joints, int without)
{
  standing_t found = {0};
  mbd_data_t * data;
  mbd_placement_t X[DEMO_FEET];
  double q[DEMO_JOINTS + 7], low[DEMO_FEET];
  assert_ok(mbd_data_create(s->model, &data));
  assert_ok(mbd_neutral(s->model, q));
  for (int i = 1; i < s->model->nbody; i++) q[s->model->body[i].q_index] = joints[i - 1];
  assert_ok(mbd_set_position(s->model, data, q));
  const int on = without == 0 ? 1 : 0;
  // feet with soles are flat: the base turns the other way
  assert_ok(mbd_frame_placement(s->model, data, s->foot[on].frame, &X[on]));
  if (s->foot[on].sole[0] < s->foot[on].sole[1]) {
    const mbd_quat_t turn = mbdu_quat_conjugate(mbdu_quat_from_mat3(&X[on].R));
    q[3] = turn.x, q[4] = turn.y, q[5] = turn.z, q[6] = turn.w;
  }
  assert_ok(mbd_set_position(s->model, data, q));
  assert_ok(mbd_center_of_mass(s->model, data, NULL, &found.com));
  double from = HUGE_VAL, to = -HUGE_VAL;
  mbd_vec3_t middle = {0, 0, 0};
  int n = 0;
  for (int k = 0; k < s->n; k++) {
    assert_ok(mbd_frame_placement(s->model, data, s->foot[k].frame, &X[k]));
    low[k] = X[k].p.z - s->foot[k].radius;
    if (k == without) continue;
    const double * sole = s->foot[k].sole;
    const mbd_vec3_t centre = {(sole[0] + sole[1]) / 2, (sole[2] + sole[3]) / 2, 0};
    middle = mbdu_vec3_add(middle, mbdu_placement_point(&X[k], centre));
    from = fmin(from, low[k]), to = fmax(to, low[k]);
    n++;
  }
  found.com = mbdu_vec3_sub(found.com, mbdu_vec3_scale(1.0 / n, middle));
  found.height = -from;
  found.apart = to - from;
  found.lifted = without >= 0 ? low[without] - from : 0;
  mbd_data_destroy(data);
  return found;
}

static void
assert_within_limits(const rig_t * rig, const double * joints)
{
  for (int i = 0; i < rig->robot.n; i++) {
    assert_true(joints[i] >= limits_of(rig, i).lower && joints[i] <= limits_of(rig, i).upper);
  }
}

// feet level, the centre of mass above them, as low and as high as it says
static void
poses_of_robots_that_stand(void ** state)
{
  (void)state;
  static const struct {
    const char *robot, *foot;
    int n;
    double radius, length, depth;
  } wanted[2] = {
    {"quadruped", "fl_foot", 4, 0.02, 0, 0.08}, {"humanoid", "l_sole", 2, 0, 0.254, 0.05}};
  for (size_t k = 0; k < 2; k++) {
    rig_t * rig = rig_load(wanted[k].robot);
    demo_stand_t s;
    char path[512], reason[200] = "";
    snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/config/robots/%s.urdf", wanted[k].robot);
    assert_true(demo_stand_init(&s, &rig->robot, path, NULL, reason, sizeof reason));
    assert_int_equal(s.n, wanted[k].n);
    assert_string_equal(s.foot[0].name, wanted[k].foot);
    assert_true(fabs(s.foot[0].radius - wanted[k].radius) < 1e-9);
    assert_true(fabs(s.foot[0].sole[1] - s.foot[0].sole[0] - wanted[k].length) < 1e-3);
    const standing_t home = look_at_stance(&s, rig->robot.home, -1);
    const standing_t squat = look_at_stance(&s, s.squat, -1);
    assert_true(home.apart < 1e-5 && squat.apart < 1e-5);
    assert_true(s.depth > wanted[k].depth && fabs(home.height - squat.height - s.depth) < 1e-4);
    assert_true(hypot(home.com.x, home.com.y) < 0.07 && hypot(squat.com.x, squat.com.y) < 0.07);
    assert_within_limits(rig, rig->robot.home);
    assert_within_limits(rig, s.squat);
    assert_true(s.steps);
    for (int foot = 0; foot < s.n; foot++) {
      const standing_t swayed = look_at_stance(&s, s.swayed[foot], foot);
      const standing_t lifted = look_at_stance(&s, s.lifted[foot], foot);
      assert_true(swayed.apart < 1e-5 && fabs(swayed.lifted) < 1e-5);
      assert_true(lifted.apart < 1e-5 && fabs(lifted.lifted - s.lift) < 1e-5);
      assert_true(fabs(swayed.com.x) < 0.045 && fabs(swayed.com.y) < 0.02);
      assert_within_limits(rig, s.swayed[foot]);
      assert_within_limits(rig, s.lifted[foot]);
    }
    demo_stand_fini(&s);
    rig_drop(rig);
  }
}

// an arm has no feet; those that are named have to be there
static void
feet_are_found_or_named(void ** state)
{
  (void)state;
  static const char * const arm = MBDYN_SOURCE_DIR "/config/robots/arm7.urdf";
  static const char * const quadruped = MBDYN_SOURCE_DIR "/config/robots/quadruped.urdf";
  char reason[200] = "";
  demo_stand_t s;
  rig_t * rig = rig_load("arm7");
  assert_true(demo_stand_init(&s, &rig->robot, arm, NULL, reason, sizeof reason));
  assert_int_equal(s.n, 0);
  demo_stand_fini(&s);
  rig_drop(rig);
  rig = rig_load("quadruped");
  const double before = rig->robot.home[1];
  assert_true(demo_stand_init(&s, &rig->robot, quadruped, "none", reason, sizeof reason));
  assert_true(s.n == 0 && rig->robot.home[1] == before);
  demo_stand_fini(&s);
  assert_false(demo_stand_init(&s, &rig->robot, quadruped, "fl_foot,nose", reason, sizeof reason));
  assert_non_null(strstr(reason, "'nose'"));
  demo_stand_fini(&s);
  assert_false(demo_stand_init(&s, &rig->robot, quadruped, "base_link", reason, sizeof reason));
  demo_stand_fini(&s);
  assert_true(demo_stand_init(
    &s, &rig->robot, quadruped, "rr_foot,fl_foot,fr_foot,rl_foot", reason, sizeof reason));
  assert_string_equal(s.foot[0].name, "rr_foot");
  assert_int_equal(s.n, 4);
  demo_stand_fini(&s);
  rig_drop(rig);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(home_is_a_place_to_stay),
    cmocka_unit_test(tip_is_where_the_last_body_ends),
    cmocka_unit_test(push_is_bearable),
    cmocka_unit_test(robots_that_it_cannot_show_are_refused),
    cmocka_unit_test(motion_keeps_the_limits),
    cmocka_unit_test(motion_goes_somewhere_and_home),
    cmocka_unit_test(velocities_are_derivatives),
    cmocka_unit_test(points_say_all_of_the_motion),
    cmocka_unit_test(poses_of_robots_that_stand),
    cmocka_unit_test(feet_are_found_or_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
