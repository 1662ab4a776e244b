/* Tetrahedra from the program tetgen: H. Si, TetGen, ACM TOMS 41(2):11 (2015). */
#include "sim_tetgen.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_num.h"
#include "cb_obj.h"
#include "cb_time.h"
#include "sim_shape.h"
#include "sim_traverse.h"

#define LOOK_S 0.005
#define MAX_OBJ_BYTES ((size_t)1 << 30)

extern char **environ;

/* ---- files ---- */

static cb_status write_surface(const char *path, const double (*x)[3], int n, const int (*triangle)[3],
                               int n_triangles, cb_err *err) {
  FILE *f = fopen(path, "we");
  if (!f) return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", path, strerror(errno));
  (void)fprintf(f, "OFF\n%d %d 0\n", n, n_triangles);
  for (int v = 0; v < n; v++) (void)fprintf(f, "%.17g %.17g %.17g\n", x[v][0], x[v][1], x[v][2]);
  for (int t = 0; t < n_triangles; t++)
    (void)fprintf(f, "3 %d %d %d\n", triangle[t][0], triangle[t][1], triangle[t][2]);
  int bad = ferror(f);
  if (fclose(f) != 0 || bad) return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", path, strerror(errno));
  return CB_OK;
}

static void remove_folder(const char *folder) {
  DIR *d = opendir(folder);
  char path[600];
  for (struct dirent *e; d && (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    (void)unlink(path);
  }
  if (d) (void)closedir(d);
  (void)rmdir(folder);
}

/* ---- the program ---- */

static void redirect_streams(posix_spawn_file_actions_t *streams, const char *log) {
  (void)posix_spawn_file_actions_init(streams);
  (void)posix_spawn_file_actions_addopen(streams, 0, "/dev/null", O_RDONLY, 0);
  (void)posix_spawn_file_actions_addopen(streams, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  (void)posix_spawn_file_actions_adddup2(streams, 1, 2);
}

static cb_status start_tetgen(const char *surface, const char *log, pid_t *pid, cb_err *err) {
  posix_spawn_file_actions_t streams;
  char words[3][600];
  (void)snprintf(words[0], sizeof words[0], "tetgen");
  (void)snprintf(words[1], sizeof words[1], "-pqY");
  (void)snprintf(words[2], sizeof words[2], "%s", surface);
  char *const argv[] = {words[0], words[1], words[2], NULL};
  redirect_streams(&streams, log);
  int code = posix_spawnp(pid, argv[0], &streams, NULL, argv, environ);
  (void)posix_spawn_file_actions_destroy(&streams);
  if (code == 0) return CB_OK;
  if (code == ENOENT)
    return cb_fail(err, CB_E_NOTFOUND,
                   "tetgen is not installed: bodies from a surface need it (Debian: apt-get install tetgen)");
  return cb_fail(err, CB_E_IO, "tetgen: cannot start it: %s", strerror(code));
}

static cb_status wait_for(pid_t pid, double limit_s, int *status, cb_err *err) {
  double deadline_s = cb_now_monotonic_s() + limit_s;
  for (;;) {
    pid_t ended = waitpid(pid, status, WNOHANG);
    if (ended == pid) return CB_OK;
    if (ended < 0 && errno != EINTR)
      return cb_fail(err, CB_E_IO, "tetgen: cannot wait for it: %s", strerror(errno));
    if (cb_now_monotonic_s() > deadline_s) break;
    cb_sleep_s(LOOK_S);
  }
  (void)kill(pid, SIGKILL);
  while (waitpid(pid, status, 0) < 0 && errno == EINTR) continue;
  return cb_fail(err, CB_E_TIMEOUT, "tetgen was not done with the surface after %g s, and was ended",
                 limit_s);
}

/* The last line of tetgen's log, which may give the reason. */
static void last_words(const char *log, char out[160]) {
  char *text = NULL, *rest = NULL;
  size_t n;
  out[0] = '\0';
  if (cb_file_read(log, 1 << 20, &text, &n, NULL) != CB_OK) return;
  for (char *line = strtok_r(text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
    if (line[strspn(line, " \t")]) (void)snprintf(out, 160, "%s", line);
  free(text);
}

static cb_status run_tetgen(const char *surface, const char *log, double limit_s, cb_err *err) {
  pid_t pid;
  int status = 0;
  char words[160];
  CB_TRY(start_tetgen(surface, log, &pid, err));
  CB_TRY(wait_for(pid, limit_s, &status, err));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CB_OK;
  last_words(log, words);
  const char *why = words[0] ? words : "it did not say why";
  if (WIFSIGNALED(status))
    return cb_fail(err, CB_E_RANGE, "tetgen broke off (signal %d) on the surface, which may cut itself: %s",
                   WTERMSIG(status), why);
  return cb_fail(err, CB_E_RANGE,
                 "tetgen failed with exit status %d on the surface, which may cut itself: %s",
                 WEXITSTATUS(status), why);
}

/* ---- public functions ---- */

/* Drops vertices of no triangle. tetgen would keep them, some of them outside. */
static int used_only(const double (*x)[3], int n, const int (*triangle)[3], int n_triangles,
                     double (*kept)[3], int *number, int (*out)[3]) {
  int used = 0;
  for (int v = 0; v < n; v++) number[v] = -1;
  for (int i = 0; i < 3 * n_triangles; i++) number[triangle[i / 3][i % 3]] = 0;
  for (int v = 0; v < n; v++)
    if (number[v] == 0) {
      memcpy(kept[used], x[v], sizeof *kept);
      number[v] = used++;
    }
  for (int i = 0; i < 3 * n_triangles; i++) out[i / 3][i % 3] = number[triangle[i / 3][i % 3]];
  return used;
}

static cb_status fill_surface(const double (*x)[3], int n, const int (*triangle)[3], int n_triangles,
                              double limit_s, sim_tets *out, cb_err *err) {
  const char *base = getenv("TMPDIR");
  char folder[256], surface[300], log[300], made[300];
  (void)snprintf(folder, sizeof folder, "%s/clothbench-body-XXXXXX", base && base[0] ? base : "/tmp");
  if (!mkdtemp(folder))
    return cb_fail(err, CB_E_IO, "%s: cannot make a temporary folder: %s", folder, strerror(errno));
  (void)snprintf(surface, sizeof surface, "%s/body.off", folder);
  (void)snprintf(log, sizeof log, "%s/log", folder);
  (void)snprintf(made, sizeof made, "%s/body.1", folder);
  cb_status st = write_surface(surface, x, n, triangle, n_triangles, err);
  if (st == CB_OK) st = run_tetgen(surface, log, limit_s, err);
  if (st == CB_OK) {
    st = sim_tets_read(made, 1, out, err);
    if (st != CB_OK) st = cb_fail_in(err, st, "what tetgen made of the surface");
  }
  remove_folder(folder);
  return st;
}

cb_status sim_tets_from_surface(const double (*x)[3], int n, const int (*triangle)[3], int n_triangles,
                                double limit_s, sim_tets *out, cb_err *err) {
  *out = (sim_tets){0};
  CB_TRY(cb_check_range(limit_s, 1e-3, 1e6, "tetgen: time limit", "s", err));
  sim_hull hull;
  cb_status st = sim_hull_build(triangle, n_triangles, n, &hull, err);
  sim_hull_clear(&hull);
  CB_TRY(st);
  assert(n >= 4 && n_triangles >= 4); /* sim_hull_build has checked this */
  double(*kept)[3] = malloc((size_t)n * sizeof *kept);
  int *number = malloc((size_t)n * sizeof *number),
      (*renamed)[3] = malloc((size_t)n_triangles * sizeof *renamed);
  st = kept && number && renamed ? CB_OK : cb_no_memory(err, "surface, %d triangles", n_triangles);
  if (st == CB_OK) {
    int used = used_only(x, n, triangle, n_triangles, kept, number, renamed);
    st = fill_surface((const sim_vec3 *)kept, used, (const int(*)[3])renamed, n_triangles, limit_s, out, err);
  }
  free(kept);
  free(number);
  free(renamed);
  return st;
}

cb_status sim_tets_from_obj(const char *path, double m_per_unit, double limit_s, sim_tets *out, cb_err *err) {
  cb_obj o;
  *out = (sim_tets){0};
  CB_TRY(cb_check_range(m_per_unit, 1e-9, 1e9, "metres per unit of a body's file", "", err));
  cb_status st = cb_obj_read(path, MAX_OBJ_BYTES, &o, err);
  if (st == CB_OK) {
    for (size_t v = 0; v < o.n_vertices; v++)
      for (int k = 0; k < 3; k++) o.vertex[v][k] *= m_per_unit;
    st = sim_tets_from_surface((const sim_vec3 *)o.vertex, (int)o.n_vertices, (const int(*)[3])o.triangle,
                               (int)o.n_triangles, limit_s, out, err);
    if (st != CB_OK) st = cb_fail_in(err, st, "%s", path);
  }
  cb_obj_clear(&o);
  return st;
}
