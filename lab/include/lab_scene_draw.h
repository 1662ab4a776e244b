/* Laws of a scene at random, from those that their uncertainties allow; and how far a scene's probes go
 * astray under them. docs/reference/sim-output.md has the file. */
#ifndef LAB_SCENE_DRAW_H
#define LAB_SCENE_DRAW_H

#include "cb_stop.h"
#include "lab_scene.h"
#include "sim_play.h"

#define LAB_SCENE_DRAWS_LEAST 5 /* fewer do not tell a spread */
#define LAB_SCENE_DRAWS_MOST 1000

/* What laws of a scene are of: bits of a set. */
typedef enum lab_scene_source {
  LAB_SCENE_AREAL_DENSITY,
  LAB_SCENE_THICKNESS,
  LAB_SCENE_STRETCH,
  LAB_SCENE_BENDING,
  LAB_SCENE_COMPRESSION,
  LAB_SCENE_FRICTION,
  LAB_SCENE_SELF_FRICTION,
  LAB_SCENE_PERMEABILITY,
  LAB_SCENE_ELASTICITY,
  LAB_SCENE_SOURCES
} lab_scene_source;
extern const char *const lab_scene_source_names[]; /* "areal density", ..., NULL */

/* Probes of a scene under n drawn laws: a row per step, the first at the start. low and high enclose what one
 * more draw gives with a probability of 95 %: from 39 draws on by their order (Wilks 1941), of fewer by mean
 * -+ t sd sqrt(1 + 1/n). */
typedef struct lab_scene_bands {
  int n, rows, columns;        /* draws; rows; columns of probes, the last ones of sim_play_column */
  unsigned drawn, unknown;     /* sets of lab_scene_source */
  double *time_s, *low, *high; /* of a row; [row * columns + column] */
} lab_scene_bands;

typedef struct lab_scene_draws {
  int first, n; /* number of the first draw; how many */
  const cb_stop *stop;
  void (*progress)(void *context, double done, double total); /* in steps; NULL: nobody looks */
  void *context;
} lab_scene_draws;

/* Checks what the next function assumes. Errors: CB_E_RANGE for a scene without a law whose uncertainty is
 * known, without probes or with adaptive steps. */
CB_CHECKED cb_status lab_scene_bands_check(const sim_scene *scene, const lab_scene *laws, cb_err *err);

/* Plays n drawn scenes side by side; run: a play of the scene, whose steps and columns they have. The bits do
 * not depend on the number of threads. The caller calls lab_scene_bands_clear, even after an error. Errors:
 * CB_E_STOPPED; those of playing, with the draw's number. */
CB_CHECKED cb_status lab_scene_bands_play(const sim_play *run, const sim_scene *scene, const lab_scene *laws,
                                          const lab_scene_draws *draws, lab_scene_bands *out, cb_err *err);
void lab_scene_bands_clear(lab_scene_bands *b);

/* Writes time_s and NAME_low, NAME_high of every column as CSV. Error: CB_E_IO. */
CB_CHECKED cb_status lab_scene_bands_write(const lab_scene_bands *b, const sim_play *play, const char *path,
                                           cb_err *err);

#endif
