/// \file yaml_tree.h
/// YAML reader: parses text into libyaml's document tree, with size limits. Used for loop closures, flexible
/// links, DH tables, command lines, parameter files and metadata of recordings.
///
///   yaml_tree_read, yaml_tree_read_file   text or file -> tree, or an error
///   yaml_tree_free
///   yaml_tree_line                        line of a node
#ifndef YAML_TREE_H_
#define YAML_TREE_H_

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

// the time of libyaml is quadratic in each of the first three
enum {
  YAML_MAX_DEPTH = 64,
  YAML_MAX_ANCHORS = 1000,          // and aliases
  YAML_MAX_DIRECTIVES = 16,         // lines that begin with %
  YAML_MAX_FILE = 64 * 1024 * 1024  // bytes
};

typedef enum yaml_fault_kind {
  YAML_FAULT_NONE = 0,
  YAML_FAULT_FILE,       ///< cannot be opened or read
  YAML_FAULT_MEMORY,     ///< out of memory
  YAML_FAULT_SYNTAX,     ///< is not valid YAML
  YAML_FAULT_DOCUMENTS,  ///< has a second document
  YAML_FAULT_ALIAS,      ///< has an alias, which is not allowed
  YAML_FAULT_DEPTH,      ///< is nested too deep
  YAML_FAULT_LIMIT       ///< exceeds another limit
} yaml_fault_kind_t;

typedef struct yaml_fault {
  yaml_fault_kind_t kind;
  const char * what;    ///< e.g. "is nested more than 64 deep"; for _SYNTAX the message of libyaml
  size_t line, column;  ///< from 1
} yaml_fault_t;

/// Parse text. Nodes without a tag in the text have tag NULL. Text without a value gives a tree without a
/// root.
/// \param[in]  aliases  false: aliases are errors
/// \param[out] fault    the error if the result is NULL
/// \return tree, to be freed with yaml_tree_free; NULL on error
yaml_document_t * yaml_tree_read(
  const char * text, size_t size, bool aliases, yaml_fault_t * fault);
yaml_document_t * yaml_tree_read_file(const char * path, bool aliases, yaml_fault_t * fault);

void yaml_tree_free(yaml_document_t * tree);

/// Line of a node, from 1; 0 if it exceeds INT_MAX.
int yaml_tree_line(const yaml_node_t * node);

#endif  // YAML_TREE_H_
