#include "dynamics_controller.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api.hpp"
#include "mbdyn/ros2_control.h"
#include "pluginlib/class_list_macros.hpp"
#include "settings.hpp"

namespace mbdyn_controllers
{
namespace api = mbdyn_ros2_control;
namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
constexpr const char * REFERENCES[4] = {"position", "velocity", "acceleration", "effort"};

std::vector<double>
numbers_of(const geometry_msgs::msg::PoseStamped & m)
{
  const auto & p = m.pose.position;
  const auto & r = m.pose.orientation;
  return {p.x, p.y, p.z, r.x, r.y, r.z, r.w};
}

std::vector<double>
numbers_of(const geometry_msgs::msg::TwistStamped & m)
{
  const auto & l = m.twist.linear;
  const auto & a = m.twist.angular;
  return {l.x, l.y, l.z, a.x, a.y, a.z};
}

std::vector<double>
numbers_of(const geometry_msgs::msg::WrenchStamped & m)
{
  const auto & f = m.wrench.force;
  const auto & t = m.wrench.torque;
  return {f.x, f.y, f.z, t.x, t.y, t.z};
}

}  // namespace

DynamicsController::~DynamicsController()
{
  mbdc_destroy(controller_);
}

//---------- set-up ----------

DynamicsController::CallbackReturn
DynamicsController::on_init()
{
  try {
    api::declare_parameters(*get_node());
    auto_declare<std::string>("robot_description", "");
    auto_declare<std::string>("robot_description_file", "");
    auto_declare<std::string>("command_prefix", "");
    auto_declare<double>("publish_rate", 50.0);
  } catch (const std::exception & error) {
    RCLCPP_ERROR(get_node()->get_logger(), "parameters: %s", error.what());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

// state interfaces that <ros2_control> of the description lists
bool
DynamicsController::list_interfaces(const std::string & description, std::string & reason)
{
  mbdx_ros2_control_t * control = nullptr;
  const mbd_status_t status =
    mbdx_ros2_control_load_string(description.c_str(), description.size(), &control);
  if (status != MBD_OK) {
    reason = mbd_status_string(status);
    return false;
  }
  states_.clear();
  const auto add = [this](int joint, unsigned interfaces) {
    const std::string name = mbdc_joint_name(controller_, joint);
    if (interfaces & MBDX_INTERFACE_POSITION)
      states_.push_back({name + "/position", &position_[joint]});
    if (interfaces & MBDX_INTERFACE_VELOCITY)
      states_.push_back({name + "/velocity", &velocity_[joint]});
    if (interfaces & MBDX_INTERFACE_EFFORT)
      states_.push_back({name + "/effort", &measured_[joint]});
  };
  std::vector<bool> listed(position_.size(), false);
  for (int i = 0; i < control->n; i++) {
    const int joint = mbdc_joint_find(controller_, control->joint[i].name);
    if (joint < 0) continue;
    add(
      joint,
      control->joint[i].state | (control->joint[i].command & MBDX_INTERFACE_EFFORT ? 1u : 0u));
    listed[joint] = true;
  }
  mbdx_ros2_control_free(control);
  // the controller manager then says what the hardware lacks
  for (const int joint : command_joint_) {
    if (!listed[joint]) add(joint, MBDX_INTERFACE_POSITION | MBDX_INTERFACE_VELOCITY);
  }
  return true;
}

bool
DynamicsController::create(std::string & reason)
{
  char text[1024] = "";
  const std::string description =
    api::find_description(*get_node(), api::given_description(*this, 0), reason);
  if (description.empty()) return false;
  const api::Settings settings = api::read_parameters(*get_node(), reason);
  if (!settings) return false;
  const mbd_status_t status = mbdc_create_from_urdf(
    description.c_str(), description.size(), nullptr, settings.get(), &controller_, text,
    sizeof text);
  if (status != MBD_OK) {
    reason = text[0] ? text : mbd_status_string(status);
    return false;
  }
  if (mbdc_floating(controller_)) {
    reason = "a floating base is not supported in the controller manager; use the node mbdyn";
    return false;
  }
  for (size_t k = 0; mbdc_warning(controller_, k); k++)
    RCLCPP_WARN(get_node()->get_logger(), "%s", mbdc_warning(controller_, k));
  const auto n = static_cast<size_t>(mbdc_joint_count(controller_));
  for (auto * array :
       {&position_, &velocity_, &measured_, &references_[0], &references_[1], &references_[2],
        &references_[3]})
    array->assign(n, NONE);
  for (auto * array : {&effort_, &left_, &gravity_, &coriolis_, &external_}) array->assign(n, 0);
  commands_.clear();
  command_joint_.clear();
  for (int k = 0; k < mbdc_command_count(controller_); k++) {
    command_joint_.push_back(mbdc_command_joint(controller_, k));
    commands_.push_back(mbdc_joint_name(controller_, command_joint_.back()));
  }
  if (!commands_.empty()) return list_interfaces(description, reason);
  reason = "no joint to command: set command_joints";
  return false;
}

DynamicsController::CallbackReturn
DynamicsController::on_configure(const rclcpp_lifecycle::State &)
{
  std::string reason;
  mbdc_destroy(controller_);
  controller_ = nullptr;
  reported_ = {};
  if (!create(reason)) {
    RCLCPP_ERROR(get_node()->get_logger(), "not configured: %s", reason.c_str());
    mbdc_destroy(controller_);
    controller_ = nullptr;
    return CallbackReturn::FAILURE;
  }
  command_prefix_ = get_node()->get_parameter("command_prefix").as_string();
  make_inputs();
  outputs_.open(*get_node(), controller_, get_node()->get_parameter("publish_rate").as_double());
  changes_ = get_node()->add_on_set_parameters_callback(
    [this](const std::vector<rclcpp::Parameter> & parameters) { return change(parameters); });
  timer_ = get_node()->create_wall_timer(std::chrono::seconds(1), [this] { report(); });
  RCLCPP_INFO(
    get_node()->get_logger(), "mode %s, %zu joints, efforts of %zu",
    get_node()->get_parameter("mode").as_string().c_str(), position_.size(), commands_.size());
  return CallbackReturn::SUCCESS;
}

DynamicsController::CallbackReturn
DynamicsController::on_cleanup(const rclcpp_lifecycle::State &)
{
  timer_.reset();
  changes_.reset();
  inputs_.clear();
  outputs_.close();
  mbdc_destroy(controller_);
  controller_ = nullptr;
  return CallbackReturn::SUCCESS;
}

//---------- interfaces ----------

controller_interface::InterfaceConfiguration
DynamicsController::command_interface_configuration() const
{
  controller_interface::InterfaceConfiguration c{
    controller_interface::interface_configuration_type::INDIVIDUAL, {}};
  for (const auto & joint : commands_) c.names.push_back(command_prefix_ + joint + "/effort");
  return c;
}

controller_interface::InterfaceConfiguration
DynamicsController::state_interface_configuration() const
{
  controller_interface::InterfaceConfiguration c{
    controller_interface::interface_configuration_type::INDIVIDUAL, {}};
  for (const auto & state : states_) c.names.push_back(state.name);
  return c;
}

std::vector<hardware_interface::CommandInterface>
DynamicsController::on_export_reference_interfaces()
{
  std::vector<hardware_interface::CommandInterface> interfaces;
  reference_interfaces_.assign(4 * commands_.size(), NONE);
  for (size_t k = 0; k < reference_interfaces_.size(); k++) {
    interfaces.emplace_back(
      get_node()->get_name(), commands_[k / 4] + "/" + REFERENCES[k % 4],
      &reference_interfaces_[k]);
  }
  return interfaces;
}

std::vector<hardware_interface::StateInterface>
DynamicsController::on_export_state_interfaces()
{
  std::vector<hardware_interface::StateInterface> interfaces;
  for (size_t k = 0; k < commands_.size(); k++) {
    const auto joint = static_cast<size_t>(command_joint_[k]);
    interfaces.emplace_back(get_node()->get_name(), commands_[k] + "/gravity", &gravity_[joint]);
    interfaces.emplace_back(get_node()->get_name(), commands_[k] + "/coriolis", &coriolis_[joint]);
    interfaces.emplace_back(
      get_node()->get_name(), commands_[k] + "/external_torque", &external_[joint]);
  }
  return interfaces;
}

bool
DynamicsController::on_set_chained_mode(bool chained)
{
  chained_ = chained;
  return true;
}

//---------- the real-time thread ----------

void
DynamicsController::read()
{
  for (size_t i = 0; i < states_.size(); i++)
    *states_[i].value = api::get_value(state_interfaces_[i], 0);
  for (size_t k = 0; k < commands_.size(); k++) {
    const auto joint = static_cast<size_t>(command_joint_[k]);
    for (size_t i = 0; i < 4; i++)
      references_[i][joint] = chained_ ? reference_interfaces_[4 * k + i] : NONE;
  }
}

void
DynamicsController::write(const std::vector<double> & effort)
{
  for (size_t k = 0; k < commands_.size(); k++)
    api::set_value(command_interfaces_[k], effort[static_cast<size_t>(command_joint_[k])]);
}

DynamicsController::return_type
DynamicsController::update_and_write_commands(
  const rclcpp::Time & time, const rclcpp::Duration & period)
{
  read();
  mbdc_input_t input{};
  input.time = time.nanoseconds();
  input.period = period.nanoseconds();
  input.position = position_.data();
  input.velocity = velocity_.data();
  input.effort = measured_.data();
  input.position_reference = references_[0].data();
  input.velocity_reference = references_[1].data();
  input.acceleration_reference = references_[2].data();
  input.effort_reference = references_[3].data();
  // whatever the result is, the efforts are those to have, but that before the first of them the joints keep what the
  // controller before had left; status tells the other threads
  const mbdc_result_t result = mbdc_update(controller_, &input, effort_.data());
  write(result == MBDC_WAITING ? left_ : effort_);
  const bool good = mbdc_read(controller_, MBDC_GRAVITY, gravity_.data()) == MBD_OK &&
                    mbdc_read(controller_, MBDC_CORIOLIS, coriolis_.data()) == MBD_OK &&
                    mbdc_read(controller_, MBDC_OBSERVED, external_.data()) == MBD_OK;
  outputs_.cycle(controller_, time, period.seconds());
  return good ? return_type::OK : return_type::ERROR;
}

DynamicsController::CallbackReturn
DynamicsController::on_activate(const rclcpp_lifecycle::State &)
{
  if (
    command_interfaces_.size() != commands_.size() || state_interfaces_.size() != states_.size()) {
    RCLCPP_ERROR(
      get_node()->get_logger(), "not activated: %zu of %zu command and %zu of %zu state interfaces",
      command_interfaces_.size(), commands_.size(), state_interfaces_.size(), states_.size());
    return CallbackReturn::ERROR;
  }
  std::fill(reference_interfaces_.begin(), reference_interfaces_.end(), NONE);
  read();
  for (const int joint : command_joint_) {
    if (std::isfinite(position_[static_cast<size_t>(joint)])) continue;
    RCLCPP_ERROR(
      get_node()->get_logger(), "not activated: state interface %s/position has no value (yet)",
      mbdc_joint_name(controller_, joint));
    return CallbackReturn::ERROR;
  }
  for (size_t k = 0; k < commands_.size(); k++) {
    const double left = api::get_value(command_interfaces_[k], 0);
    left_[static_cast<size_t>(command_joint_[k])] = std::isfinite(left) ? left : 0;
  }
  outputs_.restart();
  mbdc_activate(controller_);
  return CallbackReturn::SUCCESS;
}

DynamicsController::CallbackReturn
DynamicsController::on_deactivate(const rclcpp_lifecycle::State &)
{
  // command interfaces keep what was written last: as on_deactivate says
  mbdc_deactivate(controller_, effort_.data());
  write(effort_);
  return CallbackReturn::SUCCESS;
}

//---------- other threads ----------

void
DynamicsController::make_inputs()
{
  namespace geometry = geometry_msgs::msg;
  auto node = get_node();
  inputs_.clear();
  const auto add = [&](auto message, const char * topic, auto callback) {
    inputs_.push_back(
      node->create_subscription<decltype(message)>(topic, rclcpp::QoS(1), callback));
  };
  using Trajectory = trajectory_msgs::msg::JointTrajectory;
  add(Trajectory(), "~/joint_trajectory", [this](const Trajectory & m) { follow(m); });
  add(geometry::PoseStamped(), "~/target_pose", [this](const geometry::PoseStamped & m) {
    aim(MBDC_TARGET_POSE, m, numbers_of(m));
  });
  add(geometry::TwistStamped(), "~/target_twist", [this](const geometry::TwistStamped & m) {
    aim(MBDC_TARGET_TWIST, m, numbers_of(m));
  });
  add(geometry::WrenchStamped(), "~/target_wrench", [this](const geometry::WrenchStamped & m) {
    aim(MBDC_TARGET_WRENCH, m, numbers_of(m));
  });
  add(geometry::WrenchStamped(), "~/wrench", [this](const geometry::WrenchStamped & m) {
    aim(MBDC_EXTERNAL_WRENCH, m, numbers_of(m));
  });
}

void
DynamicsController::follow(const trajectory_msgs::msg::JointTrajectory & m)
{
  char reason[512] = "";
  std::vector<const char *> names;
  std::vector<mbdc_point_t> points;
  if (chained_) {
    RCLCPP_WARN(
      get_node()->get_logger(), "trajectory refused: another controller gives the references");
    return;
  }
  for (const auto & name : m.joint_names) names.push_back(name.c_str());
  for (const auto & p : m.points) {
    bool whole = p.positions.size() == names.size();
    const auto given = [&](const std::vector<double> & values) -> const double * {
      whole = whole && (values.empty() || values.size() == names.size());
      return values.empty() ? nullptr : values.data();
    };
    const double time = rclcpp::Duration(p.time_from_start).seconds();
    points.push_back({time, given(p.positions), given(p.velocities), given(p.accelerations)});
    if (whole) continue;
    RCLCPP_WARN(
      get_node()->get_logger(),
      "trajectory refused: point %zu has not one number for each of %zu joints", points.size() - 1,
      names.size());
    return;
  }
  if (points.empty()) {
    mbdc_hold(controller_);
    return;
  }
  const mbd_status_t status = mbdc_follow(
    controller_, static_cast<int>(names.size()), names.data(), static_cast<int>(points.size()),
    points.data(), rclcpp::Time(m.header.stamp).nanoseconds(), reason, sizeof reason);
  if (status != MBD_OK) {
    RCLCPP_WARN(
      get_node()->get_logger(), "trajectory refused: %s",
      reason[0] ? reason : mbd_status_string(status));
  }
}

template <class Message>
void
DynamicsController::aim(mbdc_target_t kind, const Message & m, const std::vector<double> & numbers)
{
  int frame = -1;
  const auto & name = m.header.frame_id;
  if (
    !name.empty() && name != "world" &&
    mbd_find_frame(mbdc_model(controller_), name.c_str(), &frame) != MBD_OK) {
    RCLCPP_WARN(
      get_node()->get_logger(), "target refused: the robot has no frame '%s'", name.c_str());
    return;
  }
  const mbd_status_t status = mbdc_set_target(controller_, kind, frame, numbers.data());
  if (status != MBD_OK)
    RCLCPP_WARN(get_node()->get_logger(), "target refused: %s", mbd_status_string(status));
}

rcl_interfaces::msg::SetParametersResult
DynamicsController::change(const std::vector<rclcpp::Parameter> & parameters)
{
  rcl_interfaces::msg::SetParametersResult result;
  char text[512] = "";
  result.successful = true;
  if (!controller_) return result;
  const api::Settings settings = api::read_parameters(*get_node(), result.reason);
  for (const auto & p : parameters) {
    if (settings && result.reason.empty()) result.reason = api::set_parameter(settings.get(), p);
  }
  if (
    result.reason.empty() &&
    mbdc_configure(controller_, settings.get(), text, sizeof text) != MBD_OK)
    result.reason = text;
  result.successful = result.reason.empty();
  return result;
}

// once a second: what the real-time thread must not say
void
DynamicsController::report()
{
  outputs_.poll();
  mbdc_status_t now;
  mbdc_copy_status(controller_, &now);
  const auto & logger = get_node()->get_logger();
  const auto tell = [&](uint64_t counter, uint64_t before, const char * what) {
    if (counter > before)
      RCLCPP_WARN(logger, "%lu times: %s", static_cast<unsigned long>(counter - before), what);
  };
  tell(
    now.refused_states, reported_.refused_states,
    "state refused: not finite, missing or implausible");
  tell(
    now.refused_references, reported_.refused_references,
    "reference refused: infinite or beyond the limits");
  tell(now.not_finite, reported_.not_finite, "command not finite, not sent");
  tell(now.compute_errors, reported_.compute_errors, mbd_status_string(now.error));
  tell(now.stops, reported_.stops, "no good state for longer than `timeout`: efforts of on_stale");
  if (now.missing[0] && now.result != MBDC_COMMANDED && now.active)
    RCLCPP_WARN(logger, "no position of joint %s", now.missing);
  reported_ = now;
}

}  // namespace mbdyn_controllers

PLUGINLIB_EXPORT_CLASS(
  mbdyn_controllers::DynamicsController, controller_interface::ChainableControllerInterface)
