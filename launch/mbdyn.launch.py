"""
The node for one robot.

  ros2 launch mbdyn mbdyn.launch.py urdf:=robot.urdf
  ros2 launch mbdyn mbdyn.launch.py urdf:=robot.urdf view:=true
  ros2 launch mbdyn mbdyn.launch.py mode:=computed_torque command:=/effort_controller/commands
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import LifecycleNode, Node
from launch_ros.descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

# name, default, description
ARGUMENTS = [
    ('urdf', '',
     'URDF file of the robot. Empty: the topic robot_description tells.'),
    ('robot_description', 'robot_description',
     'Topic with the URDF, as robot_state_publisher has it.'),
    ('joint_states', 'joint_states',
     'Topic with the state of the joints.'),
    ('command', '~/command',
     'Topic for the torques, such as /effort_controller/commands.'),
    ('namespace', '',
     'Namespace of the node and of its topics.'),
    ('name', 'mbdyn',
     'Name of the node.'),
    ('mode', 'gravity_compensation',
     'What the command is for: picks the parameter file that params_file is by default.'),
    ('loops', '',
     'YAML file with loops and gears of the robot (docs/loops.md); empty: it has none.'),
    ('flexible', '',
     'YAML file with flexible links of the robot (docs/flexible.md); empty: all are rigid.'),
    ('params_file', [FindPackageShare('mbdyn'), '/config/', LaunchConfiguration('mode'), '.yaml'],
     'Parameter file. If it is given, mode has no effect.'),
    ('autostart', 'true',
     'Configure and activate as soon as the robot is known; false: wait for lifecycle commands.'),
    ('use_sim_time', 'false',
     'Time from the topic /clock.'),
    ('view', 'false',
     'Serve a page with what the node says, for the browser on this machine.'),
    ('view_port', '8642',
     'Port of that page.'),
    ('log_level', 'info',
     'debug, info, warn, error or fatal.'),
]
MODES = [
    'gravity_compensation', 'inverse_dynamics', 'computed_torque', 'operational_space',
    'decoupled_damping', 'passive']


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(
            name, default_value=default, description=description,
            choices=MODES if name == 'mode' else None)
        for name, default, description in ARGUMENTS]

    node = LifecycleNode(
        package='mbdyn', executable='mbdyn_node', output='screen',
        name=LaunchConfiguration('name'), namespace=LaunchConfiguration('namespace'),
        parameters=[
            LaunchConfiguration('params_file'),
            {
                'robot_description_file': ParameterValue(
                    LaunchConfiguration('urdf'), value_type=str),
                'loops_file': ParameterValue(LaunchConfiguration('loops'), value_type=str),
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

    return LaunchDescription(arguments + [node, view])
