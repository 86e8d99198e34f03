// Inverse kinematics for MoveIt on mbdyn/ik.h. Groups are trees of revolute and prismatic joints, with one tip or several.
// Parameters, as kinematics.yaml has them for a group: position_only_ik, position_tolerance [m], rotation_tolerance [rad].
// Queries have a workspace of their own each: threads may ask one solver at the same time.
#if __has_include("moveit/kinematics_base/kinematics_base.hpp")
#include "moveit/kinematics_base/kinematics_base.hpp"
#else
#include "moveit/kinematics_base/kinematics_base.h"
#endif

#include <chrono>
#include <cmath>

#include "mbdyn/ik.h"
#include "moveit_group.hpp"
#include "pluginlib/class_list_macros.hpp"

namespace mbdyn_ros2_control
{
using geometry_msgs::msg::Pose;
using ErrorCodes = moveit_msgs::msg::MoveItErrorCodes;
using Options = kinematics::KinematicsQueryOptions;
using Numbers = std::vector<double>;
namespace errors = kinematics::KinematicErrors;

namespace
{
// solutions of one search
constexpr int MOST = 16;
// random starts of a search without a new solution, of one part of a search that has a timeout
constexpr int RESTARTS = 10, RESTARTS_OF_PART = 2;

// false: not a pose
bool
read(const Pose & pose, mbd_placement_t & X)
{
  const auto & p = pose.position;
  const auto & r = pose.orientation;
  const mbd_quat_t quaternion = {r.x, r.y, r.z, r.w};
  const double norm = mbdu_quat_norm(quaternion);
  if (!std::isfinite(p.x + p.y + p.z) || !std::isfinite(norm) || norm < 1e-3) return false;
  X = {mbdu_quat_to_mat3(mbdu_quat_normalize(quaternion)), {p.x, p.y, p.z}};
  return true;
}

Pose
pose_of(const mbd_placement_t & X)
{
  Pose pose;
  const mbd_quat_t r = mbdu_quat_from_mat3(&X.R);
  pose.position.x = X.p.x;
  pose.position.y = X.p.y;
  pose.position.z = X.p.z;
  pose.orientation.x = r.x;
  pose.orientation.y = r.y;
  pose.orientation.z = r.z;
  pose.orientation.w = r.w;
  return pose;
}

// what the solver needs for one query
struct Query {
  const mbd_model_t * model = nullptr;  // that of the group, or `own` with limits of its own
  Model own;
  std::unique_ptr<mbd_data_t, Free> data;
  std::vector<mbd_ik_target_t> target;
  Numbers work, seed;
  mbd_ik_targets_t
  targets() const
  {
    return {static_cast<int>(target.size()), target.data()};
  }
};
}  // namespace

class MoveItKinematics : public kinematics::KinematicsBase
{
 public:
  // besides those below, the ones of the base: with a cost function, for one
  using KinematicsBase::getPositionIK;
  using KinematicsBase::searchPositionIK;

  bool
  initialize(
    const rclcpp::Node::SharedPtr & node, const moveit::core::RobotModel & robot,
    const std::string & group, const std::string & base, const std::vector<std::string> & tips,
    double discretization) override
  {
    node_ = node;
    storeValues(robot, group, base, tips, discretization);
    group_ = MoveItGroup();
    std::string reason = group_.load(robot, group_name_, base_frame_, tip_frames_);
    try {
      if (reason.empty()) reason = read_parameters();
    } catch (const std::exception & error) {
      reason = error.what();
    }
    ready_ = reason.empty();
    return ready_ || complain(reason);
  }

  bool
  supportsGroup(const moveit::core::JointModelGroup * group, std::string * reason) const override
  {
    const bool good = group->isSingleDOFJoints();
    if (!good && reason) *reason = "a joint has several degrees of freedom";
    return good;
  }

  const std::vector<std::string> &
  getJointNames() const override
  {
    return group_.names;
  }
  const std::vector<std::string> &
  getLinkNames() const override
  {
    return tip_frames_;
  }

  bool
  getPositionFK(
    const std::vector<std::string> & links, const Numbers & angles,
    std::vector<Pose> & poses) const override
  {
    Query query;
    ErrorCodes error;
    poses.clear();
    if (!begin({}, angles, {}, query, error)) return false;
    mbd_status_t status = mbd_set_position(query.model, query.data.get(), query.seed.data());
    for (const auto & link : links) {
      int frame = -1;
      mbd_placement_t X;
      if (status == MBD_OK) status = mbd_find_frame(query.model, link.c_str(), &frame);
      if (status == MBD_OK) status = mbd_frame_placement(query.model, query.data.get(), frame, &X);
      if (status != MBD_OK)
        return complain("pose of link '" + link + "': " + mbd_status_string(status));
      poses.push_back(pose_of(X));
    }
    return status == MBD_OK;
  }

  // the solution next to the seed; no random starts
  bool
  getPositionIK(
    const Pose & pose, const Numbers & seed, Numbers & solution, ErrorCodes & error,
    const Options & options) const override
  {
    return search({pose}, seed, 0, {}, solution, nullptr, error, options);
  }

  // all solutions, nearest to the seed first; of redundant arms a sample
  bool
  getPositionIK(
    const std::vector<Pose> & poses, const Numbers & seed, std::vector<Numbers> & solutions,
    kinematics::KinematicsResult & result, const Options & options) const override
  {
    ErrorCodes error;
    Query query;
    solutions.clear();
    result.solution_percentage = 0;
    result.kinematic_error =
      !ready_ ? errors::SOLVER_NOT_ACTIVE
      : options.discretization_method != kinematics::DiscretizationMethods::NO_DISCRETIZATION
        ? errors::UNSUPORTED_DISCRETIZATION_REQUESTED
      : poses.empty()                      ? errors::EMPTY_TIP_POSES
      : poses.size() != tip_frames_.size() ? errors::MULTIPLE_TIPS_NOT_SUPPORTED
                                           : errors::NO_SOLUTION;
    if (result.kinematic_error != errors::NO_SOLUTION) return false;
    if (!begin(poses, seed, reach(seed, {}, options), query, error)) {
      if (error.val == ErrorCodes::START_STATE_INVALID)
        result.kinematic_error = errors::IK_SEED_OUTSIDE_LIMITS;
      return false;
    }
    bool complete;
    const Numbers q = find_all(query, query.seed, RESTARTS, 0, complete);
    for (size_t at = 0; at < q.size(); at += query.seed.size())
      solutions.push_back(solution_of(&q[at], seed));
    if (solutions.empty()) return false;
    result.kinematic_error = errors::OK;
    result.solution_percentage = 1;
    return true;
  }

  bool
  searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, Numbers & solution, ErrorCodes & error,
    const Options & options) const override
  {
    return search({pose}, seed, timeout, {}, solution, nullptr, error, options);
  }
  bool
  searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, const Numbers & consistency,
    Numbers & solution, ErrorCodes & error, const Options & options) const override
  {
    return search({pose}, seed, timeout, consistency, solution, nullptr, error, options);
  }
  bool
  searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, Numbers & solution,
    const IKCallbackFn & callback, ErrorCodes & error, const Options & options) const override
  {
    return search({pose}, seed, timeout, {}, solution, callback, error, options);
  }
  bool
  searchPositionIK(
    const Pose & pose, const Numbers & seed, double timeout, const Numbers & consistency,
    Numbers & solution, const IKCallbackFn & callback, ErrorCodes & error,
    const Options & options) const override
  {
    return search({pose}, seed, timeout, consistency, solution, callback, error, options);
  }
  bool
  searchPositionIK(
    const std::vector<Pose> & poses, const Numbers & seed, double timeout,
    const Numbers & consistency, Numbers & solution, const IKCallbackFn & callback,
    ErrorCodes & error, const Options & options, const moveit::core::RobotState *) const override
  {
    return search(poses, seed, timeout, consistency, solution, callback, error, options);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool
  complain(const std::string & what) const
  {
    RCLCPP_ERROR(
      rclcpp::get_logger("mbdyn_moveit_kinematics"), "group '%s': %s", group_name_.c_str(),
      what.c_str());
    return false;
  }

  // of the group or of all: where the base class of Humble looks; later distributions declare them
  template <class T>
  T
  parameter(const std::string & name, const T & initial)
  {
    const std::string all = "robot_description_kinematics.", own = group_name_ + "." + name;
    T value = initial;
    for (const auto & place : {own, name, all + own, all + name})
      if (node_->get_parameter(place, value)) return value;
    return node_->declare_parameter<T>(all + own, initial);
  }

  std::string
  read_parameters()
  {
    options_ = mbd_ik_options_default();
    position_only_ = parameter("position_only_ik", false);
    options_.position = parameter("position_tolerance", options_.position);
    options_.rotation = parameter("rotation_tolerance", options_.rotation);
    const bool good = options_.position > 0 && options_.rotation > 0;
    return good ? "" : "position_tolerance and rotation_tolerance must be greater than zero";
  }

  // how far from the seed each joint may go; redundant joints that are locked stay
  Numbers
  reach(const Numbers & seed, const Numbers & consistency, const Options & options) const
  {
    Numbers far = consistency;
    if (!options.lock_redundant_joints || redundant_joint_indices_.empty()) return far;
    if (far.empty()) far.assign(seed.size(), std::numeric_limits<double>::infinity());
    for (const unsigned k : redundant_joint_indices_)
      if (k < far.size()) far[k] = 0;
    return far;
  }

  // \return false, and the error code; the log says what is wrong with the question
  bool
  begin(
    const std::vector<Pose> & poses, const Numbers & seed, const Numbers & far, Query & query,
    ErrorCodes & error) const
  {
    const size_t n = group_.variables.size();
    error.val = ErrorCodes::FAILURE;
    if (!ready_) return complain("the solver is not initialized");
    if (!far.empty() && far.size() != n)
      return complain("expected a consistency limit for each joint, or none");
    error.val = ErrorCodes::INVALID_ROBOT_STATE;
    if (seed.size() != n) return complain("expected a position for each joint");
    for (const double x : seed)
      if (!std::isfinite(x)) return complain("a joint position is not finite");
    error.val = ErrorCodes::INVALID_GOAL_CONSTRAINTS;
    if (!poses.empty() && poses.size() != group_.tips.size())
      return complain("expected a pose for each tip");
    for (size_t i = 0; i < poses.size(); i++) {
      mbd_placement_t X;
      if (!read(poses[i], X)) return complain("a pose is not finite, or has no orientation");
      query.target.push_back(
        position_only_ ? mbdu_ik_position(group_.tips[i], X.p) : mbdu_ik_pose(group_.tips[i], X));
    }
    error.val = ErrorCodes::FAILURE;
    query.model = group_.model.get();
    if (!far.empty()) {
      Limits limits = group_.limits;
      for (size_t k = 0; k < n; k++) {
        limits[k].first = std::max(limits[k].first, seed[k] - far[k]);
        limits[k].second = std::min(limits[k].second, seed[k] + far[k]);
        if (group_.variables[k].q < 0 || limits[k].first <= limits[k].second) continue;
        // the seed is further outside its limits than that
        error.val = ErrorCodes::START_STATE_INVALID;
        return false;
      }
      const std::string reason = group_.build(limits, query.own);
      if (!reason.empty()) return complain(reason);
      query.model = query.own.get();
    }
    mbd_data_t * data = nullptr;
    const mbd_status_t status = mbd_data_create(query.model, &data);
    if (status != MBD_OK) return complain(mbd_status_string(status));
    query.data.reset(data);
    query.seed.resize(static_cast<size_t>(query.model->nq));
    for (size_t k = 0; k < n; k++)
      if (group_.variables[k].q >= 0)
        query.seed[static_cast<size_t>(group_.variables[k].q)] = seed[k];
    const mbd_ik_targets_t targets = query.targets();
    if (!poses.empty()) query.work.resize(mbd_ik_work(query.model, &targets));
    error.val = ErrorCodes::NO_IK_SOLUTION;
    return true;
  }

  // a configuration as positions of the group's joints: angles as near to the seed as limits allow; joints that move no tip
  // as they are
  Numbers
  solution_of(const double * q, const Numbers & seed) const
  {
    Numbers solution = seed;
    const double turn = 2 * M_PI;
    for (size_t k = 0; k < seed.size(); k++) {
      const auto & v = group_.variables[k];
      if (v.q < 0) continue;
      solution[k] = q[v.q];
      const double near = q[v.q] - turn * std::round((q[v.q] - seed[k]) / turn);
      const bool turns = v.joint->getType() == MoveItGroup::JointModel::REVOLUTE;
      if (turns && near >= group_.limits[k].first && near <= group_.limits[k].second)
        solution[k] = near;
    }
    for (size_t k = 0; k < seed.size(); k++) {
      const auto & v = group_.variables[k];
      if (v.leader < 0) continue;
      const double leader = solution[static_cast<size_t>(v.leader)];
      solution[k] = v.joint->getMimicFactor() * leader + v.joint->getMimicOffset();
    }
    return solution;
  }

  // solutions in rows, nearest to `from` first
  // \param[out] complete  these are all
  Numbers
  find_all(
    Query & query, const Numbers & from, int restarts, uint64_t random, bool & complete) const
  {
    const mbd_ik_targets_t targets = query.targets();
    mbd_ik_options_t options = options_;
    options.restarts = restarts;
    options.random_seed = random;
    Numbers q(MOST * query.seed.size());
    mbd_ik_form_t form = MBD_IK_NO_FORM;
    mbd_ik_result_t result;
    int n = 0;
    const mbd_status_t status = mbd_ik_all(
      query.model, query.data.get(), &targets, &options, from.data(), MOST, query.work.data(),
      q.data(), &n, &result, &form);
    if (status != MBD_OK) complain(mbd_status_string(status));
    q.resize(status == MBD_OK ? static_cast<size_t>(n) * query.seed.size() : 0);
    complete = status != MBD_OK || (form != MBD_IK_NO_FORM && form != MBD_IK_SHOULDER_AND_WRIST);
    return q;
  }

  // next to the seed first; then what closed form and random starts find, until one is accepted or time is over
  bool
  search(
    const std::vector<Pose> & poses, const Numbers & seed, double timeout,
    const Numbers & consistency, Numbers & solution, const IKCallbackFn & callback,
    ErrorCodes & error, const Options & options) const
  {
    const auto end = Clock::now() + std::chrono::duration<double>(timeout);
    Query query;
    if (!begin(poses, seed, reach(seed, consistency, options), query, error)) return false;
    const auto accept = [&](const double * q) {
      const Numbers found = solution_of(q, seed);
      error.val = ErrorCodes::SUCCESS;
      if (callback) callback(poses[0], found, error);
      if (error.val == ErrorCodes::SUCCESS) solution = found;
      return error.val == ErrorCodes::SUCCESS;
    };
    const mbd_ik_targets_t targets = query.targets();
    mbd_ik_options_t alone = options_;
    alone.restarts = 0;
    Numbers nearest(query.seed.size());
    mbd_ik_result_t result;
    const mbd_status_t status = mbd_ik(
      query.model, query.data.get(), &targets, &alone, query.seed.data(), query.work.data(),
      nearest.data(), &result);
    if (status != MBD_OK) return complain(mbd_status_string(status));
    if (result.outcome == MBD_IK_SOLVED && accept(nearest.data())) return true;
    bool complete = false;
    Numbers from = query.seed;
    for (uint64_t k = 1; !complete && Clock::now() < end; k++) {
      const Numbers q = find_all(query, from, RESTARTS_OF_PART, 1000 * k, complete);
      for (size_t at = 0; at < q.size(); at += from.size())
        if (accept(&q[at])) return true;
      if (mbd_random_configuration(query.model, k, from.data()) != MBD_OK) break;
    }
    if (options.return_approximate_solution && accept(nearest.data())) return true;
    error.val = complete || timeout <= 0 ? ErrorCodes::NO_IK_SOLUTION : ErrorCodes::TIMED_OUT;
    return false;
  }

  bool ready_ = false, position_only_ = false;
  mbd_ik_options_t options_{};
  MoveItGroup group_;
};
}  // namespace mbdyn_ros2_control

PLUGINLIB_EXPORT_CLASS(mbdyn_ros2_control::MoveItKinematics, kinematics::KinematicsBase)
