// `mbdyn eval --frame`: poses, Jacobians and operational space in every reference.
#include <math.h>
#include <stdio.h>

#include "arm.h"
#include "cli.h"
#include "close.h"

static const double Q[2] = {0.4, -1.1}, V[2] = {0.8, 1.7};
static const char * const REFERENCES[3] = {"local", "world", "local_world_aligned"};

typedef struct tool {
  double pose[7], jacobian[12], velocity[6], bias[6], inertia[36];
} tool_t;

static json_t *
eval_at(const double * q, const double * v, const char * reference)
{
  char input[256];
  snprintf(
    input, sizeof input, "{\"states\": [{\"q\": [%.17g, %.17g], \"v\": [%.17g, %.17g]}]}", q[0],
    q[1], v[0], v[1]);
  return EVAL(input, "--frame", "tool", "--reference", reference);
}

static tool_t
tool_at(const double * q, const double * v, const char * reference)
{
  json_t * root = eval_at(q, v, reference);
  tool_t tool;
  numbers_at(root, "states/0/frames/tool/pose", tool.pose, 7);
  numbers_at(root, "states/0/frames/tool/jacobian", tool.jacobian, 12);
  numbers_at(root, "states/0/frames/tool/velocity", tool.velocity, 6);
  numbers_at(root, "states/0/frames/tool/bias_acceleration", tool.bias, 6);
  numbers_at(root, "states/0/frames/tool/operational_space_inertia", tool.inertia, 36);
  json_decref(root);
  return tool;
}

// where the tool is, and how it turns: half angles about y, then about z
static void
pose_and_jacobian_are_those_of_the_closed_form(void ** state)
{
  (void)state;
  const arm_t arm = arm_at(Q, V);
  const tool_t tool = tool_at(Q, V, "local_world_aligned");
  assert_close(tool.pose, arm.tool, 3, 1e-14, "position");
  assert_close(tool.jacobian, arm.jacobian, 12, 1e-14, "jacobian");

  const double half = 0.5 * (Q[0] + Q[1]), r = sqrt(0.5);
  const double turn[4] = {sin(half) * r, sin(half) * r, cos(half) * r, cos(half) * r};
  const double sign = tool.pose[6] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) {
    assert_close((&(double){sign * tool.pose[3 + i]}), &turn[i], 1, 1e-14, "quaternion %d", i);
  }
}

// the velocity is J v, and the default reference is local_world_aligned
static void
velocity_is_jacobian_times_v(void ** state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    const tool_t tool = tool_at(Q, V, REFERENCES[k]);
    double Jv[6];
    for (int i = 0; i < 6; i++) {
      Jv[i] = tool.jacobian[2 * i] * V[0] + tool.jacobian[2 * i + 1] * V[1];
    }
    assert_close(tool.velocity, Jv, 6, 1e-14, "%s", REFERENCES[k]);
  }
  json_t * aligned = eval_at(Q, V, "local_world_aligned");
  json_t * plain =
    EVAL("{\"states\": [{\"q\": [0.4, -1.1], \"v\": [0.8, 1.7]}]}", "--frame", "tool");
  assert_true(json_equal(aligned, plain));
  json_decref(aligned);
  json_decref(plain);
}

// the three references are the same velocity at another point or in other axes
static void
references_agree(void ** state)
{
  (void)state;
  const tool_t aligned = tool_at(Q, V, "local_world_aligned");
  const double * v = aligned.velocity;
  const double *p = aligned.pose, *w = v + 3;

  // at the world's origin: v + p x w
  const double world[6] = {
    v[0] + p[1] * w[2] - p[2] * w[1],
    v[1] + p[2] * w[0] - p[0] * w[2],
    v[2] + p[0] * w[1] - p[1] * w[0],
    w[0],
    w[1],
    w[2]};
  assert_close(tool_at(Q, V, "world").velocity, world, 6, 1e-14, "world");

  // in tool axes: back about y, then back about z by 90 degrees
  const double c = cos(Q[0] + Q[1]), s = sin(Q[0] + Q[1]);
  const double local[6] = {v[1], -c * v[0] + s * v[2], s * v[0] + c * v[2],
                           w[1], -c * w[0] + s * w[2], s * w[0] + c * w[2]};
  assert_close(tool_at(Q, V, "local").velocity, local, 6, 1e-14, "local");
}

// Jdot v is how the velocity changes along a motion of constant v
static void
bias_is_the_rate_of_the_velocity(void ** state)
{
  (void)state;
  const double h = 1e-5;
  const double before[2] = {Q[0] - h * V[0], Q[1] - h * V[1]};
  const double after[2] = {Q[0] + h * V[0], Q[1] + h * V[1]};
  for (int k = 0; k < 3; k++) {
    const tool_t past = tool_at(before, V, REFERENCES[k]), next = tool_at(after, V, REFERENCES[k]);
    double rate[6];
    for (int i = 0; i < 6; i++) rate[i] = (next.velocity[i] - past.velocity[i]) / (2 * h);
    assert_close(tool_at(Q, V, REFERENCES[k]).bias, rate, 6, 1e-8, "%s", REFERENCES[k]);
  }
}

// rows and columns of A (m x k) B (k x n)
static void
multiply(const double * A, const double * B, int m, int k, int n, double * C)
{
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++) sum += A[i * k + l] * B[l * n + j];
      C[i * n + j] = sum;
    }
  }
}

// an arm of two joints moves its tool in two directions: Lambda inverts J M^-1 J^T there
static void
operational_space_inertia_inverts_the_compliance(void ** state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    json_t * root = eval_at(Q, V, REFERENCES[k]);
    assert_int_equal(json_integer_value(value_at(root, "states/0/frames/tool/rank")), 2);
    double M_inv[4], J[12], Jt[12], Lambda[36], JM[12], Y[36], YL[36], YLY[36];
    numbers_at(root, "states/0/mass_matrix_inverse", M_inv, 4);
    numbers_at(root, "states/0/frames/tool/jacobian", J, 12);
    numbers_at(root, "states/0/frames/tool/operational_space_inertia", Lambda, 36);
    for (int i = 0; i < 12; i++) Jt[(i % 2) * 6 + i / 2] = J[i];
    multiply(J, M_inv, 6, 2, 2, JM);
    multiply(JM, Jt, 6, 2, 6, Y);
    multiply(Y, Lambda, 6, 6, 6, YL);
    multiply(YL, Y, 6, 6, 6, YLY);
    assert_close(YLY, Y, 36, 1e-10, "Y Lambda Y, %s", REFERENCES[k]);
    json_decref(root);
  }
}

// frames come out by name, each once; a fixed link does not move
static void
frames_are_keyed_by_name(void ** state)
{
  (void)state;
  json_t * root =
    EVAL("{\"states\": [{\"v\": [1, 1]}]}", "--frame", "base", "--frame=lower", "--frame", "base");
  const json_t * frames = value_at(root, "states/0/frames");
  assert_int_equal(json_object_size(frames), 2);
  double velocity[6], pose[7];
  numbers_at(frames, "base/velocity", velocity, 6);
  numbers_at(frames, "lower/pose", pose, 7);
  assert_close(velocity, ((const double[6]){0}), 6, 0, "velocity of the base");
  assert_close(pose, ((const double[7]){0, 0, HEIGHT - L1, 0, 0, 0, 1}), 7, 1e-15, "elbow");
  json_decref(root);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pose_and_jacobian_are_those_of_the_closed_form),
    cmocka_unit_test(velocity_is_jacobian_times_v),
    cmocka_unit_test(references_agree),
    cmocka_unit_test(bias_is_the_rate_of_the_velocity),
    cmocka_unit_test(operational_space_inertia_inverts_the_compliance),
    cmocka_unit_test(frames_are_keyed_by_name),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
