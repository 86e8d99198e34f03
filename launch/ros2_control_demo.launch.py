"""
A robot that obeys torques in the controller manager, and mbdyn's controller: a floating arm.

  ros2 launch mbdyn ros2_control_demo.launch.py
  ros2 launch mbdyn ros2_control_demo.launch.py mode:=joint_impedance
  ros2 launch mbdyn ros2_control_demo.launch.py urdf:=robot.urdf hardware:=my_driver/Arm

Needs the package mbdyn_ros2_control, controller_manager and joint_state_broadcaster.
"""

import json
import tempfile
import xml.etree.ElementTree as ET

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

SHARE = FindPackageShare('mbdyn')

# name, default, description
ARGUMENTS = [
    ('urdf', [SHARE, '/config/robots/arm7.urdf'],
     'URDF file of the robot. Without <ros2_control>, one is added for all of its joints.'),
    ('hardware', 'mbdyn_hardware/RobotSystem',
     'Hardware plug-in of the <ros2_control> that is added.'),
    ('mode', 'gravity_compensation',
     'Control mode: gravity_compensation, joint_impedance, cartesian_impedance, computed_torque, ...'),
    ('params_file', [SHARE, '/config/ros2_control_demo.yaml'],
     'Parameters of controller_manager and dynamics_controller.'),
    ('controllers', 'joint_state_broadcaster dynamics_controller',
     'Controllers to start, in this order.'),
    ('robot_state_publisher', 'true',
     'Start robot_state_publisher, which newer controller managers take the description from.'),
]


def with_ros2_control(text, plugin):
    """Return the URDF with an effort interface of each joint."""
    robot = ET.fromstring(text)
    if robot.find('ros2_control') is not None:
        return text
    control = ET.SubElement(robot, 'ros2_control', name='robot', type='system')
    ET.SubElement(ET.SubElement(control, 'hardware'), 'plugin').text = plugin
    for joint in robot.findall('joint'):
        if joint.get('type') not in ('revolute', 'continuous', 'prismatic'):
            continue
        entry = ET.SubElement(control, 'joint', name=joint.get('name'))
        if joint.find('mimic') is None:
            ET.SubElement(entry, 'command_interface', name='effort')
        for state in ('position', 'velocity', 'effort'):
            ET.SubElement(entry, 'state_interface', name=state)
    return ET.tostring(robot, encoding='unicode')


def parameter_file(node, parameters):
    """Write a parameter file: what a controller has, its own node reads."""
    with tempfile.NamedTemporaryFile(
            'w', prefix='mbdyn_', suffix='.yaml', delete=False, encoding='utf-8') as file:
        json.dump({node: {'ros__parameters': parameters}}, file)
    return file.name


def start(context):
    def value(name):
        return LaunchConfiguration(name).perform(context)

    with open(value('urdf'), encoding='utf-8') as file:
        description = with_ros2_control(file.read(), value('hardware'))
    files = [value('params_file'), parameter_file('dynamics_controller', {'mode': value('mode')})]
    nodes = [
        Node(package='controller_manager', executable='ros2_control_node', output='screen',
             parameters=[{'robot_description': description}, *files]),
        Node(package='controller_manager', executable='spawner', output='screen',
             arguments=[*value('controllers').split(),
                        *(word for file in files for word in ('--param-file', file))]),
    ]
    if value('robot_state_publisher') == 'true':
        nodes.append(Node(package='robot_state_publisher', executable='robot_state_publisher',
                          parameters=[{'robot_description': description}]))
    return nodes


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])
