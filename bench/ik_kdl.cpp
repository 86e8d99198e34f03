// KDL for bench_ik: ChainIkSolverPos_LMA and ChainIkSolverPos_NR_JL with their default options.
#include "ik_peer.h"

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>
#include <memory>
#include <vector>

namespace
{

KDL::Frame
frame_of(const mbd_placement_t & X)
{
  const double * R = X.R.m;
  return KDL::Frame(
    KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
    KDL::Vector(X.p.x, X.p.y, X.p.z));
}

}  // namespace

struct ik_peer {
  KDL::Chain chain;
  std::vector<int> number;
  std::unique_ptr<KDL::ChainFkSolverPos_recursive> forward;
  std::unique_ptr<KDL::ChainIkSolverVel_pinv> velocity;
  std::unique_ptr<KDL::ChainIkSolverPos_LMA> lma;
  std::unique_ptr<KDL::ChainIkSolverPos_NR_JL> nr_jl;
  KDL::JntArray seed, out;
};

ik_peer_t *
ik_peer_create(const mbd_model_t * model, int frame)
{
  std::vector<int> path;
  for (int i = model->frame[frame].body; i >= 0; i = model->body[i].parent) {
    path.insert(path.begin(), i);
  }
  auto peer = std::make_unique<ik_peer>();
  const auto n = static_cast<unsigned>(path.size());
  KDL::JntArray low(n), high(n);
  if (path.empty()) return nullptr;
  peer->chain.addSegment(
    KDL::Segment(KDL::Joint(KDL::Joint::None), frame_of(model->body[path[0]].X_tree)));
  for (unsigned k = 0; k < n; k++) {
    const mbd_body_t & body = model->body[path[k]];
    const bool slides = body.type == MBD_JOINT_PRISMATIC;
    if (!slides && body.type != MBD_JOINT_REVOLUTE && body.type != MBD_JOINT_CONTINUOUS)
      return nullptr;
    const bool last = k + 1 == n;
    const mbd_placement_t & next = last ? model->frame[frame].X : model->body[path[k + 1]].X_tree;
    const auto type = slides ? KDL::Joint::TransZ : KDL::Joint::RotZ;
    peer->chain.addSegment(KDL::Segment(KDL::Joint(type), frame_of(next)));
    peer->number.push_back(body.q_index);
    const bool free = body.type == MBD_JOINT_CONTINUOUS;
    low(k) = free ? -1e9 : body.limits.lower, high(k) = free ? 1e9 : body.limits.upper;
  }
  peer->forward = std::make_unique<KDL::ChainFkSolverPos_recursive>(peer->chain);
  peer->velocity = std::make_unique<KDL::ChainIkSolverVel_pinv>(peer->chain);
  peer->lma = std::make_unique<KDL::ChainIkSolverPos_LMA>(peer->chain);
  peer->nr_jl = std::make_unique<KDL::ChainIkSolverPos_NR_JL>(
    peer->chain, low, high, *peer->forward, *peer->velocity);
  peer->seed.resize(n), peer->out.resize(n);
  return peer.release();
}

void
ik_peer_destroy(ik_peer_t * peer)
{
  delete peer;
}

int
ik_peer_joints(const ik_peer_t * peer)
{
  return static_cast<int>(peer->number.size());
}

int
ik_peer_number(const ik_peer_t * peer, int k)
{
  return peer->number[static_cast<unsigned>(k)];
}

bool
ik_peer_solve(
  ik_peer_t * peer, ik_peer_method_t method, const mbd_placement_t * pose, const double * seed,
  double * q)
{
  const auto n = static_cast<unsigned>(peer->number.size());
  for (unsigned k = 0; k < n; k++) peer->seed(k) = seed[k];
  const KDL::Frame wanted = frame_of(*pose);
  const int status = method == IK_PEER_LMA ? peer->lma->CartToJnt(peer->seed, wanted, peer->out)
                                           : peer->nr_jl->CartToJnt(peer->seed, wanted, peer->out);
  for (unsigned k = 0; k < n; k++) q[k] = peer->out(k);
  return status >= 0;
}

void
ik_peer_pose(ik_peer_t * peer, const double * q, mbd_placement_t * pose)
{
  const auto n = static_cast<unsigned>(peer->number.size());
  for (unsigned k = 0; k < n; k++) peer->seed(k) = q[k];
  KDL::Frame X;
  (void)peer->forward->JntToCart(peer->seed, X);
  for (int i = 0; i < 9; i++) pose->R.m[i] = X.M.data[i];
  pose->p.x = X.p.x(), pose->p.y = X.p.y(), pose->p.z = X.p.z();
}
