"""
Run the node with a simulated robot.

  ros2 launch mbdyn demo.launch.py
  ros2 launch mbdyn demo.launch.py urdf:=robot.urdf mode:=computed_torque
  ros2 service call /robot/push mbdyn/srv/ApplyWrench \
    "{frame: tool, wrench: {force: {z: 20.0}}, duration: 1.0}"
"""

from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument, IncludeLaunchDescription, SetLaunchConfiguration)
from launch.conditions import IfCondition
from launch.substitutions import Command, LaunchConfiguration, PythonExpression
from launch_ros.actions import Node
from launch_ros.descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('mbdyn')

# name, default, description
ARGUMENTS = [
    ('loops', '',
     'YAML file with loop closures and gears (docs/loops.md); empty: none.'),
    ('mechanism', '',
     'YAML file with closures and springs (docs/mechanism.md); empty: none.'),
    ('flexible', '',
     'YAML file with flexible links of the simulated robot; empty: none.'),
    ('node_flexible', LaunchConfiguration('flexible'),
     'YAML file with flexible links for the node; empty: the node uses a rigid model.'),
    ('urdf', [SHARE, '/config/robots/arm7.urdf'],
     'URDF file of the robot.'),
    ('xacro', '',
     'In place of urdf: xacro file of the robot, then arguments of xacro if it needs some.'),
    ('namespace', '',
     'Namespace of both nodes and their topics.'),
    ('mode', 'gravity_compensation',
     'Control mode: gravity_compensation, inverse_dynamics, computed_torque, '
     'operational_space, joint_impedance, cartesian_impedance, quasi_velocity_damping or passive.'),
    ('params_file', [SHARE, '/config/', LaunchConfiguration('mode'), '.yaml'],
     'Parameter file of the node; overrides mode.'),
    ('rate', '1000.0',
     'Rate of simulation steps and joint states [Hz].'),
    ('use_sim_time', 'false',
     'Both nodes use simulated time from /clock.'),
    ('view', 'false',
     'Serve the web view of the node on this machine.'),
    ('view_port', '8642',
     'TCP port of the web view.'),
    ('log_level', 'info',
     'Log level: debug, info, warn, error or fatal.'),
]


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS]

    # what xacro prints is the parameter robot_description, which comes before robot_description_file
    has_xacro = IfCondition(PythonExpression(['"""', LaunchConfiguration('xacro'), '""" != ""']))
    description = [
        SetLaunchConfiguration('sim_description', ''),
        SetLaunchConfiguration(
            'sim_description', Command(['xacro ', LaunchConfiguration('xacro')]),
            condition=has_xacro)]

    sim = Node(
        package='mbdyn', executable='mbdyn_sim', name='robot', output='screen',
        namespace=LaunchConfiguration('namespace'),
        parameters=[{
            'robot_description': ParameterValue(
                LaunchConfiguration('sim_description'), value_type=str),
            'robot_description_file': ParameterValue(LaunchConfiguration('urdf'), value_type=str),
            'loops_file': ParameterValue(LaunchConfiguration('loops'), value_type=str),
            'mechanism_file': ParameterValue(LaunchConfiguration('mechanism'), value_type=str),
            'flexible_file': ParameterValue(LaunchConfiguration('flexible'), value_type=str),
            'rate': ParameterValue(LaunchConfiguration('rate'), value_type=float),
            'publish_clock': ParameterValue(
                LaunchConfiguration('use_sim_time'), value_type=bool),
        }],
        ros_arguments=['--log-level', LaunchConfiguration('log_level')])

    # the simulation publishes the URDF on the topic robot_description
    passed_on = (
        'namespace', 'loops', 'mechanism', 'params_file', 'use_sim_time', 'view', 'view_port',
        'log_level')
    node = IncludeLaunchDescription(
        [SHARE, '/launch/mbdyn.launch.py'],
        launch_arguments=[
            ('urdf', ''), ('xacro', ''), ('command', 'robot/commands'),
            ('flexible', LaunchConfiguration('node_flexible')),
            *((name, LaunchConfiguration(name)) for name in passed_on)])

    return LaunchDescription(arguments + description + [sim, node])
