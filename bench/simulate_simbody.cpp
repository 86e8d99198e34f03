// Simbody in time: its integrators with error control, constraints by coordinate projection.
#include <SimTKsimbody.h>

#include <memory>

#include "simulate_peer.h"

namespace
{

using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::Vec3;

enum Method { MERSON, FEHLBERG, RK3, VERLET, BDF, ADAMS };

struct World {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  MobilizedBody first, second;  // what the end is read from
  MobilizedBody rod[2];
  Vec3 end[2];
  double length = 1;
};

SimTK::Body::Rigid
body(double mass, double moment)
{
  return SimTK::Body::Rigid(SimTK::MassProperties(mass, Vec3(0), SimTK::Inertia(moment)));
}

void
add_rod(World & w, const MobilizedBody & a, const Vec3 & p, const MobilizedBody & b, const Vec3 & q)
{
  MobilizedBody one = a, two = b;
  SimTK::Constraint::Rod(one, p, two, q, w.length);
  w.rod[0] = a, w.rod[1] = b, w.end[0] = p, w.end[1] = q;
}

SimTK::State
double_pendulum(World & w)
{
  SimTK::Force::UniformGravity(w.forces, w.matter, Vec3(0, 0, -9.8));
  MobilizedBody::Ball first(w.matter.Ground(), body(75, 30));
  MobilizedBody::Free second(w.matter.Ground(), body(75, 30));
  w.first = first, w.second = second;
  add_rod(w, first, Vec3(0, 0, -1), second, Vec3(0, 0, 1));
  SimTK::State state = w.system.realizeTopology();
  second.setQToFitTranslation(state, Vec3(0, 0, -3));
  second.setUToFitAngularVelocity(state, Vec3(0, 5, 0));
  return state;
}

// the key on the bar, its pin on the crank: the fewest rows
SimTK::State
quick_return(World & w, const simulate_case_t & c)
{
  SimTK::Force::UniformGravity(w.forces, w.matter, Vec3(0, -9.8, 0));
  MobilizedBody::Pin bar(w.matter.Ground(), Transform(), body(100, 100), Transform(Vec3(-2, 0, 0)));
  MobilizedBody::Pin crank(
    w.matter.Ground(), Transform(Vec3(0, 2, 0)), body(1000, 1000), Transform());
  MobilizedBody::Slider cutter(
    w.matter.Ground(), Transform(Vec3(0, 4, 0)), body(50, 50), Transform());
  MobilizedBody::Slider key(bar, Transform(), body(1, 1), Transform());
  SimTK::Constraint::PointOnLine(crank, SimTK::UnitVec3(0, 0, 1), Vec3(1.5, 0, 0), key, Vec3(0));
  w.length = 2.5298;
  add_rod(w, bar, Vec3(2, 0, 0), cutter, Vec3(0));
  w.first = crank, w.second = cutter;
  SimTK::State state = w.system.realizeTopology();
  const MobilizedBody all[4] = {bar, crank, cutter, key};
  for (int i = 0; i < 4; i++) {
    all[i].setOneQ(state, 0, c.q[i]);
    all[i].setOneU(state, 0, c.v[i]);
  }
  return state;
}

std::unique_ptr<SimTK::Integrator>
integrator(const SimTK::MultibodySystem & system, int method)
{
  using Make = std::unique_ptr<SimTK::Integrator>;
  switch (method) {
    case MERSON: return Make(new SimTK::RungeKuttaMersonIntegrator(system));
    case FEHLBERG: return Make(new SimTK::RungeKuttaFeldbergIntegrator(system));
    case RK3: return Make(new SimTK::RungeKutta3Integrator(system));
    case VERLET: return Make(new SimTK::VerletIntegrator(system));
    case BDF: return Make(new SimTK::CPodesIntegrator(system, SimTK::CPodes::BDF));
    default: return Make(new SimTK::CPodesIntegrator(system, SimTK::CPodes::Adams));
  }
}

bool
run(const simulate_case_t * c, int method, double accuracy, simulate_result_t * result)
{
  try {
    World w;
    SimTK::State start = c->kind == SIMULATE_ROD ? double_pendulum(w) : quick_return(w, *c);
    w.system.realizeModel(start);
    const auto steps = integrator(w.system, method);
    steps->setAccuracy(accuracy);
    steps->setFinalTime(c->time);
    const double begin = simulate_cpu();
    steps->initialize(start);
    while (steps->stepTo(c->time, c->time) != SimTK::Integrator::EndOfSimulation) {
      if (simulate_cpu() - begin > 5) return false;
    }
    result->cpu = simulate_cpu() - begin;
    const SimTK::State & state = steps->getState();
    w.system.realize(state, SimTK::Stage::Position);
    const Vec3 p = w.second.getBodyOriginLocation(state);
    result->end[0] = c->kind == SIMULATE_ROD ? p[0] : w.first.getOneQ(state, 0);
    result->end[1] = c->kind == SIMULATE_ROD ? p[2] : p[0];
    const Vec3 rod = w.rod[0].findStationLocationInGround(state, w.end[0]) -
                     w.rod[1].findStationLocationInGround(state, w.end[1]);
    result->row = std::abs(rod.norm() - w.length);
    result->evaluations = w.system.getNumRealizationsOfThisStage(SimTK::Stage::Acceleration);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

}  // namespace

extern "C" const simulate_method_t simulate_simbody[] = {
  {"Simbody RungeKuttaMerson", false, MERSON, run},
  {"Simbody RungeKuttaFehlberg", false, FEHLBERG, run},
  {"Simbody RungeKutta3", false, RK3, run},
  {"Simbody Verlet", false, VERLET, run},
  {"Simbody CPodes BDF", false, BDF, run},
  {"Simbody CPodes Adams", false, ADAMS, run},
  {nullptr, false, 0, nullptr}};
