# Where a ROS 2 is sourced: our messages and services, and the real rcl and rclc. Included by the top
# CMakeLists.txt before the node and before ament_package().
#
#   mbdyn_rcl            what the node links with; not there if rclc or a message package is missing
#   MBDYN_CONTROL_MSGS   control_msgs is there too
find_package(rosidl_default_generators QUIET)
if(NOT rosidl_default_generators_FOUND)
  message(STATUS "messages and node are not built: rosidl_default_generators is missing")
  return()
endif()
foreach(package std_msgs geometry_msgs)
  find_package(${package} REQUIRED)
endforeach()

file(GLOB mbdyn_definitions RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/msg/*.msg ${PROJECT_SOURCE_DIR}/srv/*.srv)

# generated libraries export what they please: the project's hidden visibility is not for them
foreach(variable CMAKE_C_VISIBILITY_PRESET CMAKE_CXX_VISIBILITY_PRESET
  CMAKE_VISIBILITY_INLINES_HIDDEN)
  set(saved_${variable} ${${variable}})
  unset(${variable})
endforeach()
rosidl_generate_interfaces(${PROJECT_NAME} ${mbdyn_definitions}
  DEPENDENCIES std_msgs geometry_msgs)
foreach(variable CMAKE_C_VISIBILITY_PRESET CMAKE_CXX_VISIBILITY_PRESET
  CMAKE_VISIBILITY_INLINES_HIDDEN)
  set(${variable} ${saved_${variable}})
endforeach()
ament_export_dependencies(rosidl_default_runtime std_msgs geometry_msgs)

#---------- rcl, rclc and the messages of others ----------

set(mbdyn_ros_packages rclc rcl rcl_yaml_param_parser rcutils rmw rosidl_runtime_c
  builtin_interfaces diagnostic_msgs geometry_msgs lifecycle_msgs nav_msgs rcl_interfaces
  rosgraph_msgs sensor_msgs std_msgs std_srvs trajectory_msgs visualization_msgs)
set(mbdyn_ros_targets)
foreach(package ${mbdyn_ros_packages})
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(STATUS "the node is not built: ${package} is missing")
    return()
  endif()
  list(APPEND mbdyn_ros_targets ${${package}_TARGETS})
endforeach()
find_package(control_msgs QUIET)
find_package(action_msgs QUIET)
if(control_msgs_FOUND AND action_msgs_FOUND)
  set(MBDYN_CONTROL_MSGS TRUE)
  list(APPEND mbdyn_ros_targets ${control_msgs_TARGETS} ${action_msgs_TARGETS}
    ${unique_identifier_msgs_TARGETS})
endif()

if(COMMAND rosidl_get_typesupport_target)
  rosidl_get_typesupport_target(mbdyn_typesupport ${PROJECT_NAME} rosidl_typesupport_c)
else()
  set(mbdyn_typesupport ${PROJECT_NAME}__rosidl_typesupport_c)
endif()
list(FILTER mbdyn_ros_targets EXCLUDE REGEX "_cpp$|_py$|fastrtps")
add_library(mbdyn_rcl INTERFACE)
target_link_libraries(mbdyn_rcl INTERFACE ${mbdyn_typesupport} ${mbdyn_ros_targets})
# generated headers are not ours to warn about
target_include_directories(mbdyn_rcl SYSTEM INTERFACE
  ${CMAKE_CURRENT_BINARY_DIR}/rosidl_generator_c)
