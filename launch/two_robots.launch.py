"""
Run two simulated robots, each with its own node, in separate namespaces.

  ros2 launch mbdyn two_robots.launch.py
  ros2 topic echo /left/mbdyn/torques
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('mbdyn')

# name, default, description
ARGUMENTS = [
    ('left', 'left', 'Namespace of the first robot.'),
    ('left_urdf', [SHARE, '/config/robots/arm7.urdf'], 'URDF file of the first robot.'),
    ('left_mode', 'gravity_compensation', 'Control mode of the first robot.'),
    ('right', 'right', 'Namespace of the second robot.'),
    ('right_urdf', [SHARE, '/config/robots/arm6.urdf'], 'URDF file of the second robot.'),
    ('right_mode', 'gravity_compensation', 'Control mode of the second robot.'),
    ('view', 'false', 'Serve the web view of both robots on http://localhost:8642.'),
    ('log_level', 'info', 'Log level: debug, info, warn, error or fatal.'),
]


def robot(side):
    # separate groups, so that the launch arguments of one robot do not leak into the other
    return GroupAction([IncludeLaunchDescription(
        [SHARE, '/launch/demo.launch.py'],
        launch_arguments=[
            ('namespace', LaunchConfiguration(side)),
            ('urdf', LaunchConfiguration(f'{side}_urdf')),
            ('mode', LaunchConfiguration(f'{side}_mode')), ('view', 'false'),
            ('log_level', LaunchConfiguration('log_level'))])])


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS]
    # one web view shows all robots
    view = Node(
        package='mbdyn', executable='mbdyn', output='screen', arguments=['view'],
        condition=IfCondition(LaunchConfiguration('view')))
    return LaunchDescription(arguments + [view, robot('left'), robot('right')])
