// The library's efforts are the node's, to the last bit: the node's path (JointState as bytes, then rt_loop) beside
// mbdc_update, fed with the same states, in every mode. The robot moves under the library's.
#include "closed_loop.h"
#include "joint_messages.h"
#include "parameters_internal.h"
#include "rt_loop.h"

static const char * const MODES[] = {
  "gravity_compensation",   "inverse_dynamics", "computed_torque",    "operational_space",
  "quasi_velocity_damping", "joint_impedance",  "cartesian_impedance"};
enum { NMODE = sizeof MODES / sizeof *MODES };

typedef struct node {
  param_values_t * values;
  node_robot_t robot;
  rt_loop_t rt;
} node_t;

static bool
send_nowhere(void * context, const double * command)
{
  (void)context;
  (void)command;
  return true;
}

static void
set(node_t * node, const char * name, const char * text)
{
  param_value_t value;
  char reason[PARAM_REASON];
  const int index = param_find(node->values, name);
  assert_true(index >= 0);
  assert_true(param_parse(NODE_PARAMETERS[index].type, text, &value));
  if (!param_values_set(node->values, index, &value, reason, sizeof reason)) fail_msg("%s", reason);
  param_value_fini(&value);
}

static void
node_open(node_t * node, const mbd_model_t * model, const char * const (*parameter)[2], int n)
{
  char reason[PARAM_REASON] = "";
  memset(node, 0, sizeof *node);
  node->values = param_values_create(NODE_PARAMETERS, NODE_PARAMETER_COUNT);
  assert_non_null(node->values);
  for (int i = 0; i < n; i++) set(node, parameter[i][0], parameter[i][1]);
  if (!node_robot_init(&node->robot, model, NULL, node->values, reason, sizeof reason)) {
    fail_msg("%s", reason);
  }
  loop_settings_t * settings =
    loop_settings_build(&node->robot, node->values, NULL, reason, sizeof reason);
  if (!settings) fail_msg("%s", reason);
  assert_true(rt_loop_init(&node->rt, &node->robot, settings, NULL, 0, NULL));
  node->rt.send = send_nowhere;
  rt_loop_use(&node->rt, settings);
  rt_loop_activate(&node->rt);
}

static void
node_close(node_t * node)
{
  node->rt.settings->mail.destroy(&node->rt.settings->mail);
  rt_loop_fini(&node->rt);
  node_robot_fini(&node->robot);
  param_values_destroy(node->values);
}

// what the node does with a message; joints in an order of their own
static void
node_take(node_t * node, const closed_t * loop, int64_t stamp)
{
  static uint8_t buffer[MESSAGE_CAPACITY];
  const char * name[CLOSED_MAX];
  double q[CLOSED_MAX], v[CLOSED_MAX], f[CLOSED_MAX];
  for (int k = 0; k < loop->n; k++) {
    const int from = loop->n - 1 - k;
    name[k] = mbdc_joint_name(loop->control, from);
    q[k] = loop->input.position[from], v[k] = loop->input.velocity[from];
    f[k] = loop->input.effort[from];
  }
  const joint_state_t message = {
    .stamp = stamp,
    .n = (uint32_t)loop->n,
    .name = name,
    .position = q,
    .velocity = v,
    .effort = f};
  const size_t size = write_joint_state(&message, buffer);
  assert_true(joint_input_take(node->rt.input, buffer, size, stamp, stamp));
  node->rt.last_message = stamp;
  rt_loop_look(&node->rt, stamp);
  assert_true(node->rt.whole);
  assert_true(rt_loop_cycle(&node->rt, stamp, stamp) != RT_FAILED);
}

static void
equal_to_the_bit(void ** state)
{
  (void)state;
  static const char * const robot[3] = {"arm7", "arm6", "hand"};
  int compared = 0;
  for (int n = 0; n < 3 * NMODE; n++) {
    const char * const parameter[][2] = {{"mode", MODES[n % NMODE]},  {"kp", "[64]"},
                                         {"damping", "[0.02]"},       {"effort_scale", "[1.5]"},
                                         {"joint_stiffness", "[20]"}, {"slew_limit", "[500]"}};
    enum { PARAMETERS = sizeof parameter / sizeof *parameter };
    closed_t loop;
    node_t node;
    closed_open(&loop, robot[n / NMODE]);
    for (int i = 0; i < PARAMETERS; i++) closed_set(&loop, parameter[i][0], parameter[i][1]);
    closed_start(&loop, NULL);
    loop.plant->options.limits = loop.plant->options.friction = true;
    node_open(&node, loop.model, parameter, PARAMETERS);
    for (int i = 0; i < 300; i++) {
      const int64_t time = loop.input.time;
      for (int k = 0; k < loop.n; k++) loop.measured[k] = loop.plant->effort[k];
      // the same state for both: that before the step
      double q[CLOSED_MAX], v[CLOSED_MAX];
      memcpy(q, loop.plant->q, sizeof(double) * (size_t)loop.n);
      memcpy(v, loop.plant->v, sizeof(double) * (size_t)loop.n);
      closed_step(&loop);
      loop.input.position = q, loop.input.velocity = v;
      node_take(&node, &loop, time);
      for (int k = 0; k < loop.n; k++) {
        if (node.rt.gate->command[k] != loop.effort[k]) {
          fail_msg(
            "%s, %s, update %d, joint %d: %.17g and %.17g", robot[n / NMODE], MODES[n % NMODE], i,
            k, node.rt.gate->command[k], loop.effort[k]);
        }
        compared += loop.effort[k] != 0;
      }
    }
    assert_int_equal(loop.result, MBDC_COMMANDED);
    node_close(&node);
    closed_free(&loop);
  }
  assert_true(compared > 30000);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_the_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
