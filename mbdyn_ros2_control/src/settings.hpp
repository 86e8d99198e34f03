// Parameters and description of a controller's node, for the library.
#ifndef MBDYN_ROS2_CONTROL__SETTINGS_HPP_
#define MBDYN_ROS2_CONTROL__SETTINGS_HPP_

#include <memory>
#include <string>
#include <vector>

#include "mbdyn/control.h"
#include "rclcpp/parameter.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace mbdyn_ros2_control
{

struct SettingsDeleter {
  void
  operator()(mbdc_settings_t * settings) const
  {
    mbdc_settings_destroy(settings);
  }
};
using Settings = std::unique_ptr<mbdc_settings_t, SettingsDeleter>;

/// Declare the parameters of mbdyn/control.h with their defaults, descriptions and ranges; those that a file has set already
/// keep their values.
void declare_parameters(rclcpp_lifecycle::LifecycleNode & node);

/// Set one. \return empty, or what is wrong. Names that are not the library's are left alone.
std::string set_parameter(mbdc_settings_t * settings, const rclcpp::Parameter & parameter);

/// All of them. \return NULL and the reason
Settings read_parameters(const rclcpp_lifecycle::LifecycleNode & node, std::string & reason);

/// Robot description from the parameter robot_description, the file robot_description_file, `given`, the topic
/// robot_description, or the parameter of the controller manager; whichever is there first.
/// \return empty, and where it was looked for
std::string find_description(
  const rclcpp_lifecycle::LifecycleNode & node, const std::string & given, std::string & reason);

}  // namespace mbdyn_ros2_control

#endif  // MBDYN_ROS2_CONTROL__SETTINGS_HPP_
