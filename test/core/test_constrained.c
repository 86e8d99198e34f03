// Cut joints against elimination in null spaces, closed forms and figures of the literature: how
// robots with loops move.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "closed_rig.h"
#include "mbdyn/constraints.h"

//---------- forward dynamics ----------

// accelerations are those of the null space; multipliers make up what is missing of the torques
static void
accelerations_are_those_of_the_null_space(void ** context)
{
  (void)context;
  tally_t cases = {0};
  int found = 0, redundant = 0;
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const oracle_t o = oracle_of(r, 0);
    const mat_t applied = SUM(column(r->model->nv, r->tau), wrenches_in_joints(&o, &the.wrenches));
    const mat_t rhs = sub(applied, o.h);
    if (!tally(&cases, decent(&o))) continue;
    found++;
    const mat_t qdd = constrained_acceleration(o.M, rhs, o.G, o.gamma);
    const answer_t a = forward(r, &the.wrenches, NULL);
    redundant += a.info.nredundant > 0;
    const double size = fmax(1, largest_entry(qdd));
    assert_mat_floor(a.qdd, qdd, 1e-9, size, "qdd, seed %lu", seed);
    const mat_t force = sub(PROD(o.M, qdd), rhs);
    const double heavy = fmax(1, largest_entry(force));
    assert_mat_floor(PROD(tr(o.G), a.lambda), force, 1e-9, 10 * heavy, "G^T lambda, %lu", seed);
    mat_t torque = mat(r->model->nv, 1);
    assert_ok(mbd_closure_torque(r->model, r->data, a.lambda.a, torque.a));
    assert_mat_floor(torque, force, 1e-9, 10 * heavy, "closure torque, seed %lu", seed);
    assert_int_equal(a.info.mobility, null_space(o.G, 1e-6).c);
    // tau may be qdd, and lambda and info need not be there
    const size_t bytes = (size_t)r->model->nv * sizeof *torque.a;
    mat_t aside = mat(r->model->nv, 1);
    memcpy(torque.a, r->tau, bytes);
    assert_ok(mbd_constrained_forward_dynamics(
      r->model, r->data, NULL, NULL, r->tau, &the.wrenches, NULL, r->work, aside.a, NULL, NULL));
    assert_ok(mbd_constrained_forward_dynamics(
      r->model, r->data, NULL, NULL, torque.a, &the.wrenches, NULL, r->work, torque.a, NULL, NULL));
    assert_memory_equal(torque.a, aside.a, bytes);
    assert_mat_floor(aside, a.qdd, 1e-11, size, "from the state as it is, seed %lu", seed);
  }
  assert_count(found, 0.8 * TREES);
  assert_count(redundant, 10);
  assert_enough(&cases, 0.95);
}

// multipliers as wrenches on links: with them the tree moves as it does, by Newton and Euler
static void
joint_forces_are_those_of_the_motion(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_CLOSED(TREES, NULL)
  {
    const rig_t * r = &the.r;
    const oracle_t o = oracle_of(r, 0);
    if (!tally(&cases, decent(&o))) continue;
    const answer_t a = forward(r, &the.wrenches, NULL);
    mbd_wrench_t all[2 + 2 * MOST_LOOPS] = {the.w[0], the.w[1]};
    int n = 2;
    for (int k = 0; k < r->model->nclosure; k++) {
      const mbd_closure_t * c = &r->model->closure[k];
      if (c->type == MBD_CLOSURE_COUPLING) continue;
      mbd_force_t f;
      assert_ok(mbd_closure_wrench(r->model, r->data, k, a.lambda.a, &f));
      // from B's origin (A's for rows over the world) in axes of A to the world
      const bool over_world = c->type == MBD_CLOSURE_NO_SLIP || c->type == MBD_CLOSURE_ROLLING;
      const mat_t A =
        c->body_a < 0 ? placement4(&c->X_a) : PROD(o.dense.X_world[c->body_a], placement4(&c->X_a));
      const mat_t B =
        c->body_b < 0 ? placement4(&c->X_b) : PROD(o.dense.X_world[c->body_b], placement4(&c->X_b));
      mat_t where = A;
      if (!over_world) set_block(where, 0, 3, block(B, 0, 3, 4, 1));
      const mat_t F = PROD(phi6(where), force6(f));
      for (int side = 0; side < 2; side++) {
        const int body = side ? c->body_a : c->body_b;
        const double sign = side ? -1 : 1;
        if (body < 0 || (side && over_world)) continue;
        mbd_wrench_t w = {r->model->body[body].link_frame, MBD_WORLD, {{0, 0, 0}, {0, 0, 0}}};
        w.f.ang = mbdu_vec3(sign * F.a[0], sign * F.a[1], sign * F.a[2]);
        w.f.lin = mbdu_vec3(sign * F.a[3], sign * F.a[4], sign * F.a[5]);
        all[n++] = w;
      }
    }
    const mbd_wrenches_t list = {n, all};
    const mat_t through = dense_force(&o.dense, a.qdd, &list);
    const double size = fmax(1, largest_entry(through));
    for (int i = 0; i < r->model->nbody; i++) {
      mbd_force_t f;
      assert_ok(mbd_joint_force(r->model, r->data, i, &f));
      const mat_t X = placement4(&r->model->frame[r->model->body[i].link_frame].X);
      const mat_t ours = PROD(phi6(X), force6(f));
      assert_mat_floor(ours, block(through, 6 * i, 0, 6, 1), 1e-9, size, "seed %lu, %d", seed, i);
    }
  }
  assert_enough(&cases, 0.95);
}

// a closure that is open is not there
static void
open_closures_do_not_act(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_CLOSED(60, NULL)
  {
    const rig_t * r = &the.r;
    bool open[MOST_LOOPS];
    for (int k = 0; k < MOST_LOOPS; k++) open[k] = k % 2 == 0;
    mbd_constrained_options_t options = mbd_constrained_options_default();
    options.open = open;
    const oracle_t o = oracle_of(r, 0);
    if (!tally(&cases, decent(&o))) continue;
    mat_t G = mat_from(o.G.r, o.G.c, o.G.a), gamma = mat_from(o.G.r, 1, o.gamma.a);
    for (int k = 0; k < r->model->nclosure; k += 2) {
      const mbd_closure_t * c = &r->model->closure[k];
      set_block(G, c->row, 0, mat(c->nrow, G.c));
      set_block(gamma, c->row, 0, mat(c->nrow, 1));
    }
    const mat_t rhs = sub(column(r->model->nv, r->tau), o.h);
    const answer_t a = forward(r, NULL, &options);
    const mat_t qdd = constrained_acceleration(o.M, rhs, G, gamma);
    assert_mat_floor(a.qdd, qdd, 1e-9, fmax(1, largest_entry(qdd)), "seed %lu", seed);
    for (int k = 0; k < r->model->nclosure; k += 2) {
      const mbd_closure_t * c = &r->model->closure[k];
      for (int i = 0; i < c->nrow; i++) assert_true(fabs(a.lambda.a[c->row + i]) == 0);
    }
    for (int k = 0; k < r->model->nclosure; k++) open[k] = true;
    mat_t free_qdd = mat(r->model->nv, 1);
    assert_ok(mbd_forward_dynamics(r->model, r->data, r->q, r->v, r->tau, NULL, free_qdd.a));
    assert_mat_floor(forward(r, NULL, &options).qdd, free_qdd, 1e-12, 1, "all, seed %lu", seed);
  }
  assert_enough(&cases, 0.95);
}

// the same four-bar with pins of two, three and five rows moves alike, and its pin carries the same
static void
redundant_rows_change_nothing(void ** context)
{
  (void)context;
  static const mbd_closure_type_t pins[3] = {
    MBD_CLOSURE_ON_LINE, MBD_CLOSURE_SPHERICAL, MBD_CLOSURE_REVOLUTE};
  uint64_t state = 3;
  for (int k = 0; k < 20; k++) {
    four_bar_t bar = four_bar_default();
    bar.base = random_placement(&state);
    const double angle = random_between(&state, -3, 3), rate = 3 * random_signed(&state);
    double qdd[3][3], pin[3][2];
    for (int p = 0; p < 3; p++) {
      bar.type = pins[p];
      mbd_model_t * model = four_bar(&bar);
      rig_t r = rig_of(model);
      bool held[3] = {false};
      held[dof(model, "crank_joint")] = true;
      mbd_assembly_options_t options = mbd_assembly_options_default();
      options.held = held;
      assert_true(four_bar_at(&bar, model, angle, r.q));
      r.v[dof(model, "crank_joint")] = rate;
      assert_ok(mbd_set_position(model, r.data, r.q));
      assert_ok(mbd_project_velocity(model, r.data, &options, r.v, r.work, r.v, NULL));
      const answer_t a = forward(&r, NULL, NULL);
      assert_int_equal(a.info.rank, 2);
      assert_int_equal(a.info.nredundant, model->nrow - 2);
      memcpy(qdd[p], a.qdd.a, sizeof qdd[p]);
      memcpy(pin[p], a.lambda.a, sizeof pin[p]);
      // nothing out of the plane
      for (int i = 2; i < model->nrow; i++) assert_near(a.lambda.a[i], 0, 1e-10, "row %d", i);
      rig_free(&r);
      mbd_model_destroy(model);
    }
    for (int p = 1; p < 3; p++) {
      assert_close(qdd[p], qdd[0], 3, 1e-10, "qdd of pin %d, %d", p, k);
      assert_close(pin[p], pin[0], 2, 1e-10, "force of pin %d, %d", p, k);
    }
    mats_free();
  }
}

// a weight on two rods side by side hangs on each alike
static void
twins_share_the_load(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_body_spec_t link = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("weight", &model));
  link.name = "weight", link.joint_name = "slide", link.type = MBD_JOINT_PRISMATIC;
  link.inertia.mass = 3;
  assert_ok(mbd_model_add_body(model, &link, &frame));
  mbd_closure_spec_t rod = mbd_closure_spec_default();
  rod.type = MBD_CLOSURE_DISTANCE, rod.frame_b = frame, rod.distance = 1;
  rod.X_a.p.z = 1;
  static const char * const names[3] = {"left", "right", "third"};
  for (int k = 0; k < 3; k++) {
    rod.name = names[k];
    assert_ok(mbd_model_add_closure(model, &rod, NULL));
  }
  assert_ok(mbd_model_finalize(model));
  rig_t r = rig_of(model);
  const answer_t a = forward(&r, NULL, NULL);
  assert_int_equal(a.info.nredundant, 2);
  for (int k = 0; k < 3; k++) assert_near(a.lambda.a[k], -9.81, 1e-12, "rod %d pulls", k);
  mbd_force_t f;
  assert_ok(mbd_closure_wrench(model, r.data, 0, a.lambda.a, &f));
  assert_near(f.lin.z, 9.81, 1e-12, "upwards");
  rig_free(&r);
  mbd_model_destroy(model);
  mats_free();
}

//---------- mechanisms ----------

// rungs of four-bars on each other's couplers, some closed to the ground, cranks geared together
static mbd_model_t *
ladder(int n, bool in_plane, uint64_t * state)
{
  mbd_model_t * model;
  int base = MBD_WORLD_BODY;
  char name[8][32], joint[64][32];
  int used = 0;
  assert_ok(mbd_model_create("ladder", &model));
  for (int k = 0; k < n; k++) {
    int link[3];
    for (int j = 0; j < 3; j++) {
      mbd_body_spec_t spec = mbd_body_spec_default();
      snprintf(name[j], sizeof name[j], "l%d%d", k, j);
      snprintf(joint[used], sizeof joint[used], "j%d%d", k, j);
      spec.name = name[j], spec.joint_name = joint[used++];
      spec.type = MBD_JOINT_REVOLUTE;
      spec.parent = j == 1 ? link[0] : base;
      spec.placement.p.x = j == 1 ? 0.4 : j == 2 ? 1 : 0;
      // a spherical four-bar: all axes through one point; else all parallel
      if (!in_plane) spec.axis = mbdu_vec3(spec.placement.p.x - 3, -1, 0.2 * j);
      spec.inertia = random_inertia(state);
      assert_ok(mbd_model_add_body(model, &spec, &link[j]));
    }
    mbd_closure_spec_t pin = mbd_closure_spec_default();
    snprintf(name[3], sizeof name[3], "pin%d", k);
    pin.name = name[3];
    pin.type = in_plane ? MBD_CLOSURE_REVOLUTE : MBD_CLOSURE_DISTANCE;
    pin.distance = 0.9;
    pin.frame_a = link[1], pin.X_a.p = mbdu_vec3(1.1, 0, 0);
    pin.frame_b = link[2], pin.X_b.p = mbdu_vec3(0.8, 0, 0);
    assert_ok(mbd_model_add_closure(model, &pin, NULL));
    if (k > 0 && k % 2 == 0) {
      // this rung's crank is geared to the one before
      mbd_closure_spec_t gear = mbd_closure_spec_default();
      snprintf(name[4], sizeof name[4], "gear%d", k);
      gear.name = name[4], gear.type = MBD_CLOSURE_COUPLING, gear.ncoupled = 2;
      gear.joint[0] = joint[3 * k], gear.joint[1] = joint[3 * (k - 1)];
      gear.coefficient[0] = 1, gear.coefficient[1] = -0.5;
      assert_ok(mbd_model_add_closure(model, &gear, NULL));
    }
    // nested: the next rung stands on this one's coupler; else beside it on the ground
    if (k % 3 != 2) base = link[1];
  }
  mbd_closure_spec_t slot = mbd_closure_spec_default();
  slot.name = "slot", slot.type = MBD_CLOSURE_ON_PLANE, slot.frame_b = base;
  slot.X_a.R = random_rotation(state), slot.X_a.p = mbdu_vec3(0.6, 0.5, 0.1);
  if (!in_plane) assert_ok(mbd_model_add_closure(model, &slot, NULL));
  assert_ok(mbd_model_finalize(model));
  return model;
}

static void
mechanisms_move_as_eliminated(void ** context)
{
  (void)context;
  int found = 0;
  FOR_SEEDS(40)
  {
    uint64_t state = seed;
    const int n = 1 + random_below(&state, 5);
    mbd_model_t * model = ladder(n, seed % 2 == 0, &state);
    rig_t r = rig_of(model);
    for (int k = 0; k < model->nv; k++) {
      const char kind = model->body[model->dof_body[k]].joint_name[2];
      r.q[k] = (kind == '0' ? 1 : kind == '1' ? -0.6 : 1.3) + 0.1 * random_signed(&state);
      r.v[k] = 2 * random_signed(&state);
      r.tau[k] = 5 * random_signed(&state);
    }
    mbd_assembly_t closed;
    if (mbd_assemble(model, r.data, NULL, r.q, r.work, r.q, &closed) == MBD_OK) {
      assert_true(closed.error_position < 1e-12 && closed.error_angle < 1e-12);
      rig_assemble(&r);
      const oracle_t o = oracle_of(&r, 0);
      if (decent(&o)) {
        found++;
        const mat_t rhs = sub(column(model->nv, r.tau), o.h);
        const mat_t qdd = constrained_acceleration(o.M, rhs, o.G, o.gamma);
        const answer_t a = forward(&r, NULL, NULL);
        assert_mat_floor(a.qdd, qdd, 1e-9, fmax(1, largest_entry(qdd)), "seed %lu", seed);
        const mat_t force = sub(PROD(o.M, qdd), rhs);
        assert_mat_floor(
          PROD(tr(o.G), a.lambda), force, 1e-9, fmax(1, largest_entry(force)), "force %lu", seed);
        if (seed % 2 == 0) assert_int_equal(a.info.nredundant, 3 * n);
      }
    }
    rig_free(&r);
    mbd_model_destroy(model);
    mats_free();
  }
  assert_count(found, 25);
}

//---------- drivers and drift ----------

// a crank at constant speed: no acceleration of its own, and the torque of inverse dynamics
static void
drivers_prescribe_motion(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  mbd_model_t * plain = four_bar(&bar);
  rig_t p = rig_of(plain);
  const int crank = dof(plain, "crank_joint");
  bool held[3] = {false}, actuated[3] = {false};
  held[crank] = actuated[crank] = true;
  assert_true(four_bar_at(&bar, plain, 0.9, p.q));
  p.v[crank] = 2;
  mbd_assembly_options_t hold = mbd_assembly_options_default();
  hold.held = held;
  assert_ok(mbd_set_position(plain, p.data, p.q));
  assert_ok(mbd_project_velocity(plain, p.data, &hold, p.v, p.work, p.v, NULL));
  mbd_closure_spec_t motor = mbd_closure_spec_default();
  motor.name = "motor", motor.type = MBD_CLOSURE_COUPLING, motor.ncoupled = 1;
  motor.joint[0] = "crank_joint", motor.coefficient[0] = 1;
  motor.driver.value = 0.9 - 2 * 0.25, motor.driver.rate = 2;
  bar.extra = &motor;
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  memcpy(r.q, p.q, 3 * sizeof *r.q);
  memcpy(r.v, p.v, 3 * sizeof *r.v);
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.t = 0.25;
  double d[3];
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closure_error(model, r.data, 0.25, d));
  assert_near(d[2], 0, 1e-15, "the driver is where the crank is");
  const answer_t a = forward(&r, NULL, &options);
  assert_int_equal(a.info.mobility, 0);
  assert_near(a.qdd.a[crank], 0, 1e-12, "constant speed");
  double tau[3];
  assert_ok(mbd_constrained_inverse_dynamics(
    plain, p.data, p.q, p.v, a.qdd.a, NULL, actuated, NULL, NULL, p.work, tau, NULL, NULL));
  assert_near(a.lambda.a[2], tau[crank], 1e-11, "torque of the motor");
  rig_free(&r), rig_free(&p);
  mbd_model_destroy(model), mbd_model_destroy(plain);
  mats_free();
}

// a four-bar whose pin is off by a little, let go: rows after n steps of the midpoint rule
static void
fall(double stabilisation, double dt, int n, double * before, double * after)
{
  four_bar_t bar = upright_four_bar();
  mbd_model_t * model = four_bar(&bar);
  rig_t r = rig_of(model);
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.stabilisation = stabilisation;
  assert_true(four_bar_at(&bar, model, 1, r.q));
  r.q[dof(model, "coupler_joint")] += 1e-2;
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closure_error(model, r.data, 0, before));
  for (int k = 0; k < n; k++) {
    double qdd[3], q[3], v[3];
    assert_ok(mbd_constrained_forward_dynamics(
      model, r.data, r.q, r.v, NULL, NULL, &options, r.work, qdd, NULL, NULL));
    for (int i = 0; i < 3; i++) q[i] = r.q[i] + 0.5 * dt * r.v[i];
    for (int i = 0; i < 3; i++) v[i] = r.v[i] + 0.5 * dt * qdd[i];
    assert_ok(mbd_constrained_forward_dynamics(
      model, r.data, q, v, NULL, NULL, &options, r.work, qdd, NULL, NULL));
    for (int i = 0; i < 3; i++) r.q[i] += dt * v[i];
    for (int i = 0; i < 3; i++) r.v[i] += dt * qdd[i];
  }
  assert_ok(mbd_set_position(model, r.data, r.q));
  assert_ok(mbd_closure_error(model, r.data, 0, after));
  rig_free(&r);
  mbd_model_destroy(model);
}

// d'' + 2 w d' + w^2 d = 0 exactly: d = d0 (1 + w t) exp(-w t); without it the rows stay as they are
static void
stabilisation_is_a_damped_spring(void ** context)
{
  (void)context;
  double before[2], after[2];
  const double w = 8, t = 0.4, decay = (1 + w * t) * exp(-w * t);
  fall(0, 1e-3, 400, before, after);
  assert_close(after, before, 2, 1e-3, "not stabilised");
  fall(w, 1e-3, 400, before, after);
  for (int k = 0; k < 2; k++)
    assert_near(1e2 * after[k], 1e2 * decay * before[k], 1e-3, "row %d", k);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(accelerations_are_those_of_the_null_space),
    cmocka_unit_test(joint_forces_are_those_of_the_motion),
    cmocka_unit_test(open_closures_do_not_act),
    cmocka_unit_test(redundant_rows_change_nothing),
    cmocka_unit_test(twins_share_the_load),
    cmocka_unit_test(mechanisms_move_as_eliminated),
    cmocka_unit_test(drivers_prescribe_motion),
    cmocka_unit_test(stabilisation_is_a_damped_spring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
