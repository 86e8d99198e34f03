// A planning group of MoveIt as a model: the links between its base and its tips, and what is fixed to them. From the RobotModel,
// not from the URDF's text: with the limits that MoveIt plans with (joint_limits.yaml).
#ifndef MBDYN_ROS2_CONTROL__MOVEIT_GROUP_HPP_
#define MBDYN_ROS2_CONTROL__MOVEIT_GROUP_HPP_

#if __has_include("moveit/robot_model/robot_model.hpp")
#include "moveit/robot_model/robot_model.hpp"
#else
#include "moveit/robot_model/robot_model.h"
#endif

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mbdyn/mbdyn.h"

namespace mbdyn_ros2_control
{
inline mbd_placement_t
placement_of(const Eigen::Isometry3d & T)
{
  mbd_placement_t X;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) X.R.m[3 * i + j] = T(i, j);
  X.p = {T(0, 3), T(1, 3), T(2, 3)};
  return X;
}

struct Free {
  void
  operator()(mbd_model_t * model) const
  {
    mbd_model_destroy(model);
  }
  void
  operator()(mbd_data_t * data) const
  {
    mbd_data_destroy(data);
  }
};
using Model = std::unique_ptr<mbd_model_t, Free>;
using Limits = std::vector<std::pair<double, double>>;

struct MoveItGroup {
  using JointModel = moveit::core::JointModel;
  using LinkModel = moveit::core::LinkModel;

  struct Variable {
    const JointModel * joint;
    int q = -1;       // in a configuration; -1: no tip moves with it
    int leader = -1;  // of a mimic joint: the variable that it follows
  };

  std::string name, base;
  std::vector<Variable> variables;  // of all joints of the group, in its order
  std::vector<std::string> names;   // theirs
  Limits limits;                    // theirs
  std::vector<int> tips;            // frames
  Model model;

  // \return empty, or what is wrong
  std::string
  load(
    const moveit::core::RobotModel & robot, const std::string & group_name,
    const std::string & base_name, const std::vector<std::string> & tip_names)
  {
    const auto * group = robot.getJointModelGroup(group_name);
    name = group_name;
    base = base_name;
    if (!group) return "the robot has no such group";
    if (!group->isSingleDOFJoints()) return "a joint has several degrees of freedom";
    if (tip_names.empty()) return "no tip";
    std::set<const LinkModel *> wanted;
    for (const auto & tip : tip_names) {
      const std::string reason = add_path(robot, *group, tip, wanted);
      if (!reason.empty()) return reason;
    }
    // parents first, as MoveIt has them
    for (const auto * link : robot.getLinkModels()) {
      const auto * parent = link->getParentLinkModel();
      const bool held = link->getParentJointModel()->getType() == JointModel::FIXED && parent &&
                        (wanted.count(parent) || parent->getName() == base);
      if (held) wanted.insert(link);
      if (wanted.count(link)) links_.push_back(link);
    }
    names = group->getVariableNames();
    for (const auto & joint : names) add_variable(*group->getJointModel(joint));
    const std::string reason = build(limits, model);
    return reason.empty() ? find_all(tip_names) : reason;
  }

  // the model with these limits of the variables
  // \return empty, or what is wrong
  std::string
  build(const Limits & between, Model & built) const
  {
    mbd_model_t * m = nullptr;
    int frame;
    std::map<const LinkModel *, int> frames;
    mbd_status_t status = mbd_model_create(name.c_str(), &m);
    built.reset(m);
    const mbd_placement_t origin = mbdu_placement_identity();
    if (status == MBD_OK)
      status = mbd_model_add_frame(m, base.c_str(), MBD_WORLD_BODY, &origin, &frame);
    for (size_t i = 0; status == MBD_OK && i < links_.size(); i++) {
      const auto & link = *links_[i];
      const auto & joint = *link.getParentJointModel();
      const auto parent = frames.find(link.getParentLinkModel());
      mbd_body_spec_t spec = mbd_body_spec_default();
      spec.name = link.getName().c_str();
      spec.joint_name = joint.getName().c_str();
      spec.parent = parent == frames.end() ? MBD_WORLD_BODY : parent->second;
      spec.placement = placement_of(link.getJointOriginTransform());
      set_joint(joint, spec);
      for (size_t k = 0; k < variables.size(); k++) {
        if (variables[k].joint != &joint) continue;
        spec.limits.lower = between[k].first;
        spec.limits.upper = between[k].second;
      }
      status = mbd_model_add_body(m, &spec, &frame);
      frames[&link] = frame;
    }
    if (status == MBD_OK) status = mbd_model_finalize(m);
    if (status == MBD_OK) return "";
    const char * of = m ? m->error_name : nullptr;
    return std::string(mbd_status_string(status)) + (of ? std::string(": ") + of : "");
  }

 private:
  // links from a tip to the base
  std::string
  add_path(
    const moveit::core::RobotModel & robot, const moveit::core::JointModelGroup & group,
    const std::string & tip, std::set<const LinkModel *> & links) const
  {
    bool known = false;
    const auto * link = robot.getLinkModel(tip, &known);
    if (!known) return "the robot has no link '" + tip + "'";
    for (; link && link->getName() != base; link = link->getParentLinkModel()) {
      const auto & joint = *link->getParentJointModel();
      links.insert(link);
      if (joint.getType() == JointModel::FIXED) continue;
      if (joint.getMimic())
        return "joint '" + joint.getName() + "' moves tip '" + tip + "' and is a mimic joint";
      if (!group.hasJointModel(joint.getName()))
        return "joint '" + joint.getName() + "' moves tip '" + tip + "', but is not in the group";
    }
    if (!link && base != robot.getModelFrame())
      return "tip '" + tip + "' does not come after the base '" + base + "'";
    return "";
  }

  void
  add_variable(const JointModel & joint)
  {
    const double none = std::numeric_limits<double>::infinity();
    const auto & bounds = joint.getVariableBounds()[0];
    limits.push_back({-none, none});
    if (bounds.position_bounded_) limits.back() = {bounds.min_position_, bounds.max_position_};
    Variable variable;
    variable.joint = &joint;
    if (joint.getMimic()) {
      const auto at = std::find(names.begin(), names.end(), joint.getMimic()->getName());
      if (at != names.end()) variable.leader = static_cast<int>(at - names.begin());
    }
    variables.push_back(variable);
  }

  static void
  set_joint(const JointModel & joint, mbd_body_spec_t & spec)
  {
    Eigen::Vector3d axis(0, 0, 1);
    if (joint.getType() == JointModel::REVOLUTE) {
      spec.type = MBD_JOINT_REVOLUTE;
      axis = static_cast<const moveit::core::RevoluteJointModel &>(joint).getAxis();
    } else if (joint.getType() == JointModel::PRISMATIC) {
      spec.type = MBD_JOINT_PRISMATIC;
      axis = static_cast<const moveit::core::PrismaticJointModel &>(joint).getAxis();
    }
    spec.axis = {axis.x(), axis.y(), axis.z()};
  }

  // places in configurations and frames are the same in all models that build makes
  std::string
  find_all(const std::vector<std::string> & tip_names)
  {
    for (auto & variable : variables) {
      int body;
      if (mbd_find_joint(model.get(), variable.joint->getName().c_str(), &body) == MBD_OK)
        variable.q = model->body[body].q_index;
    }
    for (const auto & tip : tip_names) {
      tips.push_back(-1);
      if (mbd_find_frame(model.get(), tip.c_str(), &tips.back()) != MBD_OK)
        return "no tip '" + tip + "'";
    }
    return model->nq > 0 ? "" : "no joint moves a tip";
  }

  std::vector<const LinkModel *> links_;  // of the model, parents first
};
}  // namespace mbdyn_ros2_control

#endif  // MBDYN_ROS2_CONTROL__MOVEIT_GROUP_HPP_
