/* A film of a run's pictures, made by ffmpeg. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "show_scene.h"

#define PATH_BYTES 4200
#define PICTURES_BYTES (2 * PATH_BYTES + 32)
#define RATE_LEAST 1.0 /* pictures per second: slower runs are sped up */

extern char **environ;

static cb_status run_ffmpeg(char *const argv[], const char *path, cb_err *err) {
  pid_t child;
  int status;
  const int failed = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
  if (failed == ENOENT)
    return cb_fail(err, CB_E_NOTFOUND, "%s: a film wants ffmpeg, which is not installed", path);
  if (failed != 0) return cb_fail(err, CB_E_IO, "%s: ffmpeg: %s", path, strerror(failed));
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return cb_fail(err, CB_E_IO, "%s: ffmpeg: %s", path, strerror(errno));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return cb_fail(err, CB_E_IO, "%s: ffmpeg could not make the film", path);
  return CB_OK;
}

/* The names of the pictures as ffmpeg reads them: it takes "%%" for "%". */
static void name_pictures(const char *folder, char out[PICTURES_BYTES]) {
  size_t n = 0;
  for (const char *c = folder; *c && n < (size_t)2 * PATH_BYTES; c++) {
    out[n++] = *c;
    if (*c == '%') out[n++] = '%';
  }
  (void)snprintf(out + n, PICTURES_BYTES - n, "/frame_%%05d.png");
}

cb_status show_film_write(const char *folder, int n, double rate_Hz, const char *path, cb_err *err) {
  char first[PATH_BYTES], pictures[PICTURES_BYTES], rate[40], frames[20], out[PATH_BYTES];
  (void)snprintf(first, sizeof first, "%s/frame_00000.png", folder);
  (void)snprintf(frames, sizeof frames, "%d", n);
  name_pictures(folder, pictures);
  (void)snprintf(rate, sizeof rate, "%.6g", rate_Hz > RATE_LEAST ? rate_Hz : RATE_LEAST);
  (void)snprintf(out, sizeof out, "file:%s", path);
  if (access(first, R_OK) != 0)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: there are no pictures; 'png: true' in the scene's output makes them", folder);
  /* H.264 wants even sides, and players want this form of pixels. */
  char *const argv[] = {"ffmpeg",    "-loglevel", "error",
                        "-nostdin",  "-y",        "-framerate",
                        rate,        "-i",        pictures,
                        "-frames:v", /* an earlier, longer run leaves more */
                        frames,      "-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                        "-pix_fmt",  "yuv420p",   out,
                        NULL};
  return run_ffmpeg(argv, path, err);
}
