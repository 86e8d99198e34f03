"""
Two simulated robots, each with a node of its own: everything is in a namespace.

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
    ('left_urdf', [SHARE, '/config/robots/arm7.urdf'], 'Its URDF file.'),
    ('left_mode', 'gravity_compensation', 'Its mode, as in demo.launch.py.'),
    ('right', 'right', 'Namespace of the second robot.'),
    ('right_urdf', [SHARE, '/config/robots/arm6.urdf'], 'Its URDF file.'),
    ('right_mode', 'gravity_compensation', 'Its mode.'),
    ('view', 'false', 'Serve a page with both of them, on http://localhost:8642.'),
    ('log_level', 'info', 'debug, info, warn, error or fatal.'),
]


def robot(side):
    # a group of its own, so that the arguments of one are not taken for those of the other
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
    # one page shows all robots that there are
    view = Node(
        package='mbdyn', executable='mbdyn', output='screen', arguments=['view'],
        condition=IfCondition(LaunchConfiguration('view')))
    return LaunchDescription(arguments + [view, robot('left'), robot('right')])
