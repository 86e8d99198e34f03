// MuJoCo 2.2 for bench_contact: a sphere at each contact point, a plane below or beside it. Its contacts are
// soft and its friction cones are pyramids by default; the step includes finding the contacts and
// integrating q. Only these spheres collide, with their planes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contact_peer.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "mujoco_robot.h"

#define RADIUS 1e-3
// contacts this far apart are found, so that all that are active are
#define MARGIN 2e-4

typedef struct peer {
  const contact_case_t * robot;
  mjModel * m;
  mjData * d;
  mujoco_map_t map;
  double *qpos, *qvel, *force;  // states in MuJoCo's order
} peer_t;

static void
unload(void * loaded)
{
  peer_t * p = loaded;
  if (p == NULL) return;
  if (p->d) mj_deleteData(p->d);
  if (p->m) mj_deleteModel(p->m);
  free(p->map.q_index), free(p->map.v_index), free(p->qpos);
  free(p);
}

static char *
text_of(const char * file)
{
  FILE * f = fopen(file, "rb");
  char * text = NULL;
  if (f == NULL) return NULL;
  if (fseek(f, 0, SEEK_END) == 0) {
    const long size = ftell(f);
    text = calloc((size_t)size + 1, 1);
    rewind(f);
    if (text && fread(text, 1, (size_t)size, f) != (size_t)size) free(text), text = NULL;
  }
  fclose(f);
  return text;
}

// `more` behind the first tag that begins with `tag`
static bool
insert(char ** text, const char * tag, const char * more)
{
  const char * at = strstr(*text, tag);
  const char * end = at ? strchr(at, '>') : NULL;
  const size_t size = strlen(*text) + strlen(more) + 1;
  char * out = calloc(size, 1);
  if (!end || !out) return free(out), false;
  snprintf(out, size, "%.*s%s%s", (int)(end + 1 - *text), *text, more, end + 1);
  free(*text);
  *text = out;
  return true;
}

// the model without contacts as XML, and what touches added to it
static mjModel *
with_contacts(const contact_case_t * robot, const mjModel * bare, char * why)
{
  char name[64], more[512], tag[128];
  snprintf(name, sizeof name, "/tmp/bench_contact_%d.xml", (int)getpid());
  if (!mj_saveLastXML(name, bare, why, MUJOCO_WHY)) return NULL;
  char * text = text_of(name);
  bool good = text != NULL;
  for (int k = 0; good && k < robot->n; k++) {
    const mbd_contact_t * c = &robot->contact[k];
    const mbd_frame_t * frame = &robot->model->frame[c->frame_b];
    const mbd_body_t * body = &robot->model->body[frame->body];
    // in the axes of the link that the joint carries
    const mbd_placement_t link = mbdu_placement_inverse(&robot->model->frame[body->link_frame].X);
    const mbd_vec3_t in_body = mbdu_placement_point(&frame->X, robot->foot[k]);
    const mbd_vec3_t at = mbdu_placement_point(&link, in_body);
    const mbd_vec3_t wall = robot->wall[k], n = c->normal;
    snprintf(
      more, sizeof more,
      "<geom name='touch%d' type='sphere' size='%g' pos='%.17g %.17g %.17g' contype='%d' "
      "conaffinity='0' friction='%g 0 0' margin='%g' mass='0'/>",
      k, RADIUS, at.x, at.y, at.z, n.z > 0 ? 1 : 2, robot->friction, MARGIN);
    snprintf(tag, sizeof tag, "<body name=\"%s\"", body->name);
    good = insert(&text, tag, more);
    const bool first = k == 0 || memcmp(&n, &robot->contact[k - 1].normal, sizeof n) != 0;
    if (!good || !first) continue;
    snprintf(
      more, sizeof more,
      "<geom type='plane' size='9 9 1' pos='%.17g %.17g %.17g' zaxis='%g %g %g' contype='0' "
      "conaffinity='%d' friction='%g 0 0' margin='%g'/>",
      wall.x - RADIUS * n.x, wall.y - RADIUS * n.y, wall.z - RADIUS * n.z, n.x, n.y, n.z,
      n.z > 0 ? 1 : 2, robot->friction, MARGIN);
    good = insert(&text, "<worldbody", more);
  }
  mjModel * m = NULL;
  FILE * f = good ? fopen(name, "wb") : NULL;
  if (f) {
    good = fputs(text, f) >= 0;
    good = fclose(f) == 0 && good;
    if (good) m = mj_loadXML(name, NULL, why, MUJOCO_WHY);
  }
  remove(name);
  free(text);
  return m;
}

static bool
copy_states(peer_t * p)
{
  const contact_case_t * robot = p->robot;
  const size_t nq = (size_t)robot->model->nq, nv = (size_t)robot->model->nv;
  const size_t n = (size_t)robot->nstate;
  p->qpos = calloc(n * (nq + 2 * nv), sizeof *p->qpos);
  if (!p->qpos) return false;
  p->qvel = p->qpos + n * nq, p->force = p->qvel + n * nv;
  for (size_t s = 0; s < n; s++) {
    const double *q = robot->q + s * nq, *v = robot->v + s * nv, *tau = robot->tau + s * nv;
    double *qpos = p->qpos + s * nq, *qvel = p->qvel + s * nv, *force = p->force + s * nv, R[9];
    for (int i = 0; i < 3; i++) qpos[p->map.base + i] = q[i];
    qpos[p->map.base + 3] = q[6];
    for (int i = 0; i < 3; i++) qpos[p->map.base + 4 + i] = q[3 + i];
    for (size_t i = 7; i < nq; i++) qpos[p->map.q_index[i - 7]] = q[i];
    for (size_t i = 0; i < nv; i++) qvel[p->map.v_index[i]] = v[i];
    for (size_t i = 0; i < nv; i++) force[p->map.v_index[i]] = tau[i];
    // linear velocity in world axes; no force on the base
    mju_quat2Mat(R, qpos + p->map.base + 3);
    mju_rotVecMat(qvel + p->map.v_index[0], v, R);
  }
  return true;
}

static bool
load_robot(peer_t * p, bool elliptic, char * why)
{
  const contact_case_t * robot = p->robot;
  const mbd_model_t * model = robot->model;
  const char * joint[64];
  char * urdf = text_of(robot->file);
  mujoco_robot_t r = {
    .urdf = urdf, .root = model->body[0].name, .keep_links = false, .joint = joint};
  for (int i = 1; i < model->nbody && i <= 64; i++) joint[r.njoint++] = model->body[i].joint_name;
  mjModel * bare = urdf ? mujoco_robot_load(&r, why) : NULL;
  free(urdf);
  if (!bare) return false;
  p->m = with_contacts(robot, bare, why);
  mj_deleteModel(bare);
  if (!p->m) return false;
  p->map.q_index = calloc((size_t)model->nq, sizeof(int));
  p->map.v_index = calloc((size_t)model->nv, sizeof(int));
  if (!p->map.q_index || !p->map.v_index) return false;
  if (!mujoco_robot_map(&r, p->m, &p->map, why)) return false;
  p->m->opt.disableflags = mjDSBL_PASSIVE | mjDSBL_ACTUATION | mjDSBL_FRICTIONLOSS;
  p->m->opt.timestep = robot->time_step;
  p->m->opt.cone = elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  p->d = mj_makeData(p->m);
  return p->d != NULL;
}

static void *
load(const contact_case_t * robot, bool elliptic)
{
  char why[MUJOCO_WHY] = "no memory";
  peer_t * p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->robot = robot;
  if (load_robot(p, elliptic, why) && copy_states(p)) return p;
  fprintf(stderr, "MuJoCo: %s\n", why);
  return unload(p), NULL;
}

static void *
load_pyramids(const contact_case_t * robot)
{
  return load(robot, false);
}

static void *
load_cones(const contact_case_t * robot)
{
  return load(robot, true);
}

// qacc_warmstart is that of the step before
static bool
run(void * loaded, int state)
{
  const peer_t * p = loaded;
  const size_t nq = (size_t)p->m->nq, nv = (size_t)p->m->nv, s = (size_t)state;
  memcpy(p->d->qpos, p->qpos + s * nq, nq * sizeof *p->qpos);
  memcpy(p->d->qvel, p->qvel + s * nv, nv * sizeof *p->qvel);
  memcpy(p->d->qfrc_applied, p->force + s * nv, nv * sizeof *p->force);
  mj_step(p->m, p->d);
  return true;
}

static int
active(const void * loaded)
{
  return ((const peer_t *)loaded)->d->ncon;
}

const contact_peer_t contact_mujoco[] = {
  {"MuJoCo mj_step, pyramids", load_pyramids, run, active, unload},
  {"MuJoCo mj_step, round cones", load_cones, run, active, unload},
  {NULL, NULL, NULL, NULL, NULL}};
