/// \file parameter_table.hpp
/// Parameters of rclcpp as a table of rcl: one block, for any node.
#ifndef MBDYN_NODE__PARAMETER_TABLE_HPP_
#define MBDYN_NODE__PARAMETER_TABLE_HPP_

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rcl_yaml_param_parser/types.h"
#include "rclcpp/parameter_value.hpp"

namespace mbdyn
{
/// Points into the map that it is made of. Everything here is a deque where it is pointed to.
class ParameterTable
{
 public:
  explicit ParameterTable(const std::map<std::string, rclcpp::ParameterValue> & parameters)
  {
    for (const auto & [name, value] : parameters) {
      names_.push_back(at(name));
      values_.push_back(variant(value));
    }
    block_ = {names_.data(), values_.data(), names_.size(), names_.size()};
    table_ = {&any_, &block_, 1, 1, rcutils_get_default_allocator()};
  }
  ParameterTable(const ParameterTable &) = delete;
  ParameterTable & operator=(const ParameterTable &) = delete;

  const rcl_params_t *
  get() const
  {
    return &table_;
  }

 private:
  // rcl's tables are of non-const pointers; nobody writes through them
  template <typename T>
  static T *
  at(const T & value)
  {
    return const_cast<T *>(&value);
  }
  static char *
  at(const std::string & text)
  {
    return const_cast<char *>(text.c_str());
  }

  template <typename Array, typename T>
  static Array *
  array(std::deque<Array> & kept, const std::vector<T> & values)
  {
    kept.push_back({const_cast<T *>(values.data()), values.size()});
    return &kept.back();
  }

  rcl_bool_array_t *
  array(const std::vector<bool> & values)
  {
    bool_elements_.emplace_back(new bool[values.size() + 1]);
    std::copy(values.begin(), values.end(), bool_elements_.back().get());
    bools_.push_back({bool_elements_.back().get(), values.size()});
    return &bools_.back();
  }

  rcutils_string_array_t *
  array(const std::vector<std::string> & values)
  {
    string_elements_.emplace_back();
    for (const auto & text : values) string_elements_.back().push_back(at(text));
    strings_.push_back(
      {values.size(), string_elements_.back().data(), rcutils_get_default_allocator()});
    return &strings_.back();
  }

  rcl_variant_t
  variant(const rclcpp::ParameterValue & value)
  {
    rcl_variant_t v{};
    switch (value.get_type()) {
      case rclcpp::PARAMETER_BOOL: v.bool_value = at(value.get<bool>()); break;
      case rclcpp::PARAMETER_INTEGER: v.integer_value = at(value.get<int64_t>()); break;
      case rclcpp::PARAMETER_DOUBLE: v.double_value = at(value.get<double>()); break;
      case rclcpp::PARAMETER_STRING: v.string_value = at(value.get<std::string>()); break;
      case rclcpp::PARAMETER_BYTE_ARRAY:
        v.byte_array_value = array(bytes_, value.get<std::vector<uint8_t>>());
        break;
      case rclcpp::PARAMETER_BOOL_ARRAY:
        v.bool_array_value = array(value.get<std::vector<bool>>());
        break;
      case rclcpp::PARAMETER_INTEGER_ARRAY:
        v.integer_array_value = array(integers_, value.get<std::vector<int64_t>>());
        break;
      case rclcpp::PARAMETER_DOUBLE_ARRAY:
        v.double_array_value = array(doubles_, value.get<std::vector<double>>());
        break;
      case rclcpp::PARAMETER_STRING_ARRAY:
        v.string_array_value = array(value.get<std::vector<std::string>>());
        break;
      default: break;  // an empty list has no type: no pointer, as from a parameter file
    }
    return v;
  }

  char * any_ = const_cast<char *>("/**");
  std::vector<char *> names_;
  std::vector<rcl_variant_t> values_;
  std::deque<rcl_byte_array_t> bytes_;
  std::deque<rcl_bool_array_t> bools_;
  std::deque<rcl_int64_array_t> integers_;
  std::deque<rcl_double_array_t> doubles_;
  std::deque<rcutils_string_array_t> strings_;
  std::deque<std::unique_ptr<bool[]>> bool_elements_;
  std::deque<std::vector<char *>> string_elements_;
  rcl_node_params_t block_{};
  rcl_params_t table_{};
};
}  // namespace mbdyn

#endif  // MBDYN_NODE__PARAMETER_TABLE_HPP_
