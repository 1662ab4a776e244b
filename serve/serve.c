#include "serve.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "serve_impl.h"

struct serve {
  struct MHD_Daemon *daemon;
  serve_crowd crowd;
  serve_streams streams;
  char address[INET_ADDRSTRLEN], secret[SERVE_SECRET];
  int port;
  serve_login *login; /* NULL: everyone may ask */
  serve_handler *handler;
  void *context;
};

struct serve_request {
  serve *server;
  struct MHD_Connection *connection;
  const char *path;
  const char *person;
  serve_form *form;     /* NULL: a question */
  serve_stream *stream; /* of what it follows; NULL: nothing */
  bool broken;          /* what was sent is no form */
};

const char *serve_path(const serve_request *q) { return q->path; }
bool serve_is_form(const serve_request *q) { return q->form != NULL; }
const char *serve_person(const serve_request *q) { return q->person; }
int serve_port(const serve *s) { return s->port; }
const char *serve_secret(const serve_request *q) { return q->server->secret; }

struct MHD_Connection *serve_connection(const serve_request *q) {
  return q->connection;
}

void serve_ask(const serve_request *q, serve_answer *a) {
  *a = (serve_answer){
      .status = MHD_HTTP_NOT_FOUND, .type = "text/plain; charset=utf-8", .text = "", .stays = true};
  q->server->handler(q->server->context, q, a);
}

const char *serve_value(const serve_request *q, const char *key) {
  if (q->form) return serve_form_value(q->form, key);
  return MHD_lookup_connection_value(q->connection, MHD_GET_ARGUMENT_KIND, key);
}

/* ---- answers ---- */

/* Scripts, styles and pictures are this server's own, and none of them is in the text of a page. */
#define POLICY                                                                                        \
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: blob:; connect-src " \
  "'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'"

static enum MHD_Result add_headers(struct MHD_Response *r, const serve_answer *a) {
  const char *const headers[][2] = {
      {"Content-Type", a->type},
      {"Cache-Control", a->stays && a->status == MHD_HTTP_OK ? "max-age=60" : "no-store"},
      {"X-Content-Type-Options", "nosniff"},
      /* Not no-referrer: with it a browser sends the forms of these pages with the origin `null`. */
      {"Referrer-Policy", "same-origin"},
      {"Content-Security-Policy", POLICY},
      {"Allow", a->status == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET, HEAD" : NULL},
      {"Location", a->status == MHD_HTTP_SEE_OTHER ? a->text : NULL},
      {"WWW-Authenticate",
       a->status == MHD_HTTP_UNAUTHORIZED ? "Basic realm=\"clothbench\", charset=\"UTF-8\"" : NULL},
  };
  enum MHD_Result ok = MHD_YES;
  for (size_t i = 0; i < sizeof headers / sizeof headers[0] && ok == MHD_YES; i++)
    if (headers[i][1]) ok = MHD_add_response_header(r, headers[i][0], headers[i][1]);
  return ok;
}

static enum MHD_Result queue(struct MHD_Connection *c, const serve_answer *a, struct MHD_Response *r) {
  if (!r) return MHD_NO;
  enum MHD_Result ok = add_headers(r, a);
  if (ok == MHD_YES) ok = MHD_queue_response(c, (unsigned)a->status, r);
  MHD_destroy_response(r);
  return ok;
}

static enum MHD_Result give(struct MHD_Connection *c, const serve_answer *a) {
  /* MHD does not write to what it is given. */
  return queue(c, a,
               MHD_create_response_from_buffer(a->n, (void *)(uintptr_t)a->text,
                                               a->stays ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY));
}

static enum MHD_Result follow(serve_request *q, const serve_answer *a) {
  const serve_answer head = {.status = MHD_HTTP_OK, .type = "text/event-stream"};
  struct MHD_Response *r = NULL;
  q->stream = serve_stream_begin(&q->server->streams, q, a, &r);
  return queue(q->connection, &head, r);
}

static enum MHD_Result say(struct MHD_Connection *c, unsigned status, const char *sentence) {
  const serve_answer a = {.status = (int)status,
                          .type = "text/plain; charset=utf-8",
                          .text = sentence,
                          .n = strlen(sentence),
                          .stays = true};
  return give(c, &a);
}

/* ---- who may ask ---- */

/* HOST or HOST:PORT */
static bool names_host(const char *header, const char *host) {
  const size_t n = strlen(host);
  return strncmp(header, host, n) == 0 && (header[n] == '\0' || header[n] == ':');
}

static const char *host_of(struct MHD_Connection *c) {
  return MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
}

static bool is_ours(const serve *s, struct MHD_Connection *c) {
  const char *host = host_of(c);
  if (!host) return false;
  /* At 0.0.0.0 the computer has more names than this program knows; who opened it there said so. */
  return strcmp(s->address, "0.0.0.0") == 0 || names_host(host, s->address) || names_host(host, "localhost");
}

static bool is_of_our_page(struct MHD_Connection *c) {
  const char *origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin"), *host = host_of(c);
  return origin && host && strncmp(origin, "http://", 7) == 0 && strcmp(origin + 7, host) == 0;
}

/* In a time that does not tell how many digits were right. */
static bool knows_secret(const serve *s, const char *token) {
  if (!token || strlen(token) != SERVE_SECRET - 1) return false;
  unsigned differs = 0;
  for (size_t i = 0; i < SERVE_SECRET - 1; i++) differs |= (unsigned)(token[i] ^ s->secret[i]);
  return differs == 0;
}

/* ---- requests ---- */

static enum MHD_Result answer(serve *s, serve_request *q) {
  serve_answer a;
  if (q->broken) return say(q->connection, MHD_HTTP_BAD_REQUEST, "this is no form of a page\n");
  if (q->form && !(is_of_our_page(q->connection) && knows_secret(s, serve_value(q, "token"))))
    return say(q->connection, MHD_HTTP_FORBIDDEN, "only a page of this start of the program may write\n");
  serve_ask(q, &a);
  return a.follows ? follow(q, &a) : give(q->connection, &a);
}

/* The first call for a request: its head has come. */
static enum MHD_Result begin(serve *s, struct MHD_Connection *c, const char *method, void **kept) {
  const bool asks = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0,
             writes = s->secret[0] && strcmp(method, "POST") == 0;
  serve_crowd_note(c);
  if (!asks && !writes)
    return say(c, MHD_HTTP_METHOD_NOT_ALLOWED, "these pages can be read, and nothing else\n");
  if (!is_ours(s, c))
    return say(c, MHD_HTTP_FORBIDDEN, "another host was named than the one that was asked\n");
  const char *person = s->login ? serve_login_of(s->login, c) : NULL;
  if (s->login && !person) return say(c, MHD_HTTP_UNAUTHORIZED, "a name and a password are wanted\n");
  serve_request *q = calloc(1, sizeof *q);
  if (!q) return MHD_NO;
  q->server = s;
  q->connection = c;
  q->person = person;
  if (writes) q->form = serve_form_make(c);
  q->broken = writes && !q->form;
  *kept = q;
  return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_bytes, void **kept) {
  serve *s = context;
  serve_request *q = *kept;
  (void)version;
  if (!q) return begin(s, c, method, kept);
  if (*upload_bytes > 0) {
    if (!q->form && !q->broken) return MHD_NO; /* a question with a body */
    q->broken = q->broken || !serve_form_add(q->form, upload, *upload_bytes);
    *upload_bytes = 0;
    return MHD_YES;
  }
  q->path = url;
  return answer(s, q);
}

static void on_end(void *context, struct MHD_Connection *c, void **kept,
                   enum MHD_RequestTerminationCode how) {
  serve_request *q = *kept;
  (void)context, (void)c, (void)how;
  if (!q) return;
  serve_stream_end(q->stream);
  serve_form_end(q->form);
  free(q);
  *kept = NULL;
}

/* ---- the service ---- */

static cb_status read_address(const serve_options *o, struct sockaddr_in *out, cb_err *err) {
  *out = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)o->port)};
  if (o->port < 0 || o->port > 65535)
    return cb_fail(err, CB_E_ARG, "port %d: 0 to 65535 was wanted", o->port);
  if (inet_pton(AF_INET, o->address, &out->sin_addr) != 1)
    return cb_fail(err, CB_E_ARG, "address '%.40s': a numeric one such as 127.0.0.1 was wanted", o->address);
  if (o->writes && !o->passwords && ntohl(out->sin_addr.s_addr) >> 24 != 127)
    return cb_fail(
        err, CB_E_ARG,
        "address '%.40s': others reach it, and without passwords forms are taken at 127.0.0.1 only",
        o->address);
  return CB_OK;
}

static cb_status make_secret(char secret[SERVE_SECRET], cb_err *err) {
  unsigned char bytes[(SERVE_SECRET - 1) / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return cb_fail(err, CB_E_IO, "the computer gives no random numbers for the secret of the pages");
  for (size_t i = 0; i < sizeof bytes; i++) (void)snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
  return CB_OK;
}

static cb_status start_daemon(serve *s, const struct sockaddr_in *at, cb_err *err) {
  s->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, s,
      MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)at, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned)(2 * SERVE_CLIENTS), MHD_OPTION_NOTIFY_CONNECTION, serve_crowd_notify, &s->crowd,
      MHD_OPTION_NOTIFY_COMPLETED, on_end, s, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVE_TIMEOUT_S,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)SERVE_REQUEST_BYTES, MHD_OPTION_END);
  if (!s->daemon)
    return cb_fail(err, CB_E_IO, "%s:%d cannot be served: is the port taken?", s->address,
                   ntohs(at->sin_port));
  s->port = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  return CB_OK;
}

cb_status serve_start(const serve_options *o, serve **out, cb_err *err) {
  struct sockaddr_in at;
  *out = NULL;
  CB_TRY(read_address(o, &at, err));
  serve *s = calloc(1, sizeof *s);
  if (!s) return cb_no_memory(err, "the server of the pages");
  (void)snprintf(s->address, sizeof s->address, "%s", o->address);
  s->handler = o->handler;
  s->context = o->context;
  pthread_mutex_init(&s->streams.lock, NULL);
  cb_status st = o->writes ? make_secret(s->secret, err) : CB_OK;
  if (st == CB_OK && o->passwords) st = serve_login_read(o->passwords, &s->login, err);
  if (st == CB_OK) st = start_daemon(s, &at, err);
  if (st == CB_OK)
    *out = s;
  else
    serve_stop(s);
  return st;
}

void serve_wake(serve *s) { serve_streams_wake(&s->streams, false); }

void serve_stop(serve *s) {
  if (!s) return;
  serve_streams_wake(&s->streams, true); /* MHD stops with nobody suspended */
  if (s->daemon) MHD_stop_daemon(s->daemon);
  pthread_mutex_destroy(&s->streams.lock);
  serve_login_end(s->login);
  free(s);
}
