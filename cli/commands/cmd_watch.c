/* clothbench watch: a page for a tablet at the bench, on this computer alone unless somebody says otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "cb_signals.h"
#include "lab_watch.h"
#include "watch.h"

typedef struct watched {
  char db[4096];
  lab_verdicts verdicts; /* of the server's thread, while it runs */
} watched;

/* On the server's thread. A moment in which the file cannot be read (it is being made) has no state. */
static char *read_state(void *context) {
  watched *w = context;
  cb_store *s;
  json_t *doc = NULL;
  if (cb_store_open(w->db, CB_STORE_READ, &s, NULL) != CB_OK) return NULL;
  const cb_status st = cb_store_close_after(s, lab_watch_json(s, &w->verdicts, &doc, NULL), NULL);
  char *text = st == CB_OK ? json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(7)) : NULL;
  json_decref(doc);
  return text;
}

static void serve_until_stopped(void) {
  const cb_stop *stop = cb_signals_listen();
  while (!cb_stop_wanted(stop)) (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

static cb_status check_database(const char *db, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  return cb_store_close(s, err);
}

int cmd_watch(int argc, char **argv) {
  const char *db = NULL, *address = "127.0.0.1";
  double port_number = 8770;
  const cli_opt opts[] = {
      {"db", CLI_TEXT, &db, "the database that a campaign writes to"},
      {"port", CLI_NUMBER, &port_number, "of the page; else 8770; 0: a free one", .min = 0, .max = 65535},
      {"address", CLI_TEXT, &address,
       "of this computer; else 127.0.0.1. At another one, all who reach it can read the page"},
  };
  int stop = cli_parse(argc, argv, "watch [--db FILE] [--port N] [--address A]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  watch *w = NULL;
  int port = (int)port_number;
  static watched what;
  (void)snprintf(what.db, sizeof what.db, "%s", cli_db_path(db));
  cb_status st = check_database(what.db, &err);
  if (st == CB_OK) st = watch_start(address, &port, read_state, &what, &w, &err);
  if (st != CB_OK) return cli_fail("watch", st, &err);
  printf("http://%s:%d/\n", strcmp(address, "0.0.0.0") == 0 ? "localhost" : address, port);
  (void)fflush(stdout);
  if (strncmp(address, "127.", 4) != 0)
    cli_say("watch", "everyone who reaches %s can read the page; it cannot move the rig", address);
  serve_until_stopped();
  watch_stop(w);
  lab_verdicts_clear(&what.verdicts);
  return CLI_DONE;
}
