// Which bodies loops hold together: the smallest subtree of their ends less its root, merged where
// two share a body, each hanging on one body (Lem 14.5, 14.6; 15.1).
#include <string.h>

#include "linkage.h"
#include "mbdyn/constraints.h"

// a tree by its edges, e.g. "a< b<a c<a": each name on the one after '<', or on the world
static mbd_model_t *
tree_of(const char * edges)
{
  static char names[26][2];
  mbd_model_t * tree = start(0, 0, -9.81);
  for (const char * e = edges; *e; e++) {
    if (e[1] != '<') continue;
    char * name = names[e[0] - 'a'];
    name[0] = e[0];
    const bool hangs = e[2] >= 'a' && e[2] <= 'z';
    const double x = 0.1 * (e[0] - 'a') + 0.3;
    const part_t p = {
      name,
      hangs ? names[e[2] - 'a'] : NULL,
      "xyz"[(e[0] - 'a') % 3],
      x,
      0.2,
      0.1 * x,
      1,
      0.1,
      0.05,
      0.02,
      0.1,
      0.1,
      0.1};
    add(tree, &p);
  }
  return tree;
}

// a rod between two parts (or a part and the world '.') that fits at rest, by adding up the tree
static void
rod(mbd_model_t * tree, const mbd_model_t * rest, const char * ends)
{
  mbd_data_t * data;
  double q[26] = {0};
  mbd_vec3_t p[2] = {{0, 0, 0}, {0, 0, 0}};
  assert_ok(mbd_data_create(rest, &data));
  assert_ok(mbd_set_position(rest, data, q));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  int frame[2];
  for (int k = 0; k < 2; k++) {
    const char name[2] = {ends[k], 0};
    frame[k] = frame_named(tree, ends[k] == '.' ? NULL : name);
    if (frame[k] < 0) continue;
    mbd_placement_t X;
    assert_ok(mbd_frame_placement(rest, data, frame[k], &X));
    p[k] = X.p;
  }
  mbd_data_destroy(data);
  spec.name = ends;
  spec.type = MBD_CLOSURE_DISTANCE;
  spec.frame_a = frame[0], spec.frame_b = frame[1];
  spec.X_a.p = mbdu_vec3(0.5, 0.3, 0.7);
  const mbd_vec3_t a = mbdu_vec3_add(p[0], spec.X_a.p);
  spec.distance = mbdu_vec3_norm(mbdu_vec3_sub(a, p[1]));
  assert_ok(mbd_model_add_closure(tree, &spec, NULL));
}

static void
gear(mbd_model_t * tree, const char * name, const char * a, const char * b)
{
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = name, spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 2;
  spec.joint[0] = a, spec.joint[1] = b, spec.coefficient[0] = 1, spec.coefficient[1] = -2;
  assert_ok(mbd_model_add_closure(tree, &spec, NULL));
}

// the groups as text, e.g. "w:ab a:cd": what carries them, their bodies
static void
describe(const mbd_model_t * model, char * text)
{
  *text = 0;
  for (int k = 0; k < mbd_aggregate_count(model); k++) {
    mbd_aggregate_t g;
    assert_ok(mbd_aggregate_info(model, k, &g));
    if (k > 0) strcat(text, " ");
    strcat(text, g.parent < 0 ? "w" : model->body[g.parent].name);
    strcat(text, ":");
    for (int i = 0; i < g.nbody; i++) strcat(text, model->body[g.body[i]].name);
    assert_int_equal(g.ndof, g.nbody);
    assert_true(g.nindependent < g.ndof);
  }
}

typedef struct example {
  const char * edges;
  const char * rods[4];
  const char * gears[2];  // "jxjy": joint of x follows that of y
  const char * groups;
  int nv;
} example_t;

static void
groups_are_found(void ** context)
{
  (void)context;
  const example_t examples[] = {
    // two branches of one body, which itself stays outside
    {"p< a<p b<a c<p d<c", {"bd"}, {NULL}, "p:abcd", 4},
    // one end is the other's ancestor: it is not in the group
    {"p< a<p b<a c<b", {"pc"}, {NULL}, "p:abc", 3},
    // to the ground
    {"p< a<p b<a", {".b"}, {NULL}, "w:pab", 2},
    // two loops on one body: apart
    {"p< a<p b<p c<p d<p", {"ab", "cd"}, {NULL}, "p:ab p:cd", 3},
    // two loops with a body in common: one group
    {"p< a<p b<p c<p", {"ab", "bc"}, {NULL}, "p:abc", 2},
    // a loop on a body of another: a group that hangs on a group
    {"p< a<p b<p c<a d<a", {"ab", "cd"}, {NULL}, "p:ab a:cd", 3},
    // a loop around another
    {"p< a<p b<a c<a d<b e<c", {"bc", "pe"}, {NULL}, "p:abce", 4},
    // joints one behind the other, and the bodies between them
    {"p< a<p b<a c<b", {NULL}, {"ac"}, "p:abc", 3},
    // a joint that follows the one it hangs on
    {"p< a<p b<a", {NULL}, {"ba"}, "p:ab", 2},
    // fingers that follow each other
    {"p< a<p b<a c<p d<c", {NULL}, {"bd"}, "p:abcd", 4},
    // a gear inside a loop
    {"p< a<p b<a c<p d<c", {"bd"}, {"ac"}, "p:abcd", 3},
    // nothing to hold together
    {"p< a<p b<a", {NULL}, {NULL}, "", 3},
  };
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    const example_t * x = &examples[k];
    mbd_model_t *rest = tree_of(x->edges), *tree = tree_of(x->edges), *model;
    assert_ok(mbd_model_finalize(rest));
    for (int i = 0; i < 4 && x->rods[i]; i++) rod(tree, rest, x->rods[i]);
    for (int i = 0; i < 2 && x->gears[i]; i++) {
      const char a[] = {'j', '_', x->gears[i][0], 0}, b[] = {'j', '_', x->gears[i][1], 0};
      gear(tree, "gear", a, b);
    }
    assert_ok(mbd_model_finalize(tree));
    assert_ok(mbd_model_embed(tree, NULL, &model));
    char text[64];
    describe(model, text);
    if (strcmp(text, x->groups) != 0) print_error("example %d\n", (int)k);
    assert_string_equal(text, x->groups);
    if (model->nv != x->nv) print_error("example %d\n", (int)k);
    assert_int_equal(model->nv, x->nv);
    mbd_model_destroy(model);
    mbd_model_destroy(tree);
    mbd_model_destroy(rest);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(groups_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
