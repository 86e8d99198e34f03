// Ground and exact friction of the program: what it publishes, changes while it runs, and refuses.
#include <math.h>
#include <unistd.h>

#include "geometry_msgs/msg/wrench_stamped.h"
#include "sim_peer.h"

#define QUADRUPED "../../config/robots/quadruped"
#define STANCE    "0.0, 0.8, -1.6"

static peer_t peer;
static const double WEIGHT = 122.16393;

// forces on the feet, of topics of their own
static void
sum_of_feet(double * sum)
{
  static const char * const foot[4] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
  geometry_msgs__msg__WrenchStamped message;
  assert_true(geometry_msgs__msg__WrenchStamped__init(&message));
  *sum = 0;
  for (int i = 0; i < 4; i++) {
    rcl_subscription_t subscription = rcl_get_zero_initialized_subscription();
    char topic[64];
    const rmw_qos_profile_t qos = profile(true, false, 10);
    snprintf(topic, sizeof topic, "/robot/contacts/%s", foot[i]);
    OK(rclc_subscription_init(
      &subscription, &peer.session.node,
      ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped), topic, &qos));
    bool taken = false;
    for (int k = 0; k < 40 && !taken; k++) {
      if (!session_wait(&peer.session, &subscription, NULL, 500)) continue;
      taken = rcl_take(&subscription, &message, NULL, NULL) == RCL_RET_OK;
    }
    assert_true(taken);
    assert_string_equal(message.header.frame_id.data, foot[i]);
    const geometry_msgs__msg__Vector3 * f = &message.wrench.force;
    *sum += sqrt(f->x * f->x + f->y * f->y + f->z * f->z);
    OK(rcl_subscription_fini(&subscription, &peer.session.node));
  }
  geometry_msgs__msg__WrenchStamped__fini(&message);
}

static void
wait_for_rest(double height)
{
  for (int i = 0; i < 20000; i++) {
    const nav_msgs__msg__Odometry * odometry = next_odometry(&peer);
    const double z = odometry->pose.pose.position.z, v = odometry->twist.twist.linear.z;
    if (fabs(z - height) < 1e-6 && fabs(v) < 1e-9) return;
  }
  fail_msg("does not come to rest");
}

// on its brakes it falls, stands, is pushed and stands again; the feet carry its weight
static void
quadruped_stands_on_its_brakes(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "base:=floating",
    "ground:=true",
    "ground.clearance:=0.05",
    "ground.frames:=[fl_foot, fr_foot, rl_foot, rr_foot, base_link]",
    "initial_positions:=[" STANCE ", " STANCE ", " STANCE ", " STANCE "]",
    "publish_contacts:=[fl_foot, fr_foot, rl_foot, rr_foot]",
    NULL};
  robot_start(&peer, QUADRUPED, parameters);
  wait_for_rest(0.2 * 2 * cos(0.8) + 0.02);
  const diagnostic_msgs__msg__DiagnosticStatus * report = next_report(&peer);
  while (report_value(report, "contact points") != 4) report = next_report(&peer);
  assert_true(fabs(report_value(report, "sum of normal forces [N]") - WEIGHT) < 1e-6 * WEIGHT);
  assert_true(report_value(report, "penetration [m]") < 1e-9);
  assert_true(report_value(report, "steps with approximate forces") == 0);
  double sum;
  sum_of_feet(&sum);
  assert_true(sum > (1 - 1e-9) * WEIGHT && sum < 1.3 * WEIGHT);
  // by more than friction holds
  const wrench_t w = {{120, 0, 0}, {0, 0, 0}, 0, 0.2};
  const double before = next_odometry(&peer)->pose.pose.position.x;
  assert_string_equal(push(&peer, "base_link", &w), "");
  double way = 0;
  for (int i = 0; i < 3000 && way < 1e-3; i++)
    way = next_odometry(&peer)->pose.pose.position.x - before;
  assert_true(way >= 1e-3);
  wait_for_rest(0.2 * 2 * cos(0.8) + 0.02);
  // a reset puts it back, 0.05 m above the ground
  reset(&peer);
  wait_for_rest(0.2 * 2 * cos(0.8) + 0.02);
  assert_true(fabs(next_odometry(&peer)->pose.pose.position.x) < 1e-3);
}

static void
ground_can_change(void ** state)
{
  (void)state;
  const char * const parameters[] = {
    "base:=floating", "ground:=true",
    "initial_positions:=[" STANCE ", " STANCE ", " STANCE ", " STANCE "]", NULL};
  robot_start(&peer, QUADRUPED, parameters);
  const double stand = 0.2 * 2 * cos(0.8) + 0.02, lower = -0.1, flat[3] = {0, 0, 1}, zero[3] = {0};
  wait_for_rest(stand);
  assert_string_equal(set_parameter(&peer, "ground.height", &lower, 1), "");
  wait_for_rest(stand - 0.1);
  assert_string_equal(set_parameter(&peer, "ground.normal", flat, 3), "");
  assert_non_null(strstr(set_parameter(&peer, "ground.normal", zero, 3), "must not be zero"));
  assert_non_null(strstr(set_parameter(&peer, "ground.normal", flat, 2), "expected three values"));
  assert_non_null(strstr(set_text(&peer, "integrator", "rk4"), "ground: true is not supported"));
  assert_string_equal(set_text(&peer, "friction_model", "exact"), "");
  assert_non_null(strstr(set_text(&peer, "friction_model", "lugre"), "exact"));
  wait_for_rest(stand - 0.1);
}

static void
what_cannot_be_is_explained(void ** state)
{
  (void)state;
  static const struct {
    const char *robot, *parameters[4], *words;
  } CASE[] = {
    {PENDULUM,
     {"ground:=true"},
     "ground: no moving link has a <collision> shape; set ground.frames"},
    {PENDULUM, {"ground:=true", "ground.frames:=[wheel]"}, "no moving link or frame 'wheel'"},
    {QUADRUPED,
     {"ground:=true", "integrator:=rk4"},
     "ground: true is not supported by integrator rk4; set integrator:=semi_implicit"},
    {QUADRUPED,
     {"friction_model:=exact", "integrator:=chart_rk4", "limits:=false"},
     "friction_model: exact is not supported by integrator chart_rk4"},
    {QUADRUPED,
     {"friction_model:=smooth", "integrator:=chart_rk4", "limits:=false"},
     "friction_model: smooth is not supported by chart integrators"},
    {QUADRUPED, {"publish_contacts:=[fl_foot]"}, "publish_contacts: there is no ground"},
    {QUADRUPED,
     {"ground:=true", "publish_contacts:=[fl_calf]"},
     "publish_contacts: 'fl_calf' does not touch the ground"},
    {"../../config/robots/boom",
     {"friction_model:=exact",
      "flexible_file:=" MBDYN_SOURCE_DIR "/config/robots/boom.flexible.yaml"},
     "friction_model: exact is not supported with flexible_file"},
  };
  for (size_t i = 0; i < sizeof CASE / sizeof CASE[0]; i++)
    expect_refusal(CASE[i].robot, CASE[i].parameters, CASE[i].words);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    PEER_TEST(quadruped_stands_on_its_brakes),
    PEER_TEST(ground_can_change),
    PEER_TEST(what_cannot_be_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, process_kill_all);
}
