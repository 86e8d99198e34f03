// `mbdyn info`: flexible links.
#include <stdio.h>
#include <stdlib.h>

#include "info.h"
#include "mbdyn/flexible.h"
#include "mbdyn/mbdyn.h"

#define PI 3.14159265358979323846

// natural frequencies at rest with joints held, or free [Hz]; NULL if they cannot be had
static double *
frequencies(const mbd_model_t * flexible, bool locked)
{
  mbd_data_t * data = NULL;
  double * q = calloc((size_t)flexible->nq + 1, sizeof *q);
  double * f = calloc((size_t)flexible->nv + 1, sizeof *f);
  const int n = locked ? flexible->flexible->nmode : flexible->nv;
  const bool good = q && f && mbd_data_create(flexible, &data) == MBD_OK &&
                    mbd_neutral(flexible, q) == MBD_OK &&
                    mbd_set_state(flexible, data, q, NULL) == MBD_OK &&
                    mbd_flexible_frequencies(flexible, data, locked, f) == MBD_OK;
  for (int k = 0; good && k < n; k++) f[k] /= 2 * PI;
  mbd_data_destroy(data);
  free(q);
  if (good) return f;
  free(f);
  return NULL;
}

static void
print_frequencies(const mbd_model_t * flexible, bool locked)
{
  double * f = frequencies(flexible, locked);
  if (!f) return;
  printf("  natural frequencies at rest, joints %s [Hz]:", locked ? "held" : "free");
  // those of joints that no spring holds are zero
  for (int k = locked ? 0 : flexible->flexible->rigid->nv;
       k < (locked ? flexible->flexible->nmode : flexible->nv); k++) {
    printf(" %.4g", f[k]);
  }
  putchar('\n');
  free(f);
}

void
info_flexible_text(const mbd_model_t * flexible)
{
  if (!flexible || flexible->flexible->npart == 0) return;
  const mbd_model_t * model = flexible->flexible->rigid;
  printf(
    "\nflexible links: nq %d, nv %d with %d modes\n", flexible->nq, flexible->nv,
    flexible->flexible->nmode);
  for (int p = 0; p < flexible->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &flexible->flexible->part[p];
    const int m = part->body->nmode;
    printf(
      "  %-16s %d mode%s, q[%d] to q[%d], v[%d] to v[%d], %d nodes\n",
      model->frame[part->frame].name, m, m == 1 ? "" : "s", part->q_index, part->q_index + m - 1,
      part->v_index, part->v_index + m - 1, part->body->nnode);
  }
  print_frequencies(flexible, true);
  print_frequencies(flexible, false);
}

void
info_flexible_json(json_out_t * out, const mbd_model_t * flexible)
{
  if (!flexible || flexible->flexible->npart == 0) return;
  json_out_object(out, "flexible");
  json_out_integer(out, "nq", flexible->nq);
  json_out_integer(out, "nv", flexible->nv);
  json_out_list(out, "links");
  for (int p = 0; p < flexible->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &flexible->flexible->part[p];
    json_out_object(out, NULL);
    json_out_string(out, "link", flexible->flexible->rigid->frame[part->frame].name);
    json_out_integer(out, "modes", part->body->nmode);
    json_out_integer(out, "nodes", part->body->nnode);
    json_out_integer(out, "q_index", part->q_index);
    json_out_integer(out, "v_index", part->v_index);
    json_out_end(out);
  }
  json_out_end(out);
  for (int locked = 1; locked >= 0; locked--) {
    const char * key = locked ? "frequencies_joints_held" : "frequencies_joints_free";
    double * f = frequencies(flexible, locked);
    if (f) {
      json_out_vector(out, key, f, locked ? flexible->flexible->nmode : flexible->nv);
    } else {
      json_out_null(out, key);
    }
    free(f);
  }
  json_out_end(out);
}
