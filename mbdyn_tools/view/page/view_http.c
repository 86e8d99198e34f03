// HTTP: files of the page, and the few answers under /api.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "view_internal.h"
#include "view_messages.h"

//---------- who asks ----------

static const char *
header(struct lws * wsi, enum lws_token_indexes which, char * buffer, int size)
{
  const int n = lws_hdr_copy(wsi, buffer, size, which);
  return n > 0 ? buffer : NULL;
}

unsigned
view_http_refusal(view_server_t * server, struct lws * wsi)
{
  char host[300], origin[300], authorization[300], cookie[2048], query[200];
  const view_guard_t * guard = &server->options->guard;
  const char * h = header(wsi, WSI_TOKEN_HOST, host, sizeof host);
  const char * o = header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
  // one that is too long to be copied is not absent
  if (!o && lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0) return HTTP_STATUS_FORBIDDEN;
  if (!view_guard_host(guard, h) || !view_guard_origin(guard, o, h)) return HTTP_STATUS_FORBIDDEN;
  const char * a = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, authorization, sizeof authorization);
  const char * c = header(wsi, WSI_TOKEN_HTTP_COOKIE, cookie, sizeof cookie);
  // the buffer has the name too
  const bool given = lws_get_urlarg_by_name(wsi, "token=", query, sizeof query) != NULL;
  return view_guard_token(guard, a, c, given ? query : NULL) ? 0 : HTTP_STATUS_UNAUTHORIZED;
}

//---------- answers ----------

typedef struct answer {
  unsigned status;
  const char * type;
  const char * body;
  size_t size;
  const char * location;  ///< for a redirection
  const char * cookie;
} answer_t;

static bool
is_head(struct lws * wsi)
{
  return lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
}

static int
completed(struct lws * wsi)
{
  return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static bool
add_header(
  struct lws * wsi, const char * name, const char * value, unsigned char ** p, unsigned char * end)
{
  if (!value) return true;
  return lws_add_http_header_by_name(
           wsi, (const unsigned char *)name, (const unsigned char *)value, (int)strlen(value), p,
           end) == 0;
}

static int
send_answer(struct lws * wsi, view_page_t * page, const answer_t * a)
{
  enum { SMALL = 1024 };
  unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *p = start;
  unsigned char * end = buffer + sizeof buffer - 1;
  if (lws_add_http_common_headers(wsi, a->status, a->type, a->size, &p, end)) return -1;
  if (!add_header(wsi, "cache-control:", "no-store", &p, end)) return -1;
  if (!add_header(wsi, "location:", a->location, &p, end)) return -1;
  if (!add_header(wsi, "set-cookie:", a->cookie, &p, end)) return -1;
  if (lws_finalize_write_http_header(wsi, start, &p, end)) return -1;
  if (is_head(wsi) || a->size == 0) return completed(wsi);
  if (a->size <= SMALL) {
    memcpy(start, a->body, a->size);
    if (lws_write(wsi, start, a->size, LWS_WRITE_HTTP_FINAL) < (int)a->size) return -1;
    return completed(wsi);
  }
  free(page->body);
  page->body = malloc(LWS_PRE + a->size);
  if (!page->body) return -1;
  memcpy(page->body + LWS_PRE, a->body, a->size);
  page->body_size = a->size;
  page->body_sent = 0;
  lws_callback_on_writable(wsi);
  return 0;
}

int
view_http_error(struct lws * wsi, view_page_t * page, unsigned status, const char * what)
{
  char line[300];
  snprintf(line, sizeof line, "%u: %s\n", status, what);
  return send_answer(
    wsi, page,
    &(answer_t){.status = status, .type = "text/plain", .body = line, .size = strlen(line)});
}

int
view_http_accepted(struct lws * wsi, view_page_t * page)
{
  static const char line[] = "202: accepted\n";
  return send_answer(
    wsi, page,
    &(answer_t){
      .status = HTTP_STATUS_ACCEPTED, .type = "text/plain", .body = line, .size = sizeof line - 1});
}

int
view_http_writable(struct lws * wsi, view_page_t * page)
{
  enum { PART = 32768 };
  if (!page->body) return 0;
  const size_t left = page->body_size - page->body_sent, n = left < PART ? left : PART;
  unsigned char * from = (unsigned char *)page->body + LWS_PRE + page->body_sent;
  const bool last = n == left;
  if (lws_write(wsi, from, n, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)n) return -1;
  page->body_sent += n;
  if (!last) {
    lws_callback_on_writable(wsi);
    return 0;
  }
  free(page->body);
  page->body = NULL;
  return completed(wsi);
}

//---------- files ----------

static const struct {
  const char *ending, *type;
} TYPES[] = {{".html", "text/html"},        {".js", "text/javascript"},
             {".css", "text/css"},          {".json", "application/json"},
             {".svg", "image/svg+xml"},     {".png", "image/png"},
             {".ico", "image/x-icon"},      {".woff2", "font/woff2"},
             {".txt", "text/plain"},        {".map", "application/json"},
             {".wasm", "application/wasm"}, {".webmanifest", "application/json"},
             {".md", "text/plain"}};

static const struct {
  const char *ending, *type;
} MESHES[] = {
  {".stl", "model/stl"},
  {".dae", "model/vnd.collada+xml"},
  {".obj", "model/obj"},
  {".mtl", "model/mtl"},
  {".ply", "application/octet-stream"},
  {".glb", "model/gltf-binary"},
  {".gltf", "model/gltf+json"},
  {".bin", "application/octet-stream"},
  {".png", "image/png"},
  {".jpg", "image/jpeg"},
  {".jpeg", "image/jpeg"}};

#define TYPE_OF(table, path) type_of(&(table)[0].ending, sizeof(table) / sizeof(table)[0], path)

// pairs of ending and type
static const char *
type_of(const char * const * pair, size_t n, const char * path)
{
  const char * dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < n; i++) {
    if (strcasecmp(dot, pair[2 * i]) == 0) return pair[2 * i + 1];
  }
  return NULL;
}

// a file in a folder, links followed; false if it is not there or elsewhere
static bool
find_file(const char * folder, const char * path, char found[PATH_MAX])
{
  char wanted[PATH_MAX];
  struct stat about;
  const size_t n = strlen(folder);
  if (snprintf(wanted, sizeof wanted, "%s%s", folder, path) >= (int)sizeof wanted) return false;
  if (!realpath(wanted, found)) return false;
  return strncmp(found, folder, n) == 0 && found[n] == '/' && stat(found, &about) == 0 &&
         S_ISREG(about.st_mode);
}

static int
send_file(
  struct lws * wsi, view_page_t * page, const char * folder, const char * path, const char * type)
{
  static const char headers[] = "cache-control: no-cache\r\n";
  char found[PATH_MAX];
  if (!type || !find_file(folder, path, found)) {
    return view_http_error(wsi, page, HTTP_STATUS_NOT_FOUND, "no such file");
  }
  const int n = lws_serve_http_file(wsi, found, type, headers, (int)sizeof headers - 1);
  if (n < 0) return -1;
  return n > 0 ? completed(wsi) : 0;
}

static int
send_page(view_server_t * server, struct lws * wsi, view_page_t * page, const char * path)
{
  const char * web = server->options->web;
  if (!web) {
    return view_http_error(
      wsi, page, HTTP_STATUS_NOT_FOUND,
      "the page is not installed here (give its folder: mbdyn view --web DIR); /api/robots works");
  }
  const char * file = strcmp(path, "/") == 0 ? "/index.html" : path;
  return send_file(wsi, page, web, file, TYPE_OF(TYPES, file));
}

static int
send_mesh(view_server_t * server, struct lws * wsi, view_page_t * page, const char * path)
{
  const view_options_t * o = server->options;
  const char * slash = strchr(path, '/');
  for (int i = 0; slash && i < o->nmesh; i++) {
    const size_t n = (size_t)(slash - path);
    if (strlen(o->mesh[i].package) != n || strncmp(o->mesh[i].package, path, n) != 0) continue;
    return send_file(wsi, page, o->mesh[i].path, slash, TYPE_OF(MESHES, slash));
  }
  return view_http_error(
    wsi, page, HTTP_STATUS_NOT_FOUND, "no such package (mbdyn view --mesh PACKAGE=DIR)");
}

//---------- /api ----------

static int
send_json(view_server_t * server, struct lws * wsi, view_page_t * page)
{
  json_out_t * text = &server->scratch.text;
  if (!text->ok) return -1;
  json_out_raw(text, "\n", 1);
  return send_answer(
    wsi, page,
    &(answer_t){
      .status = HTTP_STATUS_OK,
      .type = "application/json",
      .body = json_out_text(text),
      .size = text->size});
}

static int
send_health(view_server_t * server, struct lws * wsi, view_page_t * page)
{
  json_out_t * text = &server->scratch.text;
  json_out_clear(text);
  json_out_object(text, NULL);
  json_out_string(text, "status", "ok");
  json_out_count(text, "version", 1);
  json_out_string(text, "program", server->options->facts.program);
  json_out_count(text, "clients", (uint64_t)server->pages);
  json_out_count(text, "connections", (uint64_t)server->connections);
  json_out_number(text, "uptime", live_monotonic() - server->start);
  json_out_end(text);
  return send_json(server, wsi, page);
}

static int
send_robots(view_server_t * server, struct lws * wsi, view_page_t * page)
{
  view_robots(&server->scratch.text, &server->sources, live_monotonic());
  return send_json(server, wsi, page);
}

static int
send_recording(view_server_t * server, struct lws * wsi, view_page_t * page)
{
  recording_state_t state;
  recording_state(server->sources.recording, &state);
  view_playback(&server->scratch.text, &state);
  return send_json(server, wsi, page);
}

static int
send_urdf(struct lws * wsi, view_page_t * page, const live_robot_t * robot)
{
  if (!robot->urdf) {
    return view_http_error(
      wsi, page, HTTP_STATUS_NOT_FOUND, "the URDF of this robot is not known yet");
  }
  return send_answer(
    wsi, page,
    &(answer_t){
      .status = HTTP_STATUS_OK,
      .type = "application/xml",
      .body = robot->urdf,
      .size = robot->urdf_size});
}

// "ID/model" or "ID/urdf"; 1 if it is not one of these robots
static int
send_of(
  view_server_t * server, live_t * live, struct lws * wsi, view_page_t * page, const char * path)
{
  int code = 1;
  const char * slash = strchr(path, '/');
  const live_view_t * view = live_lock(live);
  for (int i = 0; slash && i < view->n && code > 0; i++) {
    const live_robot_t * r = view->robot[i];
    const size_t n = (size_t)(slash - path);
    if (strlen(r->id) != n || strncmp(r->id, path, n) != 0) continue;
    if (strcmp(slash, "/urdf") == 0) code = send_urdf(wsi, page, r);
    if (strcmp(slash, "/model") == 0) {
      view_model(&server->scratch.text, r, server->options->facts.mechanism);
      code = send_json(server, wsi, page);
    }
  }
  live_unlock(live);
  return code;
}

static int
send_robot(view_server_t * server, struct lws * wsi, view_page_t * page, const char * path)
{
  const view_sources_t * s = &server->sources;
  int code = s->live ? send_of(server, s->live, wsi, page, path) : 1;
  if (code > 0) code = send_of(server, recording_live(s->recording), wsi, page, path);
  if (code <= 0) return code;
  return view_http_error(wsi, page, HTTP_STATUS_NOT_FOUND, "no such robot (see /api/robots)");
}

//---------- requests ----------

// the token in the address becomes a cookie: it must not stay in the browser's history
static int
keep_token(view_server_t * server, struct lws * wsi, view_page_t * page)
{
  char cookie[VIEW_TOKEN + 80];
  snprintf(
    cookie, sizeof cookie, "mbdyn_token_%d=%s; HttpOnly; SameSite=Strict; Path=/",
    lws_get_vhost_listen_port(lws_get_vhost(wsi)), server->options->guard.token);
  return send_answer(
    wsi, page,
    &(answer_t){
      .status = HTTP_STATUS_SEE_OTHER, .type = "text/plain", .location = "/", .cookie = cookie});
}

static const char *
after(const char * path, const char * start)
{
  const size_t n = strlen(start);
  return strncmp(path, start, n) == 0 ? path + n : NULL;
}

static int
route(view_server_t * server, struct lws * wsi, view_page_t * page, const char * path)
{
  const char * rest;
  if (strcmp(path, "/api/health") == 0) return send_health(server, wsi, page);
  if (strcmp(path, "/api/robots") == 0) return send_robots(server, wsi, page);
  if (strcmp(path, "/api/recording") == 0) return send_recording(server, wsi, page);
  if ((rest = after(path, "/api/robots/"))) return send_robot(server, wsi, page, rest);
  if ((rest = after(path, "/mesh/"))) return send_mesh(server, wsi, page, rest);
  if (strcmp(path, "/live") == 0) {
    return view_http_error(wsi, page, HTTP_STATUS_BAD_REQUEST, "this path is a WebSocket");
  }
  return send_page(server, wsi, page, path);
}

int
view_http_request(view_server_t * server, struct lws * wsi, view_page_t * page, const char * path)
{
  char token[200];
  const unsigned refusal = view_http_refusal(server, wsi);
  if (refusal == HTTP_STATUS_UNAUTHORIZED) {
    return view_http_error(
      wsi, page, refusal, "open the address that mbdyn view printed, with its token");
  }
  if (refusal) return view_http_error(wsi, page, refusal, "wrong Host or Origin (--name NAME)");
  if (lws_hdr_total_length(wsi, WSI_TOKEN_PUT_URI) > 0) {
    const int code = view_upload_begin(server, wsi, page, path);
    if (code <= 0) return code;
  }
  if (!is_head(wsi) && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0) {
    // what else it has to say is not heard
    (void)view_http_error(
      wsi, page, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET and HEAD are supported");
    return -1;
  }
  if (!view_guard_path(path)) {
    return view_http_error(wsi, page, HTTP_STATUS_BAD_REQUEST, "a path within the page");
  }
  const bool first = *server->options->guard.token && strcmp(path, "/") == 0 &&
                     lws_get_urlarg_by_name(wsi, "token=", token, sizeof token);
  return first ? keep_token(server, wsi, page) : route(server, wsi, page, path);
}
