#include "robot_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pluginlib/class_list_macros.hpp"
#include "rclcpp/logging.hpp"

namespace mbdyn_hardware
{
namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
constexpr const char * INTERFACES[3] = {"position", "velocity", "effort"};
constexpr mbds_drive_t DRIVES[3] = {MBDS_POSITION, MBDS_VELOCITY, MBDS_EFFORT};
// of the base, in the order of mbds_measure; names of the semantic components
constexpr const char * BASE[13] = {"position.x",        "position.y",         "position.z",
                                   "orientation.x",     "orientation.y",      "orientation.z",
                                   "orientation.w",     "linear_velocity.x",  "linear_velocity.y",
                                   "linear_velocity.z", "angular_velocity.x", "angular_velocity.y",
                                   "angular_velocity.z"};

int
which_of(const std::string & interface)
{
  const auto * end = INTERFACES + 3;
  const auto * at = std::find(INTERFACES, end, interface);
  return at == end ? -1 : static_cast<int>(at - INTERFACES);
}

}  // namespace

RobotSystem::~RobotSystem()
{
  mbds_destroy(robot_);
}

//---------- set-up ----------

bool
RobotSystem::create(const hardware_interface::HardwareInfo & info, std::string & reason)
{
  char text[1024] = "";
  std::vector<const char *> names, values;
  for (const auto & [name, value] : info.hardware_parameters) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  const mbd_status_t status = mbds_create(
    info.original_xml.c_str(), info.original_xml.size(), static_cast<int>(names.size()),
    names.data(), values.data(), &robot_, text, sizeof text);
  if (status == MBD_OK) return true;
  reason = text[0] ? text : mbd_status_string(status);
  return false;
}

bool
RobotSystem::list_joints(const hardware_interface::HardwareInfo & info, std::string & reason)
{
  for (const auto & joint : info.joints) {
    Joint j{joint.name, mbds_joint_find(robot_, joint.name.c_str()), {NONE, NONE, NONE}, -1, 0};
    if (j.index < 0) {
      reason = "<joint name=\"" + joint.name +
               "\"> of <ros2_control>: the robot has no moving joint of that name";
      return false;
    }
    for (const auto & command : joint.command_interfaces) {
      const int which = which_of(command.name);
      if (which < 0) {
        reason = "joint '" + joint.name + "': command interface '" + command.name +
                 "' is not supported; use position, velocity or effort";
        return false;
      }
      j.commands |= 1u << which;
    }
    for (const auto & state : joint.state_interfaces) {
      const int which = which_of(state.name);
      if (which < 0) {
        reason = "joint '" + joint.name + "': state interface '" + state.name +
                 "' is not supported; use position, velocity or effort";
        return false;
      }
      exported_.push_back({joint.name, state.name, &states_[which][static_cast<size_t>(j.index)]});
    }
    joints_.push_back(j);
  }
  return true;
}

bool
RobotSystem::list_sensors(const hardware_interface::HardwareInfo & info, std::string & reason)
{
  for (const auto & sensor : info.sensors) {
    for (const auto & state : sensor.state_interfaces) {
      const auto * at = std::find(BASE, BASE + 13, state.name);
      if (at == BASE + 13 || !mbds_floating(robot_)) {
        reason = "sensor '" + sensor.name + "': state interface '" + state.name +
                 "' is not supported; " +
                 (mbds_floating(robot_) ? "the base has position.x ... angular_velocity.z"
                                        : "the robot has no floating base");
        return false;
      }
      exported_.push_back({sensor.name, state.name, &base_[static_cast<size_t>(at - BASE)]});
    }
  }
  return true;
}

RobotSystem::CallbackReturn
RobotSystem::on_init(const mbdyn_ros2_control::HardwareInit & init)
{
  std::string reason;
  if (hardware_interface::SystemInterface::on_init(init) != CallbackReturn::SUCCESS)
    return CallbackReturn::ERROR;
  const auto & info = MBDYN_HARDWARE_INFO(init);
  logger_ = rclcpp::get_logger("mbdyn_hardware." + info.name);
  bool good = create(info, reason);
  if (good) {
    for (auto & array : states_) array.assign(static_cast<size_t>(mbds_joint_count(robot_)), 0);
    commands_.assign(states_[0].size(), {MBDS_OFF, 0});
    good = list_joints(info, reason) && list_sensors(info, reason);
  }
  if (!good) {
    RCLCPP_ERROR(logger_, "%s", reason.c_str());
    return CallbackReturn::ERROR;
  }
  if (mbds_warning(robot_)) RCLCPP_WARN(logger_, "%s", mbds_warning(robot_));
  return CallbackReturn::SUCCESS;
}

std::vector<hardware_interface::StateInterface>
RobotSystem::export_state_interfaces()
{
  std::vector<hardware_interface::StateInterface> interfaces;
  for (auto & state : exported_) interfaces.emplace_back(state.prefix, state.name, state.value);
  return interfaces;
}

std::vector<hardware_interface::CommandInterface>
RobotSystem::export_command_interfaces()
{
  std::vector<hardware_interface::CommandInterface> interfaces;
  for (auto & joint : joints_) {
    for (size_t i = 0; i < 3; i++) {
      if (joint.commands & (1u << i))
        interfaces.emplace_back(joint.name, INTERFACES[i], &joint.command[i]);
    }
  }
  return interfaces;
}

//---------- which command of a joint counts ----------

RobotSystem::Joint *
RobotSystem::find(const std::string & interface, int & which)
{
  const auto slash = interface.rfind('/');
  if (slash == std::string::npos) return nullptr;
  which = which_of(interface.substr(slash + 1));
  const std::string name = interface.substr(0, slash);
  for (auto & joint : joints_) {
    if (which >= 0 && joint.name == name) return &joint;
  }
  return nullptr;
}

RobotSystem::return_type
RobotSystem::prepare_command_mode_switch(
  const std::vector<std::string> & start, const std::vector<std::string> &)
{
  std::vector<const Joint *> seen;
  for (const auto & interface : start) {
    int which;
    const Joint * joint = find(interface, which);
    if (!joint) continue;
    if (std::find(seen.begin(), seen.end(), joint) != seen.end()) {
      RCLCPP_ERROR(
        logger_, "joint '%s' cannot have two commands at a time: %s is one too many",
        joint->name.c_str(), interface.c_str());
      return return_type::ERROR;
    }
    seen.push_back(joint);
  }
  return return_type::OK;
}

RobotSystem::return_type
RobotSystem::perform_command_mode_switch(
  const std::vector<std::string> & start, const std::vector<std::string> & stop)
{
  int which;
  // what a joint was left with by the controller that had it last stays, as on drives: a torque goes on
  for (const auto & interface : stop) {
    Joint * joint = find(interface, which);
    if (!joint || joint->drive != which || DRIVES[which] == MBDS_EFFORT) continue;
    // a position is held, a velocity is not
    if (DRIVES[which] == MBDS_VELOCITY) joint->command[static_cast<size_t>(which)] = 0;
  }
  for (const auto & interface : start) {
    Joint * joint = find(interface, which);
    if (joint) joint->drive = which;
  }
  return return_type::OK;
}

//---------- life ----------

RobotSystem::CallbackReturn
RobotSystem::on_configure(const rclcpp_lifecycle::State &)
{
  const mbd_status_t status = mbds_reset(robot_);
  if (status != MBD_OK) {
    RCLCPP_ERROR(logger_, "the robot cannot start: %s", mbd_status_string(status));
    return CallbackReturn::ERROR;
  }
  for (auto & joint : joints_) {
    joint.command = {NONE, NONE, NONE};
    joint.drive = -1;
  }
  measure();
  return CallbackReturn::SUCCESS;
}

RobotSystem::CallbackReturn
RobotSystem::on_activate(const rclcpp_lifecycle::State &)
{
  return CallbackReturn::SUCCESS;
}

RobotSystem::CallbackReturn
RobotSystem::on_deactivate(const rclcpp_lifecycle::State & previous)
{
  // motors off, brakes on, where it started: the next activation begins anew
  return on_configure(previous);
}

void
RobotSystem::measure()
{
  mbds_measure(robot_, states_[0].data(), states_[1].data(), states_[2].data(), base_.data());
}

RobotSystem::return_type
RobotSystem::read(const rclcpp::Time &, const rclcpp::Duration &)
{
  measure();
  return return_type::OK;
}

RobotSystem::return_type
RobotSystem::write(const rclcpp::Time &, const rclcpp::Duration & period)
{
  for (const auto & joint : joints_) {
    auto & command = commands_[static_cast<size_t>(joint.index)];
    command.drive = joint.drive < 0 ? MBDS_OFF : DRIVES[joint.drive];
    command.value = joint.drive < 0 ? 0 : joint.command[static_cast<size_t>(joint.drive)];
  }
  // a controller manager that was held up does not get all the time back at once
  const double seconds = std::clamp(period.seconds(), 0.0, 0.1);
  const bool good = mbds_get_status(robot_).fault == MBD_OK;
  const mbd_status_t status = mbds_step(robot_, commands_.data(), seconds);
  if (status == MBD_OK) return return_type::OK;
  if (good) RCLCPP_ERROR(logger_, "the robot stands still: %s", mbd_status_string(status));
  return return_type::ERROR;
}

}  // namespace mbdyn_hardware

PLUGINLIB_EXPORT_CLASS(mbdyn_hardware::RobotSystem, hardware_interface::SystemInterface)
