// Inverse kinematics against KDL: poses of our solutions by KDL's forward kinematics of the URDF, and KDL's
// solvers on the same poses.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>

// the chain is built as the oracle builds it; nothing of it but its C interface is in a header
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "oracle_kdl.cpp"
#pragma GCC diagnostic pop

// after all C++: cmocka makes a macro of fail
extern "C" {
#include "close.h"
#include "tally.h"
}

#include "mbdyn/ik.h"
#include "mbdyn/integrate.h"
#include "mbdyn/urdf.h"

namespace
{

constexpr int poses = 100;

struct Arm {
  mbd_model_t * model = nullptr;
  mbd_data_t * data = nullptr;
  int frame = -1;
  std::unique_ptr<Kdl> kdl;
  std::vector<double> work;

  Arm(const char * file, const char * root, const char * tip);
  ~Arm();
  KDL::Frame pose(const double * q) const;
  KDL::JntArray in_chain(const double * q) const;
};

Arm::Arm(const char * file, const char * root, const char * tip)
{
  std::ifstream stream(std::string(MBDYN_SOURCE_DIR "/config/robots/") + file);
  std::stringstream text;
  text << stream.rdbuf();
  const std::string urdf = text.str();
  assert_ok(mbdx_urdf_load_string(urdf.c_str(), urdf.size(), file, nullptr, &model, nullptr));
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_find_frame(model, tip, &frame));
  std::vector<const char *> names;
  for (int i = 0; i < model->nbody; i++) names.push_back(model->body[i].joint_name);
  oracle_robot_t robot{};
  robot.name = file, robot.urdf = urdf.c_str(), robot.root = root;
  robot.njoint = model->nbody, robot.joint = names.data(), robot.nframe = 1, robot.frame = &tip;
  kdl = load(&robot);
  const mbd_ik_target_t target = mbdu_ik_pose(frame, mbd_placement_t{});
  const mbd_ik_targets_t list = {1, &target};
  work.resize(mbd_ik_work(model, &list));
}

Arm::~Arm()
{
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

KDL::JntArray
Arm::in_chain(const double * q) const
{
  const auto & numbers = kdl->frame[0].v_index;
  KDL::JntArray out(static_cast<unsigned>(numbers.size()));
  for (unsigned k = 0; k < numbers.size(); k++) out(k) = q[numbers[k]];
  return out;
}

KDL::Frame
Arm::pose(const double * q) const
{
  KDL::ChainFkSolverPos_recursive solver(kdl->frame[0].chain);
  KDL::Frame X;
  assert_true(solver.JntToCart(in_chain(q), X) >= 0);
  return X;
}

mbd_placement_t
from_kdl(const KDL::Frame & X)
{
  mbd_placement_t out;
  std::copy(X.M.data, X.M.data + 9, out.R.m);
  out.p = {X.p.x(), X.p.y(), X.p.z()};
  return out;
}

double
apart(const KDL::Frame & a, const KDL::Frame & b)
{
  const KDL::Twist d = KDL::diff(a, b);
  return std::max(d.vel.Norm(), d.rot.Norm());
}

// KDL with limits from the same seed
bool
kdl_solves(const Arm & arm, const KDL::Frame & wanted, const double * seed)
{
  const auto & chain = arm.kdl->frame[0].chain;
  const unsigned n = chain.getNrOfJoints();
  KDL::JntArray low(n), high(n), q(n);
  for (unsigned k = 0; k < n; k++) {
    const int dof = arm.kdl->frame[0].v_index[k];
    const mbd_limits_t & limits = arm.model->body[arm.model->dof_body[dof]].limits;
    low(k) = limits.lower, high(k) = limits.upper;
  }
  KDL::ChainFkSolverPos_recursive forward(chain);
  KDL::ChainIkSolverVel_pinv velocity(chain);
  KDL::ChainIkSolverPos_NR_JL solver(chain, low, high, forward, velocity);
  return solver.CartToJnt(arm.in_chain(seed), wanted, q) >= 0;
}

void
compare(const char * file, const char * root, const char * tip)
{
  Arm arm(file, root, tip);
  std::vector<double> wanted(static_cast<size_t>(arm.model->nq)), seed = wanted, q = wanted;
  int ours = 0, theirs = 0;
  const int n = static_cast<int>(robots(poses));
  for (int k = 0; k < n; k++) {
    assert_ok(mbd_random_configuration(arm.model, 2u * static_cast<unsigned>(k), wanted.data()));
    assert_ok(mbd_random_configuration(arm.model, 2u * static_cast<unsigned>(k) + 1, seed.data()));
    const KDL::Frame pose = arm.pose(wanted.data());
    const mbd_ik_target_t target = mbdu_ik_pose(arm.frame, from_kdl(pose));
    const mbd_ik_targets_t list = {1, &target};
    mbd_ik_result_t r;
    assert_ok(
      mbd_ik(arm.model, arm.data, &list, nullptr, seed.data(), arm.work.data(), q.data(), &r));
    const bool there = apart(arm.pose(q.data()), pose) < 1.5e-6;
    assert_true(there == (r.outcome == MBD_IK_SOLVED));
    for (int i = 0; i < arm.model->nbody; i++) {
      const mbd_body_t & body = arm.model->body[i];
      assert_true(q[static_cast<size_t>(i)] >= body.limits.lower);
      assert_true(q[static_cast<size_t>(i)] <= body.limits.upper);
    }
    ours += there;
    theirs += kdl_solves(arm, pose, seed.data());
  }
  std::printf("%s: %d of %d solved, KDL's NR_JL %d\n", file, ours, n, theirs);
  assert_int_equal(ours, n);
  assert_true(ours > theirs);
}

void
six_axes(void **)
{
  compare("arm6.urdf", "base", "tool");
}

void
seven_axes(void **)
{
  compare("arm7.urdf", "base", "tool");
}

void
arm_and_waist_of_a_humanoid(void **)
{
  compare("humanoid.urdf", "base_link", "r_gripper");
}

// all solutions of six axes
void
every_branch_has_the_pose(void **)
{
  Arm arm("arm6.urdf", "base", "tool");
  int branches = 0;
  const int n = static_cast<int>(robots(poses));
  for (int k = 0; k < n; k++) {
    double wanted[6], q[16 * 6];
    assert_ok(mbd_random_configuration(arm.model, static_cast<unsigned>(k), wanted));
    const KDL::Frame pose = arm.pose(wanted);
    const mbd_ik_target_t target = mbdu_ik_pose(arm.frame, from_kdl(pose));
    const mbd_ik_targets_t list = {1, &target};
    mbd_ik_result_t r;
    mbd_ik_form_t form;
    int found;
    assert_ok(mbd_ik_all(
      arm.model, arm.data, &list, nullptr, wanted, 16, arm.work.data(), q, &found, &r, &form));
    assert_int_equal(form, MBD_IK_THREE_PARALLEL);
    assert_true(found >= 1);
    for (int b = 0; b < found; b++) assert_true(apart(arm.pose(q + 6 * b), pose) < 1.5e-6);
    branches += found;
  }
  assert_count(branches, 6.0 * poses);
}

}  // namespace

int
main()
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(six_axes),
    cmocka_unit_test(seven_axes),
    cmocka_unit_test(arm_and_waist_of_a_humanoid),
    cmocka_unit_test(every_branch_has_the_pose),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
