// What a DynamicsController publishes: the node's messages. Filled in the real-time thread, sent by another.
#ifndef MBDYN_ROS2_CONTROL__OUTPUTS_HPP_
#define MBDYN_ROS2_CONTROL__OUTPUTS_HPP_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "geometry_msgs/msg/wrench_stamped.hpp"
#include "mbdyn/control.h"
#include "mbdyn/msg/joint_dynamics_array.hpp"
#include "mbdyn/msg/joint_torques.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "realtime_tools/realtime_publisher.hpp"
#include "sensor_msgs/msg/joint_state.hpp"

namespace mbdyn_controllers
{

class Outputs
{
 public:
  /// \param[in] rate  of messages [Hz]; 0: none
  void open(
    rclcpp_lifecycle::LifecycleNode & node, const mbdc_controller_t * controller, double rate);
  void close();
  /// Look who listens: nothing is sent that nobody gets. Now and then, not in the real-time thread.
  void poll();
  /// Start of a series of cycles, and one of them; real-time thread.
  void restart();
  void cycle(mbdc_controller_t * controller, const rclcpp::Time & time, double period);

 private:
  template <class Message>
  struct Output {
    Message message;
    typename rclcpp::Publisher<Message>::SharedPtr topic;
    std::unique_ptr<realtime_tools::RealtimePublisher<Message>> publisher;
    std::atomic<bool> wanted{false};
  };
  struct State : Output<sensor_msgs::msg::JointState> {
    mbdc_value_t what;
  };

  template <class Message>
  static void start(
    rclcpp_lifecycle::LifecycleNode & node, const std::string & name, Output<Message> & output);
  bool fill(State & state, const mbdc_controller_t * controller);
  bool fill_torques(const mbdc_controller_t * controller);
  bool fill_joints(const mbdc_controller_t * controller);
  bool fill_wrench(mbdc_controller_t * controller);

  std::vector<std::unique_ptr<State>> states_;
  Output<mbdyn::msg::JointTorques> torques_;
  Output<mbdyn::msg::JointDynamicsArray> joints_;
  Output<geometry_msgs::msg::WrenchStamped> wrench_;
  std::vector<double> numbers_;
  double period_ = 0, since_ = 0;
};

}  // namespace mbdyn_controllers

#endif  // MBDYN_ROS2_CONTROL__OUTPUTS_HPP_
