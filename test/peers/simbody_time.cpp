#include "simbody_time.h"

#include <SimTKsimbody.h>

#include <cmath>

namespace
{

using namespace SimTK;

struct World {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  explicit World(const Vec3 & gravity)
  {
    Force::UniformGravity(forces, matter, gravity);
  }
};

// inertia about the centre of mass
Body::Rigid
rigid(double mass, const Vec3 & com, const Vec3 & inertia)
{
  return Body::Rigid(MassProperties(mass, com, Inertia(inertia).shiftFromMassCenter(-com, mass)));
}

State
run(World & w, const State & start, double t)
{
  RungeKuttaMersonIntegrator integrator(w.system);
  integrator.setAccuracy(1e-10);
  integrator.setConstraintTolerance(1e-11);
  TimeStepper stepper(w.system, integrator);
  stepper.initialize(start);
  stepper.stepTo(t);
  const State end = stepper.getState();
  w.system.realize(end, Stage::Velocity);
  return end;
}

// slider of a body along an axis of the ground: Simbody's moves along x
Rotation
along(int axis)
{
  if (axis == 0) return Rotation();
  return axis == 1 ? Rotation(Pi / 2, ZAxis) : Rotation(-Pi / 2, YAxis);
}

}  // namespace

void
simbody_quick_return(double t, double out[3])
{
  World w(Vec3(0, -9.8, 0));
  const Vec3 o(0);
  MobilizedBody::Pin bar(w.matter.Ground(), rigid(100, Vec3(2, 0, 0), Vec3(100)));
  MobilizedBody::Pin crank(
    w.matter.Ground(), Vec3(0, 2, 0), rigid(1000, o, Vec3(1000)), Transform());
  MobilizedBody::Pin key(crank, Vec3(1.5, 0, 0), rigid(1, o, Vec3(1)), Transform());
  MobilizedBody::Slider cutter(
    w.matter.Ground(), Vec3(0, 4, 0), rigid(50, o, Vec3(50)), Transform());
  Constraint::PointInPlane(bar, UnitVec3(0, 1, 0), 0, key, o);
  Constraint::ConstantAngle(bar, UnitVec3(0, 1, 0), key, UnitVec3(1, 0, 0), Pi / 2);
  Constraint::Rod(bar, Vec3(4, 0, 0), cutter, o, 2.5298);
  State s = w.system.realizeTopology();
  const double a = std::atan2(2, 1.5), rate = 6 * 1.5 * std::cos(a) / 2.5;
  const double x4 = 4 * std::cos(a) - std::sqrt(2.5298 * 2.5298 - std::pow(4 - 4 * std::sin(a), 2));
  const double speed = -4 * std::sin(a) * rate +
                       4 * std::cos(a) * rate * (4 * std::sin(a) - 4) / (4 * std::cos(a) - x4);
  bar.setOneQ(s, 0, a), key.setOneQ(s, 0, a), cutter.setOneQ(s, 0, x4);
  bar.setOneU(s, 0, rate), crank.setOneU(s, 0, 6), key.setOneU(s, 0, rate - 6);
  cutter.setOneU(s, 0, speed);
  const State end = run(w, s, t);
  out[0] = crank.getOneQ(end, 0), out[1] = crank.getOneU(end, 0), out[2] = cutter.getOneQ(end, 0);
}

void
simbody_spheres(double t, double omega, double out[3])
{
  World w(Vec3(0, 0, -9.8));
  const Body::Rigid sphere = rigid(75, Vec3(0), Vec3(30));
  MobilizedBody::Ball one(w.matter.Ground(), sphere);
  MobilizedBody::Free two(w.matter.Ground(), sphere);
  Constraint::Rod(one, Vec3(0, 0, -1), two, Vec3(0, 0, 1), 1);
  State s = w.system.realizeTopology();
  two.setQToFitTranslation(s, Vec3(0, 0, -3));
  two.setUToFitAngularVelocity(s, Vec3(0, omega, 0));
  const Vec3 p = two.getBodyOriginLocation(run(w, s, t));
  for (int k = 0; k < 3; k++) out[k] = p[k];
}

void
simbody_slider_crank(double t, double length, double out[2])
{
  World w(Vec3(0, -9.8, 0));
  MobilizedBody::Pin crank(w.matter.Ground(), rigid(5, Vec3(0), Vec3(5)));
  MobilizedBody::Slider slider(w.matter.Ground(), rigid(1, Vec3(0), Vec3(1)));
  Constraint::Rod(crank, Vec3(1, 0, 0), slider, Vec3(0), length);
  State s = w.system.realizeTopology();
  slider.setOneQ(s, 0, 1 + length), crank.setOneU(s, 0, 100);
  const State end = run(w, s, t);
  out[0] = crank.getOneQ(end, 0), out[1] = crank.getOneU(end, 0);
}

void
simbody_spatial_crank(double t, double length, double speed, double out[2])
{
  World w(Vec3(0, 0, -9.8));
  // Simbody's pin turns about z
  const Rotation to_x(Pi / 2, YAxis);
  MobilizedBody::Pin crank(
    w.matter.Ground(), Transform(to_x, Vec3(0, 0.1, 0.12)), rigid(0.5, Vec3(0), Vec3(0.2)),
    Transform(to_x));
  MobilizedBody::Slider slider(w.matter.Ground(), rigid(5, Vec3(0), Vec3(0.2)));
  Constraint::Rod(crank, Vec3(0, 0, 0.08), slider, Vec3(0, 0, 0.02), length);
  State s = w.system.realizeTopology();
  const double x = std::sqrt(length * length - 0.0424);
  slider.setOneQ(s, 0, x), slider.setOneU(s, 0, 0.008 * speed / x), crank.setOneU(s, 0, speed);
  const State end = run(w, s, t);
  out[0] = crank.getOneU(end, 0), out[1] = slider.getOneQ(end, 0);
}

void
simbody_top(double t, const double omega[3], double out[3])
{
  World w(Vec3(0, 0, -9.8));
  MobilizedBody::Ball top(w.matter.Ground(), rigid(30, Vec3(0, 0, 1), Vec3(90, 90, 30)));
  State s = w.system.realizeTopology();
  top.setUToFitAngularVelocity(s, Vec3(omega[0], omega[1], omega[2]));
  const Vec3 c = top.findStationLocationInGround(run(w, s, t), Vec3(0, 0, 1));
  for (int k = 0; k < 3; k++) out[k] = c[k];
}

void
simbody_four_sliders(double t, double out[4])
{
  World w(Vec3(0, 0, -9.8));
  static const double mass[4] = {2, 2, 6, 6};
  static const int axis[4] = {0, 1, 2, 0};
  const double start[4] = {4, 3, std::sqrt(40), 5};
  std::vector<MobilizedBody::Slider> body;
  // both frames turned, so that the bodies keep the axes of the ground
  for (int k = 0; k < 4; k++)
    body.emplace_back(
      w.matter.Ground(), Transform(along(axis[k])), rigid(mass[k], Vec3(0), Vec3(0.2)),
      Transform(along(axis[k])));
  Constraint::Rod(body[0], Vec3(0), body[1], Vec3(0), 5);
  Constraint::Rod(body[1], Vec3(0), body[2], Vec3(0), 7);
  static const double rest[3] = {14, 13, 16.32};
  for (int k = 0; k < 3; k++) {
    Vec3 at(0);
    at[k] = 10;
    Force::TwoPointLinearSpring(w.forces, body[k], at, w.matter.Ground(), Vec3(0), 2, rest[k]);
  }
  Force::TwoPointLinearSpring(w.forces, body[0], Vec3(0), body[3], Vec3(10, 0, 0), 10, 11);
  State s = w.system.realizeTopology();
  for (int k = 0; k < 4; k++) body[k].setOneQ(s, 0, start[k]);
  body[3].setOneU(s, 0, -1);
  const State end = run(w, s, t);
  for (int k = 0; k < 4; k++) out[k] = body[k].getOneQ(end, 0);
}

void
simbody_bars(double t, double out[4])
{
  World w(Vec3(0, -9.8, 0));
  const Body::Rigid bar = rigid(1, Vec3(0), Vec3(0.3));
  const Vec3 left(-1, 0, 0), right(1, 0, 0);
  MobilizedBody::Pin upper(w.matter.Ground(), Transform(), bar, Transform(left));
  MobilizedBody::Pin lower(upper, Transform(right), bar, Transform(left));
  Force::MobilityLinearSpring(w.forces, upper, MobilizerQIndex(0), 20, -Pi / 2);
  Force::MobilityLinearSpring(w.forces, lower, MobilizerQIndex(0), 20, 0);
  State s = w.system.realizeTopology();
  upper.setOneQ(s, 0, -Pi / 2), lower.setOneU(s, 0, 10);
  const State end = run(w, s, t);
  out[0] = upper.getOneQ(end, 0), out[1] = lower.getOneQ(end, 0);
  out[2] = upper.getOneU(end, 0), out[3] = lower.getOneU(end, 0);
}

void
simbody_disk(double t, double out[4])
{
  World w(Vec3(0));
  MobilizedBody::Pin disk(w.matter.Ground(), rigid(10, Vec3(0), Vec3(10)));
  MobilizedBody::Slider slider(
    disk, Transform(along(1), Vec3(1, 0, 0)), rigid(5, Vec3(0), Vec3(5)), Transform(along(1)));
  Force::TwoPointLinearSpring(w.forces, disk, Vec3(1, 10, 0), slider, Vec3(0), 10, 10.1);
  const State end = run(w, w.system.realizeTopology(), t);
  out[0] = disk.getOneQ(end, 0), out[1] = slider.getOneQ(end, 0);
  out[2] = disk.getOneU(end, 0), out[3] = slider.getOneU(end, 0);
}

void
simbody_top_on_bar(double t, double out[3])
{
  World w(Vec3(0, 0, -9.8));
  MobilizedBody::Free top(w.matter.Ground(), rigid(30, Vec3(0, 0, 1), Vec3(90, 90, 30)));
  Constraint::Rod(w.matter.Ground(), Vec3(0), top, Vec3(0), 1);
  State s = w.system.realizeTopology();
  top.setQToFitTranslation(s, Vec3(0, 0, -1));
  top.setUToFitAngularVelocity(s, Vec3(0.1, 0, 14));
  const Vec3 c = top.findStationLocationInGround(run(w, s, t), Vec3(0, 0, 1));
  for (int k = 0; k < 3; k++) out[k] = c[k];
}

void
simbody_cylinder(double t, double out[4])
{
  World w(Vec3(0, 0, -9.8));
  MobilizedBody::Cylinder body(w.matter.Ground(), rigid(1, Vec3(0), Vec3(1)));
  Force::TwoPointLinearSpring(
    w.forces, body, Vec3(0, 1, 1), w.matter.Ground(), Vec3(-1, 1, 1), 100, 1);
  State s = w.system.realizeTopology();
  body.setOneU(s, 0, 10);
  const State end = run(w, s, t);
  for (int k = 0; k < 2; k++) out[k] = body.getOneQ(end, k), out[2 + k] = body.getOneU(end, k);
}

void
simbody_governor(double t, const double start[8], double out[3])
{
  World w(Vec3(0, 0, -9.8));
  MobilizedBody::Pin rotor(w.matter.Ground(), rigid(200, Vec3(0), Vec3(25, 25, 50)));
  MobilizedBody::Slider collar(
    rotor, Transform(along(2)), rigid(1, Vec3(0), Vec3(0.15, 0.15, 0.125)), Transform(along(2)));
  // axes of the hinges: z along x of the rotor, x along y
  const Rotation hinge(Rotation(Pi / 2, ZAxis) * Rotation(Pi / 2, XAxis));
  const Body::Rigid ball = rigid(1, Vec3(0.16, 0, 0), Vec3(0.1, 0.1256, 0.1256));
  MobilizedBody::Pin one(rotor, Transform(hinge, Vec3(0, 0.02, 0.2)), ball, Transform());
  MobilizedBody::Pin two(rotor, Transform(hinge, Vec3(0, -0.02, 0.2)), ball, Transform());
  Constraint::Rod(collar, Vec3(0, 0.02, 0), one, Vec3(0.08, 0, 0), 0.11);
  Constraint::Rod(collar, Vec3(0, -0.02, 0), two, Vec3(0.08, 0, 0), 0.11);
  Force::TwoPointLinearSpring(w.forces, rotor, Vec3(0), collar, Vec3(0, 0, 1), 1000, 1.1);
  Force::TwoPointLinearDamper(w.forces, rotor, Vec3(0), collar, Vec3(0, 0, 1), 300);
  State s = w.system.realizeTopology();
  MobilizedBody * const body[4] = {&rotor, &collar, &one, &two};
  for (int k = 0; k < 4; k++)
    body[k]->setOneQ(s, 0, start[k]), body[k]->setOneU(s, 0, start[4 + k]);
  const State end = run(w, s, t);
  out[0] = rotor.getOneU(end, 0), out[1] = collar.getOneQ(end, 0), out[2] = collar.getOneU(end, 0);
}

void
simbody_ball(double t, const double omega[3], double out[6])
{
  World w(Vec3(0, 0, -9.8));
  MobilizedBody::Free ball(
    w.matter.Ground(), rigid(2, Vec3(0.1, 0.05, -0.2), Vec3(0.2, 0.25, 0.3)));
  Constraint::SphereOnPlaneContact(w.matter.Ground(), Transform(), ball, Vec3(0), 0.5, true);
  State s = w.system.realizeTopology();
  const Vec3 spin(omega[0], omega[1], omega[2]);
  ball.setQToFitTranslation(s, Vec3(0, 0, 0.5));
  ball.setUToFitAngularVelocity(s, spin);
  ball.setUToFitLinearVelocity(s, spin % Vec3(0, 0, 0.5));
  const State end = run(w, s, t);
  const Vec3 c = ball.getBodyOriginLocation(end);
  for (int k = 0; k < 3; k++) out[k] = c[k], out[3 + k] = ball.getBodyRotation(end)[2][k];
}
