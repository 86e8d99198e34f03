// What differs between ros2_control of Humble ... Rolling, found out by the compiler: features are ported back.
#ifndef MBDYN_ROS2_CONTROL__API_HPP_
#define MBDYN_ROS2_CONTROL__API_HPP_

#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "hardware_interface/hardware_info.hpp"
#if __has_include("hardware_interface/types/hardware_component_interface_params.hpp")
#include "hardware_interface/types/hardware_component_interface_params.hpp"
#define MBDYN_HARDWARE_PARAMS 1
#endif

namespace mbdyn_ros2_control
{
template <class T, class = void>
struct has_get_optional : std::false_type {};
template <class T>
struct has_get_optional<T, std::void_t<decltype(std::declval<const T &>().get_optional())>> : std::true_type {};

template <class T, class M, class = void>
struct has_try_publish : std::false_type {};
template <class T, class M>
struct has_try_publish<T, M, std::void_t<decltype(std::declval<T &>().try_publish(std::declval<M>()))>>
: std::true_type {};

template <class T, class = void>
struct has_description : std::false_type {};
template <class T>
struct has_description<T, std::void_t<decltype(std::declval<const T &>().get_robot_description())>> : std::true_type {};

/// Value of a loaned interface; NaN: not available now.
template <class Interface>
double get_value(const Interface & interface)
{
  if constexpr (has_get_optional<Interface>::value) {
    return interface.get_optional().value_or(std::numeric_limits<double>::quiet_NaN());
  } else {
    return interface.get_value();
  }
}

/// set_value is void in Humble, and tells later whether it had the lock.
template <class Interface>
void set_value(Interface & interface, double value)
{
  static_cast<void>(interface.set_value(value));
}

template <class Publisher, class Message>
void publish(Publisher & publisher, const Message & message)
{
  if constexpr (has_try_publish<Publisher, const Message &>::value) {
    static_cast<void>(publisher.try_publish(message));
  } else {
    static_cast<void>(publisher.tryPublish(message));
  }
}

/// Robot description that the controller manager has given to a controller; empty in Humble.
template <class Controller>
std::string given_description(const Controller & controller)
{
  if constexpr (has_description<Controller>::value) return controller.get_robot_description();
  return {};
}

#ifdef MBDYN_HARDWARE_PARAMS
using HardwareInit = hardware_interface::HardwareComponentInterfaceParams;
inline const hardware_interface::HardwareInfo & info_of(const HardwareInit & init) {return init.hardware_info;}
#else
using HardwareInit = hardware_interface::HardwareInfo;
inline const hardware_interface::HardwareInfo & info_of(const HardwareInit & init) {return init;}
#endif

}  // namespace mbdyn_ros2_control

#endif  // MBDYN_ROS2_CONTROL__API_HPP_
