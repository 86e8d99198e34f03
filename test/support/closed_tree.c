#include "closed_tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "close.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "surfaces.h"

void
loops_add(loops_t * loops, const mbd_closure_spec_t * spec)
{
  assert_true(loops->n < MOST_LOOPS);
  snprintf(loops->name[loops->n], sizeof loops->name[0], "closure%d", loops->n);
  loops->spec[loops->n++] = *spec;
}

const char *
lasting_name(const tree_t * t, const char * joint)
{
  int k = 0;
  while (strcmp(t->link[k].joint_name, joint) != 0) k++;
  return t->link[k].joint_name;
}

bool
can_couple(const mbd_body_t * body)
{
  return body->nv == 1 && body->nq == 1 && body->type != MBD_JOINT_USER;
}

// index of the frame of the same name in another model
static int
same_frame(const tree_t * t, const mbd_model_t * model, int frame)
{
  int found = MBD_WORLD_BODY;
  if (frame >= 0) assert_ok(mbd_find_frame(model, t->model->frame[frame].name, &found));
  return found;
}

void
close_tree(tree_t * t, const loops_t * loops)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("closed", &model));
  assert_ok(mbd_model_set_gravity(model, t->model->gravity));
  for (int k = 0; k < t->nlink; k++) {
    int frame;
    mbd_body_spec_t spec = t->link[k].spec;
    spec.parent = same_frame(t, model, spec.parent);
    assert_ok(mbd_model_add_body(model, &spec, &frame));
  }
  for (int k = 0; k < loops->n; k++) {
    mbd_closure_spec_t spec = loops->spec[k];
    spec.name = loops->name[k];
    spec.frame_a = same_frame(t, model, spec.frame_a);
    spec.frame_b = same_frame(t, model, spec.frame_b);
    assert_ok(mbd_model_add_closure(model, &spec, NULL));
  }
  assert_ok(mbd_model_finalize(model));
  assert_int_equal(model->nv, t->model->nv);
  mbd_data_destroy(t->data);
  mbd_model_destroy(t->model);
  t->model = model;
  assert_ok(mbd_data_create(model, &t->data));
  t->nwrench = t->f_ext.n = 0;
}

//---------- closures that hold ----------

static bool
coupling_at(const tree_t * t, uint64_t * state, mbd_closure_spec_t * spec)
{
  spec->ncoupled = 0;
  spec->offset = 0;
  for (int i = 0; i < t->model->nbody && spec->ncoupled < 3; i++) {
    const mbd_body_t * body = &t->model->body[i];
    if (!can_couple(body) || random_below(state, 2) == 0) continue;
    const int k = spec->ncoupled++;
    spec->joint[k] = lasting_name(t, body->joint_name);
    spec->coefficient[k] = (random_below(state, 2) ? 1 : -1) * random_between(state, 0.5, 2);
    spec->offset -= spec->coefficient[k] * t->q[body->q_index];
  }
  return spec->ncoupled > 1;
}

// a motion that a closure of this type leaves free
static mbd_placement_t
free_motion(const mbd_closure_spec_t * spec, uint64_t * state)
{
  const double distance = spec->distance;
  mbd_placement_t X = mbdu_placement_identity();
  const double angle = random_between(state, -3, 3), slide = random_signed(state);
  const mbd_mat3_t about_z = mbdu_rotation_z(cos(angle), sin(angle));
  const mbd_vec3_t any = random_vec3(state, 1);
  if (has_surfaces(spec->type)) return touching(spec, state);
  if (spec->type == MBD_CLOSURE_SCREW) return turn_screw(spec, state);
  switch (spec->type) {
    case MBD_CLOSURE_REVOLUTE: X.R = about_z; break;
    case MBD_CLOSURE_PRISMATIC: X.p.z = slide; break;
    case MBD_CLOSURE_CYLINDRICAL: X.R = about_z, X.p.z = slide; break;
    case MBD_CLOSURE_UNIVERSAL: {
      // about x of A, then about y of B
      const double other = random_between(state, -3, 3), c = cos(angle), s = sin(angle);
      const mbd_mat3_t about_x = {{1, 0, 0, 0, c, -s, 0, s, c}};
      const mbd_mat3_t about_y = {{cos(other), 0, sin(other), 0, 1, 0, -sin(other), 0, cos(other)}};
      X.R = mbdu_mat3_mul(&about_x, &about_y);
      break;
    }
    case MBD_CLOSURE_SPHERICAL: X.R = random_rotation(state); break;
    case MBD_CLOSURE_PLANAR: X.R = about_z, X.p = mbdu_vec3(any.x, any.y, 0); break;
    case MBD_CLOSURE_ON_LINE: X.R = random_rotation(state), X.p.z = slide; break;
    case MBD_CLOSURE_ON_PLANE:
      X.R = random_rotation(state), X.p = mbdu_vec3(any.x, any.y, 0);
      break;
    case MBD_CLOSURE_DISTANCE:
      X.R = random_rotation(state);
      X.p = mbdu_vec3_scale(distance / mbdu_vec3_norm(any), any);
      break;
    default: break;
  }
  return X;
}

static mbd_placement_t
frame_of(const tree_t * t, int frame)
{
  mbd_placement_t X = mbdu_placement_identity();
  if (frame >= 0) assert_ok(mbd_frame_placement(t->model, t->data, frame, &X));
  return X;
}

static bool
frames_at(const tree_t * t, uint64_t * state, mbd_closure_spec_t * spec)
{
  const bool to_world = random_below(state, 3) == 0;
  spec->frame_a = to_world ? MBD_WORLD_BODY : t->link[random_below(state, t->nlink)].frame;
  spec->frame_b = t->link[random_below(state, t->nlink)].frame;
  const int a = to_world ? MBD_WORLD_BODY : t->model->frame[spec->frame_a].body;
  const int b = t->model->frame[spec->frame_b].body;
  if (b < 0) return false;
  spec->distance = random_between(state, 0.2, 1);
  const mbd_placement_t A = frame_of(t, spec->frame_a), B = frame_of(t, spec->frame_b);
  // the closure is somewhere near B; B in A is a motion that it leaves free
  const mbd_placement_t offset = random_placement(state);
  random_surfaces(state, spec);
  const mbd_placement_t X = free_motion(spec, state);
  const mbd_placement_t X_inverse = mbdu_placement_inverse(&X);
  const mbd_placement_t A_inverse = mbdu_placement_inverse(&A);
  const mbd_placement_t at_b = mbdu_placement_mul(&B, &offset);
  const mbd_placement_t at_a = mbdu_placement_mul(&at_b, &X_inverse);
  spec->X_b = offset;
  spec->X_a = mbdu_placement_mul(&A_inverse, &at_a);
  const bool velocity = spec->type == MBD_CLOSURE_NO_SLIP || spec->type == MBD_CLOSURE_ROLLING;
  return velocity || a != b;
}

loops_t
assembled_loops(const tree_t * t, uint64_t * state, int most_rows)
{
  loops_t loops;
  memset(&loops, 0, sizeof loops);
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  for (int tries = 0; tries < 8; tries++) {
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.type = (mbd_closure_type_t)random_below(state, MBD_CLOSURE_TYPES);
    if (mbd_closure_rows(spec.type) > most_rows) continue;
    const bool good =
      spec.type == MBD_CLOSURE_COUPLING ? coupling_at(t, state, &spec) : frames_at(t, state, &spec);
    if (!good) continue;
    most_rows -= mbd_closure_rows(spec.type);
    loops_add(&loops, &spec);
  }
  return loops;
}

tree_t *
closed_tree(uint64_t seed, const tree_options_t * options, int spare)
{
  tree_t * t = random_tree(seed, options);
  uint64_t state = seed ^ 0xc105edu;
  const loops_t loops = assembled_loops(t, &state, t->model->nv - spare);
  close_tree(t, &loops);
  return t;
}

//---------- four-bar ----------

four_bar_t
four_bar_default(void)
{
  four_bar_t bar = {1, 0.4, 1.1, 0.8, MBD_CLOSURE_ON_LINE, mbdu_placement_identity(), NULL};
  return bar;
}

static int
add_rod(mbd_model_t * model, const char * name, int parent, mbd_placement_t at, double length)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  const double thin = 1e-3 * length, I = length * length * length / 12;
  const mbd_sym3_t about_com = {thin, 0, 0, I + thin, 0, I + thin};
  char joint[32];
  int frame;
  snprintf(joint, sizeof joint, "%s_joint", name);
  spec.name = name;
  spec.joint_name = joint;
  spec.parent = parent;
  spec.type = MBD_JOINT_REVOLUTE;
  spec.placement = at;
  spec.inertia = mbdu_inertia_from_com(length, mbdu_vec3(0.5 * length, 0, 0), about_com);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  return frame;
}

static mbd_placement_t
along_x(double x)
{
  mbd_placement_t X = mbdu_placement_identity();
  X.p.x = x;
  return X;
}

mbd_model_t *
four_bar(const four_bar_t * bar)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("four_bar", &model));
  const mbd_placement_t ground = along_x(bar->ground);
  const mbd_placement_t far_end = mbdu_placement_mul(&bar->base, &ground);
  const int crank = add_rod(model, "crank", MBD_WORLD_BODY, bar->base, bar->crank);
  const int coupler = add_rod(model, "coupler", crank, along_x(bar->crank), bar->coupler);
  const int rocker = add_rod(model, "rocker", MBD_WORLD_BODY, far_end, bar->rocker);
  mbd_closure_spec_t pin = mbd_closure_spec_default();
  pin.name = "pin";
  pin.type = bar->type;
  pin.frame_a = coupler, pin.X_a = along_x(bar->coupler);
  pin.frame_b = rocker, pin.X_b = along_x(bar->rocker);
  assert_ok(mbd_model_add_closure(model, &pin, NULL));
  if (bar->extra) assert_ok(mbd_model_add_closure(model, bar->extra, NULL));
  assert_ok(mbd_model_finalize(model));
  return model;
}

bool
four_bar_at(const four_bar_t * bar, const mbd_model_t * model, double angle, double * q)
{
  // triangle from the crank's end to the rocker's foot
  const double x = bar->ground - bar->crank * cos(angle), y = -bar->crank * sin(angle);
  const double d = hypot(x, y);
  const double c =
    (bar->coupler * bar->coupler + d * d - bar->rocker * bar->rocker) / (2 * bar->coupler * d);
  if (!(fabs(c) <= 1)) return false;
  const double coupler = atan2(y, x) + acos(c);
  const double px = bar->crank * cos(angle) + bar->coupler * cos(coupler) - bar->ground;
  const double py = bar->crank * sin(angle) + bar->coupler * sin(coupler);
  const char * const joint[3] = {"crank_joint", "coupler_joint", "rocker_joint"};
  const double value[3] = {angle, coupler - angle, atan2(py, px)};
  for (int k = 0; k < 3; k++) {
    int body;
    assert_ok(mbd_find_joint(model, joint[k], &body));
    q[model->body[body].q_index] = value[k];
  }
  return true;
}
