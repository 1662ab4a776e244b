/* clothbench serve: the pages of a database for a browser on this computer. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cb_signals.h"
#include "cb_store_file.h"
#include "cb_time.h"
#include "cli.h"
#include "cli_person.h"
#include "lab_watch.h"
#include "report_site.h"
#include "serve.h"

#define STATE_AGE_S 0.15 /* a state of the live page that is younger is given again */
#define STATE_OLDEST_S 1.0
#define STATES "/state.events" /* the same state, whenever it has changed */

#define BESIDE 9 /* other databases */

typedef struct written {
  struct timespec at[2]; /* of the file, and of what is not merged into it */
} written;

/* A database that is read. */
typedef struct shelf {
  const char *path;
  cb_store *store; /* open for this request, or a copy that stays: of an older schema, which takes seconds */
  written copied;
} shelf;

typedef struct site {
  const char *db, *person;
  const char *beside[BESIDE];
  size_t n_beside;
  shelf shelves[1 + BESIDE]; /* of the server's thread, while it runs; likewise those below */
  lab_verdicts verdicts;
  char *text;  /* of the last answer */
  char *state; /* of the live page; NULL: none */
  double state_s;
  written seen; /* when the state was read */
} site;

static const char *value_of(const void *context, const char *key) { return serve_value(context, key); }

/* ---- databases ---- */

/* Whether the file has been written since this was asked last. */
static bool was_written(const char *db, written *last) {
  bool changed = false;
  for (int i = 0; i < 2; i++) {
    char path[PATH_MAX];
    struct stat now = {.st_size = 0};
    (void)snprintf(path, sizeof path, "%s%s", db, i ? "-wal" : "");
    (void)stat(path, &now);
    changed = changed || memcmp(&last->at[i], &now.st_mtim, sizeof now.st_mtim) != 0;
    last->at[i] = now.st_mtim;
  }
  return changed;
}

static cb_status take(shelf *f, cb_store **out, cb_err *err) {
  if (was_written(f->path, &f->copied) && f->store && cb_store_is_copy(f->store)) {
    (void)cb_store_close(f->store, NULL);
    f->store = NULL;
  }
  const cb_status st = f->store ? CB_OK : cb_store_open(f->path, CB_STORE_READ, &f->store, err);
  *out = f->store;
  return st;
}

/* all: copies, too. */
static void put_back(site *w, bool all) {
  for (size_t k = 0; k < 1 + BESIDE; k++) {
    shelf *f = &w->shelves[k];
    if (!f->store || (!all && cb_store_is_copy(f->store))) continue;
    (void)cb_store_close(f->store, NULL);
    f->store = NULL;
  }
}

static cb_status take_beside(void *context, size_t k, cb_store **out, cb_err *err) {
  site *w = context;
  return take(&w->shelves[1 + k], out, err);
}

static report_site_query query_of(site *w, const serve_request *q) {
  const char *who = serve_person(q);
  return (report_site_query){.path = serve_path(q),
                             .value = value_of,
                             .context = q,
                             .secret = serve_secret(q),
                             .person = who ? who : w->person,
                             .signed_in = who != NULL,
                             .beside = w->beside,
                             .n_beside = w->n_beside,
                             .open = take_beside,
                             .shelf = w};
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
  if (take(&w->shelves[0], &s, NULL) != CB_OK) return NULL;
  const cb_status st = lab_watch_json(s, &w->verdicts, &doc, NULL);
  char *text = st == CB_OK ? json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(7)) : NULL;
  json_decref(doc);
  return text;
}

/* Who measures a campaign stands in no file, so that a state is never older than STATE_OLDEST_S. */
static void answer_state(site *w, serve_answer *a) {
  const double now_s = cb_now_monotonic_s(), age_s = now_s - w->state_s;
  if (!w->state || age_s > STATE_OLDEST_S || (age_s > STATE_AGE_S && was_written(w->db, &w->seen))) {
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
  cb_status st = take(&w->shelves[0], &s, &err);
  if (st == CB_OK) st = report_site_page(s, q, &out, &err);
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
  put_back(w, false);
}

/* ---- the command ---- */

static void serve_until_stopped(serve *server, const cb_stop *stop) {
  while (!cb_stop_wanted(stop)) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    serve_wake(server);
  }
  serve_stop(server);
}

static cb_status check_databases(site *w, cb_err *err) {
  cb_store *s;
  for (size_t k = 0; k < 1 + w->n_beside; k++) {
    w->shelves[k].path = k == 0 ? w->db : w->beside[k - 1];
    CB_TRY(take(&w->shelves[k], &s, err));
  }
  put_back(w, false);
  return CB_OK;
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
  const char *db = NULL, *address = "127.0.0.1", *passwords = NULL, *with = NULL;
  double port = 8770;
  bool read_only = false;
  const cli_opt opts[] = {
      {"db", CLI_TEXT, &db, "database file"},
      {"with", CLI_TEXT, &with, "another database, whose cloths and pairs are shown beside; it is only read"},
      {"port", CLI_NUMBER, &port, "of the pages; else 8770; 0: a free one", .min = 0, .max = 65535},
      {"listen", CLI_TEXT, &address,
       "address of this computer; else 127.0.0.1. At another one, all who reach it can read the database"},
      {"passwords", CLI_TEXT, &passwords,
       "file of lines NAME:HASH ('mkpasswd' prints the hash): who may read, and write"},
      {"read-only", CLI_SWITCH, &read_only, "no corrections from the pages"},
  };
  static site w;
  int stop =
      cli_parse(argc, argv,
                "serve [--db FILE] [--with FILE [FILE ...]] [--port N] [--listen ADDRESS] [--passwords "
                "FILE] [--read-only]",
                opts, sizeof opts / sizeof opts[0], w.beside + 1, 0, BESIDE - 1, &w.n_beside);
  if (stop >= 0) return stop;
  cb_err err = {""};
  serve *server = NULL;
  if (w.n_beside > 0 && !with) {
    cli_say("serve", "'%s' is one argument too many: --db or --with was wanted before it", w.beside[1]);
    return CLI_USAGE;
  }
  w.beside[0] = with;
  w.n_beside += with != NULL;
  w.db = cli_db_to_read(db);
  w.person = cli_person_name();
  const bool writes = !read_only && (passwords || strncmp(address, "127.", 4) == 0);
  const serve_options o = {.address = address,
                           .port = (int)port,
                           .writes = writes,
                           .passwords = passwords,
                           .handler = on_request,
                           .context = &w};
  const cb_stop *listens = cb_signals_listen(); /* before anybody knows the address */
  cb_status st = check_databases(&w, &err);
  if (st == CB_OK) st = serve_start(&o, &server, &err);
  if (st != CB_OK) return cli_fail("serve", st, &err);
  say_address(server, &o);
  serve_until_stopped(server, listens);
  put_back(&w, true);
  free(w.text);
  free(w.state);
  lab_verdicts_clear(&w.verdicts);
  return CLI_DONE;
}
