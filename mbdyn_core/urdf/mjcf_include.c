// <include file="...">: the children of another file's outermost element in place of the element, as if
// they had been written there. Paths are relative to the folder of the first file; no file is read twice,
// so that none can include itself.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf_internal.h"
#include "urdf_internal.h"

// the next element in the order of the file, or NULL
static urdf_node_t *
next_element(urdf_node_t * node)
{
  if (node->child) return node->child;
  while (node && !node->next) node = node->parent;
  return node ? node->next : NULL;
}

static const char *
path_of(urdf_loader_t * loader, const char * file)
{
  const char * slash = strrchr(loader->source, '/');
  const int n = *file == '/' || !slash ? 0 : (int)(slash - loader->source + 1);
  const size_t size = (size_t)n + strlen(file) + 1;
  char * path = urdf_allocate_in_tree(loader, size);
  if (path) snprintf(path, size, "%.*s%s", n, loader->source, file);
  return path;
}

// loader->root is that of the file; false with a sentence
static bool
read_file(urdf_loader_t * loader, urdf_place_t place, const char * path)
{
  size_t size;
  char * bytes = urdf_read_file(path, URDF_MAX_BYTES, &size);
  if (!bytes && errno == ENOMEM) {
    loader->out_of_memory = true;
  } else if (!bytes) {
    urdf_fail(
      loader, MBD_ERROR_FILE, place, "paths are relative to the folder of the first file",
      "%s cannot be read: %s", urdf_name(path).s, strerror(errno));
  }
  if (!bytes) return false;
  loader->file[loader->nfile++] = path;
  loader->line_base = loader->nfile * (URDF_LINE + 1);
  loader->bytes += size;
  loader->root = NULL;
  bool good = loader->bytes <= URDF_MAX_BYTES;
  if (good)
    good = urdf_parse_xml(loader, bytes, size);
  else
    urdf_fail(
      loader, MBD_ERROR_LIMIT, place, NULL, "the included files are larger than %d MB",
      URDF_MAX_BYTES / (1024 * 1024));
  free(bytes);
  return good;
}

static bool
is_model(urdf_loader_t * loader, const urdf_node_t * root)
{
  if (urdf_is(root, "mujoco") || urdf_is(root, "mujocoinclude")) return true;
  const urdf_place_t place = {"include", NULL, root->line};
  urdf_say(
    loader, MBDX_ERROR, place, "write <mujocoinclude> or <mujoco>",
    "the outermost element of the included file is %s", urdf_tag(root).s);
  return false;
}

static bool
check_include(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place)
{
  static const char * const known[] = {"file", NULL};
  urdf_refuse_attributes(loader, node, place, known);
  const char * file = urdf_attribute(node, "file");
  const char * wrong = NULL;
  const char * hint = "give the file instead of its text";
  if (!loader->from_file)
    wrong = "text that comes without a file cannot include others";
  else if (!file || *file == 0)
    wrong = "has no file", hint = "add file=\"...\"";
  else if (node->child)
    wrong = "has elements of its own", hint = "write <include file=\"...\"/>";
  else if (loader->nfile >= URDF_MAX_FILES)
    wrong = "the file includes more than 60 others", hint = "join some of them";
  if (wrong) urdf_say(loader, MBDX_ERROR, place, hint, "%s", wrong);
  return !wrong;
}

// true if the file was read before
static bool
is_repeated(urdf_loader_t * loader, urdf_place_t place, const char * path)
{
  bool repeated = strcmp(path, loader->source) == 0;
  for (int k = 0; k < loader->nfile; k++) repeated = repeated || !strcmp(path, loader->file[k]);
  if (repeated)
    urdf_say(
      loader, MBDX_ERROR, place, "remove it: no file can be included twice, nor include itself",
      "%s is included already", urdf_name(path).s);
  return repeated;
}

// the nodes of the file in place of one; what stands there then, or NULL with a sentence
static urdf_node_t *
splice(urdf_loader_t * loader, urdf_node_t * node)
{
  const char * file = urdf_attribute(node, "file");
  const urdf_place_t place = {"include", file, node->line};
  urdf_node_t * first_root = loader->root;
  if (!check_include(loader, node, place)) return NULL;
  const char * path = path_of(loader, file);
  if (!path || is_repeated(loader, place, path)) return NULL;
  const bool good = read_file(loader, place, path) && is_model(loader, loader->root);
  urdf_node_t * root = loader->root;
  loader->root = first_root;
  loader->line_base = 0;
  if (!good) return NULL;
  // the element itself stays, empty, so that what points at it needs no change
  urdf_node_t * last = NULL;
  for (urdf_node_t * n = root->child; n; n = n->next) n->parent = node->parent, last = n;
  if (last) {
    last->next = node->next;
    node->next = root->child;
  }
  return node;
}

bool
mjcf_include(urdf_loader_t * loader)
{
  for (urdf_node_t * n = loader->root; n; n = next_element(n)) {
    if (urdf_is(n, "include") && !splice(loader, n)) return false;
  }
  return true;
}
