// The only C++ of the library. No decision about dynamics is made here: numbers are copied out of
// urdfdom's objects, and everything that can throw is inside one try.
#include "urdf_shim.h"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace
{

//---------- what urdfdom logs ----------

// Errors of the parsing thread are kept, what other threads log goes where it went before. The
// object is never freed: another handler may have remembered it as its predecessor.
class log_capture : public console_bridge::OutputHandler
{
 public:
  std::mutex mutex;  // held from begin() to end()

  void
  begin(char * message, size_t size, bool silent)
  {
    first = message;
    first_size = size;
    thread = std::this_thread::get_id();
    console_bridge::OutputHandler * now = console_bridge::getOutputHandler();
    if (now != this) before = now;
    level_before = console_bridge::getLogLevel();
    if (silent) console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_NONE);
    console_bridge::useOutputHandler(this);
  }

  void
  end(bool silent)
  {
    if (console_bridge::getOutputHandler() == this) console_bridge::useOutputHandler(before);
    if (silent) console_bridge::setLogLevel(level_before);
    thread = std::thread::id();
  }

  void
  log(
    const std::string & text, console_bridge::LogLevel level, const char * file, int line) override
  {
    if (std::this_thread::get_id() != thread) {
      if (before) before->log(text, level, file, line);
    } else if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && *first == 0) {
      std::snprintf(first, first_size, "%s", text.c_str());
    }
  }

 private:
  char * first = nullptr;
  size_t first_size = 0;
  std::thread::id thread;
  console_bridge::OutputHandler * before = nullptr;
  console_bridge::LogLevel level_before = console_bridge::CONSOLE_BRIDGE_LOG_WARN;
};

log_capture &
capture()
{
  static log_capture & only = *new log_capture;
  return only;
}

class captured_log
{
 public:
  // urdfdom uses strings of the file as printf formats: with a '%' in the text (or a character
  // reference, which may stand for one) nothing may be formatted
  captured_log(const std::string & text, char * message, size_t size)
      : lock(capture().mutex),
        silent(text.find('%') != std::string::npos || text.find("&#") != std::string::npos)
  {
    capture().begin(message, size, silent);
  }

  ~captured_log()
  {
    capture().end(silent);
  }

 private:
  std::lock_guard<std::mutex> lock;
  bool silent;
};

//---------- copying ----------

void
copy_pose(const urdf::Pose & pose, double xyz[3], double quat[4])
{
  xyz[0] = pose.position.x;
  xyz[1] = pose.position.y;
  xyz[2] = pose.position.z;
  pose.rotation.getQuaternion(quat[0], quat[1], quat[2], quat[3]);
}

urdf_joint_type_t
type_of(const urdf::Joint & joint)
{
  switch (joint.type) {
    case urdf::Joint::REVOLUTE: return URDF_REVOLUTE;
    case urdf::Joint::CONTINUOUS: return URDF_CONTINUOUS;
    case urdf::Joint::PRISMATIC: return URDF_PRISMATIC;
    case urdf::Joint::FIXED: return URDF_FIXED;
    case urdf::Joint::FLOATING: return URDF_FLOATING;
    case urdf::Joint::PLANAR: return URDF_PLANAR;
    default: return URDF_UNKNOWN;
  }
}

urdf_shim_link_t
copy_link(const urdf::Link & from)
{
  urdf_shim_link_t to = urdf_shim_link_t();
  to.name = from.name.c_str();
  to.quat[3] = 1;
  if (!from.inertial) return to;
  const urdf::Inertial & M = *from.inertial;
  to.has_inertial = true;
  copy_pose(M.origin, to.xyz, to.quat);
  to.mass = M.mass;
  const double I[6] = {M.ixx, M.ixy, M.ixz, M.iyy, M.iyz, M.izz};
  for (int k = 0; k < 6; k++) to.I[k] = I[k];
  return to;
}

urdf_shim_joint_t
copy_joint(const urdf::Joint & from)
{
  urdf_shim_joint_t to = urdf_shim_joint_t();
  to.name = from.name.c_str();
  to.type = type_of(from);
  to.parent = from.parent_link_name.c_str();
  to.child = from.child_link_name.c_str();
  copy_pose(from.parent_to_joint_origin_transform, to.xyz, to.quat);
  to.axis[0] = from.axis.x;
  to.axis[1] = from.axis.y;
  to.axis[2] = from.axis.z;
  to.has_limit = from.limits != nullptr;
  if (from.limits) {
    to.lower = from.limits->lower;
    to.upper = from.limits->upper;
    to.effort = from.limits->effort;
    to.velocity = from.limits->velocity;
  }
  if (from.dynamics) {
    to.damping = from.dynamics->damping;
    to.friction = from.dynamics->friction;
  }
  to.mimic = from.mimic ? from.mimic->joint_name.c_str() : nullptr;
  to.multiplier = from.mimic ? from.mimic->multiplier : 1;
  to.offset = from.mimic ? from.mimic->offset : 0;
  return to;
}

//---------- parsing ----------

// names point into the model
struct owner {
  urdf::ModelInterfaceSharedPtr model;
  std::vector<urdf_shim_link_t> link;
  std::vector<urdf_shim_joint_t> joint;

  // take links apart before they are freed: a long chain would be freed recursively
  ~owner()
  {
    if (!model) return;
    for (auto & l : model->links_) {
      l.second->child_links.clear();
      l.second->child_joints.clear();
    }
  }
};

std::unique_ptr<owner>
parse(const std::string & text, char * message, size_t message_size)
{
  std::unique_ptr<owner> robot(new owner);
  {
    const captured_log log(text, message, message_size);
    robot->model = urdf::parseURDF(text);
  }
  if (!robot->model) return nullptr;
  robot->link.reserve(robot->model->links_.size());
  robot->joint.reserve(robot->model->joints_.size());
  for (const auto & l : robot->model->links_) robot->link.push_back(copy_link(*l.second));
  for (const auto & j : robot->model->joints_) robot->joint.push_back(copy_joint(*j.second));
  return robot;
}

}  // namespace

urdf_shim_result_t
urdf_shim_parse(
  const char * text, size_t size, urdf_shim_robot_t * robot, char * message, size_t message_size)
{
  *robot = urdf_shim_robot_t();
  *message = 0;
  try {
    std::unique_ptr<owner> read = parse(std::string(text, size), message, message_size);
    if (!read) return URDF_SHIM_REFUSED;
    robot->nlink = static_cast<int>(read->link.size());
    robot->njoint = static_cast<int>(read->joint.size());
    robot->link = read->link.data();
    robot->joint = read->joint.data();
    robot->owner = read.release();
    return URDF_SHIM_OK;
  } catch (const std::bad_alloc &) {
    return URDF_SHIM_OUT_OF_MEMORY;
  } catch (const std::exception & e) {
    std::snprintf(message, message_size, "%s", e.what());
  } catch (...) {
    std::snprintf(message, message_size, "an unknown exception");
  }
  return URDF_SHIM_REFUSED;
}

void
urdf_shim_free(urdf_shim_robot_t * robot)
{
  delete static_cast<owner *>(robot->owner);
}
