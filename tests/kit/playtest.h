/* Scenes that play, for their tests. */
#ifndef PLAYTEST_H
#define PLAYTEST_H

#include "cbtest.h"
#include "sim_play_parts.h"

/* What scenes of the models begin with; their sections go behind. */
#define PLAY_HUNG(length, width, down, cells)                                                        \
  "name: a\nsheet: {shape: rectangle, length_mm: " #length ", width_mm: " #width ", cells: " #cells  \
  ", turned_deg: [90, 0, 0], at_mm: [0, 0, -" #down                                                  \
  "]}\nheld: upper-corners\n"                                                                        \
  "material: {areal_density_g_per_m2: 150, thickness_mm: 0, stretch_N_per_m: 20, shear_N_per_m: 5, " \
  "bend_uN_m: 10}\n"
#define PLAY_CURTAIN(length, width)                                              \
  "name: a\nsheet: {shape: rectangle, length_mm: " #length ", width_mm: " #width \
  "}\n"                                                                          \
  "material: {areal_density_g_per_m2: 150, thickness_mm: 2}\n"
#define PLAY_WET                                                                              \
  "name: a\nmaterial: {areal_density_g_per_m2: 150, thickness_mm: 1, stretch_N_per_m: 1000, " \
  "bend_uN_m: 10, damping_ms: 2}\n"
#define PLAY_REMESHED                                                                          \
  "name: a\nmaterial: {areal_density_g_per_m2: 150, thickness_mm: 0.5, stretch_N_per_m: 500, " \
  "shear_N_per_m: 20, bend_uN_m: 10, drag_per_s: 1}\n"

/* The scene is the play's: free_play. *out is NULL after an error. */
static inline cb_status parse_play(const char *text, sim_play **out, cb_err *err) {
  sim_scene *s = malloc(sizeof *s);
  *out = NULL;
  if (!s) return cb_fail(err, CB_E_NOMEM, "no memory");
  cb_status st = sim_scene_parse(text, strlen(text), "t.yaml", s, err);
  if (st == CB_OK) st = sim_play_new(s, out, err);
  if (st == CB_OK) return st;
  sim_scene_clear(s);
  free(s);
  return st;
}

static inline void free_play(sim_play *p) {
  sim_scene *s = p ? (sim_scene *)sim_play_scene(p) : NULL;
  sim_play_free(p);
  if (s) sim_scene_clear(s);
  free(s);
}

/* As many steps; all that are left, if there are fewer. */
static inline void play_steps(sim_play *p, int n) {
  for (int k = 0; k < n && sim_play_done(p) < sim_play_steps(p); k++) assert_ok(sim_play_step(p, NULL, err));
}

static inline void play_to_end(sim_play *p) { play_steps(p, sim_play_steps(p)); }

/* A sentence with `wanted` in it, and nothing made. */
static inline void refused(const char *text, const char *wanted) {
  sim_play *p;
  cb_err err = {""};
  if (parse_play(text, &p, &err) == CB_OK) fail_msg("'%s' was taken", text);
  assert_null(p);
  if (!strstr(err.msg, wanted)) fail_msg("'%s' was wanted in '%s'", wanted, err.msg);
}

#endif
