// What the readers of flexible links share.
#ifndef FLEXIBLE_FILE_INTERNAL_H_
#define FLEXIBLE_FILE_INTERNAL_H_

#include "mbdyn/flexible/flexible_links.h"
#include "urdf_yaml.h"

enum { FLEXIBLE_MAX_MODES = 100, FLEXIBLE_MAX_NODES = 10000, FLEXIBLE_NAME = 64 };

// modal data with the lines that they are on, for sentences about them
typedef struct modal {
  mbd_modal_body_t * body;
  int line, mass_line, stiffness_line, damping_line;
  int * node_line;              // [nnode]
  char (*name)[FLEXIBLE_NAME];  // of the nodes, "" for none [nnode]
} modal_t;

void modal_free(modal_t * modal);

// memory for modes and nodes; false with a sentence
bool modal_make(
  urdf_loader_t * loader, urdf_place_t place, double modes, int nodes, modal_t * modal);

// count numbers of a symmetric matrix: n (its diagonal) or n x n; false if it is neither
bool modal_matrix(int n, const double * x, int count, double * A);

// 6 numbers of each mode: rotation about and displacement along x y z
void modal_shape(int n, const double * x, mbd_motion_t * shape);

// true if the data make sense, else a sentence at the line
bool modal_check(urdf_loader_t * loader, const char * link, const modal_t * modal);

// the node of a name, or -1
int modal_node(const modal_t * modal, const char * name);

// modal data of a YAML mapping, or of CSV text; false with sentences
bool modal_read_yaml(urdf_yaml_t * r, const yaml_node_t * node, modal_t * modal);
bool modal_read_csv(urdf_loader_t * loader, char * text, size_t size, modal_t * modal);

#endif  // FLEXIBLE_FILE_INTERNAL_H_
