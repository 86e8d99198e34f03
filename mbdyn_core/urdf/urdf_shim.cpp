// The only C++ of the library. Not a dynamics decision is made here: numbers are copied out of
// urdfdom's objects, and everything that can throw is inside one try.
#include "urdf_shim.h"

#include <urdf_parser/urdf_parser.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

namespace
{

void
copy_pose(const urdf::Pose & pose, double xyz[3], double quat[4])
{
  xyz[0] = pose.position.x;
  xyz[1] = pose.position.y;
  xyz[2] = pose.position.z;
  pose.rotation.getQuaternion(quat[0], quat[1], quat[2], quat[3]);
}

// the number in a name such as "l12"; -1 if there is none
int
index_of(const std::string & name, int count)
{
  const int index = name.size() > 1 ? std::atoi(name.c_str() + 1) : -1;
  if (index < 0 || index >= count) throw std::runtime_error("unexpected name " + name);
  return index;
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

void
copy_link(const urdf::Link & from, int njoint, urdf_shim_link_t & to)
{
  to = urdf_shim_link_t();
  to.quat[3] = 1;
  to.parent_joint = from.parent_joint ? index_of(from.parent_joint->name, njoint) : -1;
  to.nchild = static_cast<int>(from.child_links.size());
  if (!from.inertial) return;
  const urdf::Inertial & M = *from.inertial;
  to.has_inertial = true;
  copy_pose(M.origin, to.xyz, to.quat);
  to.mass = M.mass;
  const double I[6] = {M.ixx, M.ixy, M.ixz, M.iyy, M.iyz, M.izz};
  for (int k = 0; k < 6; k++) to.I[k] = I[k];
}

void
copy_joint(const urdf::Joint & from, int nlink, int njoint, urdf_shim_joint_t & to)
{
  to = urdf_shim_joint_t();
  to.type = type_of(from);
  to.parent = index_of(from.parent_link_name, nlink);
  to.child = index_of(from.child_link_name, nlink);
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
  to.mimic = from.mimic ? index_of(from.mimic->joint_name, njoint) : -1;
  to.multiplier = from.mimic ? from.mimic->multiplier : 1;
  to.offset = from.mimic ? from.mimic->offset : 0;
}

// take links apart before they are freed: a long chain would be freed recursively
struct taken_apart {
  urdf::ModelInterfaceSharedPtr model;

  ~taken_apart()
  {
    if (!model) return;
    for (auto & link : model->links_) {
      link.second->child_links.clear();
      link.second->child_joints.clear();
    }
  }
};

void
parse(
  const std::string & text, int nlink, urdf_shim_link_t * link, int njoint,
  urdf_shim_joint_t * joint)
{
  taken_apart robot{urdf::parseURDF(text)};
  if (!robot.model) throw std::runtime_error("it does not accept the text");
  const bool complete = robot.model->links_.size() == static_cast<std::size_t>(nlink) &&
                        robot.model->joints_.size() == static_cast<std::size_t>(njoint);
  if (!complete) throw std::runtime_error("links or joints are missing");
  for (const auto & l : robot.model->links_) {
    copy_link(*l.second, njoint, link[index_of(l.first, nlink)]);
  }
  for (const auto & j : robot.model->joints_) {
    copy_joint(*j.second, nlink, njoint, joint[index_of(j.first, njoint)]);
  }
}

}  // namespace

urdf_shim_result_t
urdf_shim_parse(
  const char * text, size_t size, int nlink, urdf_shim_link_t * link, int njoint,
  urdf_shim_joint_t * joint, char * message, size_t message_size)
{
  try {
    parse(std::string(text, size), nlink, link, njoint, joint);
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
