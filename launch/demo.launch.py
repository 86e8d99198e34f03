"""
The node with a simulated robot, in place of a real one.

  ros2 launch mbdyn demo.launch.py
  ros2 launch mbdyn demo.launch.py urdf:=robot.urdf mode:=computed_torque
  ros2 service call /robot/push mbdyn/srv/ApplyWrench \
    "{frame: tool, wrench: {force: {z: 20.0}}, duration: 1.0}"
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('mbdyn')

# name, default, description
ARGUMENTS = [
    ('loops', '',
     'YAML file with loops and gears of the robot; empty: it has none.'),
    ('flexible', '',
     'YAML file with flexible links of the robot, for the simulation; empty: all are rigid.'),
    ('node_flexible', LaunchConfiguration('flexible'),
     'The same for the node; empty: it takes the robot for a rigid one.'),
    ('urdf', [SHARE, '/config/robots/arm7.urdf'],
     'URDF file of the robot.'),
    ('namespace', '',
     'Namespace of both nodes and of their topics.'),
    ('mode', 'gravity_compensation',
     'gravity_compensation, inverse_dynamics, computed_torque, operational_space or passive.'),
    ('params_file', [SHARE, '/config/', LaunchConfiguration('mode'), '.yaml'],
     'Parameter file of the node. If it is given, mode has no effect.'),
    ('rate', '1000.0',
     'Steps and joint states of the simulation per second [Hz].'),
    ('use_sim_time', 'false',
     'Both nodes live in the time of the simulation, which is on /clock.'),
    ('view', 'false',
     'Serve a page with what the node says, for the browser on this machine.'),
    ('view_port', '8642',
     'Port of that page.'),
    ('log_level', 'info',
     'debug, info, warn, error or fatal.'),
]


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS]

    sim = Node(
        package='mbdyn', executable='mbdyn_sim', name='robot', output='screen',
        namespace=LaunchConfiguration('namespace'),
        parameters=[{
            'robot_description_file': ParameterValue(LaunchConfiguration('urdf'), value_type=str),
            'loops_file': ParameterValue(LaunchConfiguration('loops'), value_type=str),
            'flexible_file': ParameterValue(LaunchConfiguration('flexible'), value_type=str),
            'rate': ParameterValue(LaunchConfiguration('rate'), value_type=float),
            'publish_clock': ParameterValue(
                LaunchConfiguration('use_sim_time'), value_type=bool),
        }],
        ros_arguments=['--log-level', LaunchConfiguration('log_level')])

    # the robot is told by the simulation, on the topic robot_description
    passed_on = (
        'namespace', 'loops', 'params_file', 'use_sim_time', 'view', 'view_port', 'log_level')
    node = IncludeLaunchDescription(
        [SHARE, '/launch/mbdyn.launch.py'],
        launch_arguments=[
            ('urdf', ''), ('command', 'robot/commands'),
            ('flexible', LaunchConfiguration('node_flexible')),
            *((name, LaunchConfiguration(name)) for name in passed_on)])

    return LaunchDescription(arguments + [sim, node])
