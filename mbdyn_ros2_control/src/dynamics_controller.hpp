// A controller of mbdyn/control.h in the controller manager. No dynamics in here: interfaces in, interfaces out.
#ifndef MBDYN_ROS2_CONTROL__DYNAMICS_CONTROLLER_HPP_
#define MBDYN_ROS2_CONTROL__DYNAMICS_CONTROLLER_HPP_

#include <memory>
#include <string>
#include <vector>

#include "controller_interface/chainable_controller_interface.hpp"
#include "geometry_msgs/msg/pose_stamped.hpp"
#include "geometry_msgs/msg/twist_stamped.hpp"
#include "geometry_msgs/msg/wrench_stamped.hpp"
#include "mbdyn/control.h"
#include "outputs.hpp"
#include "rclcpp/rclcpp.hpp"
#include "trajectory_msgs/msg/joint_trajectory.hpp"

namespace mbdyn_controllers
{

class DynamicsController : public controller_interface::ChainableControllerInterface
{
 public:
  using CallbackReturn = controller_interface::CallbackReturn;
  using return_type = controller_interface::return_type;

  ~DynamicsController() override;

  CallbackReturn on_init() override;
  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;
  CallbackReturn on_configure(const rclcpp_lifecycle::State & previous) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State & previous) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State & previous) override;
  CallbackReturn on_cleanup(const rclcpp_lifecycle::State & previous) override;

 protected:
  // of these, each distribution overrides the ones that it has
  std::vector<hardware_interface::CommandInterface> on_export_reference_interfaces();
  std::vector<hardware_interface::StateInterface> on_export_state_interfaces();
  return_type
  update_reference_from_subscribers()
  {
    return return_type::OK;
  }
  return_type
  update_reference_from_subscribers(const rclcpp::Time &, const rclcpp::Duration &)
  {
    return return_type::OK;
  }
  return_type update_and_write_commands(
    const rclcpp::Time & time, const rclcpp::Duration & period) override;
  bool on_set_chained_mode(bool chained) override;

 private:
  // where an interface's value goes
  struct Source {
    std::string name;
    double * value;
  };

  bool create(std::string & reason);
  bool list_interfaces(const std::string & description, std::string & reason);
  void make_inputs();
  void follow(const trajectory_msgs::msg::JointTrajectory & message);
  template <class Message>
  void aim(mbdc_target_t kind, const Message & message, const std::vector<double> & numbers);
  rcl_interfaces::msg::SetParametersResult change(
    const std::vector<rclcpp::Parameter> & parameters);
  void report();
  void read();
  void write(const std::vector<double> & effort);

  mbdc_controller_t * controller_ = nullptr;
  mbdc_status_t reported_{};
  std::vector<std::string> commands_;  // joints that get efforts
  std::vector<int> command_joint_;
  std::vector<Source> states_;
  std::vector<double> position_, velocity_, measured_, effort_, left_;
  std::vector<double> references_[4];  // position, velocity, acceleration, effort of each joint
  std::vector<double> gravity_, coriolis_, external_;
  Outputs outputs_;
  std::string command_prefix_;
  bool chained_ = false;

  std::vector<rclcpp::SubscriptionBase::SharedPtr> inputs_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr changes_;
};

}  // namespace mbdyn_controllers

#endif  // MBDYN_ROS2_CONTROL__DYNAMICS_CONTROLLER_HPP_
