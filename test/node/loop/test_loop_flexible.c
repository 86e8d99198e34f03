// The boom with flexible links: gravity compensation knows how far they sag.
#include "loop_rig.h"
#include "mbdyn/flexible/flexible_file.h"

#define BOOM     MBDYN_SOURCE_DIR "/config/robots/boom.urdf"
#define FLEXIBLE MBDYN_SOURCE_DIR "/config/robots/boom.flexible.yaml"
#define SIM                                                                               \
  SIM_ARG, "-p", "robot_description_file:=" BOOM, "-p", "flexible_file:=" FLEXIBLE, "-p", \
    "friction:=false", "-p", "rate:=1000.0", "-p", "initial_positions:=[0.3, 0.2, -0.5]"
#define NODE                                                                                       \
  NODE_ARG, "-p", "mode:=gravity_compensation", "-p", "damping:=[10.0]", "-p", "publish.terms:=1", \
    "-p", "robot_description_file:=" BOOM

static rig_t rig;

//---------- oracle: the least potential energy ----------

typedef struct boom {
  mbd_model_t * model;
  mbd_data_t * data;
} boom_t;

static void
load_boom(boom_t * boom)
{
  mbdx_report_t * report = NULL;
  assert_ok(mbdx_flexible_load_file(rig.model, FLEXIBLE, &boom->model, &report));
  mbdx_report_free(report);
  assert_ok(mbd_data_create(boom->model, &boom->data));
}

static double
energy_at(const boom_t * boom, const double * q)
{
  double energy;
  assert_ok(mbd_set_position(boom->model, boom->data, q));
  assert_ok(mbd_potential_energy(boom->model, boom->data, &energy));
  return energy;
}

// U*(q) = min over eta of U(q, eta), by coordinate descent on parabolas: nothing of the dynamics
static double
least_energy(const boom_t * boom, const double * joints, double * q)
{
  const int n = rig.model->nq;
  memcpy(q, joints, (size_t)n * sizeof *q);
  double last = energy_at(boom, q);
  for (int round = 0; round < 200; round++) {
    for (int k = n; k < boom->model->nq; k++) {
      const double h = 1e-3, at = q[k];
      const double middle = energy_at(boom, q);
      q[k] = at + h;
      const double above = energy_at(boom, q);
      q[k] = at - h;
      const double below = energy_at(boom, q);
      const double curve = above - 2 * middle + below;
      q[k] = curve > 0 ? at - 0.5 * h * (above - below) / curve : at;
    }
    const double now = energy_at(boom, q);
    if (fabs(now - last) < 1e-13 * fabs(now)) return now;
    last = now;
  }
  return last;
}

// dU*/dq: by the envelope theorem the torque that holds joints and links
static void
holding_torque(const boom_t * boom, const double * joints, double * tau)
{
  double q[64], moved[RIG_DOFS];
  assert_true(boom->model->nq <= 64);
  for (int k = 0; k < rig.model->nv; k++) {
    const double h = 1e-3;
    double side[4];
    static const double step[4] = {-2, -1, 1, 2};
    for (int s = 0; s < 4; s++) {
      memcpy(moved, joints, (size_t)rig.model->nq * sizeof *moved);
      moved[k] += step[s] * h;
      side[s] = least_energy(boom, moved, q);
    }
    tau[k] = (side[0] - 8 * side[1] + 8 * side[2] - side[3]) / (12 * h);
  }
}

//---------- tests ----------

// mean of a joint over a second of stamps: what is left of the first oscillation does not count
static double
mean_of(const track_t * track, int joint, int64_t from)
{
  double sum = 0;
  size_t n = 0;
  for (size_t k = track_after(track, from); k < track->n; k++) {
    if (track->sample[k].stamp > from + 1000000000) break;
    sum += track->sample[k].q[joint], n++;
  }
  assert_true(n > 100);
  return sum / (double)n;
}

typedef struct result {
  double drift;    // of mean positions in the second half [rad]
  double error;    // of gravity torques against the oracle [N m]
  double largest;  // of those torques
} result_t;

static result_t
run_boom(const char * const * node, double seconds)
{
  result_t out = {0, 0, 0};
  boom_t boom;
  rig_open(&rig, BOOM, false);
  const double effort[3] = {HUGE_VAL, 300, 100};  // limits of boom.urdf
  memcpy(rig.peer.limit, effort, sizeof effort);
  load_boom(&boom);
  track_t * states = rig_track(&rig, "/joint_states");
  track_t * gravity = rig_track(&rig, "/mbdyn/torques/gravity");
  rig_start_sim(&rig, ARGS(SIM));
  rig_start_node(&rig, node);
  const size_t released = rig_released(&rig, states);
  const int64_t begin = states->sample[released].stamp;
  rig_run_to(&rig, states, begin + (int64_t)(1e9 * seconds));
  assert_driven(states, released);
  for (int i = 0; i < rig.model->nv; i++) {
    const double early = mean_of(states, i, begin + (int64_t)(0.5e9 * seconds));
    const double late = mean_of(states, i, begin + (int64_t)(1e9 * (seconds - 1)));
    out.drift = fmax(out.drift, fabs(late - early));
  }
  size_t compared = 0;
  for (size_t k = 0; k < gravity->n && compared < 5; k += gravity->n / 5 + 1) {
    const sample_t * state = track_find(states, gravity->sample[k].stamp);
    if (!state) continue;
    double tau[RIG_DOFS];
    holding_torque(&boom, state->q, tau);
    for (int i = 0; i < rig.model->nv; i++) {
      out.error = fmax(out.error, fabs(gravity->sample[k].effort[i] - tau[i]));
      out.largest = fmax(out.largest, fabs(tau[i]));
    }
    compared++;
  }
  assert_true(compared >= 3);
  print_message(
    "  drift %.3g rad in %g s; gravity torques off by %.3g of %.3g N m (%zu states)\n", out.drift,
    seconds, out.error, out.largest, compared);
  mbd_data_destroy(boom.data);
  mbd_model_destroy(boom.model);
  rig_close(&rig);
  return out;
}

static void
gravity_includes_the_sag(void ** state)
{
  (void)state;
  const result_t flexible = run_boom(ARGS(NODE, "-p", "flexible_file:=" FLEXIBLE), 8);
  const result_t rigid = run_boom(ARGS(NODE), 8);
  assert_true(flexible.error < 1e-5 * flexible.largest);
  assert_true(rigid.error > 1e-3 * rigid.largest);
  assert_true(flexible.drift < 0.5 * rigid.drift);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(gravity_includes_the_sag, rig_kill)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
