#include "settings.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/string.hpp"

namespace mbdyn_ros2_control
{
namespace
{

// "[a, b]" into its elements
std::vector<std::string>
split(const std::string & text)
{
  std::vector<std::string> elements;
  const auto first = text.find('['), last = text.rfind(']');
  if (first == std::string::npos || last == std::string::npos) return elements;
  std::istringstream stream(text.substr(first + 1, last - first - 1));
  for (std::string element; std::getline(stream, element, ',');) {
    const auto begin = element.find_first_not_of(' '), end = element.find_last_not_of(' ');
    if (begin != std::string::npos) elements.push_back(element.substr(begin, end - begin + 1));
  }
  return elements;
}

rclcpp::ParameterValue
initial_of(const mbdc_parameter_t & p)
{
  const std::string text = p.initial;
  switch (p.type) {
    case MBDC_BOOL: return rclcpp::ParameterValue(text == "true");
    case MBDC_INTEGER: return rclcpp::ParameterValue(static_cast<int64_t>(std::stoll(text)));
    case MBDC_DOUBLE: return rclcpp::ParameterValue(std::stod(text));
    case MBDC_STRING: return rclcpp::ParameterValue(text);
    case MBDC_STRING_ARRAY: return rclcpp::ParameterValue(split(text));
    default: break;
  }
  std::vector<double> numbers;
  for (const auto & element : split(text)) numbers.push_back(std::stod(element));
  return rclcpp::ParameterValue(numbers);
}

rcl_interfaces::msg::ParameterDescriptor
descriptor_of(const mbdc_parameter_t & p)
{
  rcl_interfaces::msg::ParameterDescriptor d;
  d.description = p.description;
  if (p.choices) d.additional_constraints = p.choices;
  d.read_only = p.read_only;
  // 5 is a good value of a double, too
  d.dynamic_typing = true;
  return d;
}

template <class T>
std::vector<double>
as_numbers(const std::vector<T> & values)
{
  return std::vector<double>(values.begin(), values.end());
}

std::string
read_file(const std::string & path, std::string & reason)
{
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.str().empty()) reason = "robot_description_file '" + path + "' cannot be read";
  return text.str();
}

// what others have, asked by a node of our own, as ours is busy with a transition
std::string
ask(const rclcpp_lifecycle::LifecycleNode & node, double seconds)
{
  std::string found;
  auto asker = std::make_shared<rclcpp::Node>(
    std::string(node.get_name()) + "_description", node.get_namespace(),
    rclcpp::NodeOptions().use_global_arguments(false).start_parameter_services(false));
  auto topic = asker->create_subscription<std_msgs::msg::String>(
    "robot_description", rclcpp::QoS(1).reliable().transient_local(),
    [&found](const std_msgs::msg::String & message) { found = message.data; });
  rclcpp::AsyncParametersClient manager(asker, "controller_manager");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(asker);
  std::shared_future<std::vector<rclcpp::Parameter>> answer;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (found.empty() && rclcpp::ok() && std::chrono::steady_clock::now() < end) {
    if (!answer.valid() && manager.service_is_ready())
      answer = manager.get_parameters({"robot_description"});
    executor.spin_once(std::chrono::milliseconds(20));
    if (!answer.valid() || answer.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
      continue;
    for (const auto & p : answer.get()) {
      if (p.get_type() == rclcpp::ParameterType::PARAMETER_STRING) found = p.as_string();
    }
    // it has none (yet): the topic remains
    answer = {};
  }
  return found;
}

}  // namespace

void
declare_parameters(rclcpp_lifecycle::LifecycleNode & node)
{
  mbdc_parameter_t p;
  for (size_t k = 0; mbdc_parameter_at(k, &p); k++) {
    if (!node.has_parameter(p.name))
      node.declare_parameter(p.name, initial_of(p), descriptor_of(p));
  }
}

std::string
set_parameter(mbdc_settings_t * settings, const rclcpp::Parameter & parameter)
{
  char reason[512] = "";
  const char * name = parameter.get_name().c_str();
  mbd_status_t status = MBD_OK;
  char text[40];
  std::vector<std::string> strings;
  std::vector<const char *> texts;
  std::vector<double> numbers;
  switch (parameter.get_type()) {
    case rclcpp::ParameterType::PARAMETER_NOT_SET: return {};
    case rclcpp::ParameterType::PARAMETER_DOUBLE_ARRAY:
      numbers = parameter.as_double_array();
      status =
        mbdc_set_numbers(settings, name, numbers.data(), numbers.size(), reason, sizeof reason);
      break;
    case rclcpp::ParameterType::PARAMETER_INTEGER_ARRAY:
      numbers = as_numbers(parameter.as_integer_array());
      status =
        mbdc_set_numbers(settings, name, numbers.data(), numbers.size(), reason, sizeof reason);
      break;
    case rclcpp::ParameterType::PARAMETER_STRING_ARRAY:
      strings = parameter.as_string_array();
      for (const auto & string : strings) texts.push_back(string.c_str());
      status = mbdc_set_strings(settings, name, texts.data(), texts.size(), reason, sizeof reason);
      break;
    case rclcpp::ParameterType::PARAMETER_STRING:
      strings = {parameter.as_string()};
      texts = {strings[0].c_str()};
      status = mbdc_set_strings(settings, name, texts.data(), 1, reason, sizeof reason);
      break;
    case rclcpp::ParameterType::PARAMETER_DOUBLE:
      snprintf(text, sizeof text, "%.17g", parameter.as_double());
      status = mbdc_set(settings, name, text, reason, sizeof reason);
      break;
    default:
      status = mbdc_set(settings, name, parameter.value_to_string().c_str(), reason, sizeof reason);
  }
  return status == MBD_OK || status == MBD_ERROR_NOT_FOUND ? ""
         : reason[0]                                       ? reason
                                                           : mbd_status_string(status);
}

Settings
read_parameters(const rclcpp_lifecycle::LifecycleNode & node, std::string & reason)
{
  Settings settings(mbdc_settings_create());
  if (!settings) reason = "out of memory";
  mbdc_parameter_t p;
  for (size_t k = 0; settings && mbdc_parameter_at(k, &p); k++) {
    reason = set_parameter(settings.get(), node.get_parameter(p.name));
    if (!reason.empty()) settings.reset();
  }
  return settings;
}

std::string
find_description(
  const rclcpp_lifecycle::LifecycleNode & node, const std::string & given, std::string & reason)
{
  const std::string text = node.get_parameter("robot_description").as_string();
  const std::string path = node.get_parameter("robot_description_file").as_string();
  if (!text.empty()) return text;
  if (!path.empty()) return read_file(path, reason);
  if (!given.empty()) return given;
  const double seconds = 5;
  const std::string found = ask(node, seconds);
  if (found.empty()) {
    reason =
      "no robot description within 5 s: neither on the topic robot_description "
      "(robot_state_publisher), nor as a parameter "
      "of controller_manager, nor as the parameter robot_description or robot_description_file of "
      "this controller";
  }
  return found;
}

}  // namespace mbdyn_ros2_control
