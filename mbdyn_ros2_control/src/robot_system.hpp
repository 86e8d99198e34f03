// A robot of mbdyn/simulated_robot.h as hardware: for tests of controllers that send torques, without a simulator beside.
#ifndef MBDYN_ROS2_CONTROL__ROBOT_SYSTEM_HPP_
#define MBDYN_ROS2_CONTROL__ROBOT_SYSTEM_HPP_

#include <array>
#include <string>
#include <vector>

#include "api.hpp"
#include "hardware_interface/system_interface.hpp"
#include "mbdyn/simulated_robot.h"
#include "rclcpp/logger.hpp"

namespace mbdyn_hardware
{

class RobotSystem : public hardware_interface::SystemInterface
{
 public:
  using CallbackReturn = hardware_interface::CallbackReturn;
  using return_type = hardware_interface::return_type;

  ~RobotSystem() override;

  CallbackReturn on_init(const mbdyn_ros2_control::HardwareInit & init) override;
  std::vector<hardware_interface::StateInterface> export_state_interfaces() override;
  std::vector<hardware_interface::CommandInterface> export_command_interfaces() override;
  return_type prepare_command_mode_switch(
    const std::vector<std::string> & start, const std::vector<std::string> & stop) override;
  return_type perform_command_mode_switch(
    const std::vector<std::string> & start, const std::vector<std::string> & stop) override;
  CallbackReturn on_configure(const rclcpp_lifecycle::State & previous) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State & previous) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State & previous) override;
  return_type read(const rclcpp::Time & time, const rclcpp::Duration & period) override;
  return_type write(const rclcpp::Time & time, const rclcpp::Duration & period) override;

 private:
  // of position, velocity and effort
  struct Joint {
    std::string name;
    int index;
    std::array<double, 3> command;
    int drive;          // which of them counts; -1: none
    unsigned commands;  // bits of those in the description
  };

  bool create(const hardware_interface::HardwareInfo & info, std::string & reason);
  bool list_joints(const hardware_interface::HardwareInfo & info, std::string & reason);
  bool list_sensors(const hardware_interface::HardwareInfo & info, std::string & reason);
  // the joint and which of its interfaces a name like "joint1/effort" means; NULL: not ours
  Joint * find(const std::string & interface, int & which);
  void measure();

  mbds_robot_t * robot_ = nullptr;
  std::vector<Joint> joints_;
  std::vector<mbds_command_t> commands_;
  std::array<std::vector<double>, 3>
    states_;  // position, velocity, effort of each joint of the robot
  std::array<double, 13> base_{};
  struct State {
    std::string prefix, name;
    double * value;
  };
  std::vector<State> exported_;
  rclcpp::Logger logger_ = rclcpp::get_logger("mbdyn_hardware");
};

}  // namespace mbdyn_hardware

#endif  // MBDYN_ROS2_CONTROL__ROBOT_SYSTEM_HPP_
