// Orocos KDL 1.5 as a plug-in. Where it differs from our conventions:
//
//  - it reads no URDF; the tree is built from the links as numbers.
//  - no floating base.
//  - twists are linear first; Jacobians are at the segment's tip in base axes, as ours.
//  - most solvers take a serial chain; for a tree there is inverse dynamics alone, and what has to
//    do with one frame, on the chain that leads to it.
//  - forward dynamics by the mass matrix (its Newton-Euler solver) or by Vereshchagin's O(N)
//    algorithm without constraints.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <kdl/config.h>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

#include "bench_plugin.h"

namespace
{

using States = std::vector<KDL::JntArray>;

// what needs the whole robot to be one chain; its joints are in our order then
struct WholeChain {
  KDL::ChainFkSolverPos_recursive position;
  KDL::ChainIdSolver_RNE inverse;
  KDL::ChainDynParam parameters;
  std::unique_ptr<KDL::ChainFdSolver_RNE> forward;  // has a matrix in it
  KDL::ChainHdSolver_Vereshchagin vereshchagin;
  std::vector<KDL::Frame> pose;
  KDL::Wrenches no_wrenches;
  KDL::JntSpaceInertiaMatrix mass;
  KDL::Jacobian alpha;
  KDL::JntArray beta, constraint;
  States q, v, a, tau;

  WholeChain(const KDL::Chain & chain, const KDL::Vector & g, bool dense)
      : position(chain),
        inverse(chain, g),
        parameters(chain, g),
        forward(dense ? std::make_unique<KDL::ChainFdSolver_RNE>(chain, g) : nullptr),
        vereshchagin(chain, KDL::Twist(-g, KDL::Vector::Zero()), 1),
        pose(chain.getNrOfSegments()),
        no_wrenches(chain.getNrOfSegments(), KDL::Wrench::Zero()),
        mass(dense ? static_cast<int>(chain.getNrOfJoints()) : 0),
        alpha(1),
        beta(1),
        constraint(chain.getNrOfJoints())
  {
    KDL::SetToZero(alpha);
  }
};

struct Kdl {
  const bench_robot_t * robot;
  KDL::Tree tree;
  std::vector<int> q_nr;  // KDL's number of each joint
  std::unique_ptr<KDL::TreeIdSolver_RNE> tree_inverse;
  KDL::WrenchMap no_wrenches;
  States q, v, a;
  KDL::JntArray zero, vector;

  // the chain from the root to frame 0
  KDL::Chain chain;
  std::vector<int> v_index;  // of its joints in our order
  std::unique_ptr<KDL::ChainJntToJacSolver> jacobian;
  std::unique_ptr<KDL::ChainJntToJacDotSolver> jacobian_dot;
  KDL::Jacobian J;
  KDL::Twist bias;
  std::vector<KDL::JntArray> chain_q;
  std::vector<KDL::JntArrayVel> chain_qv;

  std::unique_ptr<WholeChain> whole;
  int status = 0;  // of the last call; negative is an error
};

//---------- loading ----------

KDL::Frame
place_of(const bench_link_t & link)
{
  const double *R = link.R, *p = link.p;
  return KDL::Frame(
    KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
    KDL::Vector(p[0], p[1], p[2]));
}

KDL::Segment
segment_of(const bench_link_t & link)
{
  const KDL::Frame X = place_of(link);
  const KDL::Vector axis = X.M * KDL::Vector(link.axis[0], link.axis[1], link.axis[2]);
  const auto type = link.prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
  const double * I = link.inertia;
  const KDL::RotationalInertia moments(I[0], I[3], I[5], I[1], I[2], I[4]);
  const KDL::Vector com(link.com[0], link.com[1], link.com[2]);
  const KDL::RigidBodyInertia inertia(link.mass, com, moments);
  return KDL::Segment(link.name, KDL::Joint(link.joint, X.p, axis, type), X, inertia);
}

void
build_tree(Kdl & o)
{
  const bench_robot_t & robot = *o.robot;
  o.tree = KDL::Tree(robot.link[0].name);
  for (int i = 1; i < robot.nlink; i++) {
    const char * parent = robot.link[robot.link[i].parent].name;
    if (!o.tree.addSegment(segment_of(robot.link[i]), parent))
      throw std::runtime_error(std::string("link ") + robot.link[i].name);
    o.q_nr.push_back(
      static_cast<int>(GetTreeElementQNr(o.tree.getSegment(robot.link[i].name)->second)));
  }
}

// one set of states in KDL's order: number order[k] of ours becomes number k
States
reordered(const double * x, int n, int nstate, const std::vector<int> & order)
{
  States out(static_cast<std::size_t>(nstate), KDL::JntArray(static_cast<unsigned>(order.size())));
  for (int s = 0; s < nstate; s++)
    for (std::size_t k = 0; k < order.size(); k++)
      out[static_cast<std::size_t>(s)](static_cast<unsigned>(k)) = x[s * n + order[k]];
  return out;
}

std::vector<int>
inverse_of(const std::vector<int> & order)
{
  std::vector<int> out(order.size());
  for (std::size_t i = 0; i < order.size(); i++)
    out[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return out;
}

void
load_frame(Kdl & o)
{
  const bench_robot_t & robot = *o.robot;
  if (!o.tree.getChain(robot.link[0].name, robot.frame[0], o.chain))
    throw std::runtime_error(std::string("no link ") + robot.frame[0]);
  int joint = 0;
  for (unsigned k = 0; k < o.chain.getNrOfSegments(); k++) {
    // joints of a chain come in the order of the list
    while (o.chain.getSegment(k).getJoint().getName() != robot.joint[joint]) joint++;
    o.v_index.push_back(joint);
  }
  const unsigned n = o.chain.getNrOfJoints();
  o.jacobian = std::make_unique<KDL::ChainJntToJacSolver>(o.chain);
  o.jacobian_dot = std::make_unique<KDL::ChainJntToJacDotSolver>(o.chain);
  o.J.resize(n);
  o.chain_q = reordered(robot.q, robot.nq, robot.nstate, o.v_index);
  const States v = reordered(robot.v, robot.nv, robot.nstate, o.v_index);
  for (std::size_t s = 0; s < v.size(); s++) o.chain_qv.emplace_back(o.chain_q[s], v[s]);
}

void
load_whole(Kdl & o)
{
  const bench_robot_t & robot = *o.robot;
  if (static_cast<int>(o.chain.getNrOfJoints()) != robot.nv) return;
  const KDL::Vector g(robot.gravity[0], robot.gravity[1], robot.gravity[2]);
  o.whole = std::make_unique<WholeChain>(o.chain, g, robot.dense);
  o.whole->q = reordered(robot.q, robot.nq, robot.nstate, o.v_index);
  o.whole->v = reordered(robot.v, robot.nv, robot.nstate, o.v_index);
  o.whole->a = reordered(robot.a, robot.nv, robot.nstate, o.v_index);
  o.whole->tau = reordered(robot.tau, robot.nv, robot.nstate, o.v_index);
}

Kdl *
load_robot(const bench_robot_t * robot)
{
  if (robot->floating) throw std::runtime_error("it has no floating base");
  auto o = std::make_unique<Kdl>();
  o->robot = robot;
  build_tree(*o);
  const KDL::Vector g(robot->gravity[0], robot->gravity[1], robot->gravity[2]);
  o->tree_inverse = std::make_unique<KDL::TreeIdSolver_RNE>(o->tree, g);
  const std::vector<int> order = inverse_of(o->q_nr);
  o->q = reordered(robot->q, robot->nq, robot->nstate, order);
  o->v = reordered(robot->v, robot->nv, robot->nstate, order);
  o->a = reordered(robot->a, robot->nv, robot->nstate, order);
  o->zero.resize(static_cast<unsigned>(robot->nv));
  o->vector.resize(static_cast<unsigned>(robot->nv));
  load_frame(*o);
  load_whole(*o);
  return o.release();
}

void *
load(const bench_robot_t * robot, char * why)
{
  try {
    return load_robot(robot);
  } catch (const std::exception & error) {
    std::snprintf(why, BENCH_WHY, "%s", error.what());
    return nullptr;
  }
}

void
unload(void * loaded)
{
  delete static_cast<Kdl *>(loaded);
}

//---------- calls ----------

Kdl &
kdl(void * loaded)
{
  return *static_cast<Kdl *>(loaded);
}

void
forward_kinematics(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.whole->position.JntToCart(o.whole->q[s], o.whole->pose);
}

void
inverse_dynamics(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  WholeChain & w = *o.whole;
  o.status = w.inverse.CartToJnt(w.q[s], w.v[s], w.a[s], w.no_wrenches, o.vector);
}

void
gravity(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.whole->parameters.JntToGravity(o.whole->q[s], o.vector);
}

void
bias(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  WholeChain & w = *o.whole;
  o.status = w.inverse.CartToJnt(w.q[s], w.v[s], o.zero, w.no_wrenches, o.vector);
}

void
tree_inverse_dynamics(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.tree_inverse->CartToJnt(o.q[s], o.v[s], o.a[s], o.no_wrenches, o.vector);
}

void
tree_gravity(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.tree_inverse->CartToJnt(o.q[s], o.zero, o.zero, o.no_wrenches, o.vector);
}

void
tree_bias(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.tree_inverse->CartToJnt(o.q[s], o.v[s], o.zero, o.no_wrenches, o.vector);
}

void
mass_matrix(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.whole->parameters.JntToMass(o.whole->q[s], o.whole->mass);
}

void
forward_dynamics(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  WholeChain & w = *o.whole;
  o.status = w.forward->CartToJnt(w.q[s], w.v[s], w.tau[s], w.no_wrenches, o.vector);
}

void
forward_dynamics_on(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  WholeChain & w = *o.whole;
  o.status = w.vereshchagin.CartToJnt(
    w.q[s], w.v[s], o.vector, w.alpha, w.beta, w.no_wrenches, w.tau[s], w.constraint);
}

void
jacobian(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.jacobian->JntToJac(o.chain_q[s], o.J);
}

void
jacobian_bias(void * loaded, int s)
{
  Kdl & o = kdl(loaded);
  o.status = o.jacobian_dot->JntToJacDot(o.chain_qv[s], o.bias);
}

const bench_variant_t variants[] = {
  {BENCH_JACOBIAN, nullptr, jacobian},
  {BENCH_JACOBIAN_BIAS, nullptr, jacobian_bias},
  {BENCH_INVERSE_DYNAMICS, "tree", tree_inverse_dynamics},
  {BENCH_GRAVITY, "tree", tree_gravity},
  {BENCH_BIAS, "tree", tree_bias},
  {BENCH_FORWARD_KINEMATICS, "chain", forward_kinematics},
  {BENCH_INVERSE_DYNAMICS, "chain", inverse_dynamics},
  {BENCH_GRAVITY, "chain", gravity},
  {BENCH_BIAS, "chain", bias},
  {BENCH_MASS_MATRIX, "chain", mass_matrix},
  {BENCH_FORWARD_DYNAMICS, "by M", forward_dynamics},
  {BENCH_FORWARD_DYNAMICS, "Vereshchagin", forward_dynamics_on},
  {BENCH_FUNCTIONS, nullptr, nullptr},
};

enum { first_of_tree = 2, first_of_chain = 5, forward_by_M = 10 };

// variants with a chain solver need a chain and give the pose of its tip only; tree variants are called recursively
// for each body, which is too deep for the stack on long chains
bool
able(void * loaded, int variant)
{
  const Kdl & o = kdl(loaded);
  if (variant < first_of_tree) return true;
  if (variant < first_of_chain) return !o.whole;
  if (!o.whole || (variant == forward_by_M && !o.whole->forward)) return false;
  return variants[variant].function != BENCH_FORWARD_KINEMATICS || o.robot->nframe == 1;
}

//---------- results ----------

void
frame_zero(const Kdl & o, double * out)
{
  const KDL::Frame & X = o.whole->pose.back();
  for (int i = 0; i < 9; i++) out[i] = X.M.data[i];
  for (int i = 0; i < 3; i++) out[9 + i] = X.p.data[i];
}

void
jacobian_back(const Kdl & o, double * out)
{
  const int nv = o.robot->nv;
  for (int i = 0; i < 6 * nv; i++) out[i] = 0;
  for (int row = 0; row < 6; row++)
    for (std::size_t k = 0; k < o.v_index.size(); k++)
      out[nv * row + o.v_index[k]] = o.J.data((row + 3) % 6, static_cast<int>(k));
}

// chains come out in the order of v_index, trees in that of q_nr
bool
result(void * loaded, int variant, int, double * out)
{
  const Kdl & o = kdl(loaded);
  const int nv = o.robot->nv;
  if (o.status < 0) return false;
  switch (variants[variant].function) {
    case BENCH_FORWARD_KINEMATICS: frame_zero(o, out); break;
    case BENCH_MASS_MATRIX:
      for (int i = 0; i < nv; i++)
        for (int j = 0; j < nv; j++)
          out[nv * o.v_index[i] + o.v_index[j]] = o.whole->mass.data(i, j);
      break;
    case BENCH_JACOBIAN: jacobian_back(o, out); break;
    case BENCH_JACOBIAN_BIAS:
      for (int i = 0; i < 3; i++) out[i] = o.bias.rot(i), out[3 + i] = o.bias.vel(i);
      break;
    default:
      for (int i = 0; i < nv; i++) {
        if (variant < first_of_chain) out[i] = o.vector.data(o.q_nr[i]);
        if (variant >= first_of_chain) out[o.v_index[i]] = o.vector.data(i);
      }
  }
  return true;
}

const bench_plugin_t plugin = {
  BENCH_PLUGIN_VERSION, "KDL", KDL_VERSION_STRING, 0, variants, load, able, result, unload};

}  // namespace

const bench_plugin_t *
bench_plugin_get(void)
{
  return &plugin;
}
