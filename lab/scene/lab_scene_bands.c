#include <math.h>
#include <stdlib.h>

#include "cb_bytes.h"
#include "cb_stats.h"
#include "cb_threads.h"
#include "lab_scene_parts.h"

#define PROBE_COLUMNS 6

/* All draws of a run, beside each other. */
typedef struct playing {
  const sim_scene *scene;
  const lab_scene *laws;
  const lab_scene_draws *draws;
  lab_scene_bands *bands;
  double *value; /* [(draw * rows + row) * columns + column] */
  int done;      /* steps of all draws */
} playing;

cb_status lab_scene_bands_check(const sim_scene *s, const lab_scene *laws, cb_err *err) {
  lab_scene *one = malloc(sizeof *one);
  unsigned drawn, unknown;
  if (!one) return cb_no_memory(err, "%s, a draw of its laws", s->name);
  lab_scene_draw(laws, 0, one, &drawn, &unknown);
  free(one);
  if (drawn == 0)
    return cb_fail(err, CB_E_RANGE,
                   "%s: drawn laws: a law of a database, whose uncertainty is known, was wanted", s->name);
  if (s->n_probes == 0)
    return cb_fail(err, CB_E_RANGE, "%s: drawn laws: a probe under 'output' was wanted", s->name);
  if (s->adaptive) return cb_fail(err, CB_E_RANGE, "%s: drawn laws: equal steps were wanted", s->name);
  return CB_OK;
}

/* ---- one draw ---- */

static void tell_progress(playing *p) {
#pragma omp critical(lab_scene_bands)
  {
    p->done++;
    if (p->draws->progress)
      p->draws->progress(p->draws->context, p->done, (double)p->draws->n * (p->bands->rows - 1));
  }
}

static cb_status play_steps(playing *p, int draw, sim_play *play, double *work, cb_err *err) {
  lab_scene_bands *b = p->bands;
  double *row = p->value + (size_t)draw * (size_t)b->rows * (size_t)b->columns;
  const double *probes = work + sim_play_columns(play) - b->columns;
  for (int step = 0; step < b->rows; step++) {
    if (step > 0) CB_TRY(sim_play_step(play, NULL, err));
    if (step > 0) tell_progress(p);
    CB_TRY(cb_stop_check(p->draws->stop, err));
    sim_play_row(play, work);
    if (draw == 0) b->time_s[step] = work[0];
    for (int k = 0; k < b->columns; k++) *row++ = probes[k];
  }
  return CB_OK;
}

/* A scene with laws of its own. Its document is read by one thread at a time. */
static cb_status start_draw(playing *p, int draw, lab_scene *laws, sim_scene *scene, sim_play **play,
                            cb_err *err) {
  cb_status st;
#pragma omp critical(lab_scene_bands)
  {
    *scene = *p->scene;
    lab_scene_draw(p->laws, p->draws->first + draw, laws, &p->bands->drawn, &p->bands->unknown);
    st = lab_scene_apply(laws, scene, err);
    if (st == CB_OK) st = sim_play_new(scene, play, err);
  }
  return st;
}

static cb_status play_draw(playing *p, int draw, cb_err *err) {
  lab_scene *laws = malloc(sizeof *laws);
  sim_scene *scene = malloc(sizeof *scene);
  sim_play *play = NULL;
  double *work = NULL;
  cb_status st = laws && scene ? start_draw(p, draw, laws, scene, &play, err) : CB_E_NOMEM;
  if (st == CB_OK) work = malloc((size_t)sim_play_columns(play) * sizeof *work);
  if (st == CB_OK) st = work ? play_steps(p, draw, play, work, err) : CB_E_NOMEM;
  if (st == CB_E_NOMEM) st = cb_no_memory(err, "%s, a draw of its laws", p->scene->name);
  free(work);
  sim_play_free(play);
  free(scene);
  free(laws);
  return st;
}

/* The first error in the order of the draws is told. */
static cb_status play_draws(playing *p, cb_err *err) {
  const int n = p->draws->n;
  cb_status all = CB_OK;
  int failed = n;
#pragma omp parallel for schedule(dynamic) num_threads(cb_threads_all())
  for (int i = 0; i < n; i++) {
    cb_err why = {""};
    int first;
#pragma omp critical(lab_scene_bands)
    first = failed;
    if (first < i) continue;
    const cb_status st = play_draw(p, i, &why);
#pragma omp critical(lab_scene_bands)
    if (st != CB_OK && i < failed) {
      all = cb_fail(err, st, "draw %d of its laws: %s", i + 1, why.msg);
      failed = i;
    }
  }
  return all;
}

/* ---- the bands ---- */

/* With enough draws, between those of them that cut off 2.5 % at either end: whatever the distribution. With
 * fewer, as if it were normal. */
static void find_band(const playing *p, size_t at, double *sample) {
  const lab_scene_bands *b = p->bands;
  const size_t size = (size_t)b->rows * (size_t)b->columns, n = (size_t)b->n, cut = (n + 1) / 40;
  for (size_t i = 0; i < n; i++) sample[i] = p->value[i * size + at];
  const double mean = cb_mean(sample, n), sd = cb_sd(sample, n),
               half = cb_student_t(0.95, b->n - 1) * sd * sqrt(1 + 1 / (double)n);
  if (cut > 0) cb_sort(sample, n);
  b->low[at] = cut > 0 ? sample[cut - 1] : mean - half;
  b->high[at] = cut > 0 ? sample[n - cut] : mean + half;
}

static cb_status make_room(playing *p, const sim_play *run, cb_err *err) {
  lab_scene_bands *b = p->bands;
  const size_t rows = (size_t)sim_play_steps(run) + 1,
               columns = (size_t)PROBE_COLUMNS * (size_t)p->scene->n_probes;
  *b = (lab_scene_bands){.n = p->draws->n, .rows = (int)rows, .columns = (int)columns};
  b->time_s = malloc(rows * sizeof *b->time_s);
  b->low = malloc(rows * columns * sizeof *b->low);
  b->high = malloc(rows * columns * sizeof *b->high);
  p->value = malloc((size_t)b->n * (rows * columns + 1) * sizeof *p->value);
  return b->time_s && b->low && b->high && p->value ? CB_OK : cb_no_memory(err, "%d draws", b->n);
}

cb_status lab_scene_bands_play(const sim_play *run, const sim_scene *scene, const lab_scene *laws,
                               const lab_scene_draws *draws, lab_scene_bands *out, cb_err *err) {
  playing p = {.scene = scene, .laws = laws, .draws = draws, .bands = out};
  *out = (lab_scene_bands){.n = 0};
  cb_status st = make_room(&p, run, err);
  if (st == CB_OK) st = play_draws(&p, err);
  double *sample = p.value + (st == CB_OK ? (size_t)out->n * (size_t)out->rows * (size_t)out->columns : 0);
  for (size_t at = 0; st == CB_OK && at < (size_t)out->rows * (size_t)out->columns; at++)
    find_band(&p, at, sample);
  free(p.value);
  return st;
}

void lab_scene_bands_clear(lab_scene_bands *b) {
  free(b->time_s);
  free(b->low);
  free(b->high);
  *b = (lab_scene_bands){.n = 0};
}

cb_status lab_scene_bands_write(const lab_scene_bands *b, const sim_play *play, const char *path,
                                cb_err *err) {
  cb_bytes text = {0};
  const int first = sim_play_columns(play) - b->columns;
  cb_bytes_text(&text, "time_s");
  for (int k = 0; k < b->columns; k++)
    cb_bytes_text(&text, ",%s_low,%s_high", sim_play_column(play, first + k),
                  sim_play_column(play, first + k));
  for (int row = 0; row < b->rows; row++) {
    cb_bytes_text(&text, "\n%.17g", b->time_s[row]);
    for (int k = 0; k < b->columns; k++)
      cb_bytes_text(&text, ",%.17g,%.17g", b->low[row * b->columns + k], b->high[row * b->columns + k]);
  }
  cb_bytes_text(&text, "\n");
  return cb_bytes_write(&text, path, err);
}
