// Choosing the frames of bodies so that generated code has little to do.
#include "codegen_axes.h"

#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"

//---------- from the geometry ----------

// what a vector that has to be turned, and a number of an offset, cost in inverse dynamics
static const double TURN_COST = 30, OFFSET_COST = 10;

enum { MAX_NEXT = 64 };

// an axis that a body carries, directly or by way of bodies that slide, in the body's model frame
typedef struct next {
  mbd_vec3_t u, p;  // direction, a point on it
} next_t;

static int
find_next(const gen_robot_t * robot, int i, mbd_placement_t X, next_t * next, int n)
{
  for (int j = i + 1; j < robot->model->body[i].subtree_end && n < MAX_NEXT; j++) {
    if (robot->body[j].parent != i) continue;
    const mbd_placement_t Xj = mbdu_placement_mul(&X, &robot->model->body[j].X_tree);
    if (robot->body[j].kind == GEN_REVOLUTE) {
      next[n].u = mbdu_vec3(Xj.R.m[2], Xj.R.m[5], Xj.R.m[8]);
      next[n++].p = Xj.p;
    } else if (robot->body[j].kind == GEN_PRISMATIC) {
      n = find_next(robot, j, Xj, next, n);
    }
  }
  return n;
}

static int
nonzeros(mbd_vec3_t x, double tiny)
{
  return (fabs(x.x) > tiny) + (fabs(x.y) > tiny) + (fabs(x.z) > tiny);
}

// what the axes that follow cost if the body's frame is turned by angle and slid by slide
static double
cost_of_next(const next_t * next, int n, double angle, double slide, double tiny)
{
  const double c = cos(angle), s = sin(angle);
  double cost = 0;
  for (int k = 0; k < n; k++) {
    const mbd_vec3_t u = next[k].u, p = next[k].p;
    const double ux = c * u.x + s * u.y, uy = c * u.y - s * u.x;
    if (fabs(ux) > 1e-9 && fabs(uy) > 1e-9) cost += TURN_COST;
    const mbd_vec3_t offset = {c * p.x + s * p.y, c * p.y - s * p.x, p.z - slide};
    cost += OFFSET_COST * nonzeros(offset, tiny);
  }
  return cost;
}

// what the body's own offset costs if it is slid
static double
cost_of_own(const gen_robot_t * robot, int i, double slide, double tiny)
{
  // where the axis is in the parent's frame, whose choice has been made
  mbd_placement_t T = robot->model->body[i].X_tree;
  const int parent = robot->body[i].parent;
  if (parent < 0) return 0;
  const mbd_placement_t from = mbdu_placement_inverse(&robot->body[parent].X_model);
  T = mbdu_placement_mul(&from, &T);
  const mbd_vec3_t u = {T.R.m[2], T.R.m[5], T.R.m[8]};
  return OFFSET_COST * nonzeros(mbdu_vec3_add(T.p, mbdu_vec3_scale(slide, u)), tiny);
}

typedef struct search {
  gen_choice_t best;
  double cost;
} search_t;

static void
try_choice(
  const gen_robot_t * robot, int i, const next_t * next, int n, double angle, double slide,
  search_t * search)
{
  const double tiny = 1e-9;
  const double cost =
    cost_of_next(next, n, angle, slide, tiny) + cost_of_own(robot, i, slide, tiny);
  if (search->cost >= 0 && cost >= search->cost) return;
  search->cost = cost;
  search->best.angle = angle;
  search->best.slide = slide;
}

// angle at which x is along the common normal with an axis, or along the way to a parallel one
static double
normal_angle(const next_t * next)
{
  if (hypot(next->u.x, next->u.y) > 1e-9) return atan2(next->u.x, -next->u.y);
  if (hypot(next->p.x, next->p.y) > 1e-9) return atan2(next->p.y, next->p.x);
  return 0;
}

// slide at which the origin is the foot of the common normal with an axis
static double
normal_slide(const next_t * next)
{
  const double across = next->u.x * next->u.x + next->u.y * next->u.y;
  if (across < 1e-18) return next->p.z;
  const double along = (next->u.x * next->p.x + next->u.y * next->p.y) / across;
  return next->p.z - along * next->u.z;
}

static void
choose_turn(gen_robot_t * robot, int i)
{
  next_t next[MAX_NEXT];
  const int n = find_next(robot, i, mbdu_placement_identity(), next, 0);
  search_t search = {.cost = -1};
  try_choice(robot, i, next, n, 0, 0, &search);
  for (int k = 0; k < n; k++) {
    const double angle = normal_angle(&next[k]), slide = normal_slide(&next[k]);
    try_choice(robot, i, next, n, angle, 0, &search);
    try_choice(robot, i, next, n, 0, slide, &search);
    try_choice(robot, i, next, n, angle, slide, &search);
  }
  robot->choice[i] = search.best;
}

void
axes_choose(gen_robot_t * robot)
{
  for (int i = 0; i < robot->n; i++) {
    memset(&robot->choice[i], 0, sizeof robot->choice[i]);
    if (robot->body[i].kind == GEN_REVOLUTE) choose_turn(robot, i);
    // children need this frame
    gen_place_body(robot, i);
  }
}

//---------- by trying ----------

enum { MAX_CANDIDATES = 64 };

typedef struct candidates {
  gen_choice_t choice[MAX_CANDIDATES];
  int n;
} candidates_t;

static gen_choice_t *
one_more(candidates_t * list, const gen_choice_t * from)
{
  if (list->n == MAX_CANDIDATES) return NULL;
  list->choice[list->n] = *from;
  return &list->choice[list->n++];
}

static void
offer_angle(candidates_t * list, const gen_choice_t * from, double by)
{
  gen_choice_t * choice = isfinite(by) && fabs(by) > 1e-9 ? one_more(list, from) : NULL;
  if (choice) choice->angle += by;
}

static void
offer_slide(candidates_t * list, const gen_choice_t * from, double by)
{
  // far away is no place for an origin: numbers that cancel would grow
  gen_choice_t * choice = fabs(by) > 1e-9 && fabs(by) < 1 ? one_more(list, from) : NULL;
  if (choice) choice->slide += by;
}

static void
offer_turn(const gen_robot_t * robot, int i, candidates_t * list)
{
  const gen_body_t * body = &robot->body[i];
  const gen_choice_t from = robot->choice[i];
  const double * h = body->h;
  const double * S = body->S;
  // x along the centre of mass; along a principal axis
  if (h[0] != 0 || h[1] != 0) {
    offer_angle(list, &from, atan2(h[1], h[0]));
    offer_angle(list, &from, atan2(h[1], h[0]) - asin(1));
  }
  if (S[1] != 0) offer_angle(list, &from, 0.5 * atan2(2 * S[1], S[0] - S[3]));
  // S_xz or S_yz zero; own offset along the axis zero; a child's offset along it zero
  if (h[0] != 0) offer_slide(list, &from, S[2] / h[0]);
  if (h[1] != 0) offer_slide(list, &from, S[4] / h[1]);
  for (int k = 0; k < 3; k++) {
    if (fabs(body->axis[k]) > 1e-9) offer_slide(list, &from, -body->p[k] / body->axis[k]);
  }
  for (int j = i + 1; j < robot->model->body[i].subtree_end; j++) {
    if (robot->body[j].parent == i) offer_slide(list, &from, robot->body[j].p[2]);
  }
}

static void
offer_origin(const gen_robot_t * robot, int i, candidates_t * list)
{
  const gen_body_t * body = &robot->body[i];
  const gen_choice_t from = robot->choice[i];
  gen_choice_t * choice = body->mass > 0 ? one_more(list, &from) : NULL;
  for (int k = 0; choice && k < 3; k++) choice->origin[k] += body->h[k] / body->mass;
  choice = one_more(list, &from);
  for (int k = 0; choice && k < 3; k++) choice->origin[k] = 0;
}

// the best of the candidates of a group, the same for each of its bodies; true if it is better
static bool
improve_group(
  gen_robot_t * robot, const gen_group_t * group, axes_cost_t cost, void * context, int * best)
{
  const bodies_t bodies = group->bodies;
  candidates_t list[MAX_LANES];
  gen_choice_t keep[MAX_LANES];
  int n = MAX_CANDIDATES;
  for (int l = 0; l < bodies.n; l++) {
    const int i = bodies.at[l];
    list[l].n = 0;
    if (robot->body[i].kind == GEN_REVOLUTE) offer_turn(robot, i, &list[l]);
    if (robot->body[i].kind == GEN_PRISMATIC) offer_origin(robot, i, &list[l]);
    if (list[l].n < n) n = list[l].n;
    keep[l] = robot->choice[i];
  }
  bool better = false;
  for (int k = 0; k < n; k++) {
    for (int l = 0; l < bodies.n; l++) robot->choice[bodies.at[l]] = list[l].choice[k];
    gen_robot_derive(robot);
    const int now = cost(robot, context);
    if (now < 0 || now >= *best) continue;
    *best = now;
    for (int l = 0; l < bodies.n; l++) keep[l] = list[l].choice[k];
    better = true;
  }
  for (int l = 0; l < bodies.n; l++) robot->choice[bodies.at[l]] = keep[l];
  gen_robot_derive(robot);
  return better;
}

void
axes_improve(gen_robot_t * robot, axes_cost_t cost, void * context)
{
  int best = cost(robot, context);
  bool better = best >= 0;
  // an angle first, then a slide that suits it, then what suits the neighbours
  for (int pass = 0; better && pass < 4; pass++) {
    better = false;
    for (int i = robot->ngroup - 1; i >= 0; i--) {
      if (improve_group(robot, &robot->group[i], cost, context, &best)) better = true;
    }
  }
}
