"""
Run the node for one robot.

  ros2 launch mbdyn mbdyn.launch.py urdf:=robot.urdf
  ros2 launch mbdyn mbdyn.launch.py urdf:=robot.urdf view:=true
  ros2 launch mbdyn mbdyn.launch.py xacro:=robot.urdf.xacro
  ros2 launch mbdyn mbdyn.launch.py mode:=computed_torque command:=/effort_controller/commands
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, SetLaunchConfiguration
from launch.conditions import IfCondition
from launch.substitutions import Command, LaunchConfiguration, PythonExpression
from launch_ros.actions import LifecycleNode, Node
from launch_ros.descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

# name, default, description
ARGUMENTS = [
    ('urdf', '',
     'URDF file of the robot. Empty: the URDF comes from the topic robot_description.'),
    ('xacro', '',
     'In place of urdf: xacro file of the robot, then arguments of xacro if it needs some.'),
    ('robot_description', 'robot_description',
     'Topic with the URDF, as published by robot_state_publisher.'),
    ('joint_states', 'joint_states',
     'Topic with the joint states.'),
    ('command', '~/command',
     'Topic for the effort commands, such as /effort_controller/commands.'),
    ('namespace', '',
     'Namespace of the node and its topics.'),
    ('name', 'mbdyn',
     'Name of the node.'),
    ('mode', 'gravity_compensation',
     'Control mode: selects the default of params_file.'),
    ('loops', '',
     'YAML file with loop closures and gears (docs/loops.md); empty: none.'),
    ('mechanism', '',
     'YAML file with closures and springs (docs/mechanism.md); empty: none.'),
    ('flexible', '',
     'YAML file with flexible links (docs/flexible.md); empty: none.'),
    ('params_file', [FindPackageShare('mbdyn'), '/config/', LaunchConfiguration('mode'), '.yaml'],
     'Parameter file of the node; overrides mode.'),
    ('autostart', 'true',
     'Configure and activate automatically; false: wait for lifecycle transitions.'),
    ('use_sim_time', 'false',
     'Use the time of the topic /clock.'),
    ('view', 'false',
     'Serve the web view of the node on this machine.'),
    ('view_port', '8642',
     'TCP port of the web view.'),
    ('log_level', 'info',
     'Log level: debug, info, warn, error or fatal.'),
]
MODES = [
    'gravity_compensation', 'inverse_dynamics', 'computed_torque', 'operational_space',
    'joint_impedance', 'cartesian_impedance', 'quasi_velocity_damping', 'passive']


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(
            name, default_value=default, description=description,
            choices=MODES if name == 'mode' else None)
        for name, default, description in ARGUMENTS]

    # what xacro prints is the parameter robot_description, which comes before robot_description_file
    has_xacro = IfCondition(PythonExpression(['"""', LaunchConfiguration('xacro'), '""" != ""']))
    description = [
        SetLaunchConfiguration('description', ''),
        SetLaunchConfiguration(
            'description', Command(['xacro ', LaunchConfiguration('xacro')]), condition=has_xacro)]

    node = LifecycleNode(
        package='mbdyn', executable='mbdyn_node', output='screen',
        name=LaunchConfiguration('name'), namespace=LaunchConfiguration('namespace'),
        parameters=[
            LaunchConfiguration('params_file'),
            {
                'robot_description': ParameterValue(
                    LaunchConfiguration('description'), value_type=str),
                'robot_description_file': ParameterValue(
                    LaunchConfiguration('urdf'), value_type=str),
                'loops_file': ParameterValue(LaunchConfiguration('loops'), value_type=str),
                'mechanism_file': ParameterValue(LaunchConfiguration('mechanism'), value_type=str),
                'flexible_file': ParameterValue(LaunchConfiguration('flexible'), value_type=str),
                'autostart': ParameterValue(LaunchConfiguration('autostart'), value_type=bool),
                'use_sim_time': ParameterValue(
                    LaunchConfiguration('use_sim_time'), value_type=bool),
            }],
        remappings=[
            (name if name != 'command' else '~/command', LaunchConfiguration(name))
            for name in ('robot_description', 'joint_states', 'command')],
        ros_arguments=['--log-level', LaunchConfiguration('log_level')])

    view = Node(
        package='mbdyn', executable='mbdyn', output='screen',
        arguments=['view', '--port', LaunchConfiguration('view_port')],
        condition=IfCondition(LaunchConfiguration('view')))

    return LaunchDescription(arguments + description + [node, view])
