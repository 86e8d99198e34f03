# Our messages and services where a ROS 2 is sourced; included by the top CMakeLists.txt after
# find_package(rosidl_default_generators) and before ament_package().
#
#   ${mbdyn_interfaces_target}   what the node links with
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

if(COMMAND rosidl_get_typesupport_target)
  rosidl_get_typesupport_target(mbdyn_interfaces_target ${PROJECT_NAME} rosidl_typesupport_c)
else()
  set(mbdyn_interfaces_target ${PROJECT_NAME}__rosidl_typesupport_c)
endif()
ament_export_dependencies(rosidl_default_runtime std_msgs geometry_msgs)
