// Contacts of the same links: their rows do not depend on the order; what a step needs of the state, and what
// it leaves; limits that contacts push joints to.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/kinematics.h"

enum { ROBOTS = 100, MOST = 12, LINKS = 3 };
#define TIME_STEP 2e-3

typedef struct rig {
  tree_t * t;
  uint64_t random;
  int n;
  mbd_contact_t contact[MOST];
  double *work, *tau, *v[2];
} rig_t;

// contacts of few links in random order, some between two links
static void
make_contacts(rig_t * r, double friction)
{
  const mbd_model_t * m = r->t->model;
  int link[LINKS];
  for (int k = 0; k < LINKS; k++) link[k] = m->body[random_below(&r->random, m->nbody)].link_frame;
  r->n = 2 + random_below(&r->random, MOST - 1);
  for (int k = 0; k < r->n; k++) {
    mbd_contact_t * c = &r->contact[k];
    *c = mbd_contact_default();
    c->frame_b = link[random_below(&r->random, LINKS)];
    if (random_below(&r->random, 3) == 0) c->frame_a = link[random_below(&r->random, LINKS)];
    if (c->frame_a == c->frame_b) c->frame_a = MBD_WORLD_BODY;
    c->point = random_vec3(&r->random, 1);
    const mbd_vec3_t x = random_vec3(&r->random, 1);
    const double length = mbdu_vec3_norm(x);
    c->normal = length > 1e-3 ? mbdu_vec3_scale(1 / length, x) : mbdu_vec3(0, 0, 1);
    c->gap = 1e-3 * random_between(&r->random, 0, 1);
    c->friction = friction;
  }
}

static rig_t
rig_of(uint64_t seed)
{
  const tree_options_t options = {1, 8, false, seed % 2 == 0, seed % 3 == 0, seed % 4 != 0};
  rig_t r = {.t = random_tree(seed, &options), .random = 31 * seed + 7};
  const size_t nv = (size_t)r.t->model->nv;
  r.work = calloc(mbd_contact_work(r.t->model, MOST), sizeof *r.work);
  r.tau = calloc(3 * nv, sizeof *r.tau);
  r.v[0] = r.tau + nv;
  r.v[1] = r.v[0] + nv;
  for (size_t k = 0; k < nv; k++) r.tau[k] = random_signed(&r.random);
  return r;
}

static void
rig_free(rig_t * r)
{
  free(r->work);
  free(r->tau);
  tree_free(r->t);
}

static mbd_status_t
step(rig_t * r, double * v)
{
  mbd_contact_options_t options = mbd_contact_options_default();
  options.limits = false;
  return mbd_contact_step(
    r->t->model, r->t->data, r->tau, NULL, TIME_STEP, r->n, r->contact, &options, r->work, v, NULL,
    NULL, NULL);
}

static double
largest(const double * x, int n)
{
  double most = 1;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
  return most;
}

static void
shuffle(rig_t * r)
{
  for (int k = r->n - 1; k > 0; k--) {
    const int other = random_below(&r->random, k + 1);
    const mbd_contact_t c = r->contact[k];
    r->contact[k] = r->contact[other];
    r->contact[other] = c;
  }
  for (int k = 0; k < r->n; k++) {
    r->contact[k].mode = MBD_CONTACT_OPEN;
    r->contact[k].force = mbdu_vec3(0, 0, 0);
  }
}

// so that those of two links are one after another
static int
by_links(const void * a, const void * b)
{
  const mbd_contact_t *c = a, *d = b;
  if (c->frame_b != d->frame_b) return c->frame_b - d->frame_b;
  return c->frame_a - d->frame_a;
}

// without friction the motion is unique
static void
order_does_not_matter(void ** context)
{
  (void)context;
  int compared = 0, pushed = 0;
  const uint64_t all = robots(ROBOTS);
  for (uint64_t seed = 1; seed <= all; seed++) {
    rig_t r = rig_of(seed);
    make_contacts(&r, 0);
    assert_ok(mbd_set_state(r.t->model, r.t->data, r.t->q, r.t->v));
    qsort(r.contact, (size_t)r.n, sizeof *r.contact, by_links);
    const mbd_status_t status = step(&r, r.v[0]);
    for (int k = 0; k < r.n; k++) pushed += r.contact[k].mode != MBD_CONTACT_OPEN;
    for (int order = 0; order < 4 && status == MBD_OK; order++) {
      shuffle(&r);
      assert_ok(step(&r, r.v[1]));
      const double size = largest(r.v[0], r.t->model->nv);
      for (int k = 0; k < r.t->model->nv; k++, compared++) {
        assert_near(r.v[1][k], r.v[0][k], 1e-7 * size, "seed %d, number %d", (int)seed, k);
      }
    }
    rig_free(&r);
  }
  assert_true((uint64_t)compared > 10 * all && (uint64_t)pushed > all);
}

// A step with the placements computed first, from which a program finds the points, is the same; they are
// those of the state after it too.
static void
placements_may_be_there(void ** context)
{
  (void)context;
  int compared = 0;
  const uint64_t all = robots(ROBOTS);
  for (uint64_t seed = 1; seed <= all; seed++) {
    rig_t r = rig_of(seed);
    const mbd_model_t * m = r.t->model;
    const int frame = m->body[m->nbody - 1].link_frame;
    mbd_contact_t start[MOST];
    mbd_placement_t X[2];
    mbd_motion_t V[2];
    make_contacts(&r, 0.3);
    memcpy(start, r.contact, sizeof start);
    assert_ok(mbd_set_state(m, r.t->data, r.t->q, r.t->v));
    const mbd_status_t status = step(&r, r.v[0]);
    memcpy(r.contact, start, sizeof start);
    assert_ok(mbd_set_state(m, r.t->data, r.t->q, r.t->v));
    assert_ok(mbd_frame_placement(m, r.t->data, frame, &X[0]));
    assert_ok(mbd_frame_velocity(m, r.t->data, frame, MBD_WORLD, &V[0]));
    assert_int_equal(step(&r, r.v[1]), status);
    assert_ok(mbd_frame_placement(m, r.t->data, frame, &X[1]));
    assert_ok(mbd_frame_velocity(m, r.t->data, frame, MBD_WORLD, &V[1]));
    assert_memory_equal(&X[0], &X[1], sizeof X[0]);
    assert_memory_equal(&V[0], &V[1], sizeof V[0]);
    const double size = largest(r.v[0], m->nv);
    for (int k = 0; k < m->nv && status == MBD_OK; k++, compared++) {
      assert_near(r.v[1][k], r.v[0][k], 1e-9 * size, "seed %d, number %d", (int)seed, k);
    }
    rig_free(&r);
  }
  assert_true((uint64_t)compared > 2 * all);
}

// Two sliders across each other, the second at 45 degrees to a wall in its way. Without its limit the first
// would be pushed to 0.327 m/s; it starts away from it.
static void
contacts_push_joints_to_limits(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_data_t * data;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("sliders", &model));
  spec.name = "carrier", spec.joint_name = "first";
  spec.type = MBD_JOINT_PRISMATIC;
  spec.axis = mbdu_vec3(1, 0, 0);
  spec.limits.lower = -1, spec.limits.upper = 1e-4;
  const mbd_sym3_t I = {0.01, 0, 0, 0.01, 0, 0.01};
  spec.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), I);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  spec.name = "slider", spec.joint_name = "second";
  spec.parent = frame;
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.limits.upper = 1;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_gravity(data, mbdu_vec3(0, 0, 0)));
  const double q[2] = {0, 0}, v[2] = {-0.01, -1};
  double out[2], limit[2] = {0, 0};
  mbd_contact_t c = mbd_contact_default();
  c.frame_b = frame;
  c.normal = mbdu_vec3(sqrt(0.5), 0, sqrt(0.5));
  double * work = calloc(mbd_contact_work(model, 1), sizeof *work);
  mbd_contact_info_t info;
  for (int warm = 0; warm < 2; warm++) {
    assert_ok(mbd_set_state(model, data, q, v));
    assert_ok(
      mbd_contact_step(model, data, NULL, NULL, 1e-3, 1, &c, NULL, work, out, limit, NULL, &info));
    // gap over time step
    assert_near(out[0], 0.1, 1e-9, "carrier");
    assert_near(out[1], -0.1, 1e-9, "slider");
    const double force = 0.9 * sqrt(2);
    assert_near(mbdu_vec3_dot(c.force, c.normal), force, 1e-9, "contact");
    assert_near(limit[0], 2 * 0.11 - force * sqrt(0.5), 1e-9, "limit");
    assert_int_equal(info.nactive, 2);
  }
  // away from the contact no limit acts, though the first is near
  c.gap = 1;
  assert_ok(
    mbd_contact_step(model, data, NULL, NULL, 1e-3, 1, &c, NULL, work, out, limit, NULL, &info));
  assert_near(out[0], -0.01, 1e-12, "free");
  assert_int_equal(info.nactive, 0);
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(order_does_not_matter),
    cmocka_unit_test(placements_may_be_there),
    cmocka_unit_test(contacts_push_joints_to_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
