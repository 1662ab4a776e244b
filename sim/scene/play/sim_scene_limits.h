/* The strain limits of a scene: their keys, and the limit of a cloth whose mesh may change. The sections
 * `limited` and `remeshed` share it. */
#ifndef SIM_SCENE_LIMITS_H
#define SIM_SCENE_LIMITS_H

#include <stddef.h>

#include "sim_limit.h"
#include "sim_mesh.h"
#include "sim_model.h"

/* The keys as read. */
typedef struct sim_limits_text {
  int method; /* of sim_limits_methods */
  double tolerance, limit_N_per_m;
  cb_numlist warp, weft;
} sim_limits_text;

/* The names of the kinds of sim_limit.h, then "none"; NULL at the end. */
extern const char *const sim_limits_methods[];
#define SIM_LIMITS_DEFAULT \
  { .tolerance = 5e-4 }
/* Rows of cb_yfield for a sim_limits_text that begins `at` bytes behind the start of the struct. */
#define SIM_LIMITS_NUMBER(name, at, member, low, high)                                               \
  {                                                                                                  \
    .key = name, .kind = CB_Y_NUM, .offset = (at) + offsetof(sim_limits_text, member), .min = (low), \
    .max = (high)                                                                                    \
  }
#define SIM_LIMITS_FIELDS(at)                                                                     \
  {"method", CB_Y_ENUM, (at) + offsetof(sim_limits_text, method), .required = true,               \
   .choices = sim_limits_methods},                                                                \
      {"warp_ratio", CB_Y_NUMLIST, (at) + offsetof(sim_limits_text, warp), .min = 0, .max = 1e3}, \
      {"weft_ratio", CB_Y_NUMLIST, (at) + offsetof(sim_limits_text, weft), .min = 0, .max = 1e3}, \
      SIM_LIMITS_NUMBER("tolerance", at, tolerance, 1e-7, 0.01),                                  \
      SIM_LIMITS_NUMBER("limit_N_per_m", at, limit_N_per_m, 1e-3, 1e9)

typedef struct sim_scene_limits {
  sim_limit_setup setup; /* of the present mesh; ranges of 0 to INFINITY for `none` */
  sim_limit *limit;      /* NULL: none */
  sim_limit_report last;
} sim_scene_limits;

/* Makes the limits of a cloth by the keys read at `at`, and adds the ranges to told->hash. Numbers of the
 * file go before the stretch law of the scene's material. held is kept. The caller calls
 * sim_scene_limits_clear, even after an error. */
CB_CHECKED cb_status sim_scene_limits_make(const sim_limits_text *t, cb_ynode at, sim_told *told,
                                           const sim_cloth *cloth, const bool *held, sim_scene_limits *out,
                                           cb_err *err);
void sim_scene_limits_clear(sim_scene_limits *s);

/* Goes on with a cloth that has another mesh. Multipliers begin at 0. After an error there is no limit. */
CB_CHECKED cb_status sim_scene_limits_go_on(sim_scene_limits *s, const sim_cloth *cloth, const bool *held,
                                            cb_err *err);
/* sim_limit_step, or without limits sim_cloth_step. */
CB_CHECKED cb_status sim_scene_limits_step(sim_scene_limits *s, sim_cloth *cloth, int n_bodies, double dt_s,
                                           sim_step_report *report, cb_err *err);

/* Saves or loads multipliers and the last report. */
void sim_scene_limits_archive(sim_scene_limits *s, cb_archive *a);

/* What is seen of the limits at x_m: the values of these columns. */
#define SIM_LIMITS_N_COLUMNS 11
#define SIM_LIMITS_COLUMNS                                                                            \
  "warp_least", "warp_most", "weft_least", "weft_most", "any_least", "any_most", "excess", "outside", \
      "rounds", "linear_systems", "wrinkles_per_m"
void sim_scene_limits_look(const sim_scene_limits *s, double (*x_m)[3], double value[SIM_LIMITS_N_COLUMNS]);

/* Wrinkles of this wave length are counted by half, shorter ones more, longer ones less. */
#define SIM_WRINKLE_M 0.05

/* Returns the root mean square [m], over the area further than SIM_WRINKLE_M / 2 from open borders, of the
 * distance along the normal between the cloth and its
 * smoothed self y, which minimises
 *
 *   sum m |x - y|^2 + l^4 sum |L y|^2 / m,   l = SIM_WRINKLE_M / (2 pi)
 *
 * m are the areas of the vertices and L is the cotangent Laplacian of the flat cloth, without border
 * vertices. 0 where all is near a border. A wave a sin(k s) on a flat or bent sheet counts a / sqrt 2 times q
 * / (1 + q), q = (k l)^4. A cylinder of radius R counts about l^4 / R^3. NAN where memory is short. */
double sim_wrinkle_depth_m(const sim_mesh *mesh, const double (*x_m)[3]);

#endif
