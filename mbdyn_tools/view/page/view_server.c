#include "view_server.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command.h"
#include "view_internal.h"
#include "view_masking.h"

// of the server's own clock [us]
enum { TICK = 16000, IDLE_TICK = 100000 };

//---------- WebSocket ----------

static int
close_page(struct lws * wsi, enum lws_close_status status, const char * why)
{
  char reason[100];
  snprintf(reason, sizeof reason, "%s", why);
  lws_close_reason(wsi, status, (unsigned char *)reason, strlen(reason));
  return -1;
}

// not when it is opened: libwebsockets 4.1 does not survive that with frames waiting
static int
refuse_early(struct lws * wsi)
{
  return close_page(
    wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR, "WebSocket frames before the end of the handshake");
}

static int
open_page(view_server_t * server, struct lws * wsi, view_page_t * page)
{
  page->fd = lws_get_socket_fd(wsi);
  page->early = !view_masking_upgrade(page->fd);
  // what waits in the kernel is old when it arrives
  const int bytes = 64 * 1024;
  (void)setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  page->client = malloc(sizeof *page->client);
  page->frame = malloc(VIEW_FRAME);
  if (!page->client || !page->frame) return -1;
  view_client_init(page->client);
  server->pages++;
  lws_callback_on_writable(wsi);
  return 0;
}

static void
end_page(view_server_t * server, view_page_t * page)
{
  view_masking_end(page->fd);
  if (page->client) {
    view_client_fini(page->client);
    server->pages--;
  }
  free(page->client);
  free(page->frame);
  page->client = NULL;
  page->frame = NULL;
}

static int
receive(view_server_t * server, struct lws * wsi, view_page_t * page, const char * in, size_t n)
{
  if (page->early) return refuse_early(wsi);
  if (lws_frame_is_binary(wsi)) {
    return close_page(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
  }
  const size_t rest = lws_remaining_packet_payload(wsi);
  if (page->frame_size + n + rest > VIEW_FRAME) {
    return close_page(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "at most 16384 bytes");
  }
  memcpy(page->frame + page->frame_size, in, n);
  page->frame_size += n;
  if (rest > 0 || !lws_is_final_fragment(wsi)) return 0;
  const bool fine = view_client_request(
    page->client, &server->sources, &server->options->facts, page->frame, page->frame_size,
    live_monotonic());
  page->frame_size = 0;
  if (!fine) return close_page(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many requests");
  lws_callback_on_writable(wsi);
  return 0;
}

// one message at a time, and only when the last one is gone
static int
send_next(view_server_t * server, struct lws * wsi, view_page_t * page)
{
  view_scratch_t * s = &server->scratch;
  if (server->end > 0)
    return close_page(wsi, LWS_CLOSE_STATUS_GOINGAWAY, "the server is shutting down");
  if (page->early) return refuse_early(wsi);
  if (lws_send_pipe_choked(wsi)) return 0;
  const double now = live_monotonic();
  if (!view_client_next(page->client, &server->sources, &server->options->facts, s, now)) return 0;
  unsigned char * from = (unsigned char *)json_out_text(&s->text);
  if (lws_write(wsi, from, s->text.size, LWS_WRITE_TEXT) < (int)s->text.size) return -1;
  lws_callback_on_writable(wsi);
  return 0;
}

// who may open one
static int
confirm(view_server_t * server, struct lws * wsi, view_page_t * page, const char * what)
{
  char path[16];
  const unsigned refusal = view_http_refusal(server, wsi);
  const int n = lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI);
  unsigned status = refusal;
  if (!status && (strcasecmp(what, "websocket") != 0 || n <= 0 || strcmp(path, "/live") != 0)) {
    status = HTTP_STATUS_NOT_FOUND;
  }
  if (!status && server->pages >= VIEW_PAGES) status = HTTP_STATUS_SERVICE_UNAVAILABLE;
  (void)page;
  if (!status) return 0;
  return lws_return_http_status(wsi, status, NULL) ? -1 : 1;
}

//---------- callbacks ----------

static void
count(view_server_t * server, struct lws * wsi, bool comes)
{
  if (comes) {
    lws_set_opaque_user_data(wsi, server);
    server->connections++;
  } else if (lws_get_opaque_user_data(wsi) == server) {
    lws_set_opaque_user_data(wsi, NULL);
    server->connections--;
  }
}

static int
on_event(struct lws * wsi, enum lws_callback_reasons reason, void * user, void * in, size_t n)
{
  view_server_t * server = lws_context_user(lws_get_context(wsi));
  view_page_t * page = user;
  switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
      return server->connections >= VIEW_CONNECTIONS || server->end > 0;
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
      count(server, wsi, true);
      return view_masking_begin(lws_get_socket_fd(wsi)) ? 0 : -1;
    case LWS_CALLBACK_WSI_DESTROY: return count(server, wsi, false), 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm(server, wsi, page, in);
    case LWS_CALLBACK_HTTP: return view_http_request(server, wsi, page, in);
    case LWS_CALLBACK_HTTP_BODY: return view_upload_body(wsi, page, in, n);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return view_upload_complete(wsi, page);
    case LWS_CALLBACK_HTTP_WRITEABLE: return view_http_writable(wsi, page);
    case LWS_CALLBACK_HTTP_FILE_COMPLETION: return lws_http_transaction_completed(wsi) ? -1 : 0;
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
      if (page) {
        view_upload_end(page);
        free(page->body);
        page->body = NULL;
      }
      return 0;
    case LWS_CALLBACK_ESTABLISHED: return open_page(server, wsi, page);
    case LWS_CALLBACK_RECEIVE: return receive(server, wsi, page, in, n);
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_next(server, wsi, page);
    case LWS_CALLBACK_CLOSED: return end_page(server, page), 0;
    default: return lws_callback_http_dummy(wsi, reason, user, in, n);
  }
}

// a page that names no subprotocol gets the first one, which does the same
static const struct lws_protocols PROTOCOLS[] = {
  {"http", on_event, sizeof(view_page_t), VIEW_FRAME, 0, NULL, 0},
  {"mbdyn.1", on_event, sizeof(view_page_t), VIEW_FRAME, 1, NULL, 0},
  {NULL, NULL, 0, 0, 0, NULL, 0}};

static void
tick(lws_sorted_usec_list_t * list)
{
  view_server_t * server = lws_container_of(list, view_server_t, tick);
  if (server->end <= 0 && atomic_load(server->stopped)) server->end = live_monotonic();
  for (int i = 0; i < 2 && server->pages > 0; i++) {
    lws_callback_on_writable_all_protocol(server->context, &PROTOCOLS[i]);
  }
  lws_sul_schedule(server->context, 0, list, tick, server->pages > 0 ? TICK : IDLE_TICK);
}

//---------- start and end ----------

static int
complain(const view_options_t * o, int error)
{
  fprintf(stderr, "mbdyn view: cannot listen on %s, port %d: ", o->bind, o->port);
  if (error == EADDRINUSE) {
    fprintf(
      stderr, "it is already in use, perhaps by another view; try --port %d, or --port 0 for any\n",
      o->port + 1);
  } else {
    fprintf(stderr, "%s\n", strerror(error));
  }
  return CLI_TROUBLE;
}

// libwebsockets says little about why it cannot listen
static bool
can_listen(const view_options_t * o)
{
  char port[16];
  const struct addrinfo hints = {
    .ai_flags = AI_NUMERICHOST | AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
  struct addrinfo * address = NULL;
  const int on = 1;
  snprintf(port, sizeof port, "%d", o->port);
  if (getaddrinfo(o->bind, port, &hints, &address) != 0) {
    fprintf(stderr, "mbdyn view: --bind '%s': expected an address such as 0.0.0.0\n", o->bind);
    return false;
  }
  const int s = socket(address->ai_family, SOCK_STREAM, 0);
  if (s >= 0) (void)setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const bool good =
    s >= 0 && bind(s, address->ai_addr, address->ai_addrlen) == 0 && listen(s, 1) == 0;
  const int error = errno;
  if (s >= 0) close(s);
  freeaddrinfo(address);
  if (!good) complain(o, error);
  return good;
}

static void
raise_limit(void)
{
  const rlim_t enough = VIEW_CONNECTIONS + 200;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  // neither too few for many connections, nor so many that tables of them are large
  limit.rlim_cur = limit.rlim_max < enough ? limit.rlim_max : enough;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static void
say(int level, const char * line)
{
  (void)level;
  fprintf(stderr, "mbdyn view: %s", line);
}

static const struct lws_protocol_vhost_options HEADERS[] = {
  {&HEADERS[1], NULL, "x-content-type-options:", "nosniff"},
  {&HEADERS[2], NULL, "x-frame-options:", "DENY"},
  {&HEADERS[3], NULL, "referrer-policy:", "no-referrer"},
  {NULL, NULL, "content-security-policy:",
   // data: and blob: are textures inside meshes
   "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' data: blob:; "
   "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}};

static struct lws_context *
make_context(view_server_t * server)
{
  // a page that is gone without a word, or that has stopped reading, is closed after a minute
  static const lws_retry_bo_t idle = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 60};
  const view_options_t * o = server->options;
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.port = o->port;
  info.iface = o->bind;
  info.protocols = PROTOCOLS;
  info.user = server;
  info.headers = HEADERS;
  info.gid = info.uid = -1;
  info.server_string = "mbdyn";
  if (!strchr(o->bind, ':')) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
  // who says little for long makes room for others
  info.timeout_secs = 5;
  info.timeout_secs_ah_idle = 5;
  info.keepalive_timeout = 15;
  info.max_http_header_data = 8192;
  info.max_http_header_pool2 = VIEW_CONNECTIONS;
  info.fd_limit_per_thread = VIEW_CONNECTIONS + 50;
  info.retry_and_idle_policy = &idle;
  info.vhost_name = "mbdyn";
  return lws_create_context(&info);
}

static void
greet(const view_server_t * server)
{
  const view_options_t * o = server->options;
  const int port = lws_get_vhost_listen_port(lws_get_vhost_by_name(server->context, "mbdyn"));
  const bool here = view_guard_loopback(o->bind), v6 = strchr(o->bind, ':') != NULL;
  printf(
    "mbdyn view: http://%s%s%s:%d/%s%s\n", v6 ? "[" : "", here && !v6 ? "localhost" : o->bind,
    v6 ? "]" : "", port, *o->guard.token ? "?token=" : "", o->guard.token);
  if (strcmp(o->bind, "0.0.0.0") == 0 || strcmp(o->bind, "::") == 0) {
    printf("%s: all addresses of this machine.\n", o->bind);
  }
  if (!o->web) puts("mbdyn view: the page is not installed: --web DIR; /api/robots works");
  puts("Press Ctrl-C to stop.");
  fflush(stdout);
}

int
view_serve(
  const view_options_t * options, const view_sources_t * sources, const atomic_bool * stopped)
{
  const double timeout = 0.3;
  view_server_t server = {
    .options = options, .sources = *sources, .stopped = stopped, .start = live_monotonic()};
  if (!can_listen(options)) return CLI_TROUBLE;
  raise_limit();
  lws_set_log_level(LLL_ERR, say);
  server.context = make_context(&server);
  if (!server.context) return complain(options, EADDRINUSE);
  greet(&server);
  lws_sul_schedule(server.context, 0, &server.tick, tick, TICK);
  bool going = true;
  while (going && lws_service(server.context, 0) >= 0) {
    const double waited = server.end > 0 ? live_monotonic() - server.end : 0;
    going = server.end <= 0 || (server.pages > 0 && waited < timeout);
  }
  lws_context_destroy(server.context);
  view_scratch_fini(&server.scratch);
  return CLI_OK;
}
