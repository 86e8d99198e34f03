// From the table to a finalized model.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/embedding.h"
#include "mbdyn/constraints/gear.h"
#include "mbdyn/spatial.h"
#include "mechanism_internal.h"
#include "urdf_internal.h"

//---------- rotations ----------

mbd_mat3_t
urdf_rotation(const double rpy[3])
{
  const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]);
  const double cy = cos(rpy[2]), sy = sin(rpy[2]);
  mbd_mat3_t R = {
    {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr,
     sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr}};
  return R;
}

static mbd_mat3_t
rotation_of(const double quat[4])
{
  const mbd_quat_t q = {quat[0], quat[1], quat[2], quat[3]};
  return mbdu_quat_to_mat3(q);
}

//---------- bodies ----------

static mbd_placement_t
placement_of(const double xyz[3], const double quat[4])
{
  mbd_placement_t X = {rotation_of(quat), {xyz[0], xyz[1], xyz[2]}};
  return X;
}

// about the link frame's origin, in link axes: the tensor is turned with its frame
static mbd_inertia_t
inertia_of(const urdf_link_t * link)
{
  const mbd_mat3_t R = rotation_of(link->quat);
  const double * I = link->I;
  const mbd_sym3_t tensor = {I[0], I[1], I[2], I[3], I[4], I[5]};
  return mbdu_inertia_from_com(
    link->mass, mbdu_vec3(link->xyz[0], link->xyz[1], link->xyz[2]), mbdu_sym3_rotate(&R, &tensor));
}

static mbd_joint_type_t
joint_type(urdf_joint_type_t type)
{
  switch (type) {
    case URDF_REVOLUTE: return MBD_JOINT_REVOLUTE;
    case URDF_CONTINUOUS: return MBD_JOINT_CONTINUOUS;
    case URDF_PRISMATIC: return MBD_JOINT_PRISMATIC;
    case URDF_PLANAR: return MBD_JOINT_PLANAR;
    case URDF_FLOATING: return MBD_JOINT_FREE;
    case URDF_SPHERICAL: return MBD_JOINT_SPHERICAL;
    default: return MBD_JOINT_FIXED;
  }
}

static void
set_limits(mbd_limits_t * limits, const urdf_joint_t * joint)
{
  if (!joint->has_limit || !urdf_one_dof(joint)) return;
  if (joint->type != URDF_CONTINUOUS) {
    limits->lower = joint->lower;
    limits->upper = joint->upper;
  }
  if (joint->has_effort) limits->effort = joint->effort;
  if (joint->has_velocity) limits->velocity = joint->velocity;
  limits->acceleration = joint->acceleration;
  limits->deceleration = joint->deceleration;
  limits->jerk = joint->jerk;
}

static void
set_drive(mbd_drive_t * drive, const urdf_joint_t * joint)
{
  if (joint->drive) {
    *drive = *joint->drive;
    return;
  }
  drive->gear_ratio = joint->gear_ratio;
  drive->rotor_inertia = joint->rotor_inertia;
  drive->viscous = joint->damping;
  drive->coulomb = joint->friction;
}

static void
set_joint(mbd_body_spec_t * spec, const urdf_robot_t * robot, const urdf_joint_t * joint)
{
  spec->joint_name = joint->name;
  spec->type = joint_type(joint->type);
  spec->placement = placement_of(joint->xyz, joint->quat);
  spec->axis = mbdu_vec3(joint->axis[0], joint->axis[1], joint->axis[2]);
  set_limits(&spec->limits, joint);
  if (spec->type != MBD_JOINT_FIXED) set_drive(&spec->drive, joint);
  if (joint->mimic < 0) return;
  spec->mimic.joint = robot->joint[joint->mimic].name;
  spec->mimic.multiplier = joint->multiplier;
  spec->mimic.offset = joint->offset;
}

// a name for the joint of a fixed base that no joint of the file has
static void
root_joint_name(const urdf_robot_t * robot, char * name, size_t size)
{
  snprintf(name, size, "root_joint");
  for (int k = 1; urdf_find_joint(robot, name) >= 0; k++) snprintf(name, size, "root_joint_%d", k);
}

static void
say_status(urdf_loader_t * loader, mbd_status_t status, const char * name, int line)
{
  if (status == MBD_ERROR_OUT_OF_MEMORY) {
    loader->out_of_memory = true;
    return;
  }
  const urdf_place_t place = {name ? "link or joint" : "robot", name, line};
  urdf_say(loader, MBDX_ERROR, place, NULL, "%s", mbd_status_string(status));
}

static bool
add_links(urdf_loader_t * loader, mbd_model_t * model, int * frame)
{
  const urdf_robot_t * robot = &loader->robot;
  char root_joint[32];
  root_joint_name(robot, root_joint, sizeof root_joint);
  for (int k = 0; k < robot->nlink; k++) {
    const int i = robot->order[k];
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = robot->link[i].name;
    spec.joint_name = root_joint;
    spec.inertia = inertia_of(&robot->link[i]);
    const int j = robot->link[i].parent_joint;
    if (j >= 0) {
      set_joint(&spec, robot, &robot->joint[j]);
      spec.parent = frame[robot->joint[j].parent];
    } else if (loader->options.base == MBDX_BASE_FLOATING) {
      spec.type = MBD_JOINT_FREE;
    }
    const mbd_status_t status = mbd_model_add_body(model, &spec, &frame[i]);
    if (status == MBD_OK) continue;
    say_status(
      loader, status, model->error_name ? model->error_name : spec.name, robot->link[i].line);
    return false;
  }
  return true;
}

static bool
add_sites(urdf_loader_t * loader, mbd_model_t * model, const int * frame)
{
  for (int k = 0; k < loader->nsite; k++) {
    const urdf_site_t * site = &loader->site[k];
    int added;
    const mbd_status_t status =
      mbd_model_add_frame(model, site->name, frame[site->link], &site->X, &added);
    if (status == MBD_OK) continue;
    say_status(loader, status, site->name, site->line);
    return false;
  }
  return true;
}

//---------- what was done ----------

// link of the moving body that a link belongs to, or NULL for the world
static const char *
carrier(const mbd_model_t * model, int frame)
{
  const int body = model->frame[frame].body;
  return body < 0 ? NULL : model->body[body].name;
}

static void
say_merged(urdf_loader_t * loader, const mbd_model_t * model, const int * frame)
{
  const urdf_robot_t * robot = &loader->robot;
  for (int i = 0; i < robot->nlink; i++) {
    const urdf_link_t * link = &robot->link[i];
    if (link->parent_joint < 0) continue;
    const urdf_joint_t * joint = &robot->joint[link->parent_joint];
    if (urdf_moves(joint)) continue;
    const char * into = carrier(model, frame[i]);
    char mass[40] = "";
    if (link->mass > 0) snprintf(mass, sizeof mass, " with its %g kg", link->mass);
    urdf_say(
      loader, MBDX_NOTE, urdf_link_place(link), NULL,
      "merged into %s%s%s (fixed joint %s); kept as a frame", into ? "link " : "the world",
      into ? urdf_name(into).s : "", mass, urdf_name(joint->name).s);
  }
}

static void
say_summary(urdf_loader_t * loader, const mbd_model_t * model)
{
  const urdf_robot_t * robot = &loader->robot;
  const urdf_place_t place = {"robot", robot->name, 0};
  char fixed[64] = "";
  if (model->mass_fixed > 0) {
    snprintf(fixed, sizeof fixed, ", and %g kg fixed to the world", model->mass_fixed);
  }
  int moving = 0;
  for (int j = 0; j < robot->njoint; j++) moving += urdf_moves(&robot->joint[j]);
  urdf_say(
    loader, MBDX_NOTE, place, NULL, "%d links, %d joints (%d moving), mass %g kg%s", robot->nlink,
    robot->njoint, moving, model->mass, fixed);
  const urdf_link_t * root = &robot->link[robot->root];
  if (loader->options.base == MBDX_BASE_FIXED && root->has_inertial) {
    urdf_say(
      loader, MBDX_NOTE, urdf_link_place(root), NULL,
      "the root link is fixed to the world: its inertial has no effect");
  }
}

//---------- build ----------

static bool
add_motors(urdf_loader_t * loader, mbd_model_t * model)
{
  const urdf_place_t place = {"robot", loader->robot.name, 0};
  int n;
  const mbd_status_t status = mbd_model_add_motors(model, &n);
  if (status != MBD_OK) {
    say_status(loader, status, model->error_name, 0);
    return false;
  }
  urdf_say(
    loader, MBDX_NOTE, place, NULL, "%d rotors modelled as bodies geared to their joints", n);
  return true;
}

static bool
fill(urdf_loader_t * loader, mbd_model_t * model, int * frame)
{
  mbd_status_t status = mbd_model_set_gravity(model, loader->options.gravity);
  if (status == MBD_OK) {
    status = mbd_model_set_mimic_independent(model, loader->options.mimic_independent);
  }
  if (status != MBD_OK) {
    say_status(loader, status, NULL, 0);
    return false;
  }
  if (!add_links(loader, model, frame) || !add_sites(loader, model, frame)) return false;
  if (loader->options.exact_rotors && !add_motors(loader, model)) return false;
  if (!urdf_add_closures(loader, model, frame)) return false;
  if (!urdf_add_forces(loader, model, frame)) return false;
  if (loader->tables && !mechanism_add_beside(loader, model)) return false;
  status = mbd_model_finalize(model);
  if (
    status == MBD_ERROR_BAD_JOINT && loader->tables &&
    mechanism_blame_bearing(loader, loader->tables, model->error_name))
    return false;
  if (status == MBD_ERROR_BAD_CLOSURE && model->error_name) {
    urdf_say_bad_closure(loader, model->error_name);
    return false;
  }
  if (status != MBD_OK) {
    say_status(loader, status, model->error_name, 0);
    return false;
  }
  urdf_check_leaves(loader, model);
  urdf_check_at_rest(loader, model);
  say_merged(loader, model, frame);
  say_summary(loader, model);
  if (!urdf_is(loader->root, "mujoco")) urdf_say_reader(loader);
  urdf_say_closures(loader);
  urdf_say_forces(loader);
  if (loader->tables && !mechanism_start_beside(loader, model)) return false;
  return loader->status == MBD_OK && !loader->out_of_memory;
}

//---------- loops ----------

// a model with closures in independent velocities, which owns the tree; or NULL with a sentence
static mbd_model_t *
embed(urdf_loader_t * loader, mbd_model_t * tree)
{
  const int mimic = loader->options.mimic_independent ? tree->nmimic : 0;
  if (!loader->options.embed || tree->nclosure == mimic) return tree;
  mbd_embed_options_t options = mbd_embed_options_default();
  options.independent = loader->independent;
  options.nindependent = loader->nindependent;
  options.own_tree = true;
  mbd_model_t * model = NULL;
  const mbd_status_t status = mbd_model_embed(tree, &options, &model);
  if (status == MBD_OK) {
    urdf_say_embedded(loader, model);
    return model;
  }
  if (status == MBD_ERROR_OUT_OF_MEMORY) loader->out_of_memory = true;
  urdf_say_not_embedded(loader, tree->error_name, status);
  mbd_model_destroy(tree);
  return NULL;
}

mbd_model_t *
urdf_build(urdf_loader_t * loader)
{
  const urdf_robot_t * robot = &loader->robot;
  int * frame = calloc((size_t)robot->nlink + 1, sizeof *frame);
  mbd_model_t * model = NULL;
  if (!frame || mbd_model_create(robot->name, &model) != MBD_OK) {
    loader->out_of_memory = true;
  } else if (!fill(loader, model, frame)) {
    mbd_model_destroy(model);
    model = NULL;
  } else {
    model = urdf_lock(loader, embed(loader, model));
  }
  free(frame);
  return model;
}
