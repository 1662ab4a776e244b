#include "watch.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "cb_time.h"
#include "watch_page.h"

typedef struct client {
  int fd;
  double at_s; /* of its last whole request, else of its beginning; 0: the place is free */
  bool dropped;
} client;

struct watch {
  struct MHD_Daemon *daemon;
  client client[2 * WATCH_CLIENTS]; /* those that are dropped still have to go */
  char address[INET_ADDRSTRLEN];
  watch_state *state;
  void *context;
  char *text; /* the newest state; NULL: none */
  double text_s;
};

/* ---- clients ---- */

/* Who asks every second is never the one that asked longest ago: half a request, or a stalled reader, makes
 * room for whoever comes. */
static void make_room(watch *w) {
  client *oldest = NULL;
  int n = 0;
  for (int i = 0; i < 2 * WATCH_CLIENTS; i++) {
    client *c = &w->client[i];
    if (c->at_s == 0 || c->dropped) continue;
    n++;
    if (!oldest || c->at_s < oldest->at_s) oldest = c;
  }
  if (n <= WATCH_CLIENTS) return;
  oldest->dropped = true;
  (void)shutdown(oldest->fd, SHUT_RDWR);
}

/* On the server's only thread, like all answers. */
static void on_client(void *context, struct MHD_Connection *connection, void **place,
                      enum MHD_ConnectionNotificationCode what) {
  watch *w = context;
  if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
    if (*place) *(client *)*place = (client){.fd = -1};
    return;
  }
  *place = NULL;
  for (int i = 0; i < 2 * WATCH_CLIENTS && !*place; i++)
    if (w->client[i].at_s == 0) *place = &w->client[i];
  if (!*place) return;
  *(client *)*place =
      (client){MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
               cb_now_monotonic_s(), false};
  make_room(w);
}

static void note_request(struct MHD_Connection *connection) {
  client *c = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
  if (c) c->at_s = cb_now_monotonic_s();
}

/* ---- answers ---- */

static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, const char *type, const char *text,
                              enum MHD_ResponseMemoryMode mode) {
  /* MHD does not write to what it is given. */
  struct MHD_Response *r = MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, mode);
  if (!r) return MHD_NO;
  const char *const headers[][2] = {
      {"Content-Type", type},
      {"Cache-Control", "no-store"},
      {"X-Content-Type-Options", "nosniff"},
      {"Content-Security-Policy",
       "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"}};
  enum MHD_Result ok = MHD_YES;
  for (size_t i = 0; i < sizeof headers / sizeof headers[0] && ok == MHD_YES; i++)
    ok = MHD_add_response_header(r, headers[i][0], headers[i][1]);
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED && ok == MHD_YES)
    ok = MHD_add_response_header(r, "Allow", "GET, HEAD");
  if (ok == MHD_YES) ok = MHD_queue_response(c, status, r);
  MHD_destroy_response(r);
  return ok;
}

static enum MHD_Result say(struct MHD_Connection *c, unsigned status, const char *sentence) {
  return answer(c, status, "text/plain; charset=utf-8", sentence, MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result answer_state(watch *w, struct MHD_Connection *c) {
  const double now = cb_now_monotonic_s();
  if (!w->text || now - w->text_s > WATCH_AGE_S) {
    free(w->text);
    w->text = w->state(w->context);
    w->text_s = now;
  }
  if (!w->text) return say(c, MHD_HTTP_SERVICE_UNAVAILABLE, "there is no state now\n");
  return answer(c, MHD_HTTP_OK, "application/json", w->text, MHD_RESPMEM_MUST_COPY);
}

/* HOST or HOST:PORT */
static bool names_host(const char *header, const char *host) {
  const size_t n = strlen(host);
  return strncmp(header, host, n) == 0 && (header[n] == '\0' || header[n] == ':');
}

static bool is_ours(const watch *w, struct MHD_Connection *c) {
  const char *host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
  if (!host) return false;
  /* At 0.0.0.0 the computer has more names than this program knows; who opened it there said so. */
  return strcmp(w->address, "0.0.0.0") == 0 || names_host(host, w->address) || names_host(host, "localhost");
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_bytes, void **kept) {
  watch *w = context;
  (void)version, (void)upload, (void)kept;
  note_request(c);
  if (*upload_bytes > 0) return MHD_NO;
  if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
    return say(c, MHD_HTTP_METHOD_NOT_ALLOWED, "this page can be read, and nothing else\n");
  if (!is_ours(w, c))
    return say(c, MHD_HTTP_FORBIDDEN, "another host was named than the one that was asked\n");
  if (strcmp(url, "/") == 0)
    return answer(c, MHD_HTTP_OK, "text/html; charset=utf-8", watch_page, MHD_RESPMEM_PERSISTENT);
  if (strcmp(url, "/state.json") == 0) return answer_state(w, c);
  return say(c, MHD_HTTP_NOT_FOUND, "there are / and /state.json\n");
}

/* ---- the service ---- */

static cb_status read_address(const char *address, int port, struct sockaddr_in *out, cb_err *err) {
  *out = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (port < 0 || port > 65535) return cb_fail(err, CB_E_ARG, "port %d: 0 to 65535 was wanted", port);
  if (inet_pton(AF_INET, address, &out->sin_addr) == 1) return CB_OK;
  return cb_fail(err, CB_E_ARG, "address '%.40s': a numeric one such as 127.0.0.1 was wanted", address);
}

cb_status watch_start(const char *address, int *port, watch_state *state, void *context, watch **out,
                      cb_err *err) {
  struct sockaddr_in at;
  *out = NULL;
  CB_TRY(read_address(address, *port, &at, err));
  watch *w = calloc(1, sizeof *w);
  if (!w) return cb_no_memory(err, "the page's server");
  (void)snprintf(w->address, sizeof w->address, "%s", address);
  w->state = state;
  w->context = context;
  w->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL, on_request, w, MHD_OPTION_SOCK_ADDR,
      (struct sockaddr *)&at, MHD_OPTION_CONNECTION_LIMIT, (unsigned)(2 * WATCH_CLIENTS),
      MHD_OPTION_NOTIFY_CONNECTION, on_client, w, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WATCH_TIMEOUT_S,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WATCH_REQUEST_BYTES, MHD_OPTION_END);
  if (!w->daemon) {
    const int wanted = *port;
    free(w);
    return cb_fail(err, CB_E_IO, "%s:%d cannot be served: is the port taken?", address, wanted);
  }
  *port = MHD_get_daemon_info(w->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  *out = w;
  return CB_OK;
}

void watch_stop(watch *w) {
  if (!w) return;
  MHD_stop_daemon(w->daemon);
  free(w->text);
  free(w);
}
