// `mbdyn top` on a terminal, by ncurses.
#include <curses.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "text.h"
#include "top_format.h"
#include "top_show.h"

enum { PAIR_GOOD = 1, PAIR_WARN, PAIR_BAD, PAIR_SPARK };

typedef struct screen {
  top_data_t * data;
  int robot;
  top_key_t key;
  bool reverse, frozen, help, ended;
  live_column_t spark;
  int selected, first;  ///< rows of the table
  int order[LIVE_JOINTS];
  double interval;
} screen_t;

//---------- layout ----------

typedef struct layout {
  int name, number, limit, spark;  ///< widths; 0: not shown
  int ncolumn;
  live_column_t column[LIVE_COLUMNS];
  int table, rows;  ///< first line of joints, how many
} layout_t;

// the columns that fit into a terminal of 80 come first
static const live_column_t COLUMN_ORDER[] = {
  LIVE_POSITION, LIVE_VELOCITY, LIVE_TOTAL,    LIVE_GRAVITY, LIVE_CORIOLIS, LIVE_INERTIA,
  LIVE_FRICTION, LIVE_EXTERNAL, LIVE_RESIDUAL, LIVE_COMMAND, LIVE_MEASURED, LIVE_ACCELERATION};

enum { NCOLUMN_ORDER = sizeof COLUMN_ORDER / sizeof COLUMN_ORDER[0] };

static const char *
title_of(live_column_t column, int width)
{
  static const char * const small[LIVE_COLUMNS] = {
    [LIVE_POSITION] = "pos",  [LIVE_VELOCITY] = "vel",  [LIVE_ACCELERATION] = "acc",
    [LIVE_MEASURED] = "meas", [LIVE_TOTAL] = "total",   [LIVE_GRAVITY] = "grav",
    [LIVE_CORIOLIS] = "cori", [LIVE_INERTIA] = "inert", [LIVE_FRICTION] = "fric",
    [LIVE_EXTERNAL] = "ext",  [LIVE_COMMAND] = "cmd",   [LIVE_RESIDUAL] = "resid"};
  return width >= 13 || !small[column] ? live_column_name(column) : small[column];
}

static int
longest_name(const top_data_t * d)
{
  int longest = 8;
  for (int i = 0; i < d->n; i++) {
    const int n = (int)strlen(d->joint[i].name);
    if (n > longest) longest = n;
  }
  return longest;
}

static layout_t
lay_out_screen(const top_data_t * d)
{
  layout_t l = {.limit = 6, .table = 5};
  const int wanted = longest_name(d);
  // from the fewest and smallest columns to all of them, with as much of names and sparks as fits
  l.number = COLS >= 150 ? 9 : 7;
  l.name = COLS >= 120 ? (wanted < 24 ? wanted : 24) : (wanted < 10 ? wanted : 10);
  const int width = COLS - l.name - 1 - l.limit;
  l.ncolumn = width / l.number;
  if (l.ncolumn > NCOLUMN_ORDER) l.ncolumn = NCOLUMN_ORDER;
  if (l.ncolumn < 1) l.ncolumn = 1;
  for (int i = 0; i < l.ncolumn; i++) l.column[i] = COLUMN_ORDER[i];
  l.spark = width - l.ncolumn * l.number - 1;
  if (l.spark < 10) l.spark = 0;
  if (l.spark > TOP_SPARK) l.spark = TOP_SPARK;
  // below the table: the selected joint, and the keys
  l.rows = LINES - l.table - 3;
  if (l.rows < 1) l.rows = 1;
  if (l.rows > d->n) l.rows = d->n;
  return l;
}

//---------- drawing ----------

__attribute__((format(printf, 3, 4))) static void
put_text(int line, int column, const char * format, ...)
{
  char text[1024];
  va_list list;
  if (line >= LINES || column >= COLS) return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  // cut at the edge, by characters
  char cut[2048];
  int columns = 0;
  for (const char * c = text; *c; c++) columns += ((unsigned char)*c & 0xC0) != 0x80;
  if (columns > COLS - column) {
    top_text(text, COLS - column, cut, sizeof cut);
    mvaddstr(line, column, cut);
  } else {
    mvaddstr(line, column, text);
  }
}

static void
draw_head(const screen_t * s)
{
  const top_data_t * d = s->data;
  char age[32], compute[32], number[5][32];
  attron(A_BOLD);
  put_text(0, 0, "mbdyn top  %s", d->node);
  attroff(A_BOLD);
  const int at = 12 + (int)strlen(d->node);
  put_text(
    0, at, " %s  %d joints  %s  %s", d->model, d->n, d->alive ? d->state : "ROBOT IS SILENT",
    d->mode);
  if (s->frozen) {
    attron(A_REVERSE);
    put_text(0, COLS - 8, " FROZEN ");
    attroff(A_REVERSE);
  }
  top_duration(d->scalar[LIVE_AGE], age, sizeof age);
  top_duration(d->scalar[LIVE_COMPUTE], compute, sizeof compute);
  const double values[] = {
    d->scalar[LIVE_KINETIC], d->scalar[LIVE_POTENTIAL], d->scalar[LIVE_POWER], d->states_hz,
    d->dynamics_hz};
  for (int i = 0; i < 5; i++) {
    // no sign on what rounds to nothing
    const double value = fabs(values[i]) < 5e-4 ? 0 : values[i];
    snprintf(number[i], sizeof number[i], isfinite(value) ? "%.*f" : "-", i < 3 ? 3 : 0, value);
  }
  put_text(
    1, 0, "energy %s J kinetic, %s J potential  power %s W", number[0], number[1], number[2]);
  put_text(
    2, 0, "states %s Hz  dynamics %s Hz  age %s  compute %s  dropped %llu", number[3], number[4],
    age, compute, (unsigned long long)d->dropped);
  put_text(
    3, 0, "sort %s%s  spark %s  saturated %d  robot %d of %d", top_key_name(s->key),
    s->reverse ? " (reversed)" : "", live_column_name(s->spark), d->nsaturated, d->robot + 1,
    d->robots);
}

static void
draw_titles(const layout_t * l)
{
  char title[64];
  attron(A_REVERSE);
  mvhline(l->table - 1, 0, ' ', COLS);
  put_text(l->table - 1, 0, "%-*s", l->name, "joint");
  for (int i = 0; i < l->ncolumn; i++) {
    snprintf(title, sizeof title, "%*s", l->number, title_of(l->column[i], l->number));
    put_text(l->table - 1, l->name + i * l->number, "%s", title);
  }
  put_text(l->table - 1, l->name + l->ncolumn * l->number, "%*s", l->limit, "limit");
  attroff(A_REVERSE);
}

static int
color_of(const top_data_t * d, const top_joint_t * j, live_column_t column)
{
  if (column == LIVE_RESIDUAL && d->threshold > 0 && fabs(j->x[column]) > d->threshold) {
    return PAIR_BAD;
  }
  const bool torque = column == LIVE_TOTAL || column == LIVE_COMMAND;
  const bool concerned = (column == LIVE_POSITION && j->nearest == TOP_POSITION) ||
                         (column == LIVE_VELOCITY && j->nearest == TOP_VELOCITY) ||
                         (torque && j->nearest == TOP_TORQUE);
  if (torque && j->saturated) return PAIR_BAD;
  if (!concerned || !(j->used > 0.8)) return 0;
  return j->used > 0.95 ? PAIR_BAD : PAIR_WARN;
}

static void
limit_text(const top_joint_t * j, char * text, size_t size)
{
  static const char letter[] = {'-', 'p', 'v', 't'};
  if (!isfinite(j->used))
    snprintf(text, size, "-");
  else
    snprintf(
      text, size, "%c%.0f%%%s", letter[j->nearest], fmin(100 * j->used, 999),
      j->saturated ? "!" : "");
}

static void
draw_joint(const screen_t * s, const layout_t * l, int line, const top_joint_t * j, bool selected)
{
  char text[4 * TOP_SPARK + 64];
  top_text(j->name, l->name, text, sizeof text);
  if (selected) attron(A_REVERSE);
  put_text(line, 0, "%s", text);
  if (selected) attroff(A_REVERSE);
  for (int i = 0; i < l->ncolumn; i++) {
    const int color = color_of(s->data, j, l->column[i]);
    top_number(j->x[l->column[i]], l->number, text, sizeof text);
    if (color) attron(COLOR_PAIR(color) | A_BOLD);
    put_text(line, l->name + i * l->number, "%s", text);
    if (color) attroff(COLOR_PAIR(color) | A_BOLD);
  }
  const int after = l->name + l->ncolumn * l->number;
  limit_text(j, text, sizeof text);
  put_text(line, after, "%*s", l->limit, text);
  if (l->spark == 0) return;
  top_spark(j->spark, j->nspark, l->spark, text_utf8(), text, sizeof text);
  attron(COLOR_PAIR(PAIR_SPARK));
  put_text(line, after + l->limit + 1, "%s", text);
  attroff(COLOR_PAIR(PAIR_SPARK));
}

// a longer line of the one that is selected, with its limits
static void
draw_selected(const screen_t * s, const top_joint_t * j)
{
  char text[4 * TOP_SPARK + 64], limits[4][16];
  const double values[] = {j->lower, j->upper, j->velocity, j->effort};
  for (int i = 0; i < 4; i++) {
    snprintf(limits[i], sizeof limits[i], isfinite(values[i]) ? "%.4g" : "none", values[i]);
  }
  put_text(
    LINES - 3, 0, "%.30s limits: position %s to %s, velocity %s, torque %s", j->name, limits[0],
    limits[1], limits[2], limits[3]);
  const char * column = live_column_name(s->spark);
  const int width = COLS - (int)strlen(column) - 2;
  put_text(LINES - 2, 0, "%s", column);
  top_spark(
    j->spark, j->nspark, width > TOP_SPARK ? TOP_SPARK : width, text_utf8(), text, sizeof text);
  attron(COLOR_PAIR(PAIR_SPARK));
  put_text(LINES - 2, (int)strlen(column) + 1, "%s", text);
  attroff(COLOR_PAIR(PAIR_SPARK));
}

static void
draw_table(screen_t * s)
{
  const top_data_t * d = s->data;
  const layout_t l = lay_out_screen(d);
  top_sort(d, s->key, s->reverse, s->order);
  if (s->selected >= d->n) s->selected = d->n - 1;
  if (s->selected < 0) s->selected = 0;
  if (s->first > s->selected) s->first = s->selected;
  if (s->first + l.rows <= s->selected) s->first = s->selected - l.rows + 1;
  if (s->first + l.rows > d->n) s->first = d->n - l.rows;
  draw_titles(&l);
  for (int i = 0; i < l.rows; i++) {
    const int k = s->first + i;
    draw_joint(s, &l, l.table + i, &d->joint[s->order[k]], k == s->selected);
  }
  draw_selected(s, &d->joint[s->order[s->selected]]);
}

static void
draw_help(void)
{
  static const char * const lines[] = {
    "mbdyn top: joints of a robot, from the topics of its node",
    "",
    "  up, down, page up, page down, home, end   select a joint",
    "  s, S       next, previous sort key          r    reverse order",
    "  f, space   freeze, resume                   p    column of the sparklines",
    "  n, N       next, previous robot             + -  refresh faster, slower",
    "  ?, h       this text                        q    quit",
    "",
    "  pos vel acc   position, velocity, acceleration  [rad, m; per s; per s^2]",
    "  total         grav + cori + inert + fric + ext  [N m, N]",
    "  resid         external torque by the momentum observer",
    "  cmd meas      commanded effort, measured effort",
    "  limit         largest value / limit: p position (100% at either end of the",
    "                range), v velocity, t torque; ! the command is saturated",
    "",
    "  A sparkline has a bar per 0.2 s, scaled from its minimum to its maximum."};
  for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++) put_text(i + 1, 1, "%s", lines[i]);
}

static void
draw(screen_t * s)
{
  erase();
  if (s->help) {
    draw_help();
  } else if (!s->data->known || s->data->n == 0) {
    put_text(0, 0, "mbdyn top");
    put_text(2, 0, "Waiting for a node that publishes ~/joint_dynamics (mbdyn_node, active).");
    put_text(
      3, 0, "ROS_DOMAIN_ID is %s.",
      getenv("ROS_DOMAIN_ID") ? getenv("ROS_DOMAIN_ID") : "not set: 0");
  } else {
    draw_head(s);
    draw_table(s);
  }
  attron(A_DIM);
  put_text(
    LINES - 1, 0, "q quit  ? help  s sort  r reverse  f freeze  p spark  n robot  up/down joint");
  attroff(A_DIM);
  refresh();
}

//---------- keys ----------

static void
take_key(screen_t * s, int key)
{
  const int page = LINES > 12 ? LINES - 9 : 3;
  switch (key) {
    case 'q':
    case 'Q':
    case 3: s->ended = true; break;
    case '?':
    case 'h': s->help = !s->help; break;
    case 's': s->key = (top_key_t)((s->key + 1) % TOP_KEYS); break;
    case 'S': s->key = (top_key_t)((s->key + TOP_KEYS - 1) % TOP_KEYS); break;
    case 'r': s->reverse = !s->reverse; break;
    case 'f':
    case ' ': s->frozen = !s->frozen; break;
    case 'p': s->spark = (live_column_t)((s->spark + 1) % LIVE_COLUMNS); break;
    case 'n': s->robot++; break;
    case 'N': s->robot--; break;
    case '+': s->interval = fmax(s->interval / 2, 0.05); break;
    case '-': s->interval = fmin(s->interval * 2, 10); break;
    case KEY_UP:
    case 'k': s->selected--; break;
    case KEY_DOWN:
    case 'j': s->selected++; break;
    case KEY_PPAGE: s->selected -= page; break;
    case KEY_NPAGE: s->selected += page; break;
    case KEY_HOME: s->selected = 0; break;
    case KEY_END: s->selected = LIVE_JOINTS; break;
    default: break;
  }
  if (key != '?' && key != 'h' && key != ERR && key != KEY_RESIZE) s->help = false;
}

//---------- run ----------

static bool
open_screen(void)
{
  if (!initscr()) return false;
  raw();
  noecho();
  keypad(stdscr, TRUE);
  curs_set(0);
  if (has_colors()) {
    start_color();
    use_default_colors();
    init_pair(PAIR_GOOD, COLOR_GREEN, -1);
    init_pair(PAIR_WARN, COLOR_YELLOW, -1);
    init_pair(PAIR_BAD, COLOR_RED, -1);
    init_pair(PAIR_SPARK, COLOR_CYAN, -1);
  }
  return true;
}

int
top_screen(const top_options_t * options, live_t * live, ros_session_t * session)
{
  screen_t s = {
    .data = calloc(1, sizeof *s.data),
    .key = options->key,
    .reverse = options->reverse,
    .spark = LIVE_TOTAL,
    .interval = options->interval};
  if (!s.data) return ros_complain(session->args, "out of memory");
  if (!open_screen()) {
    free(s.data);
    return ros_complain(session->args, "the terminal cannot be used (TERM?); try --plain");
  }
  double next = 0;
  while (!s.ended && !atomic_load(&session->stopped)) {
    const double now = live_monotonic();
    if (now >= next) {
      if (!s.frozen) top_take(s.data, live, s.robot, s.spark);
      next = now + s.interval;
    }
    draw(&s);
    const double wait = fmin(fmax(next - live_monotonic(), 0.001), 0.1);
    timeout((int)(1000 * wait) + 1);
    int key = getch();
    // what waits is taken before anything is drawn
    timeout(0);
    for (; key != ERR; key = getch()) {
      if (key != KEY_RESIZE && key != ERR && strchr("npN", key)) next = 0;
      take_key(&s, key);
    }
  }
  endwin();
  free(s.data);
  return CLI_OK;
}
