// A robot that is not quite the one of the URDF, made to move, and its torques with noise.
#include "excitation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/inverse.h"

static const double PI = 3.14159265358979323846;

// largest acceleration of an excitation [rad/s^2]
static const double FASTEST = 8;

//---------- random numbers ----------

// in [-1, 1)
static double
uniform(uint64_t * state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / (double)(1ull << 52) - 1;
}

double
gaussian(uint64_t * state)
{
  const double r = 0.5 * (uniform(state) + 1), angle = PI * uniform(state);
  return sqrt(-2 * log(r + 1e-300)) * cos(angle);
}

//---------- another robot ----------

// J -> S J S^T of the pseudo-inertia: a linear map of where the mass is, and how much
static void
mould(double * t, uint64_t * state)
{
  const double half = 0.5 * (t[4] + t[7] + t[9]), l = sqrt(half / t[0]);
  const double J[4][4] = {
    {half - t[4], -t[5], -t[6], t[1]},
    {-t[5], half - t[7], -t[8], t[2]},
    {-t[6], -t[8], half - t[9], t[3]},
    {t[1], t[2], t[3], t[0]}};
  double S[4][4], SJ[4][4] = {{0}}, K[4][4] = {{0}};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      // rows in metres, the last one in none
      const double unit = i == k ? 1 : k == 3 ? 0.2 * l : i == 3 ? 0 : 0.5;
      S[i][k] = (i == k) + 0.15 * unit * uniform(state);
    }
  }
  for (int i = 0; i < 64; i++) SJ[i / 16][i / 4 % 4] += S[i / 16][i % 4] * J[i % 4][i / 4 % 4];
  for (int i = 0; i < 64; i++) K[i / 16][i / 4 % 4] += SJ[i / 16][i % 4] * S[i / 4 % 4][i % 4];
  t[0] = K[3][3], t[1] = K[0][3], t[2] = K[1][3], t[3] = K[2][3];
  t[4] = K[1][1] + K[2][2], t[7] = K[0][0] + K[2][2], t[9] = K[0][0] + K[1][1];
  t[5] = -K[0][1], t[6] = -K[0][2], t[8] = -K[1][2];
}

mbd_model_t *
other_robot(const mbd_model_t * model, uint64_t seed, double rotor, double * theta)
{
  double t[10 * MAX_JOINTS + 3 * MAX_JOINTS];
  assert_true(model->nv <= MAX_JOINTS);
  mbd_data_t * data;
  mbd_model_t * other;
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_parameters_get(model, data, true, t));
  mbd_data_destroy(data);
  for (int i = 0; i < model->nbody; i++) {
    mould(t + 10 * i, &seed);
    assert_ok(mbd_parameters_check(t + 10 * i, NULL));
  }
  for (int k = 0; k < model->nv; k++) {
    double * three = t + 10 * model->nbody + 3 * k;
    three[0] = 0.3 + 0.2 * uniform(&seed);
    three[1] *= 1 + 0.3 * uniform(&seed);
    three[2] = rotor * (1 + 0.3 * uniform(&seed));
  }
  assert_ok(mbd_model_with_parameters(model, true, t, &other));
  if (theta) memcpy(theta, t, (size_t)mbd_parameter_count(model, true) * sizeof *theta);
  return other;
}

//---------- motion ----------

void
excitation_at(const excitation_t * e, double t, double * q, double * v, double * a)
{
  for (int i = 0; i < e->n; i++) {
    q[i] = e->center[i], v[i] = 0, a[i] = 0;
    for (int k = 0; k < HARMONICS; k++) {
      const double w = e->w * (k + 1), s = sin(w * t), c = cos(w * t);
      q[i] += (e->a[i][k] * s - e->b[i][k] * c) / w;
      v[i] += e->a[i][k] * c + e->b[i][k] * s;
      a[i] += w * (e->b[i][k] * c - e->a[i][k] * s);
    }
  }
}

// share of its limits that a motion of a joint takes, over a period
static double
use_of_limits(const mbd_model_t * model, const excitation_t * e, int joint)
{
  const mbd_limits_t * limits = &model->body[joint].limits;
  const double reach = 0.5 * (limits->upper - limits->lower);
  double most = 0, q[MAX_JOINTS], v[MAX_JOINTS], a[MAX_JOINTS];
  for (double t = 0; t < 2 * PI / e->w; t += 0.01) {
    excitation_at(e, t, q, v, a);
    most = fmax(most, fabs(q[joint] - e->center[joint]) / reach);
    most = fmax(most, fabs(v[joint]) / limits->velocity);
    most = fmax(most, fabs(a[joint]) / FASTEST);
  }
  return most;
}

void
excitation_create(const mbd_model_t * model, uint64_t seed, excitation_t * e)
{
  *e = (excitation_t){.n = model->nv, .w = 2 * PI / 10};
  assert_true(model->nv <= MAX_JOINTS);
  for (int i = 0; i < e->n; i++) {
    const mbd_limits_t * limits = &model->body[i].limits;
    e->center[i] = 0.5 * (limits->lower + limits->upper);
    for (int k = 0; k < HARMONICS; k++) e->a[i][k] = uniform(&seed), e->b[i][k] = uniform(&seed);
  }
  for (int i = 0; i < e->n; i++) {
    const double scale = 0.95 / use_of_limits(model, e, i);
    for (int k = 0; k < HARMONICS; k++) e->a[i][k] *= scale, e->b[i][k] *= scale;
  }
}

//---------- recording ----------

static void
write_header(FILE * file, const mbd_model_t * robot, bool only_q)
{
  fputs("motor_temperature", file);
  for (int i = robot->nv - 1; i >= 0; i--) fprintf(file, ", tau_%s", robot->body[i].joint_name);
  for (int i = 0; i < robot->nv; i++) fprintf(file, ", q_%s", robot->body[i].joint_name);
  fputs(",\"t\"", file);
  for (int i = 0; i < robot->nv && !only_q; i++) {
    fprintf(file, ",a_%s,v_%s", robot->body[i].joint_name, robot->body[i].joint_name);
  }
  fputs("\r\n", file);
}

void
write_recording(
  const char * path, const mbd_model_t * robot, const excitation_t * excitation,
  const recorder_t * how)
{
  FILE * file = fopen(path, "w");
  assert_non_null(file);
  write_header(file, robot, how->only_q);
  mbd_data_t * data;
  assert_ok(mbd_data_create(robot, &data));
  assert_ok(mbd_set_terms(data, how->rigid ? 0 : MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  uint64_t seed = how->seed;
  for (int row = 0; row < how->seconds * how->rate; row++) {
    const double t = row / how->rate;
    double q[MAX_JOINTS], v[MAX_JOINTS], a[MAX_JOINTS], tau[MAX_JOINTS];
    excitation_at(excitation, t, q, v, a);
    assert_ok(mbd_inverse_dynamics(robot, data, q, v, a, NULL, tau));
    fputs("warm", file);
    for (int i = robot->nv - 1; i >= 0; i--) {
      const double noise = how->noise ? how->noise[i] * gaussian(&seed) : 0;
      fprintf(file, ",%.12g", tau[i] + noise);
    }
    for (int i = 0; i < robot->nv; i++) {
      fprintf(file, ",%.12g", q[i] + how->q_noise * gaussian(&seed));
    }
    fprintf(file, ",%.6f", 3 + t);
    for (int i = 0; i < robot->nv && !how->only_q; i++) fprintf(file, ",%.12g,%.12g", a[i], v[i]);
    fputc('\n', file);
  }
  mbd_data_destroy(data);
  assert_int_equal(fclose(file), 0);
}
