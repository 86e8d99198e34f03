// Mass matrices of several states whose bodies are near their bases. Included by kernel_instance.c
// after kernel_mass_world.h.
//
// The force that moves a subtree along a degree of freedom is carried from body to body to the base, in
// body axes, where a step is cheap. What the joint of a body on the way feels of it is an element of the
// matrix. Nothing of a body is needed in world axes; but a long way has many steps.

// Where a force is carried to: further on it is needed where that is no base, and of a hinge that is,
// only the moment about its axis.
typedef enum KN(mass_to) { TO_ANY, TO_HINGE, TO_BASE_HINGE, TO_BASE_FREE } KN(mass_to);

// elements of a force at the first n degrees of freedom of a body
ALWAYS void
KN(put_elements)(int kind, const KN(six) * x, int n, lanes_at_t * at)
{
  const REAL all[6] = {x->lin.x, x->lin.y, x->lin.z, x->ang.x, x->ang.y, x->ang.z};
  if (kind != LEAN_FREE) at[0] = kind == LEAN_SLIDE ? x->lin.z : x->ang.z;
  for (int k = 0; kind == LEAN_FREE && k < n; k++) at[k] = all[k];
}

// how many degrees of freedom carry this one
ALWAYS size_t
KN(carriers)(const mbdi_plan_t * plan, int v)
{
  return plan->pack[v + 1] - plan->pack[v] - 1;
}

// Forces of a subtree to the parent of its first body. What is read in the loop is copied: as far as the
// compiler knows, it might be written there.
ALWAYS void
KN(carry)(
  int kind, int to, const mbdi_plan_t * plan, const KN(joint) * from, int end, KN(six) * force,
  lanes_at_t * packed)
{
  const mbdi_lean_body_t b = *from->b, *parent = &plan->lean[b.parent];
  const size_t * pack = plan->pack;
  const int at = to == TO_ANY ? parent->kind : to == TO_BASE_FREE ? LEAN_FREE : LEAN_TWIST;
  lanes_at_t * column = packed + KN(carriers)(plan, parent->v);
  KN(joint) j = *from;
  j.b = &b;
  for (int k = b.v; k < end; k++) {
    KN(six) x;
    x.lin = KN(to_parent)(kind, &j, force[k].lin);
    x.ang = KN(moment_more)(kind, &j, KN(to_parent)(kind, &j, force[k].ang), x.lin);
    x.ang = KN(moment_less)(kind, &j, x.ang, x.lin);
    KN(put_elements)(at, &x, 6, column + pack[k]);
    if (to == TO_ANY || to == TO_HINGE) force[k] = x;
  }
}

ALWAYS void
KN(carry_subtree)(
  int kind, const mbdi_plan_t * plan, const KN(joint) * j, int end, KN(six) * force,
  lanes_at_t * packed)
{
  const mbdi_lean_body_t * parent = &plan->lean[j->b->parent];
  const bool hinge = parent->kind == LEAN_TWIST || parent->kind == LEAN_TURN;
  if (hinge && parent->parent >= 0)
    KN(carry)(kind, TO_HINGE, plan, j, end, force, packed);
  else if (hinge)
    KN(carry)(kind, TO_BASE_HINGE, plan, j, end, force, packed);
  else if (parent->parent < 0 && parent->kind == LEAN_FREE)
    KN(carry)(kind, TO_BASE_FREE, plan, j, end, force, packed);
  else
    KN(carry)(kind, TO_ANY, plan, j, end, force, packed);
}

ALWAYS void
KN(mass_carry_body)(
  int kind, const mbdi_kernel_args_t * args, const KN(mass_room) * r, int i, lanes_at_t * packed)
{
  const mbdi_plan_t * plan = args->plan;
  const mbdi_lean_body_t * b = &plan->lean[i];
  const KN(composite) c = KN(mass_subtree)(args, r, i);
  KN(six) * force = (KN(six) *)r->record;
  for (int k = 0; k < (kind == LEAN_FREE ? 6 : 1); k++) {
    const KN(six) own = KN(mass_force)(kind, args->lean[i].total, &c, k);
    const size_t at = plan->pack[b->v + k] + KN(carriers)(plan, b->v);
    KN(put_elements)(kind, &own, k + 1, packed + at);
    if (b->parent >= 0) force[b->v + k] = own;
  }
  if (b->parent < 0) return;
  const KN(joint) j = KN(joint_at)(kind, b, args->q, r->sine[i], r->cosine[i]);
  KN(mass_give)(kind, args, r, i, &j, c);
  KN(carry_subtree)(kind, plan, &j, plan->span[i].end, force, packed);
}

static void
KN(mass_shallow)(const mbdi_kernel_args_t * args, const KN(mass_room) * r, lanes_at_t * packed)
{
  const mbdi_plan_t * plan = args->plan;
  KN(lean_sines)(plan, args->q, r->sine, r->cosine);
  for (int i = plan->nbody - 1; i >= 0; i--) {
#define BODY(kind)                               \
  KN(mass_carry_body)(kind, args, r, i, packed); \
  break
    LEAN_KINDS(&plan->lean[i], BODY)
#undef BODY
  }
}
