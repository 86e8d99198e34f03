// Forward dynamics with loops by RBDL 3, with its three methods. A pin is two rows. The base has its linear
// velocity in world axes (plugin_rbdl.cpp).
#include <exception>
#include <memory>
#include <vector>

#include <rbdl/rbdl.h>

#include "loops_peer.h"
#include "mbdyn/spatial.h"

namespace
{

namespace rbd = RigidBodyDynamics;
using rbd::Math::Matrix3d;
using rbd::Math::SpatialTransform;
using rbd::Math::SpatialVector;
using rbd::Math::Vector3d;
using rbd::Math::VectorNd;

struct Loops {
  rbd::Model model;
  rbd::ConstraintSet pins;
  std::vector<unsigned> body;
  std::vector<Matrix3d> base;  // orientation of a free base
  std::vector<VectorNd> q, v, tau;
  std::vector<Vector3d> turning;  // w x v of the base
  VectorNd a;
  bool floating;
};

Matrix3d
rotation_of(const mbd_placement_t & X)
{
  Matrix3d R;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) R(i, k) = X.R.m[3 * i + k];
  return R;
}

Vector3d
vector_of(const mbd_vec3_t & x)
{
  return Vector3d(x.x, x.y, x.z);
}

rbd::Body
body_of(const mbd_inertia_t & M)
{
  const mbd_sym3_t I = mbdu_inertia_about_com(&M);
  Matrix3d moments;
  moments << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return rbd::Body(M.mass, vector_of(M.h) / M.mass, moments);
}

void
build(const mbd_model_t & tree, Loops & o)
{
  const auto id = [&o](int body) { return body < 0 ? 0 : o.body[static_cast<std::size_t>(body)]; };
  o.model.gravity = vector_of(tree.gravity);
  for (int i = 0; i < tree.nbody; i++) {
    const mbd_body_t & body = tree.body[i];
    const rbd::Joint joint = body.type == MBD_JOINT_FREE
                               ? rbd::Joint(rbd::JointTypeFloatingBase)
                               : rbd::Joint(SpatialVector(0, 0, 1, 0, 0, 0));
    const SpatialTransform X(rotation_of(body.X_tree).transpose(), vector_of(body.X_tree.p));
    o.body.push_back(o.model.AddBody(id(body.parent), X, joint, body_of(body.inertia), body.name));
  }
  for (int k = 0; k < tree.nclosure; k++) {
    const mbd_closure_t & c = tree.closure[k];
    const SpatialTransform A(rotation_of(c.X_a), vector_of(c.X_a.p));
    const SpatialTransform B(rotation_of(c.X_b), vector_of(c.X_b.p));
    o.pins.AddLoopConstraint(id(c.body_a), id(c.body_b), A, B, SpatialVector(0, 0, 0, 1, 0, 0));
    o.pins.AddLoopConstraint(id(c.body_a), id(c.body_b), A, B, SpatialVector(0, 0, 0, 0, 1, 0));
  }
  o.pins.Bind(o.model);
}

void
add_state(const loops_case_t & robot, int s, Loops & o)
{
  const int nq = robot.tree->nq, nv = robot.tree->nv;
  VectorNd q = Eigen::Map<const Eigen::VectorXd>(robot.q + s * nq, nq);
  VectorNd v = Eigen::Map<const Eigen::VectorXd>(robot.v + s * nv, nv);
  VectorNd tau = Eigen::Map<const Eigen::VectorXd>(robot.tau + s * nv, nv);
  Matrix3d R = Matrix3d::Identity();
  Vector3d turning = Vector3d::Zero();
  if (o.floating) {
    const double w = q[6];
    R = Eigen::Quaterniond(w, q[3], q[4], q[5]).toRotationMatrix();
    q.segment(6, nq - 7) = q.tail(nq - 7).eval();
    q[nq - 1] = w;
    const Eigen::Vector3d spin = v.segment<3>(3), speed = v.head<3>();
    turning = spin.cross(speed);
    v.head<3>() = R * speed;
    tau.head<3>() = R * tau.head<3>().eval();
  }
  o.q.push_back(q), o.v.push_back(v), o.tau.push_back(tau);
  o.base.push_back(R), o.turning.push_back(turning);
}

void *
load(const loops_case_t * robot)
{
  try {
    auto o = std::make_unique<Loops>();
    build(*robot->tree, *o);
    o->floating = robot->tree->body[0].type == MBD_JOINT_FREE;
    o->a = VectorNd::Zero(robot->tree->nv);
    for (int s = 0; s < robot->nstate; s++) add_state(*robot, s, *o);
    return o.release();
  } catch (const std::exception &) {
    return nullptr;
  }
}

#define RUN(name, method)                                   \
  bool name(void * loaded, int state)                       \
  {                                                         \
    auto & o = *static_cast<Loops *>(loaded);               \
    const auto s = static_cast<std::size_t>(state);         \
    method(o.model, o.q[s], o.v[s], o.tau[s], o.pins, o.a); \
    return true;                                            \
  }

RUN(direct, rbd::ForwardDynamicsConstraintsDirect)
RUN(range_space, rbd::ForwardDynamicsConstraintsRangeSpaceSparse)
RUN(null_space, rbd::ForwardDynamicsConstraintsNullSpace)

void
result(void * loaded, int state, double * a)
{
  const auto & o = *static_cast<Loops *>(loaded);
  const auto s = static_cast<std::size_t>(state);
  Eigen::Map<Eigen::VectorXd> out(a, o.a.size());
  out = o.a;
  if (o.floating) out.head<3>() = o.base[s].transpose() * o.a.head<3>() - o.turning[s];
}

void
unload(void * loaded)
{
  delete static_cast<Loops *>(loaded);
}

}  // namespace

const loops_peer_t loops_rbdl[] = {
  {"RBDL, direct", load, direct, result, unload},
  {"RBDL, range space", load, range_space, result, unload},
  {"RBDL, null space", load, null_space, result, unload},
  {nullptr, nullptr, nullptr, nullptr, nullptr},
};
