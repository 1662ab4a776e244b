/* clothbench serve: the pages of a database for a browser on this computer. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cb_signals.h"
#include "cb_time.h"
#include "cli.h"
#include "cli_person.h"
#include "lab_watch.h"
#include "report_site.h"
#include "serve.h"

#define STATE_AGE_S 0.15 /* a state of the live page that is younger is given again */
#define STATE_OLDEST_S 1.0
#define STATES "/state.events" /* the same state, whenever it has changed */

typedef struct site {
  const char *db, *person;
  lab_verdicts verdicts; /* of the server's thread, while it runs; likewise those below */
  char *text;            /* of the last answer */
  char *state;           /* of the live page; NULL: none */
  double state_s;
  struct timespec written[2]; /* when the state was read: the file, and what is not merged into it */
} site;

static const char *value_of(const void *context, const char *key) { return serve_value(context, key); }

static report_site_query query_of(const site *w, const serve_request *q) {
  const char *who = serve_person(q);
  return (report_site_query){.path = serve_path(q),
                             .value = value_of,
                             .context = q,
                             .secret = serve_secret(q),
                             .person = who ? who : w->person,
                             .signed_in = who != NULL};
}

static void put(serve_answer *a, int status, const char *type, const char *text, size_t n) {
  *a = (serve_answer){.status = status, .type = type, .text = text, .n = n};
}

static void keep(site *w, char *text) {
  free(w->text);
  w->text = text;
}

/* ---- the live page ---- */

/* A moment in which the file cannot be read (it is being made) has no state. */
static char *read_state(site *w) {
  cb_store *s;
  json_t *doc = NULL;
  if (cb_store_open(w->db, CB_STORE_READ, &s, NULL) != CB_OK) return NULL;
  const cb_status st = cb_store_close_after(s, lab_watch_json(s, &w->verdicts, &doc, NULL), NULL);
  char *text = st == CB_OK ? json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(7)) : NULL;
  json_decref(doc);
  return text;
}

/* Whether the file has been written since this was asked last. */
static bool was_written(site *w) {
  bool changed = false;
  for (int i = 0; i < 2; i++) {
    char path[PATH_MAX];
    struct stat now = {.st_size = 0};
    (void)snprintf(path, sizeof path, "%s%s", w->db, i ? "-wal" : "");
    (void)stat(path, &now);
    changed = changed || memcmp(&w->written[i], &now.st_mtim, sizeof now.st_mtim) != 0;
    w->written[i] = now.st_mtim;
  }
  return changed;
}

/* Who measures a campaign stands in no file, so that a state is never older than STATE_OLDEST_S. */
static void answer_state(site *w, serve_answer *a) {
  const double now_s = cb_now_monotonic_s(), age_s = now_s - w->state_s;
  if (!w->state || age_s > STATE_OLDEST_S || (age_s > STATE_AGE_S && was_written(w))) {
    free(w->state);
    w->state = read_state(w);
    w->state_s = now_s;
  }
  if (w->state)
    put(a, 200, "application/json", w->state, strlen(w->state));
  else
    put(a, 503, "text/plain; charset=utf-8", "there is no state now\n", 22);
}

/* ---- pages and forms ---- */

static int status_of(cb_status st) {
  if (st == CB_E_NOTFOUND) return 404;
  return st == CB_E_ARG || st == CB_E_RANGE || st == CB_E_PARSE ? 400 : 500;
}

static void answer_error(site *w, const report_site_query *q, cb_status st, const char *sentence,
                         serve_answer *a) {
  report_site_answer out;
  if (report_site_error(q, sentence, &out, NULL) != CB_OK) {
    put(a, 500, "text/plain; charset=utf-8", "no memory\n", 10);
    return;
  }
  keep(w, out.text);
  put(a, status_of(st), out.type, out.text, out.n);
}

static void answer_page(site *w, const report_site_query *q, serve_answer *a) {
  cb_err err = {""};
  cb_store *s;
  report_site_answer out = {0};
  cb_status st = cb_store_open(w->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, report_site_page(s, q, &out, &err), &err);
  if (st != CB_OK) {
    answer_error(w, q, st, err.msg, a);
    return;
  }
  keep(w, out.text);
  put(a, 200, out.type, out.text ? out.text : out.fixed, out.n);
  a->stays = out.fixed != NULL;
}

static void answer_form(site *w, const report_site_query *q, serve_answer *a) {
  static char to[64]; /* of the server's thread */
  cb_err err = {""};
  cb_store *s;
  cb_status st = cb_store_open(w->db, CB_STORE_WRITE, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, report_site_form(s, q, to, &err), &err);
  if (st == CB_OK)
    put(a, 303, "text/plain; charset=utf-8", to, strlen(to));
  else
    answer_error(w, q, st, err.msg, a);
}

static void on_request(void *context, const serve_request *request, serve_answer *a) {
  site *w = context;
  const report_site_query q = query_of(w, request);
  if (serve_is_form(request))
    answer_form(w, &q, a);
  else if (strcmp(q.path, "/state.json") == 0 || strcmp(q.path, STATES) == 0)
    answer_state(w, a);
  else
    answer_page(w, &q, a);
  a->follows = strcmp(q.path, STATES) == 0;
}

/* ---- the command ---- */

static void serve_until_stopped(serve *server) {
  const cb_stop *stop = cb_signals_listen();
  while (!cb_stop_wanted(stop)) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    serve_wake(server);
  }
}

static cb_status check_database(const char *db, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  return cb_store_close(s, err);
}

static void say_address(const serve *server, const serve_options *o) {
  const char *address = o->address;
  printf("http://%s:%d/\n", strcmp(address, "0.0.0.0") == 0 ? "localhost" : address, serve_port(server));
  (void)fflush(stdout);
  if (strncmp(address, "127.", 4) != 0 && o->passwords)
    cli_say("serve", "whoever is in %s can read the database%s at %s, without encryption", o->passwords,
            o->writes ? " and correct it" : "", address);
  else if (strncmp(address, "127.", 4) != 0)
    cli_say("serve", "everyone who reaches %s can read all of the database; nobody can write", address);
  else if (o->writes)
    cli_say("serve", "runs can be corrected on the pages, signed; --read-only forbids it. Ctrl-C ends this");
}

int cmd_serve(int argc, char **argv) {
  const char *db = NULL, *address = "127.0.0.1", *passwords = NULL;
  double port = 8770;
  bool read_only = false;
  const cli_opt opts[] = {
      {"db", CLI_TEXT, &db, "database file"},
      {"port", CLI_NUMBER, &port, "of the pages; else 8770; 0: a free one", .min = 0, .max = 65535},
      {"listen", CLI_TEXT, &address,
       "address of this computer; else 127.0.0.1. At another one, all who reach it can read the database"},
      {"passwords", CLI_TEXT, &passwords,
       "file of lines NAME:HASH ('mkpasswd' prints the hash): who may read, and write"},
      {"read-only", CLI_SWITCH, &read_only, "no corrections from the pages"},
  };
  int stop = cli_parse(argc, argv,
                       "serve [--db FILE] [--port N] [--listen ADDRESS] [--passwords FILE] [--read-only]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  serve *server = NULL;
  static site w;
  w.db = cli_db_to_read(db);
  w.person = cli_person_name();
  const bool writes = !read_only && (passwords || strncmp(address, "127.", 4) == 0);
  const serve_options o = {.address = address,
                           .port = (int)port,
                           .writes = writes,
                           .passwords = passwords,
                           .handler = on_request,
                           .context = &w};
  cb_status st = check_database(w.db, &err);
  if (st == CB_OK) st = serve_start(&o, &server, &err);
  if (st != CB_OK) return cli_fail("serve", st, &err);
  say_address(server, &o);
  serve_until_stopped(server);
  serve_stop(server);
  free(w.text);
  free(w.state);
  lab_verdicts_clear(&w.verdicts);
  return CLI_DONE;
}
