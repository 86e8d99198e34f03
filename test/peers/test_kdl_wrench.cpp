// Our observer against KDL's ChainExternalWrenchEstimator: arm7 pushed at its tool by a constant
// wrench. Where they differ:
//
//  - KDL gives the wrench at the chain's tip in the tip's axes, linear first: our MBD_LOCAL.
//  - KDL's sign is ours: what the environment does to the robot.
//  - KDL steps the lag with explicit Euler: r += gain dt (d - r), stable for gain dt < 2 only; ours
//  is
//    exact for any step. With gain_ours = -log(1 - gain dt) / dt both lags are the same.
//  - KDL takes Mdot from the difference of two mass matrices and all forces from the end of a step:
//    an error of first order in dt; ours takes C^T v and the mean of both ends: second order.
//  - its first step takes the mass matrix before the start for zero, also after setInitialMomentum:
//    a robot that moves then throws it off by gain M v (the robot starts at rest here).
//  - for torques that no wrench explains (a seventh joint) KDL takes the least squares of J^T f,
//  ours
//    weighs them with M^-1; the same where a wrench at the tip is the only cause.
//  - no friction, no rotors in KDL.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <kdl/chainexternalwrenchestimator.hpp>

// the chain is built as the oracle builds it; nothing of it but its C interface is in a header
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "oracle_kdl.cpp"
#pragma GCC diagnostic pop

// after all C++: cmocka makes a macro of fail
extern "C" {
#include "close.h"
#include "simulate.h"
}

#include "mbdyn/dynamics/observer.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/urdf.h"

namespace
{

constexpr unsigned joints = 7;
constexpr double dt = 1e-3, usual_gain = 40;
const double home[joints] = {0, -0.785, 0, -2.356, 0, 1.571, 0.785};

// a simulated arm, our observer and KDL's
struct Bench {
  mbd_model_t * model = nullptr;
  mbd_data_t *world = nullptr, *mind = nullptr;
  mbd_observer_t * observer = nullptr;
  std::unique_ptr<Kdl> kdl;
  std::unique_ptr<KDL::ChainExternalWrenchEstimator> estimator;
  mbd_wrench_t push{};
  mbd_wrenches_t list{};
  sim_t sim{};
  double swing = 0;  // of the reference [rad]
};

// computed torque about a reference that may swing
void
motors(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  const Bench * bench = static_cast<const Bench *>(sim->ctx);
  for (unsigned k = 0; k < joints; k++) {
    const double reference = home[k] + bench->swing * (1 - std::cos((2 + 0.5 * k) * t));
    tau[k] = 900 * (reference - q[k]) - 60 * v[k];
  }
  assert_ok(mbd_inverse_dynamics(sim->model, sim->data, q, v, tau, nullptr, tau));
}

std::string
read_arm()
{
  std::ifstream file(MBDYN_SOURCE_DIR "/config/robots/arm7.urdf");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// the robot as the oracle wants it, from the root to the tool
std::unique_ptr<Kdl>
load_kdl(const mbd_model_t * model, const std::string & urdf)
{
  const char * names[joints];
  for (unsigned k = 0; k < joints; k++) names[k] = model->body[k].joint_name;
  const char * tool = "tool";
  oracle_robot_t robot{};
  robot.name = "arm7", robot.urdf = urdf.c_str(), robot.root = "base";
  robot.njoint = static_cast<int>(joints), robot.joint = names, robot.nframe = 1,
  robot.frame = &tool;
  robot.gravity[2] = -9.81;
  return load(&robot);
}

void
bench_begin(Bench & b, double swing, double gain)
{
  const std::string urdf = read_arm();
  assert_ok(mbdx_urdf_load_string(urdf.c_str(), urdf.size(), "arm7", nullptr, &b.model, nullptr));
  assert_int_equal(b.model->nv, joints);
  assert_ok(mbd_data_create(b.model, &b.world));
  assert_ok(mbd_data_create(b.model, &b.mind));
  mbd_observer_options_t options = mbd_observer_options_default();
  // the same lag as KDL's, where KDL's is one
  options.gain = gain * dt < 1 ? -std::log(1 - gain * dt) / dt : gain;
  assert_ok(mbd_observer_create(b.model, &options, &b.observer));
  b.kdl = load_kdl(b.model, urdf);
  b.estimator = std::make_unique<KDL::ChainExternalWrenchEstimator>(
    b.kdl->frame[0].chain, b.kdl->gravity, 1 / dt, gain, 0.0);
  b.push.reference = MBD_LOCAL;
  b.push.f = {{0.6, -0.4, 0.3}, {8, -12, 15}};
  assert_ok(mbd_find_frame(b.model, "tool", &b.push.frame));
  b.list = {1, &b.push};
  const double rest[joints] = {0};
  b.sim = sim_begin(b.model, b.world, home, rest);
  b.sim.motors = motors, b.sim.ctx = &b, b.sim.f_ext = &b.list;
  b.swing = swing;
}

void
bench_end(Bench & b)
{
  mbd_observer_destroy(b.observer);
  mbd_data_destroy(b.mind);
  mbd_data_destroy(b.world);
  mbd_model_destroy(b.model);
}

KDL::JntArray
in_chain(const Bench & b, const double * x)
{
  KDL::JntArray out(joints);
  for (unsigned k = 0; k < joints; k++) out(k) = x[b.kdl->frame[0].v_index[k]];
  return out;
}

// both estimates at the simulated state: moment and force in the tool's axes
void
estimate(Bench & b, double * ours, double * theirs)
{
  double tau[SIM_MAX];
  sim_motors(&b.sim, b.sim.t, b.sim.q, b.sim.v, tau);
  assert_ok(mbd_set_position(b.model, b.mind, b.sim.q));
  assert_ok(mbd_set_velocity(b.model, b.mind, b.sim.v));
  assert_ok(mbd_observer_update(b.observer, b.mind, tau, dt));
  mbd_force_t f;
  assert_ok(mbd_observer_wrench(b.observer, b.mind, b.push.frame, MBD_LOCAL, &f));
  ours[0] = f.ang.x, ours[1] = f.ang.y, ours[2] = f.ang.z;
  ours[3] = f.lin.x, ours[4] = f.lin.y, ours[5] = f.lin.z;
  KDL::Wrench wrench;
  const int result = b.estimator->JntToExtWrench(
    in_chain(b, b.sim.q), in_chain(b, b.sim.v), in_chain(b, tau), wrench);
  assert_int_equal(result, 0);
  for (int i = 0; i < 3; i++) theirs[i] = wrench.torque(i), theirs[3 + i] = wrench.force(i);
}

// largest difference of six numbers, in units of the push
double
distance(const double * a, const double * b)
{
  double most = 0;
  for (int i = 0; i < 6; i++) most = std::max(most, std::fabs(a[i] - b[i]));
  return most / 15;
}

// what each is off from the push, and from the other, over a run
struct Errors {
  double ours, theirs;  // from the true wrench, in the end
  double lag;           // ours from the push times 1 - (1 - gain dt)^n, at worst
  double apart;         // ours from theirs, at worst after the first step
};

Errors
estimation_errors(double swing, int steps)
{
  Bench b;
  bench_begin(b, swing, usual_gain);
  const mbd_force_t & f = b.push.f;
  const double truth[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  double ours[6], theirs[6];
  Errors e{};
  estimate(b, ours, theirs);
  for (int n = 1; n <= steps; n++) {
    sim_step(&b.sim, dt);
    estimate(b, ours, theirs);
    double late[6];
    const double rise = 1 - std::pow(1 - usual_gain * dt, n);
    for (int i = 0; i < 6; i++) late[i] = rise * truth[i];
    e.lag = std::max(e.lag, distance(ours, late));
    e.apart = std::max(e.apart, distance(ours, theirs));
  }
  e.ours = distance(ours, truth);
  e.theirs = distance(theirs, truth);
  std::printf(
    "swing %g: off by %.2g (ours) and %.2g (KDL) of the push; apart by %.2g, ours from its lag "
    "by %.2g at worst\n",
    swing, e.ours, e.theirs, e.apart, e.lag);
  bench_end(b);
  return e;
}

//---------- tests ----------

// held by its motors, the arm gives way, then rests: both find the wrench
void
both_find_the_wrench(void **)
{
  const Errors e = estimation_errors(0, 1000);
  assert_true(e.ours < 1e-5 && e.theirs < 1e-5);
  // on the way both rise as the lag does; KDL by its first-order errors beside it
  assert_true(e.lag < 0.05 && e.apart < 0.02);
}

// swinging, the wrench turns with the tool: both stay near it
void
both_follow_while_the_arm_swings(void **)
{
  const Errors e = estimation_errors(0.2, 2000);
  assert_true(e.ours < 0.05 && e.theirs < 0.05 && e.apart < 0.02);
}

// gain dt = 2.5 is beyond explicit Euler: KDL's estimate grows without bound, ours is just fast
void
a_gain_too_high_for_euler(void **)
{
  Bench b;
  bench_begin(b, 0, 2.5 / dt);
  double ours[6], theirs[6], most = 0;
  estimate(b, ours, theirs);
  for (int n = 1; n <= 60; n++) {
    sim_step(&b.sim, dt);
    estimate(b, ours, theirs);
    for (double x : ours) most = std::max(most, std::fabs(x));
  }
  double largest = 0;
  for (double x : theirs) largest = std::max(largest, std::fabs(x));
  std::printf("gain dt = 2.5: at most %.3g N (ours), %.3g N in the end (KDL)\n", most, largest);
  assert_true(most < 30 && largest > 1e6);
  bench_end(b);
}

// started while it moves: KDL begins with -gain M v, ours with zero; both forget it
void
started_in_motion(void **)
{
  Bench b;
  bench_begin(b, 0.2, usual_gain);
  for (int n = 0; n < 300; n++) sim_step(&b.sim, dt);
  double ours[6], theirs[6], M[joints * joints], most = 0;
  assert_ok(mbd_set_state(b.model, b.mind, b.sim.q, NULL));
  assert_ok(mbd_mass_matrix(b.model, b.mind, M));
  const int result = b.estimator->setInitialMomentum(in_chain(b, b.sim.q), in_chain(b, b.sim.v));
  assert_int_equal(result, 0);
  estimate(b, ours, theirs);
  KDL::JntArray torque(joints);
  b.estimator->getEstimatedJntTorque(torque);
  for (unsigned k = 0; k < joints; k++) {
    const auto row = static_cast<unsigned>(b.kdl->frame[0].v_index[k]);
    double p = 0;
    for (unsigned j = 0; j < joints; j++) p += M[joints * row + j] * b.sim.v[j];
    // beside it, one step of the known forces: gain dt times some 20 N m
    assert_true(std::fabs(torque(k) + usual_gain * p) < 2);
    assert_true(b.observer->torque[k] == 0);
    most = std::max(most, usual_gain * std::fabs(p));
  }
  assert_true(most > 5);
  for (int n = 0; n < 500; n++) {
    sim_step(&b.sim, dt);
    estimate(b, ours, theirs);
  }
  assert_true(distance(ours, theirs) < 0.02);
  bench_end(b);
}

}  // namespace

int
main()
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_find_the_wrench),
    cmocka_unit_test(both_follow_while_the_arm_swings),
    cmocka_unit_test(a_gain_too_high_for_euler),
    cmocka_unit_test(started_in_motion),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
