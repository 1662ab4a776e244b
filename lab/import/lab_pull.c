#include "lab_pull.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_draft.h"
#include "cb_file.h"
#include "cb_text.h"

typedef struct source {
  char host[256];
  const char *path;
} source;

/* ssh and rsync take a host that begins with - for an option, rsync also behind a user's name, and hand all
 * other characters to shells of the user's own settings. */
static bool is_host(const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@%+";
  for (const char *c = text; *c; c++)
    if ((c == text || c[-1] == '@') && (*c == '-' || *c == '@')) return false;
  return text[0] && !text[strspn(text, plain)] && text[strlen(text) - 1] != '@';
}

/* "/lab/a:b.db" and "./a:b" are files of this machine, as for scp; "host::a" is a service of rsync. A path
 * that begins with - could be taken for an option there. */
static bool split(const char *text, source *out) {
  const char *colon = strchr(text, ':'), *slash = strchr(text, '/');
  if (!colon || !colon[1] || (slash && slash < colon) || strchr(":-", colon[1])) return false;
  if ((size_t)(colon - text) >= sizeof out->host) return false;
  (void)snprintf(out->host, sizeof out->host, "%.*s", (int)(colon - text), text);
  out->path = colon + 1;
  return is_host(out->host);
}

bool lab_pull_is_remote(const char *text) {
  source s;
  return split(text, &s);
}

/* Runs a program of the PATH. Its output goes nowhere; ssh asks for passwords on the terminal itself. */
static cb_status run(char *const argv[], const char *what, cb_err *err) {
  int status = 0;
  (void)fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    if (!freopen("/dev/null", "w", stdout)) _exit(126);
    execvp(argv[0], argv);
    _exit(127);
  }
  if (pid < 0) return cb_fail(err, CB_E_IO, "%s: no process: %s", what, strerror(errno));
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (status == 0) return CB_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && strcmp(argv[0], "ssh") != 0)
    return cb_fail(err, CB_E_IO, "%s: '%s' is not there: it has to be installed here", what, argv[0]);
  return cb_fail(err, CB_E_IO, "%s: '%s' failed (exit status %d)", what, argv[0],
                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Makes a verified copy beside the database there: a file that nobody writes to. */
static cb_status copy_there(const source *s, const char *what, cb_err *err) {
  char *script, ssh[] = "ssh", end[] = "--", host[sizeof s->host];
  cb_draft d;
  CB_TRY(cb_draft_begin(&d, err));
  fputs("rm -f -- ", d.to);
  cb_text_put_shell(d.to, s->path);
  fputs(".pull && clothbench db backup --quiet ", d.to);
  cb_text_put_shell(d.to, s->path);
  fputs(".pull --db ", d.to);
  cb_text_put_shell(d.to, s->path);
  (void)snprintf(host, sizeof host, "%s", s->host);
  CB_TRY(cb_draft_end(&d, CB_OK, &script, err));
  const cb_status st = run((char *[]){ssh, end, host, script, NULL}, what, err);
  free(script);
  return st;
}

/* In place, so that an interrupted transfer and the next one go on from what is here. Times and sizes say
 * nothing of a database: blocks are compared. */
static cb_status bring(const char *text, const char *copy, cb_err *err) {
  char from[4096], to[LAB_PULL_PATH_BYTES], rsync[] = "rsync", options[] = "-szI", place[] = "--inplace",
                                            end[] = "--";
  (void)snprintf(from, sizeof from, "%s.pull", text);
  (void)snprintf(to, sizeof to, "%s", copy);
  return run((char *[]){rsync, options, place, end, from, to, NULL}, text, err);
}

static cb_status make_place(const char *db, const char *text, char copy[LAB_PULL_PATH_BYTES], cb_err *err) {
  char folder[LAB_PULL_PATH_BYTES];
  if (strlen(text) >= 200 || strlen(db) >= 4000)
    return cb_fail(err, CB_E_RANGE, "%.60s...: a shorter name was wanted", text);
  (void)snprintf(folder, sizeof folder, "%s.pulled", db);
  CB_TRY(cb_dir_make(folder, err));
  int n = snprintf(copy, LAB_PULL_PATH_BYTES, "%s/", folder);
  for (const char *c = text; *c; c++)
    copy[n++] = isalnum((unsigned char)*c) || *c == '.' || *c == '-' ? *c : '_';
  copy[n] = '\0';
  return CB_OK;
}

cb_status lab_pull_fetch(const char *db, const char *text, char copy[LAB_PULL_PATH_BYTES], cb_err *err) {
  source s;
  if (!split(text, &s)) return cb_fail(err, CB_E_ARG, "'%s': HOST:PATH was wanted", text);
  CB_TRY(make_place(db, text, copy, err));
  CB_TRY(copy_there(&s, text, err));
  return bring(text, copy, err);
}
