// Inverse dynamics and gravity of one lean robot in one state, in world axes. Included by
// kernel_instance.c after kernel_place.h.
//
// What moves is not angular velocity and acceleration but the three axes of a body: R is the
// matrix of axes, R'' its second rate. With P of the parent and L of the child in the parent,
//
//   R = P L,   R'' = P'' L + 2 P' L' + P L'',   P' L' = w x (P L')
//
// and L is a turn about x by a constant and one about z, of which each touches two columns. A place r
// of the body has the acceleration a + R'' r, and with the second moments J of the body (the integral
// of r r^T)
//
//   f = m a + R'' h          n = sum_j R_j x (R'' J_j + h_j a)
//
// where a lean body that turns has no m, no h and J along z. Moments are kept with their lanes turned,
// as cross_turned leaves them. body[-1] is the world.

#define ZXY(v) SHUFFLE(v, 2, 0, 1, 3)

// what is handed from a body to the next
typedef struct torque_state {
  four_t axis[3];  // R
  four_t rate[3];  // R''
  four_t w, a;     // angular velocity, acceleration of the origin
} torque_state_t;

typedef struct torque_body {
  four_t z;              // axis of the joint
  four_t d;              // from the parent's origin
  four_t f, n;           // force and turned moment at the origin
  torque_state_t state;  // where children other than the next body begin, and of free joints
} torque_body_t;

typedef struct torque_room {
  torque_body_t * body;
  lean_turns_t turns;
} torque_room_t;

ALWAYS torque_room_t
torque_room_of(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  torque_body_t * body = (torque_body_t *)args->work + 1;
  double * sine = (double *)(body + plan->nbody);
  const lean_turns_t turns = {sine, sine + PADDED(plan->nbody)};
  lean_turns_of(plan, args->q, turns);
  return (torque_room_t){body, turns};
}

//---------- axes ----------

ALWAYS void
copy_axes(const torque_state_t * from, torque_state_t * to)
{
  for (int k = 0; k < 3; k++) to->axis[k] = from->axis[k];
}

// Three columns times L: turns about z (few bodies have that), x and z. To the first two columns is
// added what does not have to be waited for.
ALWAYS void
lean_turn_and_add(
  const mbdi_lean_body_t * b, lean_turns_t turns, int i, four_t add_x, four_t add_y, four_t * M)
{
  if (__builtin_expect(b->kind == LEAN_TURN, 0)) {
    const four_t cosine = splat(b->mount.c), sine = splat(b->mount.s), x = M[0];
    M[0] = cosine * x + sine * M[1];
    M[1] = cosine * M[1] - sine * x;
  }
  const four_t s = splat(turns.sine[i]), c = splat(turns.cosine[i]);
  const four_t cosine = splat(b->twist.c), sine = splat(b->twist.s);
  const four_t x = M[0], y = cosine * M[1] + sine * M[2];
  M[2] = cosine * M[2] - sine * M[1];
  M[0] = add_x + c * x + s * y;
  M[1] = add_y + c * y - s * x;
}

ALWAYS void
lean_turn(const mbdi_lean_body_t * b, lean_turns_t turns, int i, four_t * M)
{
  // minus zero adds nothing, which the compiler knows
  const four_t nothing = splat(-0.0);
  lean_turn_and_add(b, turns, i, nothing, nothing, M);
}

// columns of M tilde(w), w three numbers
ALWAYS void
spin(const four_t * M, const double * w, four_t * out)
{
  out[0] = M[1] * splat(w[2]) - M[2] * splat(w[1]);
  out[1] = M[2] * splat(w[0]) - M[0] * splat(w[2]);
  out[2] = M[0] * splat(w[1]) - M[1] * splat(w[0]);
}

// columns of M T, and of M T Q with the turn Q of a free joint
static void
turn_columns(const mbdi_lean_body_t * b, const double * q, four_t * M)
{
  const double * T = b->T;
  const four_t columns[3] = {{T[0], T[3], T[6], 0}, {T[1], T[4], T[7], 0}, {T[2], T[5], T[8], 0}};
  four_t local[3] = {columns[0], columns[1], columns[2]};
  if (b->kind == LEAN_FREE) {
    const m3_plain turn = from_quaternion_plain(q + b->q + 3);
    for (int k = 0; k < 3; k++) {
      const double * t = turn.m + k;
      local[k] = columns[0] * splat(t[0]) + columns[1] * splat(t[3]) + columns[2] * splat(t[6]);
    }
  }
  const four_t from[3] = {M[0], M[1], M[2]};
  for (int k = 0; k < 3; k++) M[k] = times_v(from, local[k]);
}

// where a joint that does not turn has its origin, in the parent's axes
ALWAYS four_t
moved_origin(const mbdi_lean_body_t * b, const double * q)
{
  const double *T = b->T, *p = b->p, *x = q + b->q;
  const four_t axis[3] = {{T[0], T[3], T[6], 0}, {T[1], T[4], T[7], 0}, {T[2], T[5], T[8], 0}};
  if (b->kind == LEAN_SLIDE) return vector(p) + axis[2] * splat(x[0]);
  return vector(p) + times(axis, x);
}

// sliding and free joints: the state of the body from that of its parent, in place
static void
other_joint(
  const mbdi_lean_body_t * b, const double * q, const double * v, const double * u,
  torque_state_t * t, four_t * d)
{
  const double still[6] = {0}, *rate = v ? v + b->v : still, *accel = u ? u + b->v : still;
  const four_t origin = moved_origin(b, q), w = t->w;
  four_t * R = t->axis;
  *d = times_v(R, origin);
  t->a += times_v(t->rate, origin);
  turn_columns(b, q, R);
  turn_columns(b, q, t->rate);
  if (b->kind == LEAN_SLIDE) {
    t->a += cross(w, R[2] * splat(2 * rate[0])) + R[2] * splat(accel[0]);
    return;
  }
  // R'' = P'' L + (2 P' L + R tilde(w)) tilde(w) + R tilde(w')
  four_t K[3], change[3], faster[3];
  spin(R, rate + 3, K);
  for (int k = 0; k < 3; k++) K[k] += cross(w + w, R[k]);
  spin(K, rate + 3, change);
  spin(R, accel + 3, faster);
  for (int k = 0; k < 3; k++) t->rate[k] += change[k] + faster[k];
  const four_t lin = times(R, rate), ang = times(R, rate + 3);
  t->a += cross(w + w + ang, lin) + times(R, accel);
  t->w = w + ang;
}

//---------- bases to tips ----------

// force of a body that turns
ALWAYS void
turning_force(
  const mbdi_lean_inertia_t * M, const four_t * R, const four_t * A, four_t a, torque_body_t * o)
{
  const mbd_sym3_t * J = &M->J;
  const four_t hx = splat(M->h.x), hy = splat(M->h.y), xy = splat(J->xy);
  const four_t xz = splat(J->xz), yz = splat(J->yz);
  o->f = A[0] * hx + A[1] * hy;
  const four_t x = hx * a + A[0] * splat(J->xx) + A[1] * xy + A[2] * xz;
  const four_t y = hy * a + A[0] * xy + A[1] * splat(J->yy) + A[2] * yz;
  const four_t z = A[0] * xz + A[1] * yz;
  o->n = (cross_turned(R[0], x) + cross_turned(R[1], y)) + cross_turned(R[2], z);
}

// what other bodies have more
static void
other_force(const mbdi_lean_inertia_t * M, const torque_state_t * t, torque_body_t * o)
{
  const four_t *A = t->rate, *R = t->axis, a = t->a, hz = splat(M->h.z);
  o->f += splat(M->mass) * a + A[2] * hz;
  o->n += cross_turned(R[2], hz * a + A[2] * splat(M->J.zz));
}

// one body after the other; the last one stays in registers, as most often it is the parent of the
// next
ALWAYS void
torques_outward(
  const mbdi_kernel_args_t * args, const double * v, const double * u, const torque_room_t * room)
{
  const mbdi_plan_t * plan = args->plan;
  torque_body_t * body = room->body;
  torque_state_t t = {.a = -vector(args->gravity)};
  world_axes(t.axis);
  body[-1].state = t;
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    torque_body_t * o = &body[i];
    if (b->parent != i - 1) t = body[b->parent].state;
    const bool turning = b->kind == LEAN_TWIST || b->kind == LEAN_TURN;
    if (__builtin_expect(turning, 1)) {
      const four_t w = t.w;
      o->d = times(t.axis, b->p);
      t.a += times(t.rate, b->p);
      lean_turn(b, room->turns, i, t.axis);
      // L0' = L1, L1' = -L0, and P' L_k = w x R_k
      const four_t x = t.axis[0], y = t.axis[1];
      const four_t rate = v ? splat(v[b->v]) : splat(0), twice = rate + rate, square = rate * rate;
      four_t add_x = twice * cross(w, y) - square * x, add_y = twice * cross(w, x) + square * y;
      if (u) add_x += splat(u[b->v]) * y, add_y += splat(u[b->v]) * x;
      lean_turn_and_add(b, room->turns, i, add_x, -add_y, t.rate);
      t.w = w + rate * t.axis[2];
    } else {
      torque_state_t other = t;
      other_joint(b, args->q, v, u, &other, &o->d);
      t = other;
    }
    o->z = t.axis[2];
    turning_force(&args->lean[i], t.axis, t.rate, t.a, o);
    if (__builtin_expect(!turning || b->forks, 0)) {
      o->state = t;
      if (!turning) other_force(&args->lean[i], &o->state, o);
    }
  }
}

//---------- tips to bases ----------

// three numbers along the axes of a body
ALWAYS void
along_axes(const four_t * R, four_t x, double * out)
{
  for (int k = 0; k < 3; k++) out[k] = dot(R[k], x);
}

// what a joint feels of a force and a turned moment
ALWAYS void
feel(const mbdi_lean_body_t * b, const torque_body_t * o, four_t f, four_t n, double * tau)
{
  if (__builtin_expect(b->kind == LEAN_TWIST || b->kind == LEAN_TURN, 1)) {
    tau[b->v] = dot(ZXY(o->z), n);
  } else if (b->kind == LEAN_SLIDE) {
    tau[b->v] = dot(o->z, f);
  } else {
    along_axes(o->state.axis, f, tau + b->v);
    along_axes(o->state.axis, YZX(n), tau + b->v + 3);
  }
}

// forces to the parents; f and n come from the body after this one, if it is a child
ALWAYS void
torques_inward(const mbdi_plan_t * plan, torque_body_t * body, double * tau)
{
  four_t f = splat(0), n = splat(0);
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    const torque_body_t * o = &body[i];
    f += o->f;
    n += o->n;
    feel(b, o, f, n, tau);
    n += cross_turned(o->d, f);
    if (b->parent == i - 1) continue;
    body[b->parent].f += f;
    body[b->parent].n += n;
    f = n = splat(0);
  }
}

ALWAYS void
inverse_one(const mbdi_kernel_args_t * args, const double * v, const double * u)
{
  const mbdi_plan_t * plan = args->plan;
  const torque_room_t room = torque_room_of(args);
  torques_outward(args, v, u, &room);
  torques_inward(plan, room.body, args->out);
  for (int k = 0; args->rotor && u && k < plan->nv; k++) {
    ((double *)args->out)[k] += args->rotor[k] * u[k];
  }
}

static bool
one_inverse_dynamics(const mbdi_kernel_args_t * args)
{
  if (args->plan->depth > PLAN_DEEPEST) return inverse_dynamics_plain(args);
  inverse_one(args, args->v, args->u);
  return true;
}

static bool
one_bias(const mbdi_kernel_args_t * args)
{
  if (args->plan->depth > PLAN_DEEPEST) return bias_plain(args);
  inverse_one(args, args->v, NULL);
  return true;
}

//---------- gravity ----------

// a sliding or free joint: axes of the body from those of its parent, in place
static void
other_axes(const mbdi_lean_body_t * b, const double * q, torque_state_t * t, four_t * d)
{
  *d = times_v(t->axis, moved_origin(b, q));
  turn_columns(b, q, t->axis);
}

// axes of all bodies, and first moments in them (f); distances (d) where something is left of masses
ALWAYS void
weights_outward(const mbdi_kernel_args_t * args, const torque_room_t * room)
{
  const mbdi_plan_t * plan = args->plan;
  torque_body_t * body = room->body;
  torque_state_t t;
  world_axes(t.axis);
  world_axes(body[-1].state.axis);
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    const mbd_vec3_t * h = &args->lean[i].h;
    torque_body_t * o = &body[i];
    if (b->parent != i - 1) copy_axes(&body[b->parent].state, &t);
    const bool turning = b->kind == LEAN_TWIST || b->kind == LEAN_TURN;
    if (__builtin_expect(turning, 1)) {
      if (!b->light) o->d = times(t.axis, b->p);
      lean_turn(b, room->turns, i, t.axis);
    } else {
      torque_state_t other;
      copy_axes(&t, &other);
      other_axes(b, args->q, &other, &o->d);
      copy_axes(&other, &t);
    }
    o->f = times(t.axis, &h->x);
    o->z = t.axis[2];
    if (!turning || b->forks) copy_axes(&t, &o->state);
  }
}

// The weight of a subtree is its mass times one vector, at its centre of mass: first moments are
// summed.
static bool
one_gravity(const mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = args->plan;
  if (plan->depth > PLAN_DEEPEST) return gravity_plain(args);
  const torque_room_t room = torque_room_of(args);
  const four_t up = -vector(args->gravity), up_turned = YZX(up);
  four_t h = splat(0);
  weights_outward(args, &room);
  for (int i = plan->nbody - 1; i >= 0; i--) {
    const mbdi_lean_body_t * b = &plan->lean[i];
    torque_body_t * o = &room.body[i];
    const four_t m = splat(args->lean[i].total);
    h += o->f;
    feel(b, o, m * up, h * up_turned - YZX(h) * up, args->out);
    if (!b->light) h += m * o->d;
    if (b->parent == i - 1) continue;
    room.body[b->parent].f += h;
    h = splat(0);
  }
  return true;
}
