#include "demo_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

//---------- a screen in memory ----------

typedef enum style { PLAIN, BOLD, DIM, CYAN, GREEN, YELLOW, RED, MAGENTA } style_t;

static const char * const STYLE[] = {"",         "\033[1m",  "\033[2m",  "\033[36m",
                                     "\033[32m", "\033[33m", "\033[31m", "\033[1;35m"};

typedef struct canvas {
  const demo_screen_t * screen;
  char * text;
  size_t size, n;
  int row, column;
} canvas_t;

static void
put_bytes(canvas_t * c, const char * bytes, size_t n)
{
  if (c->n + n + 1 > c->size) return;
  memcpy(c->text + c->n, bytes, n);
  c->n += n;
  c->text[c->n] = 0;
}

// text in a style, cut at the right edge; a character is a byte and what continues it
static void
put_text(canvas_t * c, style_t style, const char * text)
{
  const bool styled = c->screen->color && style != PLAIN;
  if (styled) put_bytes(c, STYLE[style], strlen(STYLE[style]));
  while (*text && c->column < c->screen->columns) {
    size_t n = 1;
    while (((unsigned char)text[n] & 0xC0) == 0x80) n++;
    put_bytes(c, text, n);
    c->column++;
    text += n;
  }
  if (styled) put_bytes(c, "\033[0m", 4);
}

__attribute__((format(printf, 3, 4))) static void
put_styled(canvas_t * c, style_t style, const char * format, ...)
{
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  put_text(c, style, text);
}

static void
put_space(canvas_t * c, int to_column)
{
  while (c->column < to_column && c->column < c->screen->columns) put_text(c, PLAIN, " ");
}

// the rest of the line is empty; no line break after the last row, which would scroll
static void
end_line(canvas_t * c)
{
  put_bytes(c, "\033[K", 3);
  c->row++;
  c->column = 0;
  if (c->row < c->screen->rows) put_bytes(c, "\r\n", 2);
}

static bool
full(const canvas_t * c)
{
  return c->row >= c->screen->rows;
}

// a symbol where the terminal has it
static const char *
sign(const canvas_t * c, const char * utf8, const char * ascii)
{
  return c->screen->utf8 ? utf8 : ascii;
}

static void
put_rule(canvas_t * c, const char * words)
{
  if (full(c)) return;
  put_text(c, DIM, sign(c, "──", "--"));
  if (*words) put_styled(c, DIM, " %s ", words);
  while (c->column < c->screen->columns) put_text(c, DIM, sign(c, "─", "-"));
  end_line(c);
}

//---------- head ----------

// the phase's number over the last seconds, as high as its largest
static void
put_trace(canvas_t * c, const demo_view_t * view)
{
  static const char * const high[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static const char * const low[] = {"_", "_", ".", ".", "-", "-", "=", "#"};
  const char * name;
  const int width = c->screen->columns - 34;
  const size_t kept = view->traces < DEMO_TRACE ? view->traces : DEMO_TRACE;
  const size_t n = width < 0 ? 0 : (size_t)width < kept ? (size_t)width : kept;
  double most = 0;
  demo_view_signal(view, &name);
  for (size_t k = 0; k < n; k++) {
    most = fmax(most, view->trace[(view->traces - n + k) % DEMO_TRACE]);
  }
  if (n > 0 && most > 0) put_styled(c, DIM, "  %-17s up to %-7.3g", name, most);
  for (size_t k = 0; most > 0 && k < n; k++) {
    const double x = view->trace[(view->traces - n + k) % DEMO_TRACE] / most;
    const int level = (int)lround(7 * x);
    put_text(c, CYAN, sign(c, high[level], low[level]));
  }
  end_line(c);
}

static void
put_head(canvas_t * c, const demo_view_t * view, bool spaced)
{
  const demo_scene_t * s = &view->scene;
  char right[64], detail[256];
  const int seconds = (int)s->seconds;
  snprintf(right, sizeof right, "%s  %d:%02d", s->mode, seconds / 60, seconds % 60);
  put_styled(c, BOLD, "mbdyn");
  put_styled(c, PLAIN, "  %s, %d joints, tip %s", s->robot, view->m.robot->n, s->tip);
  put_space(c, c->screen->columns - (int)strlen(right));
  put_styled(c, CYAN, "%s", right);
  end_line(c);
  if (spaced) end_line(c);
  put_styled(c, BOLD, "%s %d of %d  %s: ", sign(c, "▶", ">"), s->number, s->count, s->title);
  put_styled(c, PLAIN, "%s", s->text);
  end_line(c);
  demo_view_detail(view, detail, sizeof detail);
  put_styled(c, CYAN, "  %s", detail);
  end_line(c);
  put_trace(c, view);
}

static void
put_times(canvas_t * c, const demo_view_t * view)
{
  const demo_report_t * r = &view->m.report;
  const double answers = demo_answers(&view->m);
  put_rule(c, "");
  put_styled(
    c, PLAIN, "joint states %5.0f Hz   commands %5.0f Hz", view->state_rate, view->command_rate);
  if (isfinite(answers) && view->m.commanded)
    put_styled(c, PLAIN, "   answered %5.1f %%", 100 * answers);
  if (r->real_time_factor > 0) put_styled(c, PLAIN, "   real time %.2f", r->real_time_factor);
  end_line(c);
  if (view->recent > 0) {
    put_styled(
      c, PLAIN, "latency p50 %4.0f p99 %4.0f us   ", 1e6 * view->latency_p50,
      1e6 * view->latency_p99);
  }
  if (r->known) {
    put_styled(
      c, PLAIN, "node: compute p50 %.0f p99 %.0f us, age p50 %.0f us", r->compute_p50,
      r->compute_p99, r->age_p50);
  }
  end_line(c);
}

//---------- joints ----------

// columns of the table, at least 80 of them taken
typedef struct layout {
  int name, bar;
} layout_t;

enum { NUMBERS = 8, PERCENT = 6 };
static const struct {
  const char * label;
  int width;
} COLUMN[NUMBERS] = {{"pos", 7},     {"vel", 7},   {"gravity", 8}, {"corio", 7},
                     {"inertia", 8}, {"frict", 7}, {"command", 8}, {"extern", 7}};

// as much of the names as fits beside a bar of some length
static layout_t
lay_out_columns(const demo_view_t * view, int columns)
{
  int longest = 5, numbers = 0;
  for (int i = 0; i < view->m.robot->n; i++) {
    const int length = (int)strlen(view->m.robot->joint[i].name);
    if (length > longest) longest = length;
  }
  for (int k = 0; k < NUMBERS; k++) numbers += COLUMN[k].width;
  const int width = columns - numbers - PERCENT, shortest = 5;
  layout_t layout = {longest, width - longest};
  if (layout.bar < shortest) layout = (layout_t){width - shortest, shortest};
  if (layout.bar > 40) layout.bar = 40;
  if (layout.name < 5) layout.name = 5;
  return layout;
}

static void
put_name(canvas_t * c, const char * name, int width)
{
  const int length = (int)strlen(name);
  if (length <= width)
    put_styled(c, PLAIN, "%-*s", width, name);
  else
    put_styled(c, PLAIN, "%.*s%s", width - 1, name, sign(c, "…", "~"));
}

// as many digits as fit
static void
put_number(canvas_t * c, style_t style, double x, int width, int decimals)
{
  char text[32];
  if (!isfinite(x)) {
    put_styled(c, RED, "%*s", width, "nan");
    return;
  }
  do {
    // no "-0.00"
    const double least = 0.5 * pow(10, -decimals);
    snprintf(text, sizeof text, "%*.*f", width, decimals, fabs(x) < least ? 0.0 : x);
  } while ((int)strlen(text) >= width && text[0] != ' ' && decimals-- > 0);
  put_text(c, style, text);
}

// filled to the eighth of a character
static void
put_bar(canvas_t * c, double part, int width)
{
  static const char * const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const style_t style = part < 0.5 ? GREEN : part < 0.8 ? YELLOW : RED;
  const int steps = (int)lround(fmin(fmax(part, 0), 1) * width * 8);
  char text[256] = "";
  put_text(c, PLAIN, " ");
  for (int k = 0; k < steps / 8; k++) strcat(text, sign(c, "█", "#"));
  if (c->screen->utf8) strcat(text, eighth[steps % 8]);
  put_text(c, style, text);
  const int end = c->column + width - steps / 8 - (c->screen->utf8 && steps % 8 > 0);
  while (c->column < end && c->column < c->screen->columns) put_text(c, DIM, sign(c, "·", "."));
  put_styled(c, PLAIN, "%4.0f%%", 100 * part);
}

static void
put_joint(canvas_t * c, const demo_view_t * view, int i, layout_t layout)
{
  const demo_measures_t * m = &view->m;
  const demo_joint_t * joint = &m->robot->joint[i];
  const double x[NUMBERS] = {m->q[i],       m->v[i],        m->gravity[i], m->coriolis[i],
                             m->inertia[i], m->friction[i], m->command[i], m->external[i]};
  // torques of a hand are small
  const int digits = isfinite(joint->effort) && joint->effort < 5 ? 4 : 2;
  put_name(c, joint->name, layout.name);
  for (int k = 0; k < NUMBERS; k++) {
    const bool pushed = k == 7 && m->probe == PROBE_PUSH && fabs(x[k]) > 0.02 * joint->effort;
    const style_t style = k == 6 ? BOLD : pushed ? MAGENTA : PLAIN;
    put_number(c, style, x[k], COLUMN[k].width, k < 2 ? 3 : digits);
  }
  if (isfinite(joint->effort) && joint->effort > 0) {
    put_bar(c, fabs(m->command[i]) / joint->effort, layout.bar);
  } else {
    put_styled(c, DIM, " no limit");
  }
  end_line(c);
}

static void
put_joints(canvas_t * c, const demo_view_t * view, int rows)
{
  const demo_robot_t * robot = view->m.robot;
  const layout_t layout = lay_out_columns(view, c->screen->columns);
  put_rule(c, "position rad, velocity rad/s, torques N m");
  put_styled(c, BOLD, "%-*s", layout.name, "joint");
  for (int k = 0; k < NUMBERS; k++) put_styled(c, BOLD, "%*s", COLUMN[k].width, COLUMN[k].label);
  put_styled(c, BOLD, " limit");
  end_line(c);
  const int shown = robot->n <= rows ? robot->n : rows - 1;
  for (int i = 0; i < shown && !full(c); i++) put_joint(c, view, i, layout);
  if (shown < robot->n && !full(c)) {
    put_styled(
      c, DIM, "%s %d more joints: enlarge the window", sign(c, "…", "..."), robot->n - shown);
    end_line(c);
  }
}

//---------- foot ----------

static void
put_results(canvas_t * c, const demo_view_t * view, int rows)
{
  demo_check_t check[DEMO_CHECKS];
  const int n = demo_checks(&view->m, view->scene.judge, check);
  put_rule(c, "");
  for (int i = 0, shown = 0; i < n && shown < rows && !full(c); i++) {
    const bool judged = check[i].bound[0] != 0;
    // that numbers are numbers is worth a line only if they are not
    if (check[i].good && strcmp(check[i].name, "numbers") == 0) continue;
    shown++;
    const char * mark = !judged         ? " "
                        : check[i].good ? sign(c, "✓", "+")
                        : check[i].busy ? "?"
                                        : sign(c, "✗", "!");
    put_styled(
      c,
      !judged         ? PLAIN
      : check[i].good ? GREEN
      : check[i].busy ? YELLOW
                      : RED,
      "%s ", mark);
    put_styled(c, PLAIN, "%-9s %s", check[i].name, check[i].value);
    if (judged) put_styled(c, DIM, "  (%s)", check[i].bound);
    if (check[i].busy) put_styled(c, DIM, ": the machine is too busy");
    end_line(c);
  }
  if (full(c)) return;
  put_styled(c, DIM, "Ctrl-C: quit   %s", view->scene.hint);
  end_line(c);
}

size_t
demo_table_render(const demo_view_t * view, const demo_screen_t * screen, char * text, size_t size)
{
  canvas_t c = {screen, text, size, 0, 0, 0};
  // lines besides the joints: head and times, and what is below them
  const int joints = view->m.robot->n, above = 9, below = 6;
  const bool spaced = screen->rows > joints + above + below;
  const int rows = screen->rows - above - spaced;
  put_bytes(&c, "\033[H", 3);
  if (rows > 0) {
    put_head(&c, view, spaced);
    put_times(&c, view);
    put_joints(&c, view, rows);
    if (rows > joints + 2) put_results(&c, view, rows - joints - 2);
  } else {
    put_text(&c, PLAIN, "enlarge the window");
    end_line(&c);
  }
  put_bytes(&c, "\033[J", 3);
  return c.n;
}

//---------- the terminal ----------

static void
write_all(const char * text, size_t n)
{
  while (n > 0) {
    const ssize_t written = write(STDOUT_FILENO, text, n);
    if (written <= 0) return;
    text += written;
    n -= (size_t)written;
  }
}

static void
measure(demo_screen_t * screen)
{
  struct winsize size;
  screen->rows = 24;
  screen->columns = 80;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return;
  screen->rows = size.ws_row;
  screen->columns = size.ws_col;
}

bool
demo_table_open(demo_table_t * table, bool utf8)
{
  const char * terminal = getenv("TERM");
  const char * plain = getenv("NO_COLOR");
  if (!isatty(STDOUT_FILENO) || !terminal || strcmp(terminal, "dumb") == 0) return false;
  table->screen.color = !plain || !*plain;
  table->screen.utf8 = utf8;
  fflush(stdout);
  static const char begin[] = "\033[?1049h\033[?25l\033[2J";
  write_all(begin, sizeof begin - 1);
  table->open = true;
  return true;
}

void
demo_table_draw(demo_table_t * table, const demo_view_t * view)
{
  measure(&table->screen);
  write_all(table->text, demo_table_render(view, &table->screen, table->text, sizeof table->text));
}

void
demo_table_close(demo_table_t * table)
{
  static const char end[] = "\033[0m\033[?25h\033[?1049l";
  if (table->open) write_all(end, sizeof end - 1);
  table->open = false;
}
