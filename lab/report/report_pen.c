#include "report_pen.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "report_child.h"

enum { SCRIPT, PICTURE, WORDS, FILES };

struct report_pen {
  int limit_s;
  pid_t pid;          /* 0: gnuplot is not running */
  int wire;           /* its standard input and output */
  FILE *files[FILES]; /* without names; the words are its standard error */
};

cb_status report_pen_new(int limit_s, report_pen **pen, cb_err *err) {
  *pen = calloc(1, sizeof **pen);
  if (!*pen) return cb_no_memory(err, "gnuplot");
  (*pen)->limit_s = limit_s;
  return CB_OK;
}

static cb_status start(report_pen *p, cb_err *err) {
  static const char *const gnuplot[] = {"gnuplot", "-d", NULL}; /* -d: nobody's own settings */
  const struct timeval limit = {.tv_sec = p->limit_s};
  int ends[2];
  if (p->pid > 0) return CB_OK;
  bool made = true;
  for (int i = 0; i < FILES; i++) made = made && (p->files[i] || (p->files[i] = tmpfile()));
  if (!made || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return cb_fail(err, CB_E_IO, "gnuplot: no temporary files for it: %s", strerror(errno));
  p->wire = ends[0];
  (void)setsockopt(p->wire, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  const cb_status st = report_child_start(gnuplot, ends[1], ends[1], fileno(p->files[WORDS]), &p->pid, err);
  (void)close(ends[1]);
  if (st != CB_OK) (void)close(p->wire);
  return st;
}

static cb_status stop(report_pen *p, cb_err *err) {
  const pid_t pid = p->pid;
  p->pid = 0;
  (void)close(p->wire);
  return report_child_end(pid, "gnuplot", "figures need it (Debian: apt-get install gnuplot-nox)",
                          p->files[WORDS], err);
}

void report_pen_free(report_pen *p) {
  cb_err ended;
  if (!p) return;
  if (p->pid > 0 && kill(p->pid, SIGKILL) == 0) (void)!stop(p, &ended);
  for (int i = 0; i < FILES; i++)
    if (p->files[i]) (void)fclose(p->files[i]);
  free(p);
}

/* Returns whether gnuplot says that it is done. It reads its standard input byte by byte, and a file at once.
 * It opens the file of the picture anew, which empties it. */
static bool draw(report_pen *p, const report_text *script) {
  FILE *f = p->files[SCRIPT];
  char lines[160], done;
  const int n =
      snprintf(lines, sizeof lines,
               "reset\nset output '/dev/fd/%d'\nload '/dev/fd/%d'\nunset output\nset print '-'\nprint ''\n",
               fileno(p->files[PICTURE]), fileno(f));
  rewind(p->files[WORDS]);
  rewind(f);
  if (ftruncate(fileno(p->files[PICTURE]), 0) != 0 || ftruncate(fileno(p->files[WORDS]), 0) != 0 ||
      ftruncate(fileno(f), 0) != 0 || fwrite(script->s, 1, script->n, f) != script->n || fflush(f) != 0 ||
      send(p->wire, lines, (size_t)n, MSG_NOSIGNAL) != n)
    return false;
  ssize_t got;
  while ((got = recv(p->wire, &done, 1, 0)) < 0 && errno == EINTR) continue;
  return got == 1;
}

static cb_status say_fault(report_pen *p, const char *title, bool late, cb_err *err) {
  cb_err why = {"gnuplot made no picture"};
  if (late) (void)kill(p->pid, SIGKILL);
  const cb_status st = stop(p, &why);
  if (late)
    return cb_fail(err, CB_E_IO, "figure '%s': gnuplot did not draw it within %d s", title, p->limit_s);
  return st == CB_E_NOTFOUND ? cb_fail(err, st, "%s", why.msg)
                             : cb_fail(err, CB_E_IO, "figure '%s': %s", title, why.msg);
}

cb_status report_pen_draw(report_pen *p, const report_text *script, const char *title, char **bytes,
                          size_t *n, cb_err *err) {
  *bytes = NULL;
  CB_TRY(start(p, err));
  errno = 0;
  const bool drawn = draw(p, script), late = !drawn && errno == EAGAIN;
  FILE *f = p->files[PICTURE];
  const long size = drawn && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
  if (size <= 0) return say_fault(p, title, late, err);
  if (!(*bytes = calloc(1, (size_t)size + 1))) return cb_no_memory(err, "a picture");
  rewind(f);
  *n = fread(*bytes, 1, (size_t)size, f);
  return CB_OK;
}
