// What differs between ros2_control of Humble ... Rolling, found out by the compiler, since features are ported back: of two
// overloads, the one with `int` is taken if it compiles.
#ifndef MBDYN_ROS2_CONTROL__API_HPP_
#define MBDYN_ROS2_CONTROL__API_HPP_

#include <limits>
#include <string>

#include "hardware_interface/hardware_info.hpp"
#if __has_include("hardware_interface/types/hardware_component_interface_params.hpp")
#include "hardware_interface/types/hardware_component_interface_params.hpp"
#define MBDYN_HARDWARE_PARAMS 1
#endif

namespace mbdyn_ros2_control
{
/// Value of a loaned interface; NaN: not available now.
template <class Interface>
auto
get_value(const Interface & interface, int) -> decltype(interface.get_optional().value_or(0.0))
{
  return interface.get_optional().value_or(std::numeric_limits<double>::quiet_NaN());
}
template <class Interface>
double
get_value(const Interface & interface, long)
{
  return interface.get_value();
}

/// set_value is void in Humble, and tells later whether it had the lock.
template <class Interface>
void
set_value(Interface & interface, double value)
{
  static_cast<void>(interface.set_value(value));
}

template <class Publisher, class Message>
auto
publish(Publisher & publisher, const Message & message, int)
  -> decltype(publisher.try_publish(message))
{
  return publisher.try_publish(message);
}
template <class Publisher, class Message>
bool
publish(Publisher & publisher, const Message & message, long)
{
  return publisher.tryPublish(message);
}

/// Robot description that the controller manager has given to a controller; empty in Humble.
template <class Controller>
auto
given_description(const Controller & controller, int)
  -> decltype(std::string(controller.get_robot_description()))
{
  return controller.get_robot_description();
}
template <class Controller>
std::string
given_description(const Controller &, long)
{
  return {};
}

#ifdef MBDYN_HARDWARE_PARAMS
using HardwareInit = hardware_interface::HardwareComponentInterfaceParams;
#define MBDYN_HARDWARE_INFO(init) (init).hardware_info
#else
using HardwareInit = hardware_interface::HardwareInfo;
#define MBDYN_HARDWARE_INFO(init) (init)
#endif

}  // namespace mbdyn_ros2_control

#endif  // MBDYN_ROS2_CONTROL__API_HPP_
