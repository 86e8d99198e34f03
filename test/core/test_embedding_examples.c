// Worked examples of constraint embedding with figures: four-bars, parallelogram, geared motor, and
// mimic joints against explicit substitution.
#include <math.h>
#include <string.h>

#include "linkage.h"
#include "loops.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/spatial.h"

//---------- CE-T1: a four-bar on a moving base, with a tool ----------

typedef enum cut { INTERNAL, TERMINAL, INTERNAL_IN_SPACE } cut_t;

static mbd_model_t *
four_bar_tree(cut_t cut)
{
  const part_t parts[] = {
    {"P", NULL, 'x', 0, 0, 0, 5.0, 0.1, 0.05, 0, 0.30, 0.35, 0.40},
    {"a", "P", 'z', 0, 0, 0, 0.6, 0.2, 0, 0, 0.001, 0.010, 0.012},
    {"b", "a", 'z', 0.4, 0, 0, 1.5, 0.55, 0.05, 0, 0.004, 0.100, 0.101},
    {"t", "b", 'y', 0.7, 0.1, 0, 0.8, 0, 0.1, 0.2, 0.006, 0.005, 0.004}};
  // c on P, cut from b; or c on b, turned round, cut from P
  const part_t c_on_P = {"c", "P", 'z', 1.0, 0, 0, 1.0, 0.4, 0, 0, 0.002, 0.040, 0.042};
  const part_t c_on_b = {"c", "b", 'z', 1.1, 0, 0, 1.0, -0.4, 0, 0, 0.002, 0.040, 0.042};
  mbd_model_t * tree = start(0, 0, -9.81);
  for (int k = 0; k < 4; k++) add(tree, &parts[k]);
  const mbd_closure_type_t type =
    cut == INTERNAL_IN_SPACE ? MBD_CLOSURE_REVOLUTE : MBD_CLOSURE_ON_LINE;
  if (cut == TERMINAL) {
    add(tree, &c_on_b);
    pin(tree, type, "P", at_point(1.0, 0, 0), "c", at_point(-0.8, 0, 0));
  } else {
    add(tree, &c_on_P);
    pin(tree, type, "c", at_point(0.8, 0, 0), "b", at_point(1.1, 0, 0));
  }
  return tree;
}

static void
four_bar_on_a_moving_base(void ** context)
{
  (void)context;
  for (int cut = INTERNAL; cut <= INTERNAL_IN_SPACE; cut++) {
    mbd_model_t * tree = four_bar_tree((cut_t)cut);
    assert_ok(mbd_model_finalize(tree));
    const int P = joint(tree, "P"), a = joint(tree, "a"), b = joint(tree, "b"),
              c = joint(tree, "c"), t = joint(tree, "t");
    double q[5], v[3], tau_tree[5], tau[3], qdd[3], all[5], M[9], lambda[5];
    q[P] = 0.3, q[a] = 1.0, q[b] = -0.598316460211985757, q[t] = -0.4;
    // c's coordinate is absolute in P, or relative to b where it hangs on b
    const double c_in_P = 1.28105246423180555;
    q[c] = cut == TERMINAL ? c_in_P - q[a] - q[b] : c_in_P;
    const char * const preferred[] = {"j_a"};
    mbd_embed_options_t options = mbd_embed_options_default();
    options.q = q, options.independent = preferred, options.nindependent = 1;
    mbd_model_t * model;
    mbd_data_t * data;
    assert_ok(mbd_model_embed(tree, &options, &model));
    assert_ok(mbd_data_create(model, &data));
    assert_int_equal(model->nv, 3);
    // the loop is one node of three bodies on P
    mbd_aggregate_t info;
    assert_int_equal(mbd_aggregate_count(model), 1);
    assert_ok(mbd_aggregate_info(model, 0, &info));
    assert_int_equal(info.nbody, 3);
    assert_int_equal(info.ndof, 3);
    assert_int_equal(info.nindependent, 1);
    assert_string_equal(tree->body[info.parent].name, "P");

    int rP = -1, ra = -1, rt = -1;
    for (int k = 0; k < 3; k++) {
      if (model->dof_tree[k] == P) rP = k;
      if (model->dof_tree[k] == a) ra = k;
      if (model->dof_tree[k] == t) rt = k;
    }
    assert_true(rP >= 0 && ra >= 0 && rt >= 0);
    assert_ok(mbd_set_position(model, data, q));
    v[rP] = 0.5, v[ra] = 1.2, v[rt] = -0.7;
    assert_ok(mbd_set_velocity(model, data, v));
    // X of c, b, and Xdot v
    double X[15];
    assert_ok(mbd_embedding_matrix(model, data, X));
    assert_near(X[3 * b + ra], -1.13093070281442983, 1e-12, "X_b, cut %d", cut);
    const double x_c = 0.365588343443233404 + (cut == TERMINAL ? 1.13093070281442983 - 1 : 0);
    assert_near(X[3 * c + ra], x_c, 1e-12, "X_c, cut %d", cut);
    assert_ok(mbd_tree_acceleration(model, data, NULL, all));
    assert_near(all[b], 0.49180895605794634, 1e-11, "xd_b, cut %d", cut);
    const double xd_c = 0.657045844533894834 - (cut == TERMINAL ? 0.49180895605794634 : 0);
    assert_near(all[c], xd_c, 1e-11, "xd_c, cut %d", cut);
    // M and h of the independent ones
    const double M_PP = 1.57470927531198, M_Pa = -0.0223964851997934, M_Pt = 0.0350275018279871,
                 M_aa = 0.318160699482144, M_at = -0.0293434904955648, M_tt = 0.037;
    assert_ok(mbd_mass_matrix(model, data, M));
    assert_near(M[3 * rP + rP], M_PP, 1e-13, "M_PP");
    assert_near(M[3 * rP + ra], M_Pa, 1e-13, "M_Pa");
    assert_near(M[3 * rP + rt], M_Pt, 1e-13, "M_Pt");
    assert_near(M[3 * ra + ra], M_aa, 1e-13, "M_aa");
    assert_near(M[3 * ra + rt], M_at, 1e-13, "M_at");
    assert_near(M[3 * rt + rt], M_tt, 1e-13, "M_tt");
    double h[3], log_det;
    assert_ok(mbd_bias(model, data, h));
    assert_near(h[rP], 20.829416626284, 1e-12, "h_P");
    assert_near(h[ra], 1.54512800295114, 1e-12, "h_a");
    assert_near(h[rt], 0.661640701396943, 1e-12, "h_t");
    assert_ok(mbd_mass_log_determinant(model, data, &log_det));
    assert_near(exp(log_det), 0.0168186246380234325, 1e-13, "det M, cut %d", cut);
    // D of the nodes: the loop, the base, the tool
    double D[9];
    assert_ok(mbd_mass_factors(model, data, NULL, D));
    assert_near(D[4 * ra], 0.294889336388540933, 1e-13, "D_S");
    assert_near(D[4 * rP], 1.54145086497927888, 1e-13, "D_P");
    assert_near(D[4 * rt], 0.037, 1e-14, "D_t");
    // forward dynamics; with c on b the same torque between P and c is one of a, b and c
    tau_tree[P] = 2.0, tau_tree[a] = 1.5, tau_tree[b] = -0.3, tau_tree[c] = 0.4, tau_tree[t] = 0.25;
    if (cut == TERMINAL) tau_tree[a] += 0.4, tau_tree[b] += 0.4;
    assert_ok(mbd_reduce_torque(model, data, tau_tree, tau));
    assert_near(tau[ra], 1.98551454822162, 1e-12, "tau_a, cut %d", cut);
    assert_ok(mbd_forward_dynamics(model, data, q, v, tau, NULL, qdd));
    assert_near(qdd[rP], -11.9639235814616611, 1e-12, "qdd_P, cut %d", cut);
    assert_near(qdd[ra], 0.604720920934769248, 1e-11, "qdd_a, cut %d", cut);
    // the printed form (24) would give -6.9322238
    assert_near(qdd[rt], 0.680277738338438855, 1e-11, "qdd_t, cut %d", cut);
    assert_ok(mbd_tree_acceleration(model, data, qdd, all));
    assert_near(all[b], -0.192088500061401502, 1e-11, "qdd_b, cut %d", cut);
    const double qdd_c = cut == TERMINAL ? 0.4654923433905359 : 0.878124764263903647;
    assert_near(all[c], qdd_c, 1e-11, "qdd_c, cut %d", cut);
    // the pin's force on b, in P's axes; the closure's are those of c
    if (cut != TERMINAL) {
      assert_ok(mbd_closure_forces(model, data, qdd, tau_tree, NULL, lambda));
      const double cos_c = cos(q[c]), sin_c = sin(q[c]);
      assert_near(cos_c * lambda[0] - sin_c * lambda[1], 1.69311998060142, 1e-11, "pin x");
      assert_near(sin_c * lambda[0] + cos_c * lambda[1], 5.26281174820542, 1e-11, "pin y");
    }
    mbd_data_destroy(data);
    mbd_model_destroy(model);
    mbd_model_destroy(tree);
  }
}

//---------- CE-T2: parallelogram ----------

static void
parallelogram_is_one_number(void ** context)
{
  (void)context;
  const double q[3] = {1.1, -1.1, 1.1};
  mbd_model_t * model = embed_with(parallelogram(), q, "a");
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  assert_int_equal(model->nv, 1);
  const int a = joint(model->tree, "a"), b = joint(model->tree, "b"), c = joint(model->tree, "c");
  double X[3], D, h, xd[3];
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_embedding_matrix(model, data, X));
  assert_near(X[a], 1, 1e-15, "X_a");
  assert_near(X[b], -1, 1e-13, "X_b");
  assert_near(X[c], 1, 1e-13, "X_c");
  assert_ok(mbd_mass_matrix(model, data, &D));
  assert_near(D, 0.5155, 1e-13, "D");
  for (double speed = -3; speed <= 3; speed += 1.5) {
    assert_ok(mbd_set_velocity(model, data, &speed));
    assert_ok(mbd_tree_acceleration(model, data, NULL, xd));
    for (int k = 0; k < 3; k++) assert_near(xd[k], 0, 1e-11, "Xdot v");
    assert_ok(mbd_bias(model, data, &h));
    assert_near(h, 4.983751305327104, 1e-11, "h at %g", speed);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

//---------- CE-T3: geared motor ----------

static mbd_model_t *
geared(char rotor_axis, double ratio)
{
  const part_t parts[] = {
    {"P", NULL, 'z', 0, 0, 0, 4, 0.5, 0, 0, 0.1, 0.2, 0.25},
    {"rotor", "P", rotor_axis, 0.8, 0, 0, 0.5, 0, 0, 0, 0.0002, 0.0002, 0.0003},
    {"link", "P", 'z', 1, 0, 0, 2, 0.3, 0, 0, 0.01, 0.05, 0.06}};
  mbd_model_t * tree = start(0, -9.81, 0);
  part_t rotor = parts[1];
  // the axis of a rotor about x is its third one, of 0.0003
  if (rotor_axis == 'x') rotor.jx = 0.0002, rotor.jz = 0.0003;
  add(tree, &parts[0]);
  add(tree, &rotor);
  add(tree, &parts[2]);
  mbd_closure_spec_t gear = mbd_closure_spec_default();
  gear.name = "gear";
  gear.type = MBD_CLOSURE_COUPLING;
  gear.ncoupled = 2;
  gear.joint[0] = "j_rotor", gear.coefficient[0] = 1;
  gear.joint[1] = "j_link", gear.coefficient[1] = -ratio;
  assert_ok(mbd_model_add_closure(tree, &gear, NULL));
  assert_ok(mbd_model_finalize(tree));
  return tree;
}

typedef struct gear_case {
  char axis;
  double ratio, M11, M12, M22, h1, h2, qdd1, qdd2, D;
} gear_case_t;

static void
geared_motor(void ** context)
{
  (void)context;
  const gear_case_t cases[] = {
    {'z', 10, 4.728110624741386, 0.7019053123706931, 0.27, 46.17884718209235, 3.971886069238649,
     -12.45199560075719, 19.51198441684935, 0.27},
    {'z', -50, 4.728110624741386, 0.6839053123706931, 0.99, 46.17884718209235, 3.971886069238649,
     -9.565610202917786, 0.07079349960012942, 0.99},
    {'x', 20, 4.72801249444807, 0.6989053123706931, 0.32, 46.17904223425993, 3.972105502927178,
     -12.08406952576615, 17.1047340115237, 0.32}};
  for (int k = 0; k < 3; k++) {
    const gear_case_t * g = &cases[k];
    mbd_model_t *tree = geared(g->axis, g->ratio), *model;
    mbd_data_t * data;
    const int P = joint(tree, "P"), l = joint(tree, "link"), r = joint(tree, "rotor");
    double q[3], tau_tree[3];
    q[P] = 0.2, q[l] = 0.7, q[r] = g->ratio * 0.7;
    assert_ok(mbd_model_embed(tree, NULL, &model));
    assert_ok(mbd_data_create(model, &data));
    // the first joint of a coupling follows
    assert_int_equal(model->nv, 2);
    const int rl = model->dof_tree[0] == P ? 1 : 0, rP = 1 - rl;
    assert_int_equal(model->dof_tree[rP], P);
    assert_int_equal(model->dof_tree[rl], l);
    double v[2], M[4], h[2], tau[2], qdd[2], D[4];
    v[rP] = 0.9, v[rl] = -0.4;
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(mbd_mass_matrix(model, data, M));
    assert_near(M[3 * rP], g->M11, 1e-13, "M11, case %d", k);
    assert_near(M[1], g->M12, 1e-13, "M12, case %d", k);
    assert_near(M[3 * rl], g->M22, 1e-13, "M22, case %d", k);
    assert_ok(mbd_bias(model, data, h));
    assert_near(h[rP] / 46, g->h1 / 46, 1e-13, "h1, case %d", k);
    assert_near(h[rl], g->h2, 1e-12, "h2, case %d", k);
    tau_tree[P] = 1.0, tau_tree[r] = 0.05, tau_tree[l] = 0;
    assert_ok(mbd_reduce_torque(model, data, tau_tree, tau));
    assert_near(tau[rl], 0.05 * g->ratio, 1e-14, "tau, case %d", k);
    assert_ok(mbd_forward_dynamics(model, data, q, v, tau, NULL, qdd));
    assert_near(qdd[rP] / 12, g->qdd1 / 12, 1e-12, "qdd1, case %d", k);
    assert_near(qdd[rl] / 20, g->qdd2 / 20, 1e-12, "qdd2, case %d", k);
    assert_ok(mbd_mass_factors(model, data, NULL, D));
    assert_near(D[3 * rl], g->D, 1e-13, "D, case %d", k);
    // torque of the gear: rotor's equation of motion with its reaction
    double all[3], lambda[1];
    assert_ok(mbd_tree_acceleration(model, data, qdd, all));
    assert_ok(mbd_closure_forces(model, data, qdd, tau_tree, NULL, lambda));
    if (g->axis == 'z') {
      const double needed = 0.0003 * (all[r] + all[P]);
      assert_near(lambda[0], needed - 0.05, 1e-12, "gear's torque, case %d", k);
    }
    mbd_data_destroy(data);
    mbd_model_destroy(model);
    mbd_model_destroy(tree);
  }
}

// a locked rotor (ratio 0) is a load of its carrier; a large ratio is all there is        1.6, 10
static void
gear_ratios_at_their_ends(void ** context)
{
  (void)context;
  const double ratio[] = {1e-9, 1e4};
  for (int k = 0; k < 2; k++) {
    mbd_model_t *tree = geared('z', ratio[k]), *model;
    mbd_data_t * data;
    assert_ok(mbd_model_embed(tree, NULL, &model));
    assert_ok(mbd_data_create(model, &data));
    double q[3] = {0, 0, 0}, D[4];
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_mass_factors(model, data, NULL, D));
    const int rl = model->dof_tree[0] == joint(tree, "link") ? 0 : 1;
    // J_l + m l^2 = 0.24 about its hinge
    const double expected = 0.24 + ratio[k] * ratio[k] * 0.0003;
    assert_near(D[3 * rl] / expected, 1, 1e-12, "D at ratio %g", ratio[k]);
    mbd_data_destroy(data);
    mbd_model_destroy(model);
    mbd_model_destroy(tree);
  }
}

//---------- mimic joints ----------

// substitution by hand: q = S y + o, so that M_r = S^T M S and tau_r = S^T tau
static void
mimic_joints_are_substituted(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  options.min_bodies = 4;
  FOR_SEEDS(80)
  {
    tree_t * t = random_tree(seed, &options);
    uint64_t state = seed;
    const int n = t->model->nv;
    // some joints follow others that follow none
    mbd_model_t *tree, *model;
    mat_t S = eye(n);
    double * q = t->q;
    assert_ok(mbd_model_create("mimic", &tree));
    assert_ok(mbd_model_set_gravity(tree, t->model->gravity));
    char follower[64] = {0}, followed[64] = {0};
    for (int k = 0; k < t->nlink; k++) {
      mbd_body_spec_t spec = t->link[k].spec;
      int body = -1, other = random_below(&state, t->model->nbody);
      if (
        mbd_find_joint(t->model, spec.joint_name, &body) == MBD_OK && body > other && body < 64 &&
        !follower[other] && !followed[body] && random_below(&state, 2)) {
        const double factor = random_signed(&state) * 3, offset = random_signed(&state);
        spec.mimic.joint = t->model->body[other].joint_name;
        spec.mimic.multiplier = factor;
        spec.mimic.offset = offset;
        follower[body] = followed[other] = 1;
        const int a = t->model->body[body].v_index, b = t->model->body[other].v_index;
        *at(S, a, a) = 0;
        *at(S, a, b) = factor;
        q[t->model->body[body].q_index] = factor * q[t->model->body[other].q_index] + offset;
      }
      int frame;
      assert_ok(mbd_model_add_body(tree, &spec, &frame));
    }
    assert_ok(mbd_model_finalize(tree));
    assert_ok(mbd_model_embed(tree, NULL, &model));
    mbd_data_t * data;
    assert_ok(mbd_data_create(model, &data));
    // columns of followers go
    mat_t R = mat(n, model->nv);
    int nr = 0;
    for (int k = 0; k < n; k++) {
      if (follower[t->model->dof_body[k]]) continue;
      assert_int_equal(model->dof_tree[nr], k);
      set_block(R, 0, nr++, block(S, 0, k, n, 1));
    }
    assert_int_equal(nr, model->nv);
    const uint32_t terms = seed % 2 ? MBD_TERM_FRICTION | MBD_TERM_ROTORS : 0;
    assert_ok(mbd_set_terms(data, terms));
    mat_t v = mat(nr, 1), tau = mat(nr, 1), qdd = mat(nr, 1), all = mat(n, 1);
    for (int k = 0; k < nr; k++) v.a[k] = random_signed(&state), tau.a[k] = random_signed(&state);
    const mat_t v_all = PROD(R, v);
    const dense_t d = dense_at(t->model, NULL, q, v_all.a, t->model->gravity);
    mat_t M = dense_mass(&d), h = dense_bias(&d);
    const mat_t rotors = dense_rotors(t->model);
    if (terms) {
      mat_t friction = mat(n, 1);
      assert_ok(mbd_friction(t->model, v_all.a, friction.a));
      h = SUM(h, friction);
      for (int k = 0; k < n; k++) *at(M, k, k) += rotors.a[k];
    }
    const mat_t M_r = PROD(tr(R), M, R), h_r = PROD(tr(R), h);
    const mat_t expected = PROD(inverse(M_r), sub(tau, h_r));
    assert_ok(mbd_forward_dynamics(model, data, q, v.a, tau.a, NULL, qdd.a));
    assert_mat(qdd, expected, 1e-9, "qdd, seed %lu", seed);
    assert_ok(mbd_tree_acceleration(model, data, qdd.a, all.a));
    assert_mat_floor(all, PROD(R, qdd), 1e-13, largest_entry(qdd), "all, seed %lu", seed);
    // momentum's rate is known where X is constant: p(t + dt) - p(t) = pdot dt
    mat_t pdot = mat(nr, 1), p0 = mat(nr, 1), p1 = mat(nr, 1), later = mat(model->nq, 1);
    assert_ok(mbd_momentum_rate(model, data, tau.a, NULL, pdot.a));
    const double dt = 1e-5;
    for (int side = 0; side < 2; side++) {
      const double step = side == 0 ? -dt : dt;
      const mat_t mean = SUM(v, scale(0.5 * step, qdd)), v_later = SUM(v, scale(step, qdd));
      assert_ok(mbd_integrate(model, q, mean.a, step, later.a));
      assert_ok(mbd_set_position(model, data, later.a));
      assert_ok(mbd_set_velocity(model, data, v_later.a));
      assert_ok(mbd_momentum(model, data, side == 0 ? p0.a : p1.a));
    }
    assert_mat_floor(
      scale(0.5 / dt, sub(p1, p0)), pdot, 1e-5, fmax(1, largest_entry(pdot)), "pdot, %lu", seed);
    mbd_data_destroy(data);
    mbd_model_destroy(model);
    mbd_model_destroy(tree);
    tree_free(t);
    mats_free();
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(four_bar_on_a_moving_base),
    cmocka_unit_test(parallelogram_is_one_number),
    cmocka_unit_test(geared_motor),
    cmocka_unit_test(gear_ratios_at_their_ends),
    cmocka_unit_test(mimic_joints_are_substituted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
