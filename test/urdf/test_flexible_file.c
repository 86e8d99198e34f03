// Flexible links beside a URDF: what YAML and CSV come to, and what is refused in which words.
#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/flexible/flexible_links.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flexible_state.h"
#include "random_tree.h"
#include "urdf_test.h"

#define ROBOTS MBDYN_SOURCE_DIR "/config/robots/"

static mbd_model_t *
boom(void)
{
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(ROBOTS "boom.urdf", NULL, &model, NULL));
  return model;
}

//---------- what is read ----------

// mass matrix and bias at some state that moves everything
static void
dynamics(const mbd_model_t * f, double * M, double * h)
{
  mbd_data_t * data;
  double q[16], v[16];
  assert_ok(mbd_data_create(f, &data));
  assert_true(f->nv <= 16);
  for (int k = 0; k < f->nv; k++) q[k] = 0.3 * sin(k + 1), v[k] = cos(2 * k);
  assert_ok(mbd_set_state(f, data, q, NULL));
  assert_ok(mbd_mass_matrix(f, data, M));
  assert_ok(mbd_inverse_dynamics(f, data, q, v, NULL, NULL, h));
  mbd_data_destroy(data);
}

// the boom of the documentation, against the same made by hand
static void
the_boom_is_read(void ** context)
{
  (void)context;
  mbd_model_t * model = boom();
  mbd_model_t *flexible, *by_hand;
  mbdx_report_t * report;
  assert_ok(mbdx_flexible_load_file(model, ROBOTS "boom.flexible.yaml", &flexible, &report));
  assert_int_equal(report->nerror, 0);
  assert_int_equal(report->nnote, 2);
  assert_non_null(strstr(report->entry[0].text, "flexible with 4 modes"));
  assert_int_equal(flexible->flexible->nmode, 6);
  assert_int_equal(flexible->nv, 9);

  mbd_beam_spec_t spec = mbd_beam_spec_default();
  mbd_modal_body_t *beam, *panel;
  spec.length = 2.5, spec.polar = 0.0008, spec.bending_y = spec.bending_z = 1050;
  spec.modes_y = spec.modes_z = 2, spec.damping_ratio = 0.01;
  assert_ok(mbd_beam_create(&spec, &beam));
  assert_ok(mbd_modal_body_create(2, 9, &panel));
  for (int k = 0; k < 8; k++) {
    const double x = 0.1 * (k / 2 + 1), y = k % 2 ? -0.1 : 0.1, L = 0.4;
    panel->position[k] = (mbd_vec3_t){x, y, 0};
    panel->inertia[k].mass = 0.05;
    panel->shape[2 * k] = (mbd_motion_t){{0, -2 * x / (L * L), 0}, {0, 0, x * x / (L * L)}};
    panel->shape[2 * k + 1] = (mbd_motion_t){{x / L, -y / L, 0}, {0, 0, y * x / L}};
  }
  panel->position[8] = (mbd_vec3_t){0.4, 0, 0};
  panel->shape[16] = (mbd_motion_t){{0, -5, 0}, {0, 0, 1}};
  panel->shape[17] = (mbd_motion_t){{1, 0, 0}, {0, 0, 0}};
  const double mass[2] = {0.1 * (1 + 16 + 81 + 256) / 256, 0.1 * 0.01 * (1 + 4 + 9 + 16) / 16};
  for (int k = 0; k < 2; k++) {
    const double omega = 2 * 3.14159265358979 * (k == 0 ? 3 : 5);
    panel->stiffness[3 * k] = omega * omega * mass[k];
    panel->damping[3 * k] = 2 * 0.02 * omega * mass[k];
  }
  mbd_flexible_link_t link[2] = {{0, beam, 0, NULL}, {0, panel, 0, NULL}};
  assert_ok(mbd_find_frame(model, "boom", &link[0].frame));
  assert_ok(mbd_find_frame(model, "panel", &link[1].frame));
  assert_ok(mbd_model_with_flexible_links(model, 2, link, &by_hand, NULL));
  double M[2][81], h[2][9];
  dynamics(flexible, M[0], h[0]);
  dynamics(by_hand, M[1], h[1]);
  // as many digits as the file has
  assert_close(M[0], M[1], 81, 1e-7, "M");
  assert_close(h[0], h[1], 9, 1e-5, "h");
  mbdx_report_free(report);
  mbd_model_destroy(by_hand);
  mbd_model_destroy(flexible);
  mbd_modal_body_destroy(beam);
  mbd_modal_body_destroy(panel);
  mbd_model_destroy(model);
}

static mbd_status_t
load_text_of(
  const mbd_model_t * model, const char * text, mbd_model_t ** flexible, mbdx_report_t ** report)
{
  return mbdx_flexible_load_string(
    model, text, strlen(text), ROBOTS "text.flexible.yaml", flexible, report);
}

// whole matrices, modal mass, a hinge that moves, second-order displacements
static void
modal_data_in_yaml_are_read(void ** context)
{
  (void)context;
  static const char TEXT[] =
    "flexible:\n"
    "  - link: boom\n"
    "    attach: {forearm: end}\n"
    "    modal:\n"
    "      modes: 2\n"
    "      mass: [[3, 0.1], [0.1, 2]]\n"
    "      stiffness: [[50, 1], [1, 70]]\n"
    "      damping: [0.5, 0.6]\n"
    "      hinge: [[0, 0, 0.1, 0, 0.2, 0], [0, 0.3, 0, 0, 0, 0]]\n"
    "      nodes:\n"
    "        - {xyz: [1, 0, 0], mass: 2, inertia: [0.1, 0, 0, 0.2, 0, 0.3],\n"
    "           shape: [[0, 0, 0.2, 0, 0.3, 0], [0, 0, 0, 0, 0, 1]],\n"
    "           bend: [[[-0.1, 0, 0], [0, 0, 0]], [[0, 0, 0], [-0.2, 0, 0]]]}\n"
    "        - {name: end, xyz: [2.5, 0, 0],\n"
    "           shape: [[0, 0, 0.3, 0, 0.5, 0], [0, -1, 0, 0, 0, 2]]}\n";
  mbd_model_t * model = boom();
  mbd_model_t * f;
  mbdx_report_t * report;
  assert_ok(load_text_of(model, TEXT, &f, &report));
  const mbd_modal_body_t * body = f->flexible->part[0].body;
  assert_true(body->nmode == 2 && body->nnode == 2);
  assert_true(body->has_mass && body->has_hinge && body->has_bend);
  assert_true(body->mass[1] == 0.1 && body->mass[3] == 2);
  assert_true(body->stiffness[2] == 1 && body->stiffness[3] == 70);
  assert_true(body->damping[0] == 0.5 && body->damping[1] == 0 && body->damping[3] == 0.6);
  assert_true(body->hinge[0].ang.z == 0.1 && body->hinge[0].lin.y == 0.2);
  assert_true(body->hinge[1].ang.y == 0.3);
  assert_true(body->inertia[0].mass == 2 && body->inertia[0].I.yy == 0.2);
  assert_true(body->shape[0].lin.y == 0.3 && body->shape[3].ang.y == -1);
  assert_true(body->bend[0].x == -0.1 && body->bend[3].x == -0.2);
  mbdx_report_free(report);
  mbd_model_destroy(f);
  mbd_model_destroy(model);
}

// a frame part of the way along a beam moves with that place of it
static void
beams_have_nodes_where_something_is(void ** context)
{
  (void)context;
  static const char TEXT[] =
    "flexible:\n  - link: beam\n    beam: {length: 2, mass_per_length: 1, modes_y: 2, bending_y: "
    "9,\n"
    "      rpy: [0, 0, 1.5707963267948966]}\n";
  const double at = 0.74;
  mbd_model_t * model;
  int beam, mid;
  assert_ok(mbd_model_create("one", &model));
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = spec.joint_name = "beam";
  assert_ok(mbd_model_add_body(model, &spec, &beam));
  mbd_placement_t X = spec.placement;
  X.p.y = at;
  assert_ok(mbd_model_add_frame(model, "mid", beam, &X, &mid));
  assert_ok(mbd_model_finalize(model));
  mbd_model_t * f;
  mbd_data_t * data;
  assert_ok(load_text_of(model, TEXT, &f, NULL));
  assert_ok(mbd_data_create(f, &data));
  const double eta[2] = {0.02, -0.01};
  assert_ok(flexible_state(f, data, eta, NULL));
  assert_ok(flexible_frame(f, data, mid, &X, NULL));
  // cosh - cos - sigma (sinh - sin), turned so that it deflects along -x
  double w = 0;
  static const double root[2] = {1.8751040687, 4.6940911330};
  for (int k = 0; k < 2; k++) {
    const double B = root[k], z = B * at / 2;
    const double sigma = (cosh(B) + cos(B)) / (sinh(B) + sin(B));
    w += eta[k] * (cosh(z) - cos(z) - sigma * (sinh(z) - sin(z)));
  }
  assert_true(fabs(w) > 1e-3 && fabs(X.p.x + w) < 1e-9);
  mbd_data_destroy(data);
  mbd_model_destroy(f);
  mbd_model_destroy(model);
}

static void
an_empty_file_bends_nothing(void ** context)
{
  (void)context;
  mbd_model_t * model = boom();
  mbd_model_t * f;
  assert_ok(load_text_of(model, "# nothing\n", &f, NULL));
  assert_int_equal(f->nv, model->nv);
  mbd_model_destroy(f);
  mbd_model_destroy(model);
}

//---------- what is refused ----------

typedef struct bad {
  const char * text;
  const char * says;  // a part of the first error, line included
} bad_t;

#define BEAM  "flexible:\n  - link: boom\n    beam: {length: 1, mass_per_length: 1, modes_y: 1, "
#define MODAL "flexible:\n  - link: boom\n    modal:\n      modes: 2\n"
#define NODES                                                                       \
  "      nodes:\n        - {xyz: [1, 0, 0], mass: 1, shape: [[0, 0, 0, 0, 1, 0],\n" \
  "           [0, 0, 0, 0, 0, 1]]}\n"

static const bad_t BAD[] = {
  {"flexible: [", "is not YAML"},
  {"flexible: []\n---\nflexible: []\n", "yaml:2: file: has a second document; keep one"},
  {"bending: []\n", "yaml:1: file: key \"bending\" is unknown; known key: flexible"},
  {"flexible:\n  - {beam: {}}\n", "yaml:2: link: has no link"},
  {"flexible:\n  - link: bom\n", "yaml:2: link 'bom': the robot has no such link"},
  {"flexible:\n  - link: boom\n", "yaml:2: link 'boom': has none of beam, modal and file"},
  {"flexible:\n  - link: boom\n    beam: {length: 1, modes_y: 1, bending_y: 1}\n",
   "yaml:3: link 'boom': beam has no mass_per_length"},
  {BEAM "bending_y: 0}\n", "yaml:3: link 'boom': bending_y is not positive"},
  {BEAM "bending_z: 1}\n", "yaml:3: link 'boom': beam has modes_y and no bending_y"},
  {BEAM "bending_y: nan}\n", "yaml:3: link 'boom': bending_y"},
  {BEAM "bending_y: 1, support: glued}\n", "support \"glued\" is unknown; write cantilever"},
  {BEAM "bending_y: 1, modes_z: 1.5}\n", "modes_z is not a whole number"},
  {BEAM "bending_y: 1, width: 1}\n", "key \"width\" is unknown; known keys: length"},
  {BEAM "bending_y: 1}\n    attach: {forearm: tip}\n",
   "yaml:4: link 'boom': attach: there is no node"},
  {BEAM "bending_y: 1}\n    attach: {fore: hinge}\n",
   "yaml:4: link 'boom': attach: there is no link"},
  {BEAM "bending_y: 1}\n    attach: {tool: hinge}\n",
   "attach names a link or frame that is not on this link"},
  {BEAM "bending_y: 1}\n  - link: boom\n", "yaml:4: link 'boom': is already on line 2"},
  {MODAL "      stiffness: [1, 2]\n", "yaml:4: link 'boom': has no nodes"},
  {MODAL NODES, "has no stiffness"},
  {MODAL "      stiffness: [1, 2, 3]\n" NODES,
   "yaml:5: link 'boom': stiffness has 3 numbers; 2 modes have 2 or 4"},
  {MODAL "      stiffness: [[1, 2], [3, 4]]\n" NODES,
   "yaml:5: link 'boom': stiffness is not symmetric (mode 2)"},
  {MODAL "      stiffness: [1, -2]\n" NODES,
   "yaml:5: link 'boom': stiffness has a negative eigenvalue (mode 2)"},
  {MODAL "      stiffness: [1, .nan]\n" NODES, "yaml:5: link 'boom': stiffness"},
  {MODAL "      stiffness: [1, 1e400]\n" NODES, "yaml:5: link 'boom': stiffness"},
  {MODAL "      stiffness: [1, 2]\n      damping: [-1, 0]\n" NODES,
   "yaml:6: link 'boom': damping has a negative eigenvalue (mode 1)"},
  {MODAL "      stiffness: [1, 2]\n      mass: [[1, 0.5], [0.4, 1]]\n" NODES,
   "yaml:6: link 'boom': modal mass is not symmetric (mode 2)"},
  {MODAL "      stiffness: [1, 2]\n      nodes:\n        - {mass: 1, shape: [1, 2, 3]}\n",
   "yaml:7: link 'boom': shape has 3 numbers instead of 12"},
  {MODAL "      stiffness: [1, 2]\n      nodes:\n        - {mass: 1}\n",
   "yaml:7: link 'boom': a node has no shape"},
  {MODAL "      stiffness: [1, 2]\n      nodes:\n        - {mass: -1, shape: [[0, 0, 0, 0, 1, 0], "
         "[0, 0, 0, 0, 0, 1]]}\n",
   "yaml:7: link 'boom': node 1: inertia of a node"},
  {MODAL "      stiffness: [1, 2]\n      nodes:\n        - {mass: 1, shape: [[0, 0, 0, 0, 1, 0], "
         "[0, 0, 0, 0, 1, 0]]}\n",
   "modal mass is not positive definite: a mode moves no mass (mode 2)"},
  {"flexible:\n  - link: boom\n    modal: {modes: 0.5}\n", "modes is not a whole number"},
  {"flexible:\n  - link: boom\n    file: none.csv\n",
   "yaml:3: link 'boom': file \"none.csv\" cannot be read"},
};

static const mbdx_report_entry_t *
first_error(const mbdx_report_t * report)
{
  for (int k = 0; k < report->n; k++) {
    if (report->entry[k].severity == MBDX_ERROR) return &report->entry[k];
  }
  return NULL;
}

static void
assert_says(const mbdx_report_t * report, const char * says, const char * text)
{
  assert_non_null(report);
  const mbdx_report_entry_t * error = first_error(report);
  if (!error || !strstr(error->text, says)) {
    print_error(
      "%s\nsays \"%s\"\ninstead of \"%s\"\n", text, error ? error->text : "nothing", says);
    fail();
  }
}

static void
bad_yaml_is_refused_with_its_line(void ** context)
{
  (void)context;
  mbd_model_t * model = boom();
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    mbd_model_t * f;
    mbdx_report_t * report;
    assert_int_equal(load_text_of(model, BAD[k].text, &f, &report), MBD_ERROR_BAD_MODES);
    assert_null(f);
    assert_says(report, BAD[k].says, BAD[k].text);
    mbdx_report_free(report);
  }
  mbd_model_destroy(model);
}

static const bad_t BAD_CSV[] = {
  {"stiffness, 1\n", "csv: file: modes is not a whole number"},
  {"modes, 1\nstiffness, 1\n", "csv: file: has no nodes"},
  {"modes, x\n", "csv:1: file: modes"},
  {"modes, 1\nnode, a, 1, 0, 0, 1, 0,0,0,0,0,0, 0,0,0,0,1,0\n", "csv: file: has no stiffness"},
  {"modes, 1\nstiffness, 1, 2\nnode, a, 1, 0, 0, 1, 0,0,0,0,0,0, 0,0,0,0,1,0\n",
   "csv:2: file: stiffness has 2 numbers"},
  {"modes, 1\n# a remark\nstiffness, -1\nnode, a, 1, 0, 0, 1, 0,0,0,0,0,0, 0,0,0,0,1,0\n",
   "csv:3: link 'boom': stiffness has a negative eigenvalue"},
  {"modes, 1\nstiffness, 1\nnode, a, 1, 0, 0\n", "csv:3: file: a node has 3 numbers instead of 16"},
  {"modes, 1\nstiffness, 1\nnode\n", "csv:3: file: a node has 0 numbers instead of 16"},
  {"modes, 1\nstiffness, 1\nnode, a, 1, 0, 0, 1, 0,0,0,0,0,0, 0,0,0,0,one,0\n",
   "csv:3: file: node"},
  {"modes, 1\nstiffness, 1\nstiffness, 1\nnode, a, 1, 0, 0, 1, 0,0,0,0,0,0, 0,0,0,0,1,0\n",
   "csv:3: file: duplicate stiffness"},
  {"modes, 1\nstiffness, 1\nspring, 2\nnode, a, 1, 0, 0, 1, 0,0,0,0,0,0, 0,0,0,0,1,0\n",
   "csv:3: file: unknown line type \"spring\""},
  {"modes, 1\nstiffness, nan\nnode, a, 1, 0, 0, 1, 0,0,0,0,0,0, 0,0,0,0,1,0\n",
   "csv:2: file: stiffness"},
};

static void
bad_csv_is_refused_with_its_line(void ** context)
{
  (void)context;
  mbd_model_t * model = boom();
  char folder[] = "/tmp/flexible_XXXXXX", path[64], source[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/modes.csv", folder);
  snprintf(source, sizeof source, "%s/r.flexible.yaml", folder);
  static const char TEXT[] = "flexible:\n  - link: boom\n    file: modes.csv\n";
  for (size_t k = 0; k < sizeof BAD_CSV / sizeof *BAD_CSV; k++) {
    FILE * file = fopen(path, "w");
    assert_non_null(file);
    fputs(BAD_CSV[k].text, file);
    fclose(file);
    mbd_model_t * f;
    mbdx_report_t * report;
    assert_int_equal(
      mbdx_flexible_load_string(model, TEXT, sizeof TEXT - 1, source, &f, &report),
      MBD_ERROR_BAD_MODES);
    assert_says(report, BAD_CSV[k].says, BAD_CSV[k].text);
    mbdx_report_free(report);
  }
  remove(path);
  remove(folder);
  mbd_model_destroy(model);
}

//---------- any text ----------

static char *
read_whole(const char * path, size_t * size)
{
  FILE * file = fopen(path, "rb");
  assert_non_null(file);
  char * text = malloc(1 << 16);
  assert_non_null(text);
  *size = fread(text, 1, (1 << 16) - 1, file);
  text[*size] = 0;
  fclose(file);
  return text;
}

// some bytes replaced, or a piece left out, or written twice
static void
spoil(uint64_t * state, char * text, size_t * size)
{
  static const char BYTES[] = "0123456789.,-e:[]{}# \n\"ayz";
  for (int n = random_below(state, 4); n >= 0 && *size > 2; n--) {
    const size_t at = (size_t)random_below(state, (int)*size - 1);
    const size_t length = (size_t)random_below(state, 12) % (*size - at) + 1;
    switch (random_below(state, 3)) {
      case 0: text[at] = BYTES[random_below(state, sizeof BYTES - 1)]; break;
      case 1:
        memmove(text + at, text + at + length, *size - at - length);
        *size -= length;
        break;
      default:
        memmove(text + at + length, text + at, *size - at);
        *size += length;
        break;
    }
  }
}

// what is taken has dynamics, or says why not; everything else has an error that says where
static void
check_load(mbd_status_t status, mbd_model_t * f, mbdx_report_t * report, int * taken)
{
  assert_non_null(report);
  if (status != MBD_OK) {
    assert_null(f);
    assert_true(report->nerror > 0);
  } else {
    mbd_data_t * data;
    double * q = calloc((size_t)f->nq + 1, sizeof *q);
    double * qdd = calloc((size_t)f->nv + 1, sizeof *qdd);
    assert_ok(mbd_data_create(f, &data));
    assert_ok(mbd_neutral(f, q));
    if (mbd_forward_dynamics(f, data, q, qdd, NULL, NULL, qdd) == MBD_OK) {
      for (int k = 0; k < f->nv; k++) assert_true(isfinite(qdd[k]));
    }
    free(q);
    free(qdd);
    mbd_data_destroy(data);
    ++*taken;
  }
  mbdx_report_free(report);
  mbd_model_destroy(f);
}

static void
any_text_is_taken_or_refused(void ** context)
{
  (void)context;
  enum { ROUNDS = 600, CAPACITY = 1 << 17 };
  mbd_model_t * model = boom();
  char folder[] = "/tmp/flexible_XXXXXX", path[64], source[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/modes.csv", folder);
  snprintf(source, sizeof source, "%s/r.flexible.yaml", folder);
  static const char LINK[] = "flexible:\n  - link: panel\n    file: modes.csv\n";
  char * text = malloc(CAPACITY);
  int taken = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    uint64_t state = seed;
    const bool csv = seed % 2;
    size_t size;
    char * good = read_whole(csv ? ROBOTS "boom_panel.csv" : ROBOTS "boom.flexible.yaml", &size);
    memcpy(text, good, size);
    free(good);
    spoil(&state, text, &size);
    mbd_model_t * f;
    mbdx_report_t * report;
    mbd_status_t status;
    if (csv) {
      FILE * file = fopen(path, "w");
      assert_non_null(file);
      fwrite(text, 1, size, file);
      fclose(file);
      status = mbdx_flexible_load_string(model, LINK, sizeof LINK - 1, source, &f, &report);
    } else {
      status = mbdx_flexible_load_string(model, text, size, ROBOTS "x.yaml", &f, &report);
    }
    check_load(status, f, report, &taken);
  }
  // neither all nor none
  assert_true(taken > ROUNDS / 20 && taken < ROUNDS * 19 / 20);
  print_message("%d of %d spoilt files were taken\n", taken, ROUNDS);
  free(text);
  remove(path);
  remove(folder);
  mbd_model_destroy(model);
}

static void
files_and_models_are_checked(void ** context)
{
  (void)context;
  mbd_model_t *model = boom(), *finger;
  mbd_model_t * f;
  mbdx_report_t * report;
  assert_int_equal(mbdx_flexible_load_file(model, ROBOTS "none.yaml", &f, &report), MBD_ERROR_FILE);
  assert_says(report, "none.yaml: file: cannot be read", "none.yaml");
  mbdx_report_free(report);
  assert_int_equal(mbdx_flexible_load_file(NULL, "x", &f, NULL), MBD_ERROR_NULL_ARGUMENT);
  // loops and flexible links do not go together
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.loops_file = ROBOTS "finger.loops.yaml";
  assert_ok(mbdx_urdf_load_file(ROBOTS "finger.urdf", &options, &finger, NULL));
  static const char TEXT[] =
    "flexible:\n  - link: rod\n    beam: {length: 0.01, mass_per_length: 1, modes_y: 1, "
    "bending_y: 1}\n";
  assert_int_equal(load_text_of(finger, TEXT, &f, &report), MBD_ERROR_UNSUPPORTED);
  mbdx_report_free(report);
  mbd_model_destroy(finger);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_boom_is_read),
    cmocka_unit_test(modal_data_in_yaml_are_read),
    cmocka_unit_test(beams_have_nodes_where_something_is),
    cmocka_unit_test(an_empty_file_bends_nothing),
    cmocka_unit_test(bad_yaml_is_refused_with_its_line),
    cmocka_unit_test(bad_csv_is_refused_with_its_line),
    cmocka_unit_test(any_text_is_taken_or_refused),
    cmocka_unit_test(files_and_models_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
