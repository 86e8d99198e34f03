// The YAML reader: what it refuses and where, tags, files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "close.h"
#include "yaml_tree.h"

typedef struct refusal {
  const char * text;
  bool aliases;
  yaml_fault_kind_t kind;
  size_t line, column;
} refusal_t;

static const refusal_t REFUSALS[] = {
  {"a: 1\nb: *a\n", false, YAML_FAULT_ALIAS, 2, 4},
  {"a: &x 1\nb: *x\n", false, YAML_FAULT_ALIAS, 2, 4},
  {"a: 1\nb: *a\n", true, YAML_FAULT_SYNTAX, 2, 4},  // there is no such anchor
  {"a: 1\n---\nb: 2\n", true, YAML_FAULT_DOCUMENTS, 2, 1},
  {"a: [1, 2}\n", true, YAML_FAULT_SYNTAX, 1, 9},
  {"a: b: c\n", true, YAML_FAULT_SYNTAX, 1, 5},
  {"\xff", true, YAML_FAULT_SYNTAX, 1, 1},
};

static void
test_refusals(void ** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof REFUSALS / sizeof *REFUSALS; i++) {
    const refusal_t * r = &REFUSALS[i];
    yaml_fault_t fault;
    assert_null(yaml_tree_read(r->text, strlen(r->text), r->aliases, &fault));
    if (fault.kind != r->kind || fault.line != r->line || fault.column != r->column) {
      fail_msg(
        "%s: %d at %zu:%zu, not %d at %zu:%zu", r->text, fault.kind, fault.line, fault.column,
        r->kind, r->line, r->column);
    }
    assert_non_null(fault.what);
  }
}

// n times a piece, which is right up to `most` times
static void
check_limit(
  const char * before, const char * piece, const char * after, int most, yaml_fault_kind_t kind)
{
  for (int n = most; n <= most + 1; n++) {
    char * text = calloc(1, 64 + strlen(piece) * (size_t)n + strlen(after) * (size_t)n);
    assert_non_null(text);
    char * end = stpcpy(text, before);
    for (int i = 0; i < n; i++) end = stpcpy(end, piece);
    for (int i = 0; i < n; i++) end = stpcpy(end, after);
    yaml_fault_t fault;
    yaml_document_t * tree = yaml_tree_read(text, strlen(text), true, &fault);
    assert_int_equal(fault.kind, n == most ? YAML_FAULT_NONE : kind);
    assert_int_equal(tree != NULL, n == most);
    yaml_tree_free(tree);
    free(text);
  }
}

static void
test_limits(void ** state)
{
  (void)state;
  check_limit("", "[", "]", YAML_MAX_DEPTH, YAML_FAULT_DEPTH);
  check_limit("", "{a: ", "}", YAML_MAX_DEPTH, YAML_FAULT_DEPTH);
  check_limit("- &a 1\n", "- *a\n", "", YAML_MAX_ANCHORS - 1, YAML_FAULT_LIMIT);
}

// libyaml gives every node a tag; here only those that the text tags have one
static void
test_tags(void ** state)
{
  (void)state;
  const char * text =
    "- 1\n- !!str 2\n- !!int '3'\n- [!!str 4, 5]\n- !!set {6: }\n- !own 7\n- &a !!str 8\n- *a\n";
  static const char * const TAGGED[] = {"2", "3", "4", "7", "8"};
  yaml_fault_t fault;
  yaml_document_t * tree = yaml_tree_read(text, strlen(text), true, &fault);
  assert_non_null(tree);
  size_t tagged = 0, plain = 0, maps = 0;
  for (int i = 1; yaml_document_get_node(tree, i); i++) {
    const yaml_node_t * node = yaml_document_get_node(tree, i);
    if (node->type == YAML_MAPPING_NODE) {
      assert_string_equal((const char *)node->tag, "tag:yaml.org,2002:set");
      maps++;
    } else if (node->tag) {
      assert_int_equal(node->type, YAML_SCALAR_NODE);
      assert_true(tagged < 5);
      assert_string_equal((const char *)node->data.scalar.value, TAGGED[tagged++]);
    } else {
      plain++;
    }
  }
  assert_int_equal(tagged, 5);
  assert_int_equal(maps, 1);
  assert_int_equal(plain, 6);  // two lists, 1, 5, 6 and what is empty
  yaml_tree_free(tree);
}

static void
test_nothing(void ** state)
{
  (void)state;
  yaml_fault_t fault;
  yaml_document_t * tree = yaml_tree_read("# only this\n", 12, true, &fault);
  assert_non_null(tree);
  assert_null(yaml_document_get_root_node(tree));
  yaml_tree_free(tree);
  yaml_tree_free(NULL);
}

static void
test_files(void ** state)
{
  (void)state;
  char path[] = "/tmp/mbdyn_yaml_XXXXXX";
  FILE * file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  for (int i = 0; i < 10000; i++) fprintf(file, "- %d\n", i);
  assert_int_equal(fclose(file), 0);
  yaml_fault_t fault;
  yaml_document_t * tree = yaml_tree_read_file(path, false, &fault);
  assert_non_null(tree);
  const yaml_node_t * root = yaml_document_get_root_node(tree);
  const yaml_node_item_t * item = root->data.sequence.items.start;
  assert_int_equal(root->data.sequence.items.top - item, 10000);
  for (int i = 0; i < 10000; i++) {
    const yaml_node_t * node = yaml_document_get_node(tree, item[i]);
    assert_int_equal(atoi((const char *)node->data.scalar.value), i);
    assert_int_equal(yaml_tree_line(node), i + 1);
  }
  yaml_tree_free(tree);

  assert_int_equal(truncate(path, (off_t)YAML_MAX_FILE + 1), 0);
  assert_null(yaml_tree_read_file(path, false, &fault));
  assert_int_equal(fault.kind, YAML_FAULT_LIMIT);
  assert_int_equal(unlink(path), 0);
  assert_null(yaml_tree_read_file(path, false, &fault));
  assert_int_equal(fault.kind, YAML_FAULT_FILE);
  assert_null(yaml_tree_read_file("/tmp", false, &fault));
  assert_int_equal(fault.kind, YAML_FAULT_FILE);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_refusals), cmocka_unit_test(test_limits), cmocka_unit_test(test_tags),
    cmocka_unit_test(test_nothing),  cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
