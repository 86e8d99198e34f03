// Lists of names, as they come in messages, and where each name goes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_input_internal.h"

//---------- what messages call a degree of freedom ----------

static const char *
dof_suffix(mbd_joint_type_t type, int k)
{
  static const char * const FREE[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  static const char * const SPHERICAL[] = {"wx", "wy", "wz"};
  static const char * const PLANAR[] = {"vx", "vy", "wz"};
  static const char * const CYLINDRICAL[] = {"angle", "displacement"};
  static const char * const UNIVERSAL[] = {"x", "y"};
  static const char * const NUMBER[] = {"0", "1", "2", "3", "4", "5"};
  switch (type) {
    case MBD_JOINT_FREE: return FREE[k];
    case MBD_JOINT_SPHERICAL: return SPHERICAL[k];
    case MBD_JOINT_PLANAR: return PLANAR[k];
    case MBD_JOINT_CYLINDRICAL: return CYLINDRICAL[k];
    case MBD_JOINT_UNIVERSAL: return UNIVERSAL[k];
    default: return NUMBER[k];
  }
}

size_t
joint_dof_name(const mbd_body_t * body, int k, char * name, size_t size)
{
  const bool alone = body->nv == 1;
  const int n = snprintf(
    name, size, "%s%s%s", body->joint_name, alone ? "" : ".",
    alone ? "" : dof_suffix(body->type, k));
  return n < 0 ? 0 : (size_t)n;
}

// its numbers can be told from names: as many positions as velocities, and those the derivatives
// (but for planar joints, see joint_filter_planar)
bool
joint_layout_readable(const mbd_body_t * body)
{
  return body->nq == body->nv && (body->type != MBD_JOINT_USER || !body->user.integrate);
}

static int
compare_text(const char * a, size_t na, const char * b, size_t nb)
{
  const int order = memcmp(a, b, na < nb ? na : nb);
  return order ? order : (na > nb) - (na < nb);
}

static int
compare_names(const void * a, const void * b)
{
  const joint_name_t *x = a, *y = b;
  return compare_text(x->text, strlen(x->text), y->text, strlen(y->text));
}

static bool
name_dofs(joint_input_t * input, size_t * bytes)
{
  struct joint_input_private * p = input->p;
  for (int i = 0; i < input->p->tree->nbody; i++) {
    const mbd_body_t * body = &input->p->tree->body[i];
    for (int k = 0; joint_layout_readable(body) && k < body->nv; k++) {
      const size_t size = joint_dof_name(body, k, NULL, 0) + 1;
      char * text = malloc(size);
      if (!text) return false;
      joint_dof_name(body, k, text, size);
      p->name[p->nname++] = (joint_name_t){text, body->v_index + k};
      *bytes += size + 8;
    }
  }
  qsort(p->name, p->nname, sizeof *p->name, compare_names);
  return true;
}

// degree of freedom of a name, or -1
static int
find_name(const struct joint_input_private * p, wire_text_t name)
{
  size_t low = 0, high = p->nname;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const char * text = p->name[middle].text;
    const int order = compare_text(name.data, name.size, text, strlen(text));
    if (order == 0) return p->name[middle].dof;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return -1;
}

//---------- set-up ----------

bool
joint_layouts_init(joint_input_t * input)
{
  enum { SPARE = 8192 };
  struct joint_input_private * p = input->p;
  const size_t nv = (size_t)input->p->tree->nv;
  size_t bytes = 0;
  p->name = calloc(nv + 1, sizeof *p->name);
  p->met = calloc(nv + 1, sizeof *p->met);
  if (!p->name || !p->met || !name_dofs(input, &bytes)) return false;
  // a message may have several times as many names as the robot; more are found again each time
  p->names_capacity = SPARE + 4 * bytes;
  for (int i = 0; i <= JOINT_INPUT_LAYOUTS; i++) {
    p->layout[i].copy = malloc(p->names_capacity);
    p->layout[i].entry = calloc(nv + 1, sizeof *p->layout[i].entry);
    if (!p->layout[i].copy || !p->layout[i].entry) return false;
  }
  return true;
}

void
joint_layouts_fini(joint_input_t * input)
{
  struct joint_input_private * p = input->p;
  for (size_t i = 0; i < p->nname; i++) free(p->name[i].text);
  free(p->name);
  free(p->met);
  for (int i = 0; i <= JOINT_INPUT_LAYOUTS; i++) {
    free(p->layout[i].copy);
    free(p->layout[i].entry);
  }
}

//---------- layouts ----------

static bool
useless(const joint_layout_t * layout)
{
  return layout->duplicate || layout->nentry == 0;
}

static void
set_text(char * text, size_t size, wire_text_t name)
{
  const size_t n = name.size < size - 1 ? name.size : size - 1;
  memcpy(text, name.data, n);
  text[n] = 0;
}

// names that are new: where each of them goes
static void
resolve(joint_input_t * input, joint_layout_t * layout, const wire_names_t * names)
{
  struct joint_input_private * p = input->p;
  layout->nentry = 0;
  layout->duplicate = false;
  layout->clock = (joint_clock_t){0};
  memset(p->met, 0, (size_t)input->p->tree->nv * sizeof *p->met);
  input->count.unknown_joints = 0;
  size_t at = 0;
  for (uint32_t i = 0; i < names->n; i++) {
    const wire_text_t name = wire_next_name(names, &at);
    const int dof = find_name(p, name);
    if (dof < 0) {
      if (input->count.unknown_joints++ == 0) {
        set_text(input->unknown_name, sizeof input->unknown_name, name);
      }
    } else if (p->met[dof]) {
      layout->duplicate = true;
    } else {
      p->met[dof] = true;
      layout->entry[layout->nentry++] = (joint_entry_t){i, dof};
    }
  }
  if (input->count.unknown_joints == 0) input->unknown_name[0] = 0;
}

static void
copy_names(joint_layout_t * layout, const wire_names_t * names)
{
  layout->names = *names;
  layout->names.data = layout->copy;
  if (names->bytes) memcpy(layout->copy, names->data, names->bytes);
}

// the place of one that is less worth remembering, or NULL
static joint_layout_t *
victim(struct joint_input_private * p, const joint_layout_t * newcomer)
{
  joint_layout_t * found = NULL;
  for (int i = 0; i < JOINT_INPUT_LAYOUTS; i++) {
    joint_layout_t * layout = &p->layout[i];
    if (layout->used == 0) return layout;
    if (useless(newcomer) && !useless(layout)) continue;
    const bool worse = found && useless(layout) && !useless(found);
    const bool better = found && !useless(layout) && useless(found);
    if (!found || worse || (!better && layout->used < found->used)) found = layout;
  }
  return found;
}

static joint_layout_t *
known(struct joint_input_private * p, const wire_names_t * names)
{
  for (int i = 0; i < JOINT_INPUT_LAYOUTS; i++) {
    const wire_names_t * n = &p->layout[i].names;
    if (p->layout[i].used == 0 || n->bytes != names->bytes || n->swap != names->swap) continue;
    if (n->n != names->n || memcmp(n->data, names->data, n->bytes) != 0) continue;
    return &p->layout[i];
  }
  // the same names in other bytes: padding that was not cleared, another endianness
  for (int i = 0; i < JOINT_INPUT_LAYOUTS; i++) {
    if (p->layout[i].used == 0 || !wire_names_equal(&p->layout[i].names, names)) continue;
    if (names->bytes <= p->names_capacity) copy_names(&p->layout[i], names);
    return &p->layout[i];
  }
  return NULL;
}

joint_layout_t *
joint_layout_find(joint_input_t * input, const wire_names_t * names)
{
  struct joint_input_private * p = input->p;
  p->tick++;
  joint_layout_t * layout = known(p, names);
  if (layout) {
    layout->used = p->tick;
    return layout;
  }
  joint_layout_t * spare = &p->layout[JOINT_INPUT_LAYOUTS];
  resolve(input, spare, names);
  input->count.new_layouts++;
  layout = names->bytes <= p->names_capacity ? victim(p, spare) : NULL;
  if (!layout) return spare;
  const joint_layout_t old = *layout;
  *layout = *spare;
  *spare = old;
  copy_names(layout, names);
  layout->used = p->tick;
  return layout;
}
