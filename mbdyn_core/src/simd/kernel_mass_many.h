// Mass matrices of several states, one in each lane. Included by kernel_instance.c after
// kernel_mass_carried.h.
//
// Robots whose bodies are near their bases go by kernel_mass_carried.h, others by kernel_mass_world.h.
// What comes out is on or below the diagonal and not zero by structure: row by row, of each the degrees
// of freedom that carry it, in order. The plan knows where a row begins (pack). Small matrices of
// numbers are made of these.

// An element is not larger than those of the diagonal in its row and column: if these are finite, all
// are.
static bool
KN(mass_lanes)(const mbdi_kernel_args_t * args, const KN(mass_room) * r, lanes_at_t * packed)
{
  const mbdi_plan_t * plan = args->plan;
  REAL sum = SPLAT(0.0);
  (plan->shallow ? KN(mass_shallow) : KN(mass_deep))(args, r, packed);
  for (int v = 0; v < plan->nv; v++) {
    lanes_at_t * diagonal = packed + plan->pack[v + 1] - 1;
    if (args->rotor) *diagonal += args->rotor[v];
    sum += 0.0 * *diagonal;
  }
  return finite_sum(sum);
}

// out: rows as the plan packs them, lane by lane
static bool
KN(mass_packed)(const mbdi_kernel_args_t * args)
{
  const KN(mass_room) r = KN(mass_room_of)(args);
  return KN(mass_lanes)(args, &r, args->out);
}

//---------- matrices of numbers ----------

// Whole matrices of `count` states, row by row: as many numbers as there are lanes at a time. Above the
// diagonal a row has the degrees of freedom that its own carries.
ALWAYS void
KN(mass_whole)(const mbdi_plan_t * plan, const REAL * packed, int count, double * M)
{
  const size_t nv = (size_t)plan->nv, *pack = plan->pack;
  REAL few[KERNEL_LANES];
  size_t n = 0;
  for (size_t i = 0; i < nv; i++) {
    const REAL *row = packed + pack[i], *column = packed + (pack[i + 1] - pack[i] - 1);
    for (size_t j = 0; j < nv; j++) {
      REAL x = SPLAT(0.0);
      if (j <= i && plan->reach[j] > (double)i) x = *row++;
      if (j > i && plan->reach[i] > (double)j) x = column[pack[j]];
      few[n++ % KERNEL_LANES] = x;
      if (n % KERNEL_LANES == 0) {
        collect_rows(few, KERNEL_LANES, nv * nv, count, M + n - KERNEL_LANES);
      }
    }
  }
  const size_t rest = n % KERNEL_LANES;
  collect_rows(few, rest, nv * nv, count, M + n - rest);
}

// out: args->count matrices of no more than PLAN_MATRIX degrees of freedom; larger ones in lanes would
// not stay near the processor
static bool
KN(mass_matrix)(const mbdi_kernel_args_t * args)
{
  const KN(mass_room) r = KN(mass_room_of)(args);
  if (!KN(mass_lanes)(args, &r, (lanes_at_t *)r.packed)) return false;
  KN(mass_whole)(args->plan, r.packed, args->count, args->out);
  return true;
}
