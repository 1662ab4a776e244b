#include "live_window.h"

#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_time.h"

#define FIND_TIMEOUT_S 2.0
#define END_TIMEOUT_S 0.2

extern char **environ;

/* ---- child ---- */

/* gnuplot with one of its standard streams at our end of the pipe and the others nowhere. SIGPIPE as gnuplot
 * expects it; a group of its own, so that the terminal's Ctrl-C is ours alone. */
static cb_status spawn_gnuplot(const char *const argv[], int own_stream, int its_end, pid_t *pid,
                               cb_err *err) {
  posix_spawn_file_actions_t streams;
  posix_spawnattr_t attributes;
  sigset_t pipe_only;
  (void)posix_spawn_file_actions_init(&streams);
  (void)posix_spawnattr_init(&attributes);
  for (int i = 0; i < 3; i++)
    (void)posix_spawn_file_actions_addopen(&streams, i, "/dev/null", i ? O_WRONLY : O_RDONLY, 0);
  (void)posix_spawn_file_actions_adddup2(&streams, its_end, own_stream);
  (void)sigemptyset(&pipe_only);
  (void)sigaddset(&pipe_only, SIGPIPE);
  (void)posix_spawnattr_setsigdefault(&attributes, &pipe_only);
  (void)posix_spawnattr_setpgroup(&attributes, 0);
  (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  /* posix_spawnp takes char *const[], as exec does, and does not write through it. */
  char *words[4] = {NULL};
  for (int i = 0; argv[i]; i++) words[i] = (char *)(uintptr_t)argv[i];
  int code = posix_spawnp(pid, "gnuplot", &streams, &attributes, words, environ);
  (void)posix_spawnattr_destroy(&attributes);
  (void)posix_spawn_file_actions_destroy(&streams);
  if (code == 0) return CB_OK;
  if (code == ENOENT) return cb_fail(err, CB_E_NOTFOUND, "gnuplot is not installed");
  return cb_fail(err, CB_E_IO, "gnuplot: cannot start it: %s", strerror(code));
}

/* A stopped process does not hear SIGTERM, but does not survive SIGKILL either. */
static void end_child(pid_t pid, double patience_s) {
  double deadline_s = cb_now_monotonic_s() + patience_s;
  while (cb_now_monotonic_s() < deadline_s) {
    if (waitpid(pid, NULL, WNOHANG) != 0) return;
    cb_sleep_s(0.005);
  }
  (void)kill(pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

/* Neither end reaches other children: what keeps a pipe open there would keep gnuplot alive. */
static cb_status make_pipe(int ends[2], cb_err *err) {
  if (pipe(ends) != 0) return cb_fail(err, CB_E_IO, "gnuplot: no pipe to it: %s", strerror(errno));
  for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return CB_OK;
}

/* ---- which window ---- */

static void read_within(int fd, double seconds, char *out, size_t size) {
  double deadline_s = cb_now_monotonic_s() + seconds;
  size_t n = 0;
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    double left_s = deadline_s - cb_now_monotonic_s();
    if (left_s <= 0 || n + 1 >= size || poll(&p, 1, (int)ceil(left_s * 1e3)) <= 0) break;
    ssize_t got = read(fd, out + n, size - 1 - n);
    if (got <= 0) break;
    n += (size_t)got;
  }
  out[n] = '\0';
}

static const char *window_among(const char *terminals) {
  static const char *const windows[] = {"qt", "wxt", "x11"};
  for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
    const char *at = strstr(terminals, windows[i]);
    size_t n = strlen(windows[i]);
    if (at && (at == terminals || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\n' || !at[n]))
      return windows[i];
  }
  return NULL;
}

cb_status live_window_find(const char **terminal, cb_err *err) {
  static const char *const argv[] = {"gnuplot", "-e", "print GPVAL_TERMINALS", NULL};
  const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  char words[4096];
  int ends[2];
  pid_t pid;
  *terminal = NULL;
  if (!(display && display[0]) && !(wayland && wayland[0]))
    return cb_fail(err, CB_E_NOTFOUND,
                   "no window can be opened here: neither DISPLAY nor WAYLAND_DISPLAY is set");
  CB_TRY(make_pipe(ends, err));
  cb_status st = spawn_gnuplot(argv, STDERR_FILENO, ends[1], &pid, err);
  (void)close(ends[1]);
  if (st == CB_OK) {
    read_within(ends[0], FIND_TIMEOUT_S, words, sizeof words);
    end_child(pid, END_TIMEOUT_S);
    *terminal = window_among(words);
    if (!*terminal)
      st = cb_fail(
          err, CB_E_NOTFOUND,
          "this gnuplot has no window (qt, wxt or x11 terminal): Debian's gnuplot-qt or gnuplot-x11 has one");
  }
  (void)close(ends[0]);
  return st;
}

/* ---- frames ---- */

static void flush(live_window *w) {
  while (w->pipe >= 0 && w->at < w->n) {
    ssize_t wrote = write(w->pipe, w->frame + w->at, w->n - w->at);
    if (wrote > 0)
      w->at += (size_t)wrote;
    else if (wrote < 0 && errno == EINTR)
      continue;
    else if (wrote < 0 && errno == EAGAIN)
      return;
    else {
      (void)close(w->pipe);
      w->pipe = -1;
    }
  }
}

static size_t add_data(char *out, size_t size, const live_state *s) {
  size_t n = (size_t)snprintf(out, size, "$d << END\n");
  for (size_t i = 0; i < LIVE_BINS; i++)
    if (s->n_bins[i])
      n +=
          (size_t)snprintf(out + n, size - n, "%.4g %.5g %.5g\n",
                           ((double)i + 0.5) / LIVE_BINS * s->plan.travel_m * 1e3, s->low_N[i], s->high_N[i]);
  return n + (size_t)snprintf(out + n, size - n, "END\n");
}

/* Numbers only: nothing in the script comes from outside. */
static void compose_commands(live_window *w, const live_state *s) {
  const live_moment *m = &s->moment;
  size_t n = add_data(w->frame, sizeof w->frame, s);
  n += (size_t)snprintf(
      w->frame + n, sizeof w->frame - n,
      "set title '%srun %zu of %zu: %g deg, %g g, repeat %d, %s'\nset xrange [0:%g]\n"
      "plot $d using 1:2:3 with filledcurves notitle, $d using 1:(($2+$3)/2) with lines notitle\n",
      s->plan.is_virtual ? "VIRTUAL DATA - " : "", live_state_run_number(s), m->total, m->angle_deg,
      m->added_mass_kg * 1e3, m->repeat, m->direction < 0 ? "backward" : "forward", s->plan.travel_m * 1e3);
  w->n = n;
  w->at = 0;
}

static bool anything(const live_state *s) {
  for (size_t i = 0; i < LIVE_BINS; i++)
    if (s->n_bins[i]) return true;
  return false;
}

void live_window_draw(live_window *w, const live_state *s) {
  flush(w);
  if (w->pipe < 0 || !anything(s)) return;
  if (w->at < w->n) {
    w->n_dropped++;
    return;
  }
  compose_commands(w, s);
  flush(w);
}

cb_status live_window_open(live_window *w, const char *terminal, cb_err *err) {
  static const char *const argv[] = {"gnuplot", "-d", NULL}; /* -d: nobody's own settings */
  int ends[2];
  *w = (live_window){.pipe = -1, .pid = -1};
  CB_TRY(make_pipe(ends, err));
  cb_status st = spawn_gnuplot(argv, STDIN_FILENO, ends[0], &w->pid, err);
  (void)close(ends[0]);
  if (st != CB_OK) {
    w->pid = -1;
    (void)close(ends[1]);
    return st;
  }
  (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
  w->pipe = ends[1];
  w->n = (size_t)snprintf(w->frame, sizeof w->frame,
                          "set terminal %s noraise size 800,500\nset encoding utf8\nset xlabel 'displacement "
                          "[mm]'\nset ylabel 'force [N]'\n"
                          "set grid\nset style fill solid 0.3 noborder\n",
                          terminal);
  flush(w);
  return CB_OK;
}

void live_window_close(live_window *w) {
  if (w->pipe >= 0) (void)close(w->pipe);
  if (w->pid > 0) end_child(w->pid, END_TIMEOUT_S);
  w->pipe = -1;
  w->pid = -1;
}
