// Loops, gears, mimic joints and rolling against Simbody, which keeps them by exact multipliers: random trees of
// hinges and sliders with ball closures, rods and couplings, or spheres that roll on planes and on spheres,
// the same numbers built twice.
//
//  - Simbody's Pin turns about z of its frames, its Slider moves along x: axes are given like that.
//  - Simbody's coupler takes any function of coordinates; ours here is linear.
//  - both solve the same equations, so that what differs is rounding: 1e-9 of the largest
//    acceleration, as multipliers of stiff loops lose digits in either.
#include <SimTKsimbody.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

// after all C++: cmocka makes a macro of fail
extern "C" {
#include "close.h"
#include "random_tree.h"
#include "tally.h"
}

#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/spatial.h"

namespace
{

struct Link {
  int parent;  // link, or -1
  bool slides;
  mbd_placement_t place;
  double mass;
  mbd_vec3_t com;
  mbd_sym3_t inertia;  // about it
  double q, v, tau;
  int mimic;  // link whose joint it follows, or -1
  double multiplier, offset;
};

struct Closure {
  enum Kind { BALL, ROD, COUPLING, ON_PLANE, ON_SPHERE } kind;
  int a, b;  // links
  mbd_vec3_t p_a, p_b;
  mbd_mat3_t plane;  // in a
  double length, radius_a, radius_b;
  std::vector<int> joints;
  std::vector<double> coefficient;
  double offset;
};

struct Robot {
  std::vector<Link> link;
  std::vector<Closure> closure;
  mbd_vec3_t gravity;
};

//---------- random robots ----------

Link
random_link(uint64_t * state, int number)
{
  Link l{};
  l.parent = number == 0 ? -1 : random_below(state, number + 1) - 1;
  l.slides = random_below(state, 4) == 0;
  l.place = random_placement(state);
  l.mass = random_between(state, 0.5, 2);
  l.com = random_vec3(state, 0.3);
  l.inertia = mbd_sym3_t{random_between(state, 0.2, 0.3), 0.01, -0.02,
                         random_between(state, 0.2, 0.3), 0.03, random_between(state, 0.2, 0.3)};
  l.q = random_signed(state);
  l.v = random_signed(state);
  l.tau = random_signed(state);
  l.mimic = -1;
  return l;
}

mbd_placement_t
placement_of(const Robot & robot, int link)
{
  if (link < 0) return mbdu_placement_identity();
  const Link & l = robot.link[static_cast<size_t>(link)];
  mbd_placement_t joint = mbdu_placement_identity();
  if (l.slides) {
    joint.p.x = l.q;
  } else {
    const double c = std::cos(l.q), s = std::sin(l.q);
    joint.R = mbd_mat3_t{{c, -s, 0, s, c, 0, 0, 0, 1}};
  }
  const mbd_placement_t below = placement_of(robot, l.parent);
  const mbd_placement_t at = mbdu_placement_mul(&below, &l.place);
  return mbdu_placement_mul(&at, &joint);
}

mbd_vec3_t
in_link(const Robot & robot, int link, mbd_vec3_t p)
{
  const mbd_placement_t X = placement_of(robot, link);
  return mbdu_mat3_tvec(&X.R, mbdu_vec3_sub(p, X.p));
}

// a ball or a rod between two links that holds where they are
Closure
random_loop(const Robot & robot, uint64_t * state)
{
  Closure c{};
  const int n = static_cast<int>(robot.link.size());
  c.kind = random_below(state, 2) ? Closure::BALL : Closure::ROD;
  c.b = random_below(state, n);
  do {
    c.a = random_below(state, n + 1) - 1;
  } while (c.a == c.b);
  const mbd_vec3_t p = random_vec3(state, 1);
  mbd_vec3_t other = p;
  if (c.kind == Closure::ROD) other = mbdu_vec3_add(p, random_vec3(state, 1));
  c.length = mbdu_vec3_norm(mbdu_vec3_sub(p, other));
  c.p_a = in_link(robot, c.a, p);
  c.p_b = in_link(robot, c.b, other);
  return c;
}

// a sphere of b that touches a plane or a sphere of a where they are
Closure
random_contact(const Robot & robot, uint64_t * state)
{
  Closure c = random_loop(robot, state);
  c.kind = random_below(state, 2) ? Closure::ON_PLANE : Closure::ON_SPHERE;
  const mbd_vec3_t centre = random_vec3(state, 1);
  const mbd_mat3_t R = random_rotation(state);
  const mbd_vec3_t normal = mbdu_vec3(R.m[2], R.m[5], R.m[8]);
  c.radius_a = random_between(state, 0.2, 1), c.radius_b = random_between(state, 0.2, 1);
  const double apart = c.kind == Closure::ON_PLANE ? c.radius_b : c.radius_a + c.radius_b;
  mbd_vec3_t on_a = mbdu_vec3_sub(centre, mbdu_vec3_scale(apart, normal));
  // anywhere on the plane
  if (c.kind == Closure::ON_PLANE) {
    on_a = mbdu_vec3_add(on_a, mbdu_mat3_vec(&R, mbdu_vec3(random_signed(state), 0.3, 0)));
  }
  const mbd_placement_t X = placement_of(robot, c.a);
  c.plane = mbdu_mat3_tmul(&X.R, &R);
  c.p_a = in_link(robot, c.a, on_a);
  c.p_b = in_link(robot, c.b, centre);
  return c;
}

Closure
random_coupling(const Robot & robot, uint64_t * state)
{
  Closure c{};
  c.kind = Closure::COUPLING;
  const int n = static_cast<int>(robot.link.size()), first = random_below(state, n);
  for (int k = 0; k < 2 + random_below(state, 2) && k < n; k++) {
    const int joint = (first + k) % n;
    c.joints.push_back(joint);
    c.coefficient.push_back(random_between(state, 0.5, 2) * (random_below(state, 2) ? 1 : -1));
    c.offset -= c.coefficient.back() * robot.link[static_cast<size_t>(joint)].q;
  }
  return c;
}

enum Kind { LOOPS, MIMICS, ROLLING };

Robot
random_robot(uint64_t seed, Kind kind)
{
  uint64_t state = seed;
  Robot robot;
  robot.gravity = random_vec3(&state, 9);
  const int n = 4 + random_below(&state, 6);
  for (int k = 0; k < n; k++) robot.link.push_back(random_link(&state, k));
  if (kind == ROLLING) {
    robot.closure.push_back(random_contact(robot, &state));
    return robot;
  }
  if (kind == MIMICS) {
    // later joints follow earlier ones that follow none
    for (size_t k = 1; k < robot.link.size(); k += 2) {
      Link & l = robot.link[k];
      l.mimic = static_cast<int>(k) - 1;
      l.multiplier = random_signed(&state) * 2, l.offset = random_signed(&state);
      l.q = l.multiplier * robot.link[k - 1].q + l.offset;
    }
    return robot;
  }
  robot.closure.push_back(random_loop(robot, &state));
  if (random_below(&state, 2)) robot.closure.push_back(random_coupling(robot, &state));
  return robot;
}

//---------- ours ----------

mbd_model_t *
build(const Robot & robot)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("robot", &model));
  assert_ok(mbd_model_set_gravity(model, robot.gravity));
  std::vector<int> frame;
  for (size_t k = 0; k < robot.link.size(); k++) {
    const Link & l = robot.link[k];
    mbd_body_spec_t spec = mbd_body_spec_default();
    const std::string name = "link" + std::to_string(k), joint = "joint" + std::to_string(k);
    const std::string followed = "joint" + std::to_string(l.mimic);
    spec.name = name.c_str(), spec.joint_name = joint.c_str();
    spec.parent = l.parent < 0 ? MBD_WORLD_BODY : frame[static_cast<size_t>(l.parent)];
    spec.type = l.slides ? MBD_JOINT_PRISMATIC : MBD_JOINT_CONTINUOUS;
    spec.axis = l.slides ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 0, 1);
    spec.placement = l.place;
    spec.inertia = mbdu_inertia_from_com(l.mass, l.com, l.inertia);
    if (l.mimic >= 0) {
      spec.mimic.joint = followed.c_str();
      spec.mimic.multiplier = l.multiplier, spec.mimic.offset = l.offset;
    }
    int made;
    assert_ok(mbd_model_add_body(model, &spec, &made));
    frame.push_back(made);
  }
  for (size_t k = 0; k < robot.closure.size(); k++) {
    const Closure & c = robot.closure[k];
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    const std::string name = "closure" + std::to_string(k);
    std::vector<std::string> joints;
    for (int joint : c.joints) joints.push_back("joint" + std::to_string(joint));
    spec.name = name.c_str();
    const bool rolls = c.kind == Closure::ON_PLANE || c.kind == Closure::ON_SPHERE;
    spec.type = c.kind == Closure::BALL  ? MBD_CLOSURE_SPHERICAL
                : c.kind == Closure::ROD ? MBD_CLOSURE_DISTANCE
                                         : MBD_CLOSURE_COUPLING;
    if (c.kind == Closure::COUPLING) {
      spec.ncoupled = static_cast<int>(joints.size());
      for (size_t i = 0; i < joints.size(); i++) {
        spec.joint[i] = joints[i].c_str(), spec.coefficient[i] = c.coefficient[i];
      }
      spec.offset = c.offset;
    } else {
      spec.frame_a = c.a < 0 ? MBD_WORLD_BODY : frame[static_cast<size_t>(c.a)];
      spec.frame_b = frame[static_cast<size_t>(c.b)];
      spec.X_a.p = c.p_a, spec.X_b.p = c.p_b;
      spec.distance = c.length;
    }
    if (rolls) {
      if (c.kind == Closure::ON_PLANE) spec.X_a.R = c.plane;
      spec.surface_a.type = c.kind == Closure::ON_PLANE ? MBD_SURFACE_PLANE : MBD_SURFACE_SPHERE;
      spec.surface_b.type = MBD_SURFACE_SPHERE;
      spec.surface_a.size[0] = c.radius_a, spec.surface_b.size[0] = c.radius_b;
      spec.type = MBD_CLOSURE_ROLL;
      assert_ok(mbd_model_add_closure(model, &spec, nullptr));
      spec.type = MBD_CLOSURE_TOUCH, spec.name = "touch";
    }
    assert_ok(mbd_model_add_closure(model, &spec, nullptr));
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

// number of a link's joint in v of the tree; all have one
size_t
dof_of(const mbd_model_t * tree, size_t link)
{
  int body;
  assert_ok(mbd_find_joint(tree, ("joint" + std::to_string(link)).c_str(), &body));
  return static_cast<size_t>(tree->body[body].v_index);
}

//---------- Simbody's ----------

SimTK::Vec3
vec(mbd_vec3_t x)
{
  return SimTK::Vec3(x.x, x.y, x.z);
}

SimTK::Transform
transform(const mbd_placement_t & X)
{
  const double * R = X.R.m;
  const SimTK::Mat33 m(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]);
  return SimTK::Transform(SimTK::Rotation(m), vec(X.p));
}

// accelerations of all joints, by link
std::vector<double>
simbody_accelerations(const Robot & robot, const std::vector<double> & v)
{
  using namespace SimTK;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity(forces, matter, vec(robot.gravity));
  Force::DiscreteForces torques(forces, matter);
  std::vector<MobilizedBody> body;
  for (const Link & l : robot.link) {
    const mbd_sym3_t & I = l.inertia;
    const Inertia about_com(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
    const MassProperties mass(
      l.mass, vec(l.com), about_com.shiftFromMassCenter(vec(l.com), l.mass));
    MobilizedBody & below =
      l.parent < 0 ? static_cast<MobilizedBody &>(matter.updGround()) : body[(size_t)l.parent];
    if (l.slides) {
      body.push_back(
        MobilizedBody::Slider(below, transform(l.place), Body::Rigid(mass), Transform()));
    } else {
      body.push_back(MobilizedBody::Pin(below, transform(l.place), Body::Rigid(mass), Transform()));
    }
  }
  const auto couple = [&](const std::vector<int> & joints, std::vector<double> numbers) {
    Vector coefficient((int)numbers.size());
    for (size_t i = 0; i < numbers.size(); i++) coefficient[(int)i] = numbers[i];
    Array_<MobilizedBodyIndex> bodies;
    Array_<MobilizerQIndex> first;
    for (int joint : joints) {
      bodies.push_back(body[(size_t)joint].getMobilizedBodyIndex());
      first.push_back(MobilizerQIndex(0));
    }
    Constraint::CoordinateCoupler(matter, new Function::Linear(coefficient), bodies, first);
  };
  for (const Closure & c : robot.closure) {
    if (c.kind == Closure::COUPLING) {
      std::vector<double> numbers = c.coefficient;
      numbers.push_back(c.offset);
      couple(c.joints, numbers);
      continue;
    }
    MobilizedBody & a =
      c.a < 0 ? static_cast<MobilizedBody &>(matter.updGround()) : body[(size_t)c.a];
    if (c.kind == Closure::ON_PLANE) {
      const mbd_placement_t frame = {c.plane, c.p_a};
      Constraint::SphereOnPlaneContact(
        a, transform(frame), body[(size_t)c.b], vec(c.p_b), c.radius_b, true);
    } else if (c.kind == Closure::ON_SPHERE) {
      Constraint::SphereOnSphereContact(
        a, vec(c.p_a), c.radius_a, body[(size_t)c.b], vec(c.p_b), c.radius_b, true);
    } else if (c.kind == Closure::BALL) {
      Constraint::Ball(a, vec(c.p_a), body[(size_t)c.b], vec(c.p_b));
    } else {
      Constraint::Rod(a, vec(c.p_a), body[(size_t)c.b], vec(c.p_b), c.length);
    }
  }
  for (size_t k = 0; k < robot.link.size(); k++) {
    const Link & l = robot.link[k];
    if (l.mimic >= 0) couple({(int)k, l.mimic}, {1, -l.multiplier, -l.offset});
  }
  State state = system.realizeTopology();
  for (size_t k = 0; k < robot.link.size(); k++) {
    body[k].setOneQ(state, 0, robot.link[k].q);
    body[k].setOneU(state, 0, v[k]);
    torques.setOneMobilityForce(state, body[k], MobilizerUIndex(0), robot.link[k].tau);
  }
  system.realize(state, Stage::Acceleration);
  std::vector<double> out;
  for (const MobilizedBody & b : body) out.push_back(b.getOneUDot(state, 0));
  return out;
}

//---------- both ----------

// one robot; false if it is singular where it is
bool
compare(uint64_t seed, Kind kind)
{
  const Robot robot = random_robot(seed, kind);
  mbd_model_t *tree = build(robot), *model;
  const size_t n = robot.link.size();
  std::vector<double> q(n), v_tree(n), tau_tree(n), all(n), v, tau, qdd, wanted(n);
  for (size_t k = 0; k < n; k++) {
    q[dof_of(tree, k)] = robot.link[k].q;
    tau_tree[dof_of(tree, k)] = robot.link[k].tau;
    wanted[dof_of(tree, k)] = robot.link[k].v;
  }
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q.data();
  const mbd_status_t status = mbd_model_embed(tree, &options, &model);
  if (status == MBD_ERROR_LOCKED) {
    mbd_model_destroy(tree);
    return false;
  }
  assert_ok(status);
  v.resize((size_t)model->nv + 1), tau.resize(v.size()), qdd.resize(v.size());
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  double condition = HUGE_VAL;
  if (mbd_set_position(model, data, q.data()) == MBD_OK) {
    assert_ok(mbd_embedding_condition(model, data, &condition, nullptr));
  }
  if (condition < 1e3) {
    assert_ok(mbd_reduce_velocity(model, wanted.data(), v.data()));
    assert_ok(mbd_tree_velocity(model, data, v.data(), v_tree.data()));
    assert_ok(mbd_reduce_torque(model, data, tau_tree.data(), tau.data()));
    assert_ok(
      mbd_forward_dynamics(model, data, q.data(), v.data(), tau.data(), nullptr, qdd.data()));
    assert_ok(mbd_tree_acceleration(model, data, qdd.data(), all.data()));
    std::vector<double> by_link, ours, cut(n), rates;
    for (size_t k = 0; k < n; k++) by_link.push_back(v_tree[dof_of(tree, k)]);
    const std::vector<double> theirs = simbody_accelerations(robot, by_link);
    for (size_t k = 0; k < n; k++) ours.push_back(all[dof_of(tree, k)]);
    assert_close_(
      ours.data(), theirs.data(), n, 1e-9, 1, __FILE__, __LINE__, "embedded, seed %lu", seed);
    // cut joints, too
    mbd_data_t * on;
    std::vector<double> work(mbd_constrained_work(tree) + 1);
    assert_ok(mbd_data_create(tree, &on));
    assert_ok(mbd_constrained_forward_dynamics(
      tree, on, q.data(), v_tree.data(), tau_tree.data(), nullptr, nullptr, work.data(), cut.data(),
      nullptr, nullptr));
    for (size_t k = 0; k < n; k++) rates.push_back(cut[dof_of(tree, k)]);
    assert_close_(
      rates.data(), theirs.data(), n, 1e-9, 1, __FILE__, __LINE__, "cut joints, seed %lu", seed);
    mbd_data_destroy(on);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  mbd_model_destroy(tree);
  return condition < 1e3;
}

void
loops_agree(void **)
{
  tally_t cases = {};
  FOR_SEEDS(100) tally(&cases, compare(seed, LOOPS));
  assert_enough(&cases, 0.8);
}

void
mimic_joints_agree(void **)
{
  FOR_SEEDS(100) assert_true(compare(seed, MIMICS));
}

void
rolling_agrees(void **)
{
  tally_t cases = {};
  FOR_SEEDS(100) tally(&cases, compare(seed, ROLLING));
  assert_enough(&cases, 0.8);
}

}  // namespace

int
main()
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(loops_agree),
    cmocka_unit_test(mimic_joints_agree),
    cmocka_unit_test(rolling_agrees),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
