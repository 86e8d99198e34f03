// The same drop in mbdyn_sim's plant and in MuJoCo with stiff contacts: a block that falls flat and slides, one that
// falls on an edge and tips over, a ball that lands spinning and rolls, a quadruped that lands on its feet.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "mbdyn/urdf.h"
#include "mujoco_robot.h"
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

//---------- a robot ----------

enum { JOINTS = 12, FEET = 4, QUADRUPED_STEPS = 15000 };

static const char * const FOOT[FEET] = {"fl_foot", "fr_foot", "rl_foot", "rr_foot"};
static const double FOOT_RADIUS = 0.02, LEG[3] = {0, 0.8, -1.6}, STIFFNESS = 200, DAMPING = 4;

typedef struct quadruped {
  mbd_model_t * model;
  plant_t * plant;
  mjModel * m;
  mjData * d;
  int q_index[JOINTS], v_index[JOINTS + 6], foot[FEET];
  mujoco_map_t map;
} quadruped_t;

// the URDF with a floor as the world and the robot above it, both ways
static void
load_quadruped(quadruped_t * r)
{
  static const char path[] = MBDYN_SOURCE_DIR "/config/robots/quadruped.urdf";
  static const char world[] =
    "<link name='world'><collision><origin xyz='0 0 -1'/><geometry><box size='20 20 2'/></geometry>"
    "</collision></link><joint name='mujoco_free' type='floating'><parent link='world'/>"
    "<child link='base_link'/></joint></robot>";
  static char text[1 << 18];
  char why[MUJOCO_WHY] = "";
  const char * joint[JOINTS];
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof text - sizeof world, file);
  text[size] = 0;
  fclose(file);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  assert_ok(mbdx_urdf_load_file(path, &options, &r->model, NULL));
  assert_int_equal(r->model->nv, JOINTS + 6);
  for (int i = 0; i < JOINTS; i++) joint[i] = r->model->body[i + 1].joint_name;
  char * end = strstr(text, "</robot");
  assert_non_null(end);
  memcpy(end, world, sizeof world);
  mujoco_robot_t robot = {text, NULL, true, JOINTS, joint, FEET, FOOT};
  r->m = mujoco_robot_load(&robot, why);
  if (!r->m) fail_msg("%s", why);
  r->map = (mujoco_map_t){0, r->q_index, r->v_index, r->foot};
  robot.root = "base_link";
  if (!mujoco_robot_map(&robot, r->m, &r->map, why)) fail_msg("%s", why);
  r->d = mj_makeData(r->m);
}

// contacts of the feet with the floor alone
static void
set_contacts(quadruped_t * r)
{
  plant_contact_t contact[FEET] = {0};
  mjModel * m = r->m;
  m->opt.disableflags = mjDSBL_PASSIVE | mjDSBL_ACTUATION | mjDSBL_FRICTIONLOSS | mjDSBL_LIMIT;
  m->opt.timestep = H, m->opt.cone = mjCONE_ELLIPTIC, m->opt.impratio = 100;
  for (int g = 0; g < m->ngeom; g++) {
    bool foot = false;
    for (int k = 0; k < FEET; k++) foot = foot || m->geom_bodyid[g] == r->foot[k];
    m->geom_contype[g] = m->geom_bodyid[g] == 0, m->geom_conaffinity[g] = foot;
    const mjtNum friction[3] = {MU, 0, 0}, solref[2] = {0.002, 1};
    const mjtNum solimp[5] = {0.99, 0.99, 0.001, 0.5, 2};
    memcpy(m->geom_friction + 3 * g, friction, sizeof friction);
    memcpy(m->geom_solref + mjNREF * g, solref, sizeof solref);
    memcpy(m->geom_solimp + mjNIMP * g, solimp, sizeof solimp);
    m->geom_condim[g] = 3;
  }
  for (int k = 0; k < FEET; k++) {
    assert_ok(mbd_find_frame(r->model, FOOT[k], &contact[k].frame));
    contact[k].radius = FOOT_RADIUS;
  }
  r->plant = plant_create(r->model);
  assert_non_null(r->plant);
  assert_true(plant_set_contacts(r->plant, FEET, contact));
  plant_options_t o = plant_options_default(r->model);
  o.ground.on = true, o.ground.friction = MU, o.ground.clearance = 0.1;
  o.friction = o.rotors = o.limits = false;
  plant_set_options(r->plant, &o);
}

// springs and dampers, within the limits of the motors
static double
motor(const quadruped_t * r, int joint, double q, double v)
{
  const double most = r->model->body[joint + 1].limits.effort;
  return fmin(fmax(STIFFNESS * (LEG[joint % 3] - q) - DAMPING * v, -most), most);
}

// it falls by 0.1 m at 0.2 m/s forwards, lands on its feet, bends its knees, slips and stands
static void
quadruped_lands_as_in_mujoco(void ** state)
{
  (void)state;
  quadruped_t r;
  load_quadruped(&r);
  set_contacts(&r);
  double q[7 + JOINTS] = {0}, tau[6 + JOINTS] = {0}, v[6 + JOINTS] = {0.2};
  q[6] = 1;
  for (int i = 0; i < JOINTS; i++) q[7 + i] = LEG[i % 3];
  assert_ok(plant_reset(r.plant, q));
  assert_ok(plant_set_velocity(r.plant, v));
  double * base = r.d->qpos + r.map.base;
  const double *ours = r.plant->q, *theirs = r.d->qpos;
  memcpy(base, ours, 3 * sizeof *base);
  base[3] = 1;
  for (int i = 0; i < JOINTS; i++) r.d->qpos[r.q_index[i]] = ours[7 + i];
  r.d->qvel[r.v_index[0]] = v[0];
  double place = 0, turn = 0, joint = 0, lowest = ours[2], impact = 0, force = 0, weight = 0;
  for (int n = 0; n < QUADRUPED_STEPS; n++) {
    for (int i = 0; i < JOINTS; i++) {
      const int at = r.v_index[6 + i];
      tau[6 + i] = motor(&r, i, ours[7 + i], r.plant->v[6 + i]);
      r.d->qfrc_applied[at] = motor(&r, i, theirs[r.q_index[i]], r.d->qvel[at]);
    }
    assert_ok(plant_step(r.plant, tau, H));
    mj_step(r.m, r.d);
    for (int i = 0; i < 3; i++) {
      place = fmax(place, fabs(ours[i] - base[i]));
      turn = fmax(turn, 2 * fabs(ours[3 + i] - base[4 + i]));
    }
    for (int i = 0; i < JOINTS; i++) joint = fmax(joint, fabs(ours[7 + i] - theirs[r.q_index[i]]));
    lowest = fmin(lowest, ours[2]), impact = fmax(impact, r.plant->touch.normal_force);
  }
  for (int i = 0; i < r.model->nbody; i++) weight += 9.81 * r.model->body[i].inertia.mass;
  for (int k = 0; k < r.d->ncon; k++) {
    mjtNum f[6];
    mj_contactForce(r.m, r.d, k, f);
    force += f[0];
  }
  print_message(
    "quadruped down to %.4f m, at x = %.5f and %.5f m, z = %.5f and %.5f m; differences on the way "
    "%.1e m, %.1e rad, joints %.1e rad; at most %.0f N, %.4f and %.4f N of %.4f N at the end\n",
    lowest, ours[0], base[0], ours[2], base[2], place, turn, joint, impact,
    r.plant->touch.normal_force, force, weight);
  // it landed and bent its knees
  assert_true(lowest < 0.29 && impact > 10 * weight);
  assert_true(place <= 1e-3 && turn <= 4e-3 && joint <= 1.2e-2);
  assert_true(fabs(ours[0] - base[0]) <= 6e-4 && fabs(ours[2] - base[2]) <= 1e-4);
  assert_true(fabs(r.plant->touch.normal_force - weight) < 1e-3 * weight);
  assert_true(fabs(force - weight) < 1e-3 * weight);
  mj_deleteData(r.d);
  mj_deleteModel(r.m);
  plant_destroy(r.plant);
  mbd_model_destroy(r.model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(drops_agree_with_mujoco), cmocka_unit_test(quadruped_lands_as_in_mujoco)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
