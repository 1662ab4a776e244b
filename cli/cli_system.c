#include "cli_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_threads.h"
#include "cb_time.h"
#include "cli.h"
#include "cli_signals.h"
#include "sim_write.h"

#define PATH_BYTES 512

typedef struct run {
  sim_system *system;
  const char *folder;
  FILE *values; /* of the file as it grows; renamed when it is whole */
  int every;    /* steps between frames; 0: at the end only */
  double seconds, writing_seconds;
} run;

static const char *path_of(const run *r, const char *name, char out[PATH_BYTES]) {
  (void)snprintf(out, PATH_BYTES, "%s/%s", r->folder, name);
  return out;
}

/* ---- values.csv ---- */

static void put_header(const run *r) {
  const char *const *c = sim_system_model(r->system)->column;
  (void)fprintf(r->values, "time_s");
  for (; *c; c++) (void)fprintf(r->values, ",%s", *c);
  (void)fprintf(r->values, "\n");
}

static void put_row(const run *r) {
  double value[SIM_MODEL_COLUMNS];
  const sim_scene *s = sim_system_scene(r->system);
  const int n = sim_system_values(r->system, value);
  (void)fprintf(r->values, "%.9g", s->duration_s * sim_system_done(r->system) / sim_system_steps(r->system));
  for (int k = 0; k < n; k++) (void)fprintf(r->values, ",%.9g", value[k]);
  (void)fprintf(r->values, "\n");
}

static cb_status close_values(run *r, char **text, size_t *n, cb_err *err) {
  char path[PATH_BYTES];
  const bool bad = fclose(r->values) != 0;
  r->values = NULL;
  if (bad || *text == NULL) return cb_fail(err, CB_E_NOMEM, "%s: no memory for its values", sim_system_scene(r->system)->name);
  return cb_file_write(path_of(r, "values.csv", path), *text, *n, err);
}

/* ---- frames ---- */

static int frame_of(const run *r, int step) {
  return r->every == 0 ? step == sim_system_steps(r->system) : (step + r->every - 1) / r->every;
}

static cb_status write_collection(const run *r, int n, cb_err *err) {
  const sim_scene *s = sim_system_scene(r->system);
  char(*name)[32] = calloc((size_t)n, sizeof *name), path[PATH_BYTES];
  const char **file = calloc((size_t)n, sizeof *file);
  double *time_s = calloc((size_t)n, sizeof *time_s);
  const int steps = sim_system_steps(r->system);
  cb_status st;
  if (name && file && time_s) {
    for (int i = 0; i < n; i++) {
      const int at = r->every == 0 ? i * steps : i * r->every < steps ? i * r->every : steps;
      time_s[i] = s->duration_s * at / steps;
      (void)snprintf(name[i], sizeof name[i], "frame_%05d.vtp", i);
      file[i] = name[i];
    }
    st = sim_write_pvd(time_s, file, n, path_of(r, "frames.pvd", path), err);
  } else {
    st = cb_fail(err, CB_E_NOMEM, "%s: out of memory for %d frames", s->name, n);
  }
  free(name);
  free((void *)file);
  free(time_s);
  return st;
}

static cb_status write_frame(run *r, cb_err *err) {
  const sim_scene *s = sim_system_scene(r->system);
  const double begin = cb_now_monotonic_s();
  const int number = frame_of(r, sim_system_done(r->system));
  char name[32], path[PATH_BYTES];
  (void)snprintf(name, sizeof name, "frame_%05d.png", number);
  if (s->png) CB_TRY(sim_system_picture(r->system, path_of(r, name, path), err));
  (void)snprintf(name, sizeof name, "frame_%05d.vtp", number);
  if (s->vtp) {
    CB_TRY(sim_system_write_vtp(r->system, path_of(r, name, path), err));
    CB_TRY(write_collection(r, number + 1, err));
  }
  r->writing_seconds += cb_now_monotonic_s() - begin;
  return CB_OK;
}

/* ---- the whole ---- */

/* None of these models keeps a checkpoint. */
static cb_status stop_at(const run *r, int step, const cb_stop *stop, cb_err *err) {
  cb_err why = {""};
  cb_status st = cb_stop_check(stop, &why);
  return cb_fail(
      err, st,
      "%s after step %d of %d: a %s scene keeps no checkpoint and would begin anew; values.csv and %d frames in %s/ tell of it so far",
      why.msg, step, sim_system_steps(r->system), sim_system_model(r->system)->name, r->every > 0 ? step / r->every + 1 : 1, r->folder);
}

static cb_status play(run *r, cb_err *err) {
  const char *name = sim_system_scene(r->system)->name;
  const int steps = sim_system_steps(r->system);
  const double begin = cb_now_monotonic_s();
  const cb_stop *stop = cli_signals_listen_once("clothbench sim: stops after this step; once more ends it there and then\n");
  put_header(r);
  put_row(r);
  CB_TRY(write_frame(r, err));
  cli_progress("sim", 0, steps, name);
  for (int k = 1; k <= steps; k++) {
    CB_TRY(sim_system_step(r->system, err));
    put_row(r);
    if (k == steps || (r->every > 0 && k % r->every == 0)) CB_TRY(write_frame(r, err));
    if (k < steps && cb_stop_wanted(stop)) return stop_at(r, k, stop, err);
    cli_progress("sim", k, steps, name);
  }
  r->seconds = cb_now_monotonic_s() - begin;
  return CB_OK;
}

static cb_status play_into(run *r, cb_err *err) {
  char *text = NULL;
  size_t n = 0;
  CB_TRY(cb_dir_make(r->folder, err));
  r->values = open_memstream(&text, &n);
  if (r->values == NULL) return cb_fail(err, CB_E_NOMEM, "%s: no memory for its values", r->folder);
  cb_status st = play(r, err);
  /* What there is of an unfinished run is worth having, too; its own error is the one to tell. */
  cb_err other;
  const cb_status closed = close_values(r, &text, &n, st == CB_OK ? err : &other);
  free(text);
  return st != CB_OK ? st : closed;
}

static json_t *values_json(const run *r) {
  double value[SIM_MODEL_COLUMNS];
  json_t *o = json_object();
  const int n = sim_system_values(r->system, value);
  for (int k = 0; o && k < n; k++) (void)json_object_set_new(o, sim_system_model(r->system)->column[k], cb_json_real(value[k]));
  return o;
}

static double per_step(const run *r) { return (r->seconds - r->writing_seconds) / sim_system_steps(r->system); }

static int tell(const run *r, bool json) {
  const sim_scene *s = sim_system_scene(r->system);
  const int steps = sim_system_steps(r->system), frames = frame_of(r, steps) + 1;
  if (json)
    return cli_print_json(
        "sim", json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:i, s:o}", "scene", s->name, "model", sim_system_model(r->system)->name,
                         "folder", r->folder, "steps", steps, "time_s", s->duration_s, "seconds", r->seconds, "writing_seconds",
                         r->writing_seconds, "seconds_per_step", per_step(r), "frames", frames, "end", values_json(r)));
  double value[SIM_MODEL_COLUMNS];
  const int n = sim_system_values(r->system, value);
  printf("%s (%s): %d steps to %g s\n%.3g s, of which %.3g s writing; %.3g s per step\nat the end:", s->name,
         sim_system_model(r->system)->name, steps, s->duration_s, r->seconds, r->writing_seconds, per_step(r));
  for (int k = 0; k < n; k++) printf("%s %s %.6g", k > 0 ? "," : "", sim_system_model(r->system)->column[k], value[k]);
  printf("\n%d frames and values.csv in %s/\n", frames, r->folder);
  return CLI_DONE;
}

int cli_system_play(sim_system *system, const char *folder, bool json) {
  const sim_scene *s = sim_system_scene(system);
  run r = {.system = system, .folder = folder ? folder : s->name};
  const double dt_s = s->duration_s / sim_system_steps(system);
  cb_err err = {""};
  cb_threads_fit(sim_system_vertices(system));
  r.every = s->every_s > 0 ? (int)fmax(1, round(s->every_s / dt_s)) : 0;
  cb_status st = play_into(&r, &err);
  return st == CB_OK ? tell(&r, json) : cli_fail("sim", st, &err);
}
