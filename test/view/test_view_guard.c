// Hosts, origins, tokens and paths that are let in and those that are not; JSON of any text.
#include "view_guard.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "view_wire.h"

static void
hosts(void ** state)
{
  (void)state;
  const view_guard_t g = {.name = {"robot.lan"}, .nname = 1};
  const char * const good[] = {"localhost",   "localhost:8642", "LOCALHOST:1", "127.0.0.1:80",
                               "192.168.1.2", "[::1]:8642",     "[fe80::1]",   "Robot.Lan:8642"};
  const char * const bad[] = {
    "",
    "evil",
    "localhost.evil",
    "127.0.0.1.evil",
    "[::1",
    "localhost:80x",
    "robot.lan.evil",
    "[evil]:80",
    "a@localhost",
    ":80",
    "localhost/",
    "::1"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(view_guard_host(&g, good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(view_guard_host(&g, bad[i]));
  assert_false(view_guard_host(&g, NULL));
}

static void
origins(void ** state)
{
  (void)state;
  const view_guard_t g = {.origin = {"http://localhost:5173"}, .norigin = 1};
  const char * host = "localhost:8642";
  assert_true(view_guard_origin(&g, NULL, host));
  assert_true(view_guard_origin(&g, "http://localhost:8642", host));
  assert_true(view_guard_origin(&g, "http://localhost:5173", host));
  const char * const bad[] = {
    "null",        "http://localhost",       "https://localhost:8642",     "http://localhost:86420",
    "http://evil", "http://localhost:8642/", "http://localhost:8642.evil", "file://"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(view_guard_origin(&g, bad[i], host));
  }
}

static void
tokens(void ** state)
{
  (void)state;
  view_guard_t g = {0};
  assert_true(view_guard_token(&g, NULL, NULL, NULL));
  strcpy(g.token, "secret-token");
  assert_false(view_guard_token(&g, NULL, NULL, NULL));
  assert_true(view_guard_token(&g, "Bearer secret-token", NULL, NULL));
  assert_false(view_guard_token(&g, "Bearer secret-toke", NULL, NULL));
  assert_false(view_guard_token(&g, "Bearer secret-tokens", NULL, NULL));
  assert_false(view_guard_token(&g, "secret-token", NULL, NULL));
  assert_true(view_guard_token(&g, NULL, "a=b; mbdyn_token=secret-token; c=d", NULL));
  assert_true(
    view_guard_token(&g, NULL, "mbdyn_token_1=other; mbdyn_token_8642=secret-token", NULL));
  assert_false(view_guard_token(&g, NULL, "mbdyn_token_8642=secret-tokem", NULL));
  assert_false(view_guard_token(&g, NULL, "mbdyn_tokenx=secret-token", NULL));
  assert_false(view_guard_token(&g, NULL, "mbdyn_token", NULL));
  assert_false(view_guard_token(&g, NULL, "mbdyn_token_1; a=secret-token", NULL));
  assert_false(view_guard_token(&g, NULL, "xmbdyn_token=secret-token", NULL));
  assert_false(view_guard_token(&g, NULL, "mbdyn_token=", NULL));
  assert_true(view_guard_token(&g, NULL, NULL, "a=1&token=secret-token"));
  assert_false(view_guard_token(&g, NULL, NULL, "token=secret-tokem"));
  view_guard_t other = {0};
  assert_true(view_guard_new_token(&g) && view_guard_new_token(&other));
  assert_int_equal(strlen(g.token), 32);
  assert_string_not_equal(g.token, other.token);
}

static void
paths(void ** state)
{
  (void)state;
  const char * const good[] = {"/", "/index.html", "/assets/a-1.js", "/mesh/p/q.stl", "/a.b/c"};
  const char * const bad[] = {"",    "a",     "/..",   "/../a", "/a/../b", "/.git",
                              "//a", "/a//b", "/a\\b", "/a\nb", "/./a"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(view_guard_path(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(view_guard_path(bad[i]));
  assert_true(view_guard_loopback("127.0.0.1") && view_guard_loopback("::1"));
  assert_true(view_guard_loopback("127.3.2.1") && view_guard_loopback("localhost"));
  assert_false(view_guard_loopback("0.0.0.0"));
  assert_false(view_guard_loopback("::") || view_guard_loopback("192.168.0.1"));
}

// whatever the bytes, another reader takes what comes out
static void
json_is_json(void ** state)
{
  (void)state;
  json_out_t text = {0};
  srand(4);
  for (int turn = 0; turn < 5000; turn++) {
    char bytes[40];
    const size_t n = (size_t)rand() % sizeof bytes;
    for (size_t i = 0; i < n; i++) bytes[i] = (char)(rand() % (turn % 2 ? 256 : 128));
    const double x = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 200 - 100);
    json_out_clear(&text);
    json_out_object(&text, NULL);
    json_out_bytes(&text, "text", bytes, n);
    json_out_list(&text, "list");
    json_out_number(&text, NULL, x);
    json_out_number(&text, NULL, (double)NAN);
    json_out_number(&text, NULL, HUGE_VAL);
    json_out_list(&text, NULL);
    json_out_end(&text);
    json_out_end(&text);
    json_out_bool(&text, "flag", true);
    json_out_null(&text, "null");
    json_out_end(&text);
    assert_true(text.ok);
    json_t * json = json_loadb(json_out_text(&text), text.size, JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    const json_t * list = json_object_get(json, "list");
    assert_int_equal(json_array_size(list), 4);
    assert_true(json_number_value(json_array_get(list, 0)) == x);
    assert_true(json_is_null(json_array_get(list, 1)) && json_is_null(json_array_get(list, 2)));
    if (turn % 2 == 0) {
      const json_t * back = json_object_get(json, "text");
      assert_int_equal(json_string_length(back), n);
      assert_memory_equal(json_string_value(back), bytes, n);
    }
    json_decref(json);
  }
  json_out_fini(&text);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(hosts), cmocka_unit_test(origins),      cmocka_unit_test(tokens),
    cmocka_unit_test(paths), cmocka_unit_test(json_is_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
