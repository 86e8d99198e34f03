// What URDF and MJCF text of a model have in common.
#define _POSIX_C_SOURCE 200809L  // open_memstream, locale_t
#include "mbdyn/robot_write.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "robot_write_internal.h"

//---------- text ----------

void
robot_put(robot_writer_t * w, const char * format, ...)
{
  va_list args;
  va_start(args, format);
  vfprintf(w->to, format, args);
  va_end(args);
}

void
robot_put_name(robot_writer_t * w, const char * attribute, const char * name, const char * ending)
{
  fprintf(w->to, " %s=\"", attribute);
  for (; *name; name++) {
    switch (*name) {
      case '<': fputs("&lt;", w->to); break;
      case '>': fputs("&gt;", w->to); break;
      case '&': fputs("&amp;", w->to); break;
      case '"': fputs("&quot;", w->to); break;
      case '\t':
      case '\n':
      case '\r': fprintf(w->to, "&#%d;", *name); break;
      default: fputc(*name, w->to);
    }
  }
  fprintf(w->to, "%s\"", ending);
}

void
robot_put_numbers(robot_writer_t * w, const char * attribute, const double * x, int n)
{
  fprintf(w->to, " %s=\"", attribute);
  for (int k = 0; k < n; k++) {
    char number[40];
    for (int digits = 15; digits <= 17; digits++) {
      // no minus in front of zero
      snprintf(number, sizeof number, "%.*g", digits, x[k] == 0 ? 0.0 : x[k]);
      if (strtod(number, NULL) == x[k]) break;
    }
    fprintf(w->to, "%s%s", k == 0 ? "" : " ", number);
  }
  fputs("\"", w->to);
}

void
robot_left_out(
  robot_writer_t * w, mbdx_severity_t severity, const char * kind, const char * name,
  const char * hint, const char * what)
{
  const urdf_place_t place = {kind, name, 0};
  if (severity == MBDX_ERROR)
    urdf_fail(w->loader, MBD_ERROR_UNSUPPORTED, place, hint, "%s", what);
  else
    urdf_say(w->loader, severity, place, hint, "%s", what);
}

//---------- frames ----------

mbd_placement_t
robot_link_in_body(const mbd_model_t * model, int body)
{
  return model->frame[model->body[body].link_frame].X;
}

mbd_placement_t
robot_frame_in_link(const mbd_model_t * model, int frame)
{
  const mbd_frame_t * f = &model->frame[frame];
  if (f->body < 0) return f->X;
  const mbd_placement_t link = robot_link_in_body(model, f->body);
  const mbd_placement_t back = mbdu_placement_inverse(&link);
  return mbdu_placement_mul(&back, &f->X);
}

mbd_vec3_t
robot_axis(const mbd_model_t * model, int body)
{
  const mbd_placement_t link = robot_link_in_body(model, body);
  return mbdu_mat3_tvec(&link.R, mbdu_vec3(0, 0, 1));
}

bool
robot_inertia(const mbd_model_t * model, int body, double * mass, mbd_vec3_t * com, mbd_sym3_t * I)
{
  const mbd_placement_t link = robot_link_in_body(model, body);
  const mbd_placement_t back = mbdu_placement_inverse(&link);
  const mbd_inertia_t M = mbdu_inertia_to_parent(&back, &model->body[body].inertia);
  *mass = M.mass;
  *com = M.mass > 0 ? mbdu_vec3_scale(1 / M.mass, M.h) : mbdu_vec3(0, 0, 0);
  *I = M.mass > 0 ? mbdu_inertia_about_com(&M) : M.I;
  return M.mass > 0 || I->xx != 0 || I->yy != 0 || I->zz != 0;
}

void
robot_rpy(const mbd_mat3_t * R, double rpy[3])
{
  const double * m = R->m;
  // yaw from what roll leaves, so that the product is right where roll and yaw are not determined
  rpy[0] = atan2(m[7], m[8]);
  const double s = sin(rpy[0]), c = cos(rpy[0]);
  rpy[1] = atan2(-m[6], s * m[7] + c * m[8]);
  rpy[2] = atan2(s * m[2] - c * m[1], c * m[4] - s * m[5]);
}

const char *
robot_end(const robot_writer_t * w, const mbd_closure_t * c, bool b, mbd_placement_t * X)
{
  const int body = b ? c->body_b : c->body_a;
  *X = b ? c->X_b : c->X_a;
  if (body < 0) return NULL;
  const mbd_placement_t link = robot_link_in_body(w->model, body);
  const mbd_placement_t back = mbdu_placement_inverse(&link);
  *X = mbdu_placement_mul(&back, X);
  return w->model->body[body].name;
}

bool
robot_coupling(
  const robot_writer_t * w, const mbd_closure_t * c, int * follower, int * leader,
  double * multiplier, double * offset)
{
  if (c->type != MBD_CLOSURE_COUPLING || c->ncoupled > 2 || c->driver.at) return false;
  int f = 0;
  // the first one follows unless something else moves it
  if (c->ncoupled == 2 && w->coupled[c->coupled[0]]) f = 1;
  if (w->coupled[c->coupled[f]]) return false;
  *follower = c->coupled[f];
  *leader = c->ncoupled == 2 ? c->coupled[1 - f] : -1;
  *multiplier = c->ncoupled == 2 ? -c->coefficient[1 - f] / c->coefficient[f] : 0;
  *offset = -c->offset / c->coefficient[f];
  w->coupled[*follower] = true;
  return true;
}

//---------- the whole ----------

// where each link is in the one before; the frame that is the world's link
static void
place_links(robot_writer_t * w)
{
  const mbd_model_t * m = w->model;
  for (int i = 0; i < m->nbody; i++) {
    const mbd_placement_t own = robot_link_in_body(m, i);
    w->link[i] = mbdu_placement_mul(&m->body[i].X_tree, &own);
    if (m->body[i].parent < 0) continue;
    const mbd_placement_t above = robot_link_in_body(m, m->body[i].parent);
    const mbd_placement_t back = mbdu_placement_inverse(&above);
    w->link[i] = mbdu_placement_mul(&back, &w->link[i]);
  }
  w->root = -1;
  for (int k = 0; k < m->nframe && w->root < 0; k++) {
    const mbd_frame_t * f = &m->frame[k];
    const mbd_mat3_t one = mbdu_mat3_identity();
    const bool here = f->X.p.x == 0 && f->X.p.y == 0 && f->X.p.z == 0;
    if (f->is_link && f->body < 0 && here && memcmp(&f->X.R, &one, sizeof one) == 0) w->root = k;
  }
}

static void
check_model(robot_writer_t * w)
{
  const mbd_model_t * m = w->model;
  if (m->flexible)
    robot_left_out(
      w, MBDX_ERROR, "robot", m->name, NULL, "has flexible links, which no format holds");
  for (int k = 0; k < m->nbearing; k++)
    robot_left_out(w, MBDX_WARNING, "robot", m->name, NULL, "friction of a bearing is left out");
}

static mbd_status_t
hand_over(
  robot_writer_t * w, char * buffer, size_t bytes, char ** text, size_t * size,
  mbdx_report_t ** report)
{
  mbdx_report_t * made = urdf_make_report(w->loader);
  mbd_status_t status = w->loader->status;
  if (!made || w->loader->out_of_memory) status = MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) {
    *text = buffer;
    if (size) *size = bytes;
  } else {
    free(buffer);
  }
  if (report && status != MBD_ERROR_OUT_OF_MEMORY)
    *report = made;
  else
    mbdx_report_free(made);
  urdf_free_loader(w->loader);
  return status;
}

mbd_status_t
robot_write(
  const mbd_model_t * model, robot_format_t format, char ** text, size_t * size,
  mbdx_report_t ** report)
{
  if (text) *text = NULL;
  if (report) *report = NULL;
  if (!model || !text) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  urdf_loader_t loader = {.source = model->name, .no_report = !report};
  loader.options = mbdx_urdf_options_default();
  robot_writer_t w = {.model = model->tree ? model->tree : model, .loader = &loader};
  char * buffer = NULL;
  size_t bytes = 0;
  // numbers with a point, whatever the locale of the program; this thread only
  const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale) return MBD_ERROR_OUT_OF_MEMORY;
  const locale_t old = uselocale(c_locale);
  w.link = calloc((size_t)w.model->nbody + 1, sizeof *w.link);
  w.coupled = calloc((size_t)w.model->nbody + 1, sizeof *w.coupled);
  w.to = open_memstream(&buffer, &bytes);
  if (w.link && w.coupled && w.to) {
    place_links(&w);
    check_model(&w);
    format(&w);
  } else {
    loader.out_of_memory = true;
  }
  if (w.to && (ferror(w.to) != 0 || fclose(w.to) != 0)) loader.out_of_memory = true;
  free(w.link);
  free(w.coupled);
  const mbd_status_t status = hand_over(&w, buffer, bytes, text, size, report);
  uselocale(old);
  freelocale(c_locale);
  return status;
}

void
mbdx_robot_text_free(char * text)
{
  free(text);
}
