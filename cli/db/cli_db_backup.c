/* `db backup`: a verified copy; with --keep one of several in a folder, named by its time. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_signals.h"
#include "cb_store_file.h"
#include "cb_time.h"
#include "cli_db.h"
#include "cli_share.h"

static bool on_progress(void *context, double done) {
  const cb_stop *const *stop = context;
  cli_progress("db", done, 1, "copying and verifying");
  return !cb_stop_wanted(*stop);
}

static int copy_to(const cli_db_request *q, const char *file) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_store_tally t = {0};
  cb_backup_options opt = cb_backup_options_default();
  const cb_stop *stop = cb_signals_listen();
  opt.progress = on_progress;
  opt.context = &stop;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_backup(s, file, &opt, &t, &err);
  const int code = cli_db_finish(s, st, &err);
  return code == CLI_DONE ? cli_db_say_tally(file, &t, q->json) : code;
}

/* ---- a folder of copies: STEM-2026-11-30T145901Z.db ---- */

#define STAMP_BYTES 19 /* with the zero */

static void name_copy(const char *db, char stem[128], char stamp[STAMP_BYTES]) {
  char now[32];
  const char *slash = strrchr(db, '/'), *name = slash ? slash + 1 : db, *dot = strrchr(name, '.');
  (void)snprintf(stem, 128, "%.*s", dot && dot > name ? (int)(dot - name) : 127, name);
  cb_now_iso8601(now);
  (void)snprintf(stamp, STAMP_BYTES, "%.13s%.2s%.2sZ", now, now + 14, now + 17);
}

static bool is_copy(const char *name, const char *stem) {
  static const char form[] = "-####-##-##T######Z.db";
  const size_t n = strlen(stem);
  if (strncmp(name, stem, n) != 0 || strlen(name + n) != sizeof form - 1) return false;
  for (size_t i = 0; form[i]; i++)
    if (form[i] == '#' ? name[n + i] < '0' || name[n + i] > '9' : name[n + i] != form[i]) return false;
  return true;
}

/* Counts the copies, and finds the oldest: their names are in the order of time. */
static int find_oldest(const char *folder, const char *stem, char oldest[256]) {
  int n = 0;
  DIR *d = opendir(folder);
  const struct dirent *entry;
  while (d && (entry = readdir(d))) {
    if (!is_copy(entry->d_name, stem)) continue;
    if (n++ == 0 || strcmp(entry->d_name, oldest) < 0) (void)snprintf(oldest, 256, "%s", entry->d_name);
  }
  if (d) (void)closedir(d);
  return n;
}

static int remove_oldest(const char *folder, const char *stem, int keep) {
  char oldest[256], path[4400];
  while (find_oldest(folder, stem, oldest) > keep) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, oldest);
    if (unlink(path) == 0) continue;
    cli_say("db", "%s: cannot be removed: %s", path, strerror(errno));
    return CLI_FAILED;
  }
  return CLI_DONE;
}

int cli_db_backup(const void *request) {
  const cli_db_request *q = request;
  char stem[128], stamp[STAMP_BYTES], path[4400];
  cb_err err = {""};
  const char *folder = q->words[0];
  if (q->keep == 0) return copy_to(q, folder);
  const cb_status st = cb_dir_make(folder, &err);
  if (st != CB_OK) return cli_fail("db", st, &err);
  name_copy(q->db, stem, stamp);
  (void)snprintf(path, sizeof path, "%s/%s-%s.db", folder, stem, stamp);
  const int code = copy_to(q, path);
  return code == CLI_DONE ? remove_oldest(folder, stem, (int)q->keep) : code;
}
