// Building models: what is merged, turned and numbered leaves the robot what it was.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_test.h"

//---------- the robot as it was described ----------

// exponential of a motion about or along an axis of any length
static mat_t
about_axis(mbd_vec3_t axis, double turn, double advance)
{
  const double n = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  const double u[3] = {axis.x / n, axis.y / n, axis.z / n};
  const double z[6] = {turn * u[0],    turn * u[1],    turn * u[2],
                       advance * u[0], advance * u[1], advance * u[2]};
  return expm(twist4(z));
}

// link frame in its frame at rest, by the description alone; planes need the body's axes in them
static mat_t
described_joint(const mbd_body_spec_t * spec, const mbd_body_t * body, mat_t turn, const double * q)
{
  switch (spec->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: return about_axis(spec->axis, q[0], 0);
    case MBD_JOINT_PRISMATIC: return about_axis(spec->axis, 0, q[0]);
    case MBD_JOINT_HELICAL: return about_axis(spec->axis, q[0], spec->pitch * q[0]);
    case MBD_JOINT_CYLINDRICAL: return about_axis(spec->axis, q[0], q[1]);
    case MBD_JOINT_PLANAR: return PROD(turn, dense_joint(body, q), inverse4(turn));
    default: return dense_joint(body, q);
  }
}

// placements of all links from the descriptions, [nlink]
static void
described_links(const tree_t * t, mat_t * X)
{
  for (int k = 0; k < t->nlink; k++) {
    const mbd_body_spec_t * spec = &t->link[k].spec;
    mat_t T = placement4(&spec->placement);
    if (spec->type != MBD_JOINT_FIXED) {
      int i;
      assert_ok(mbd_find_joint(t->model, spec->joint_name, &i));
      const mbd_body_t * body = &t->model->body[i];
      const mat_t turn = inverse4(placement4(&t->model->frame[t->link[k].frame].X));
      T = PROD(T, described_joint(spec, body, turn, t->q + body->q_index));
    }
    for (int p = 0; p < k; p++) {
      if (t->link[p].frame == spec->parent) T = PROD(X[p], T);
    }
    X[k] = T;
  }
}

// links are where their descriptions say, whatever became of fixed joints and axes
static void
links_are_where_they_were_described(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    mat_t X[64];
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    described_links(t, X);
    for (int k = 0; k < t->nlink; k++) {
      mbd_placement_t found;
      assert_ok(mbd_frame_placement(t->model, t->data, t->link[k].frame, &found));
      assert_mat(placement4(&found), X[k], 1e-12, "link %d, seed %lu", k, seed);
    }
  }
}

// body frames: at the link's origin, z along the axis, a proper rotation
static void
body_frames_have_the_axis_along_z(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    for (int k = 0; k < t->nlink; k++) {
      const mbd_body_spec_t * spec = &t->link[k].spec;
      if (spec->type == MBD_JOINT_FIXED) continue;
      const mat_t X = placement4(&t->model->frame[t->link[k].frame].X);
      const mat_t R = block(X, 0, 0, 3, 3);
      assert_mat(block(X, 0, 3, 3, 1), mat(3, 1), 0, "origin, seed %lu", seed);
      assert_mat(PROD(R, tr(R)), eye(3), 1e-14, "rotation, seed %lu", seed);
      assert_near(determinant(R), 1, 1e-14, "right-handed, seed %lu", seed);
      const bool turned = spec->type != MBD_JOINT_UNIVERSAL && spec->type != MBD_JOINT_USER &&
                          spec->type != MBD_JOINT_SPHERICAL && spec->type != MBD_JOINT_FREE;
      if (!turned) {
        assert_mat(R, eye(3), 0, "not turned, seed %lu", seed);
        continue;
      }
      const double n = mbdu_vec3_norm(spec->axis);
      const double axis[3] = {spec->axis.x / n, spec->axis.y / n, spec->axis.z / n};
      const double z[3] = {0, 0, 1};
      assert_mat(PROD(R, column(3, axis)), column(3, z), 1e-14, "axis, seed %lu", seed);
    }
  }
}

// energies and masses of all links, none merged
static void
merged_links_keep_mass_and_energy(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    mat_t X[64];
    set_state(t);
    described_links(t, X);
    const mbd_vec3_t g = t->model->gravity;
    double kinetic = 0, potential = 0, mass[2] = {0, 0}, found;
    for (int k = 0; k < t->nlink; k++) {
      const mbd_inertia_t * M = &t->link[k].spec.inertia;
      const bool moves = t->model->frame[t->link[k].frame].body >= 0;
      mass[moves] += M->mass;
      if (!moves) continue;
      mbd_motion_t V;
      assert_ok(mbd_frame_velocity(t->model, t->data, t->link[k].frame, MBD_LOCAL, &V));
      kinetic += 0.5 * scalar(PROD(tr(motion6(V)), inertia6(M), motion6(V)));
      const double h[4] = {M->h.x, M->h.y, M->h.z, M->mass};
      const mat_t c = PROD(X[k], column(4, h));
      potential -= g.x * c.a[0] + g.y * c.a[1] + g.z * c.a[2];
    }
    assert_ok(mbd_kinetic_energy(t->model, t->data, &found));
    assert_near(found / kinetic, 1, 1e-12, "kinetic, seed %lu", seed);
    assert_ok(mbd_potential_energy(t->model, t->data, &found));
    assert_near(found, potential, 1e-12, "potential, seed %lu", seed);
    assert_near(t->model->mass, mass[1], 1e-14, "mass, seed %lu", seed);
    assert_near(t->model->mass_fixed, mass[0], 1e-14, "fixed mass, seed %lu", seed);
  }
}

//---------- the same robot, described otherwise ----------

// mass matrix and bias of a model at the state of a tree, joints matched by name
static void
dynamics_by_name(
  const tree_t * t, const mbd_model_t * model, char (*names)[16], mat_t * M, mat_t * h)
{
  const mbd_model_t * own = t->model;
  mbd_data_t * data;
  assert_int_equal(model->nv, own->nv);
  mat_t q = mat(own->nq, 1), v = mat(own->nv, 1), P = mat(own->nv, own->nv);
  for (int k = 0; k < t->nlink; k++) {
    if (t->link[k].spec.type == MBD_JOINT_FIXED) continue;
    int i, j;
    assert_ok(mbd_find_joint(own, t->link[k].joint_name, &i));
    assert_ok(mbd_find_joint(model, names ? names[k] : t->link[k].joint_name, &j));
    const mbd_body_t *from = &own->body[i], *to = &model->body[j];
    memcpy(q.a + to->q_index, t->q + from->q_index, sizeof(double) * (size_t)from->nq);
    memcpy(v.a + to->v_index, t->v + from->v_index, sizeof(double) * (size_t)from->nv);
    for (int n = 0; n < from->nv; n++) *at(P, from->v_index + n, to->v_index + n) = 1;
  }
  mat_t other_M = mat(own->nv, own->nv), other_h = mat(own->nv, 1);
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_state(model, data, q.a, NULL));
  assert_ok(mbd_mass_matrix(model, data, other_M.a));
  assert_ok(mbd_set_velocity(model, data, v.a));
  assert_ok(mbd_bias(model, data, other_h.a));
  *M = PROD(P, other_M, tr(P));
  *h = PROD(P, other_h);
  mbd_data_destroy(data);
}

static void
assert_same_dynamics(const tree_t * t, const mbd_model_t * model, char (*names)[16])
{
  mat_t M, h, own_M = mat(t->model->nv, t->model->nv), own_h = mat(t->model->nv, 1);
  dynamics_by_name(t, model, names, &M, &h);
  set_state(t);
  assert_ok(mbd_mass_matrix(t->model, t->data, own_M.a));
  assert_ok(mbd_bias(t->model, t->data, own_h.a));
  assert_mat(M, own_M, 1e-12, "M, seed %lu", t->seed);
  assert_mat_floor(h, own_h, 1e-12, 1, "bias, seed %lu", t->seed);
}

static void
rename_joint(mbd_body_spec_t * spec, int link, void * arg)
{
  char(*names)[16] = arg;
  spec->joint_name = names[link];
}

// other names, another order of bodies, the same robot                             8.5.1
static void
numbering_does_not_matter(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    char names[64][16];
    uint64_t state = seed + 1000;
    for (int k = 0; k < t->nlink; k++) {
      snprintf(names[k], sizeof names[k], "r%02d_%d", random_below(&state, 100), k);
    }
    mbd_model_t * model = rebuild(t, rename_joint, names);
    assert_same_dynamics(t, model, names);
    mbd_model_destroy(model);
  }
}

// part of every link hangs on a fixed joint of its own
static void
splitting_links_changes_nothing(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed + 2000;
    mbd_model_t * model;
    int frame;
    assert_ok(mbd_model_create("split", &model));
    assert_ok(mbd_model_set_gravity(model, t->model->gravity));
    for (int k = 0; k < t->nlink; k++) {
      mbd_body_spec_t spec = t->link[k].spec;
      spec.inertia.mass *= 0.6;
      spec.inertia.h = mbdu_vec3_scale(0.6, spec.inertia.h);
      mbd_sym3_t * I = &spec.inertia.I;
      I->xx *= 0.6, I->xy *= 0.6, I->xz *= 0.6, I->yy *= 0.6, I->yz *= 0.6, I->zz *= 0.6;
      assert_ok(mbd_model_add_body(model, &spec, &frame));
    }
    for (int k = 0; k < t->nlink; k++) {
      char name[16];
      snprintf(name, sizeof name, "part_%d", k);
      mbd_body_spec_t spec = mbd_body_spec_default();
      spec.name = spec.joint_name = name;
      spec.parent = t->link[k].frame;
      spec.placement = random_placement(&state);
      // the other 4 tenths, seen from the part's own frame
      const mbd_inertia_t * M = &t->link[k].spec.inertia;
      const mbd_sym3_t I = {0.4 * M->I.xx, 0.4 * M->I.xy, 0.4 * M->I.xz,
                            0.4 * M->I.yy, 0.4 * M->I.yz, 0.4 * M->I.zz};
      const mbd_inertia_t part = {0.4 * M->mass, mbdu_vec3_scale(0.4, M->h), I};
      const mbd_placement_t back = mbdu_placement_inverse(&spec.placement);
      spec.inertia = mbdu_inertia_to_parent(&back, &part);
      assert_ok(mbd_model_add_body(model, &spec, &frame));
    }
    assert_ok(mbd_model_finalize(model));
    assert_same_dynamics(t, model, NULL);
    mbd_model_destroy(model);
  }
}

static void
lengthen_axis(mbd_body_spec_t * spec, int link, void * arg)
{
  (void)link, (void)arg;
  spec->axis = mbdu_vec3_scale(1e-6, spec->axis);
}

static void
length_of_axes_does_not_matter(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    mbd_model_t * model = rebuild(t, lengthen_axis, NULL);
    assert_same_dynamics(t, model, NULL);
    mbd_model_destroy(model);
  }
}

// a fixed joint in between, and its link carries the rest
static void
fixed_links_carry_moving_ones(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    // merged links and frames name the body that moves them
    for (int k = 0; k < t->nlink; k++) {
      const mbd_frame_t * frame = &t->model->frame[t->link[k].frame];
      assert_string_equal(frame->name, t->link[k].name);
      assert_true(frame->is_link);
      int body;
      const mbd_status_t status = mbd_find_joint(t->model, t->link[k].joint_name, &body);
      if (t->link[k].spec.type == MBD_JOINT_FIXED) {
        assert_int_equal(status, MBD_ERROR_NOT_FOUND);
        const int parent = t->link[k].spec.parent;
        const int above = parent < 0 ? MBD_WORLD_BODY : t->model->frame[parent].body;
        assert_int_equal(frame->body, above);
      } else {
        assert_int_equal(status, MBD_OK);
        assert_int_equal(frame->body, body);
        assert_int_equal(t->model->body[body].link_frame, t->link[k].frame);
        assert_string_equal(t->model->body[body].name, t->link[k].name);
        assert_string_equal(t->model->body[body].joint_name, t->link[k].joint_name);
        assert_int_equal(t->model->body[body].type, t->link[k].spec.type);
      }
    }
  }
}

//---------- numbering ----------

// the link that carries a body: the name by which it is sorted among its siblings
static int
link_of_frame(const tree_t * t, int frame)
{
  for (int k = 0; k < t->nlink; k++) {
    if (t->link[k].frame == frame) return k;
  }
  return -1;
}

// links on the way from the world to a link, its own last; returns how many
static int
path_of(const tree_t * t, int link, int * path)
{
  int n = 0, up[64];
  for (int k = link; k >= 0; k = link_of_frame(t, t->link[k].spec.parent)) up[n++] = k;
  for (int i = 0; i < n; i++) path[i] = up[n - 1 - i];
  return n;
}

// true if link a comes before link b: ancestors first, else by the joint names where ways part
static bool
comes_before(const tree_t * t, int a, int b)
{
  int pa[64], pb[64];
  const int na = path_of(t, a, pa), nb = path_of(t, b, pb);
  int i = 0;
  while (i < na && i < nb && pa[i] == pb[i]) i++;
  if (i == na || i == nb) return na < nb;
  return strcmp(t->link[pa[i]].joint_name, t->link[pb[i]].joint_name) < 0;
}

// depth first, siblings by the name of their joint, all indices in order
static void
bodies_are_numbered_depth_first(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    int nq = 0, nv = 0, nD = 0;
    for (int i = 0; i < m->nbody; i++) {
      const mbd_body_t * body = &m->body[i];
      assert_true(body->parent < i);
      assert_int_equal(body->q_index, nq);
      assert_int_equal(body->v_index, nv);
      assert_int_equal(body->d_index, nD);
      for (int j = 0; j < body->nv; j++) assert_int_equal(m->dof_body[nv + j], i);
      nq += body->nq, nv += body->nv, nD += body->nv * body->nv;
      for (int j = 0; j < m->nbody; j++) {
        const bool inside = j >= i && j < body->subtree_end;
        assert_int_equal(inside, dense_is_ancestor(m, i, j));
      }
      if (i == 0) continue;
      const int before = link_of_frame(t, m->body[i - 1].link_frame);
      assert_true(comes_before(t, before, link_of_frame(t, body->link_frame)));
    }
    assert_int_equal(m->nq, nq);
    assert_int_equal(m->nv, nv);
    assert_int_equal(m->nD, nD);
  }
}

static void
sizes_of_joints(void ** context)
{
  (void)context;
  const int nq[] = {0, 1, 1, 1, 1, 2, 2, 4, 3, 7}, nv[] = {0, 1, 1, 1, 1, 2, 2, 3, 3, 6};
  const char * names[] = {"fixed",   "revolute",    "continuous", "prismatic",
                          "helical", "cylindrical", "universal",  "spherical",
                          "planar",  "free",        "user"};
  for (int type = 0; type <= MBD_JOINT_USER; type++) {
    assert_string_equal(mbd_joint_type_name((mbd_joint_type_t)type), names[type]);
  }
  assert_string_equal(mbd_joint_type_name((mbd_joint_type_t)99), "unknown");
  FOR_TREES(TREES, NULL)
  {
    for (int i = 0; i < t->model->nbody; i++) {
      const mbd_body_t * body = &t->model->body[i];
      const bool user = body->type == MBD_JOINT_USER;
      assert_int_equal(body->nq, user ? body->user.nq : nq[body->type]);
      assert_int_equal(body->nv, user ? body->user.nv : nv[body->type]);
    }
  }
}

// frames by name; frames added on frames and on the world
static void
frames_are_found_by_name(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    for (int f = 0; f < t->model->nframe; f++) {
      int found;
      assert_ok(mbd_find_frame(t->model, t->model->frame[f].name, &found));
      assert_int_equal(found, f);
      assert_int_equal(t->model->frame[f].is_link, strncmp(t->model->frame[f].name, "l", 1) == 0);
    }
    int found = 77;
    assert_status(mbd_find_frame(t->model, "nobody", &found), MBD_ERROR_NOT_FOUND);
    assert_status(mbd_find_joint(t->model, "nobody", &found), MBD_ERROR_NOT_FOUND);
    assert_int_equal(found, 77);
    assert_status(mbd_find_frame(t->model, NULL, &found), MBD_ERROR_NULL_ARGUMENT);
    assert_status(mbd_find_joint(NULL, "x", &found), MBD_ERROR_NULL_ARGUMENT);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(links_are_where_they_were_described),
    cmocka_unit_test(body_frames_have_the_axis_along_z),
    cmocka_unit_test(merged_links_keep_mass_and_energy),
    cmocka_unit_test(numbering_does_not_matter),
    cmocka_unit_test(splitting_links_changes_nothing),
    cmocka_unit_test(length_of_axes_does_not_matter),
    cmocka_unit_test(fixed_links_carry_moving_ones),
    cmocka_unit_test(bodies_are_numbered_depth_first),
    cmocka_unit_test(sizes_of_joints),
    cmocka_unit_test(frames_are_found_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
