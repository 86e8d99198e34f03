// The same drop in mbdyn_sim's plant and in MuJoCo with stiff contacts: a block that falls flat and slides, one that
// falls on an edge and tips over, a ball that lands spinning and rolls.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "plant.h"

static const double MASS = 3, HALF[3] = {0.1, 0.06, 0.04}, RADIUS = 0.1, MU = 0.4, H = 1e-4;

// state of a body at the start: MuJoCo's qpos and its angular velocity about y, velocity along x
typedef struct drop {
  const char * what;
  bool ball;
  double height;  // of the lowest point [m]
  double tilt;    // about y [rad]
  double vx, wy;  // [m/s, rad/s]
  double seconds;
  // tolerances on the way, where MuJoCo's contacts give, and at the end [m, rad]
  double place, angle, end;
} drop_t;

static mjModel *
load(const drop_t * d)
{
  char text[2000], why[1000] = "", geom[100];
  if (d->ball)
    snprintf(geom, sizeof geom, "type='sphere' size='%g'", RADIUS);
  else
    snprintf(geom, sizeof geom, "type='box' size='%g %g %g'", HALF[0], HALF[1], HALF[2]);
  // stiff and critically damped: a time constant of 2 ms is as much as steps of 0.1 ms allow with ease
  snprintf(
    text, sizeof text,
    "<mujoco><option timestep='%g' gravity='0 0 -9.81' cone='elliptic' impratio='100'/>"
    "<default><geom friction='%g 0 0' condim='3' solref='0.002 1' solimp='0.99 0.99 "
    "0.001'/></default>"
    "<worldbody><geom type='plane' size='10 10 1'/><body><freejoint/>"
    "<geom %s mass='%g'/></body></worldbody></mujoco>",
    H, MU, geom, MASS);
  mjVFS * vfs = malloc(sizeof *vfs);
  mjModel * m = NULL;
  mj_defaultVFS(vfs);
  if (mj_makeEmptyFileVFS(vfs, "drop.xml", (int)strlen(text)) == 0) {
    memcpy(vfs->filedata[0], text, strlen(text));
    m = mj_loadXML("drop.xml", vfs, why, sizeof why);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  if (!m) fail_msg("%s", why);
  return m;
}

static plant_t *
create(const drop_t * d, mbd_model_t ** model)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  const double r = 0.4 * MASS * RADIUS * RADIUS, x = HALF[0], y = HALF[1], z = HALF[2];
  const mbd_sym3_t ball = {r, 0, 0, r, 0, r};
  const mbd_sym3_t box = {MASS / 3 * (y * y + z * z), 0, 0,
                          MASS / 3 * (x * x + z * z), 0, MASS / 3 * (x * x + y * y)};
  plant_contact_t contact[8] = {0};
  int frame;
  spec.name = "body", spec.joint_name = "free", spec.type = MBD_JOINT_FREE;
  spec.inertia = mbdu_inertia_from_com(MASS, mbdu_vec3(0, 0, 0), d->ball ? ball : box);
  assert_ok(mbd_model_create("drop", model));
  assert_ok(mbd_model_add_body(*model, &spec, &frame));
  assert_ok(mbd_model_finalize(*model));
  plant_t * plant = plant_create(*model);
  assert_non_null(plant);
  for (int k = 0; k < 8; k++) {
    contact[k].frame = frame;
    contact[k].centre = mbdu_vec3(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z);
  }
  if (d->ball) contact[0].centre = mbdu_vec3(0, 0, 0), contact[0].radius = RADIUS;
  assert_true(plant_set_contacts(plant, d->ball ? 1 : 8, contact));
  plant_options_t o = plant_options_default(*model);
  o.ground.on = true;
  o.ground.friction = MU;
  o.ground.clearance = d->height;
  plant_set_options(plant, &o);
  return plant;
}

static double
turn_of(double y, double w)
{
  return 2 * atan2(y, w);
}

static void
compare(const drop_t * d)
{
  mbd_model_t * model;
  plant_t * plant = create(d, &model);
  mjModel * m = load(d);
  mjData * data = mj_makeData(m);
  const double q[7] = {0, 0, 0, 0, sin(d->tilt / 2), 0, cos(d->tilt / 2)};
  assert_ok(plant_reset(plant, q));
  // velocities of the base are in its axes
  const double c = cos(d->tilt), s = sin(d->tilt);
  const double v[6] = {c * d->vx, 0, s * d->vx, 0, d->wy, 0}, tau[6] = {0};
  assert_ok(plant_set_velocity(plant, v));
  const mjtNum start[7] = {0, 0, plant->q[2], q[6], q[3], q[4], q[5]};
  memcpy(data->qpos, start, sizeof start);
  data->qvel[0] = d->vx, data->qvel[4] = d->wy;
  double place = 0, angle = 0, force = 0;
  const int steps = (int)(d->seconds / H + 0.5);
  for (int i = 0; i < steps; i++) {
    mj_step(m, data);
    assert_ok(plant_step(plant, tau, H));
    const double turn = turn_of(plant->q[4], plant->q[6]) - turn_of(data->qpos[5], data->qpos[3]);
    place = fmax(place, hypot(plant->q[0] - data->qpos[0], plant->q[2] - data->qpos[2]));
    if (!d->ball) angle = fmax(angle, fabs(turn));
  }
  for (int k = 0; k < data->ncon; k++) {
    mjtNum f[6];
    mj_contactForce(m, data, k, f);
    force += f[0];
  }
  print_message(
    "%-20s x %.5f and %.5f m, differences on the way %.1e m, %.1e rad; forces %.6f and %.6f N\n",
    d->what, plant->q[0], data->qpos[0], place, angle, plant->touch.normal_force, force);
  assert_true(place <= d->place && angle <= d->angle);
  assert_true(fabs(plant->q[0] - data->qpos[0]) <= d->end);
  assert_true(fabs(plant->q[2] - data->qpos[2]) <= 1e-4);
  assert_true(fabs(plant->touch.normal_force - MASS * 9.81) < 1e-6);
  assert_true(fabs(force - MASS * 9.81) < 1e-2);
  mj_deleteData(data);
  mj_deleteModel(m);
  plant_destroy(plant);
  mbd_model_destroy(model);
}

static void
drops_agree_with_mujoco(void ** state)
{
  (void)state;
  static const drop_t drop[] = {
    {"block, flat", false, 0.05, 0, 1.0, 0, 1.5, 5e-3, 2e-3, 1e-4},
    {"block, on its edge", false, 0.1, 0.4, 0, 0, 2, 6e-3, 6e-2, 5e-3},
    {"ball with spin", true, 0.05, 0, 0, 20, 1, 5e-3, 0, 1e-3}};
  for (size_t k = 0; k < 3; k++) compare(&drop[k]);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(drops_agree_with_mujoco)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
