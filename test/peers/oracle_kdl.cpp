// Orocos KDL 1.5 as an oracle. Where it differs, and what is done about it:
//
//  - it reads no URDF; the tree is built here from what urdfdom reads.
//  - no floating base.
//  - twists are linear first; Jacobians are at the segment's tip in base axes, as ours.
//  - for a tree there is inverse dynamics alone: the mass matrix is its columns at unit
//    accelerations, forward dynamics solves with it (LDL^T). For a serial chain ChainDynParam is
//    asked in its place.
//  - energies are not there: kinetic energy is 1/2 v^T M v, potential energy a sum over segments.
//  - Jdot v is that of the chain from the root to the frame (hybrid representation).
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <urdf_parser/urdf_parser.h>
#include <Eigen/Dense>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>

#include "oracle.h"

namespace
{

// the chain from the root to a link
struct Frame {
  std::string name;
  KDL::Chain chain;
  std::vector<int> v_index;  // of each of its joints in our order
};

struct Kdl {
  int nv;
  KDL::Tree tree;
  KDL::Vector gravity;
  std::vector<int> q_nr;         // KDL's number of each joint
  std::vector<Frame> frame;      // those that are asked for
  std::unique_ptr<Frame> whole;  // the whole robot, if it is one chain
};

//---------- loading ----------

KDL::Frame
to_kdl(const urdf::Pose & pose)
{
  const urdf::Rotation & r = pose.rotation;
  const urdf::Vector3 & p = pose.position;
  return KDL::Frame(KDL::Rotation::Quaternion(r.x, r.y, r.z, r.w), KDL::Vector(p.x, p.y, p.z));
}

KDL::Joint
to_kdl(const urdf::Joint & joint)
{
  const KDL::Frame X = to_kdl(joint.parent_to_joint_origin_transform);
  const KDL::Vector axis = X.M * KDL::Vector(joint.axis.x, joint.axis.y, joint.axis.z);
  switch (joint.type) {
    case urdf::Joint::FIXED: return KDL::Joint(joint.name, KDL::Joint::Fixed);
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS: return KDL::Joint(joint.name, X.p, axis, KDL::Joint::RotAxis);
    case urdf::Joint::PRISMATIC: return KDL::Joint(joint.name, X.p, axis, KDL::Joint::TransAxis);
    default: throw std::runtime_error("type of joint " + joint.name);
  }
}

// about the link's origin; urdfdom gives the moments in the axes of the inertial frame
KDL::RigidBodyInertia
to_kdl(const urdf::InertialSharedPtr & inertial)
{
  if (!inertial) return KDL::RigidBodyInertia::Zero();
  const urdf::Inertial & m = *inertial;
  const KDL::RotationalInertia moments(m.ixx, m.iyy, m.izz, m.ixy, m.ixz, m.iyz);
  return to_kdl(m.origin) * KDL::RigidBodyInertia(m.mass, KDL::Vector::Zero(), moments);
}

void
add_children(const urdf::Link & link, KDL::Tree & tree)
{
  for (const auto & child : link.child_links) {
    const urdf::Joint & joint = *child->parent_joint;
    const KDL::Frame X = to_kdl(joint.parent_to_joint_origin_transform);
    const KDL::Segment segment(child->name, to_kdl(joint), X, to_kdl(child->inertial));
    if (!tree.addSegment(segment, link.name)) throw std::runtime_error("link " + child->name);
    add_children(*child, tree);
  }
}

// KDL's number of a joint
int
number_of(const KDL::Tree & tree, const std::string & joint)
{
  for (const auto & entry : tree.getSegments()) {
    const KDL::Joint & j = GetTreeElementSegment(entry.second).getJoint();
    if (j.getName() == joint && j.getType() != KDL::Joint::Fixed)
      return static_cast<int>(GetTreeElementQNr(entry.second));
  }
  throw std::runtime_error("no joint " + joint);
}

Frame
make_frame(const oracle_robot_t * robot, const KDL::Tree & tree, const std::string & name)
{
  Frame frame{name, {}, {}};
  if (!tree.getChain(robot->root, name, frame.chain)) throw std::runtime_error("no link " + name);
  for (unsigned k = 0; k < frame.chain.getNrOfSegments(); k++) {
    const KDL::Joint & joint = frame.chain.getSegment(k).getJoint();
    if (joint.getType() == KDL::Joint::Fixed) continue;
    for (int i = 0; i < robot->njoint; i++)
      if (joint.getName() == robot->joint[i]) frame.v_index.push_back(i);
  }
  return frame;
}

// the only link without children, if there is but one
void
find_chain(Kdl & o, const oracle_robot_t * robot)
{
  std::string tip;
  int tips = 0;
  for (const auto & entry : o.tree.getSegments())
    if (GetTreeElementChildren(entry.second).empty()) tip = entry.first, tips++;
  if (tips == 1) o.whole = std::make_unique<Frame>(make_frame(robot, o.tree, tip));
}

std::unique_ptr<Kdl>
load(const oracle_robot_t * robot)
{
  if (robot->floating) throw std::runtime_error("a floating base");
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(robot->urdf);
  if (!model) throw std::runtime_error("urdfdom cannot read it");
  auto o = std::make_unique<Kdl>();
  o->nv = robot->njoint;
  o->gravity = KDL::Vector(robot->gravity[0], robot->gravity[1], robot->gravity[2]);
  o->tree = KDL::Tree(model->getRoot()->name);
  add_children(*model->getRoot(), o->tree);
  if (static_cast<int>(o->tree.getNrOfJoints()) != o->nv)
    throw std::runtime_error("number of joints");
  for (int i = 0; i < robot->njoint; i++) o->q_nr.push_back(number_of(o->tree, robot->joint[i]));
  for (int i = 0; i < robot->nframe; i++)
    o->frame.push_back(make_frame(robot, o->tree, robot->frame[i]));
  find_chain(*o, robot);
  return o;
}

void *
kdl_load(const oracle_robot_t * robot, char * why)
{
  try {
    return load(robot).release();
  } catch (const std::exception & error) {
    std::snprintf(why, ORACLE_WHY, "%s", error.what());
    return nullptr;
  }
}

//---------- what is asked ----------

KDL::JntArray
to_kdl(const Kdl & o, const double * x)
{
  KDL::JntArray out(static_cast<unsigned>(o.nv));
  for (int i = 0; x != nullptr && i < o.nv; i++) out(o.q_nr[i]) = x[i];
  return out;
}

void
from_kdl(const Kdl & o, const KDL::JntArray & x, double * out)
{
  for (int i = 0; i < o.nv; i++) out[i] = x(o.q_nr[i]);
}

// inverse dynamics of the tree; NULL stands for zeros
void
inverse_dynamics(
  const Kdl & o, KDL::TreeIdSolver_RNE & solver, const double * q, const double * v,
  const double * a, double * tau)
{
  KDL::JntArray torque(static_cast<unsigned>(o.nv));
  if (solver.CartToJnt(to_kdl(o, q), to_kdl(o, v), to_kdl(o, a), KDL::WrenchMap(), torque) < 0)
    throw std::runtime_error("inverse dynamics");
  from_kdl(o, torque, tau);
}

// columns of M: torques of unit accelerations without gravity
void
mass_matrix_of_tree(const Kdl & o, const double * q, double * M)
{
  KDL::TreeIdSolver_RNE solver(o.tree, KDL::Vector::Zero());
  std::vector<double> unit(o.nv), column(o.nv);
  for (int j = 0; j < o.nv; j++) {
    unit[j] = 1;
    inverse_dynamics(o, solver, q, nullptr, unit.data(), column.data());
    for (int i = 0; i < o.nv; i++) M[o.nv * i + j] = column[i];
    unit[j] = 0;
  }
}

// a chain's joints are numbered from its root
void
mass_matrix_of_chain(const Kdl & o, const double * q, double * M)
{
  KDL::ChainDynParam solver(o.whole->chain, o.gravity);
  KDL::JntSpaceInertiaMatrix H(static_cast<unsigned>(o.nv));
  KDL::JntArray positions(static_cast<unsigned>(o.nv));
  const std::vector<int> & order = o.whole->v_index;
  for (int k = 0; k < o.nv; k++) positions(k) = q[order[k]];
  if (solver.JntToMass(positions, H) < 0) throw std::runtime_error("mass matrix");
  for (int k = 0; k < o.nv; k++)
    for (int l = 0; l < o.nv; l++) M[o.nv * order[k] + order[l]] = H(k, l);
}

void
forward_dynamics(const Kdl & o, const oracle_state_t * s, oracle_results_t * r)
{
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> M(r->M, o.nv, o.nv);
  const Eigen::Map<const Eigen::VectorXd> tau(s->tau, o.nv), bias(r->bias, o.nv), v(s->v, o.nv);
  Eigen::Map<Eigen::VectorXd>(r->qdd, o.nv) = M.ldlt().solve(tau - bias);
  r->kinetic = 0.5 * v.dot(M * v);
}

double
potential_energy(const Kdl & o, const KDL::JntArray & q)
{
  KDL::TreeFkSolverPos_recursive solver(o.tree);
  double energy = 0;
  for (const auto & entry : o.tree.getSegments()) {
    const KDL::RigidBodyInertia & inertia = GetTreeElementSegment(entry.second).getInertia();
    KDL::Frame X;
    KDL::Chain chain;
    o.tree.getChain(o.tree.getRootSegment()->first, entry.first, chain);
    if (chain.getNrOfJoints() == 0) continue;
    solver.JntToCart(q, X, entry.first);
    energy -= inertia.getMass() * KDL::dot(o.gravity, X * inertia.getCOG());
  }
  return energy;
}

void
placement(const Kdl & o, const Frame & frame, const KDL::JntArray & q, double * out)
{
  KDL::TreeFkSolverPos_recursive solver(o.tree);
  KDL::Frame X;
  if (solver.JntToCart(q, X, frame.name) < 0) throw std::runtime_error("placement");
  for (int i = 0; i < 9; i++) out[i] = X.M.data[i];
  for (int i = 0; i < 3; i++) out[9 + i] = X.p.data[i];
}

void
jacobian(const Kdl & o, const Frame & frame, const KDL::JntArray & q, double * out)
{
  KDL::TreeJntToJacSolver solver(o.tree);
  KDL::Jacobian J(static_cast<unsigned>(o.nv));
  if (solver.JntToJac(q, J, frame.name) < 0) throw std::runtime_error("Jacobian");
  for (int row = 0; row < 6; row++)
    for (int i = 0; i < o.nv; i++) out[o.nv * row + i] = J.data((row + 3) % 6, o.q_nr[i]);
}

void
jacobian_bias(const Frame & frame, const oracle_state_t * s, double * out)
{
  KDL::ChainJntToJacDotSolver solver(frame.chain);
  const unsigned n = frame.chain.getNrOfJoints();
  KDL::JntArrayVel motion(n);
  for (unsigned k = 0; k < n; k++) {
    motion.q(k) = s->q[frame.v_index[k]];
    motion.qdot(k) = s->v[frame.v_index[k]];
  }
  KDL::Twist bias;
  if (solver.JntToJacDot(motion, bias) < 0) throw std::runtime_error("Jdot v");
  for (int i = 0; i < 3; i++) out[i] = bias.rot(i), out[3 + i] = bias.vel(i);
}

void
compute(const Kdl & o, const oracle_state_t * s, oracle_results_t * r)
{
  KDL::TreeIdSolver_RNE solver(o.tree, o.gravity);
  inverse_dynamics(o, solver, s->q, s->v, s->a, r->tau);
  inverse_dynamics(o, solver, s->q, s->v, nullptr, r->bias);
  inverse_dynamics(o, solver, s->q, nullptr, nullptr, r->gravity);
  if (o.whole) {
    mass_matrix_of_chain(o, s->q, r->M);
  } else {
    mass_matrix_of_tree(o, s->q, r->M);
  }
  forward_dynamics(o, s, r);
  const KDL::JntArray q = to_kdl(o, s->q);
  r->potential = potential_energy(o, q);
  for (std::size_t i = 0; i < o.frame.size(); i++) {
    placement(o, o.frame[i], q, r->placement + 12 * i);
    jacobian(o, o.frame[i], q, r->jacobian + 6 * static_cast<std::size_t>(o.nv) * i);
    jacobian_bias(o.frame[i], s, r->jacobian_bias + 6 * i);
  }
  r->has = (1u << ORACLE_QUANTITIES) - 1;
}

// a quantity that KDL cannot compute here makes the state count for nothing: the test sees has = 0
void
kdl_compute(void * loaded, const oracle_state_t * state, oracle_results_t * results)
{
  results->has = 0;
  try {
    compute(*static_cast<const Kdl *>(loaded), state, results);
  } catch (const std::exception & error) {
    std::fprintf(stderr, "KDL: %s\n", error.what());
  }
}

void
kdl_unload(void * loaded)
{
  delete static_cast<Kdl *>(loaded);
}

}  // namespace

const oracle_t oracle_kdl = {"KDL", 1e-9, false, kdl_load, kdl_compute, kdl_unload};
