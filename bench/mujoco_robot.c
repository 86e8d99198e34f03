// A URDF robot in MuJoCo.
#include "mujoco_robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char compiler[] =
  "<mujoco><compiler balanceinertia=\"false\" boundmass=\"0\" boundinertia=\"0\" "
  "inertiafromgeom=\"false\" discardvisual=\"true\" strippath=\"true\" "
  "fusestatic=\"%s\"/></mujoco>";

static const char free_joint[] =
  "<link name=\"world\"/><joint name=\"mujoco_free\" type=\"floating\">"
  "<parent link=\"world\"/><child link=\"%s\"/></joint>";

// the URDF with what MuJoCo has to be told, before its last tag
static char *
with_options(const mujoco_robot_t * robot)
{
  const char * end = NULL;
  for (const char * p = robot->urdf; (p = strstr(p, "</robot")) != NULL; p++) end = p;
  if (end == NULL) return NULL;
  const size_t root = robot->root ? strlen(robot->root) : 0, head = (size_t)(end - robot->urdf);
  const size_t capacity = strlen(robot->urdf) + sizeof compiler + sizeof free_joint + root + 8;
  char * text = calloc(capacity, 1);
  if (text == NULL) return NULL;
  memcpy(text, robot->urdf, head);
  size_t used = head;
  used +=
    (size_t)snprintf(text + used, capacity - used, compiler, robot->keep_links ? "false" : "true");
  if (robot->root) used += (size_t)snprintf(text + used, capacity - used, free_joint, robot->root);
  snprintf(text + used, capacity - used, "%s", end);
  return text;
}

static mjModel *
compile(const char * text, char * why)
{
  mjVFS * vfs = malloc(sizeof *vfs);
  if (vfs == NULL) return NULL;
  mj_defaultVFS(vfs);
  mjModel * m = NULL;
  if (mj_makeEmptyFileVFS(vfs, "robot.urdf", (int)strlen(text)) == 0) {
    memcpy(vfs->filedata[0], text, strlen(text));
    m = mj_loadXML("robot.urdf", vfs, why, MUJOCO_WHY);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  // in one line
  for (char * c = why; m == NULL && (c = strchr(c, '\n')) != NULL;) *c = ' ';
  return m;
}

// rigid bodies alone
static void
switch_off(mjModel * m)
{
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS |
                         mjDSBL_PASSIVE | mjDSBL_ACTUATION;
  for (int i = 0; i < m->nv; i++) m->dof_damping[i] = m->dof_frictionloss[i] = 0;
  for (int i = 0; i < m->nv; i++) m->dof_armature[i] = 0;
  for (int i = 0; i < m->njnt; i++) m->jnt_stiffness[i] = 0;
}

mjModel *
mujoco_robot_load(const mujoco_robot_t * robot, char * why)
{
  snprintf(why, MUJOCO_WHY, "not a URDF, or no memory");
  char * text = with_options(robot);
  if (text == NULL) return NULL;
  mjModel * m = compile(text, why);
  free(text);
  if (m != NULL) switch_off(m);
  return m;
}

bool
mujoco_robot_map(const mujoco_robot_t * robot, const mjModel * m, mujoco_map_t * map, char * why)
{
  const int first = robot->root ? 6 : 0;
  if (robot->root) {
    const int free = mj_name2id(m, mjOBJ_JOINT, "mujoco_free");
    if (free < 0) return snprintf(why, MUJOCO_WHY, "no free joint"), false;
    map->base = m->jnt_qposadr[free];
    for (int i = 0; i < 6; i++) map->v_index[i] = m->jnt_dofadr[free] + i;
  }
  for (int i = 0; i < robot->njoint; i++) {
    const int id = mj_name2id(m, mjOBJ_JOINT, robot->joint[i]);
    if (id < 0) return snprintf(why, MUJOCO_WHY, "no joint %s", robot->joint[i]), false;
    map->q_index[i] = m->jnt_qposadr[id];
    map->v_index[first + i] = m->jnt_dofadr[id];
  }
  for (int i = 0; i < robot->nframe; i++) {
    map->body[i] = mj_name2id(m, mjOBJ_BODY, robot->frame[i]);
    if (map->body[i] < 0) return snprintf(why, MUJOCO_WHY, "no link %s", robot->frame[i]), false;
  }
  return true;
}
