/* What a campaign's pulls will do, before the first: the forces to expect, whether the carts slide, and what
 * would help where they do not. docs/method/forecast.md has the formulas and their sources. Nothing here
 * prints. */
#ifndef LAB_FORECAST_H
#define LAB_FORECAST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "cb_store.h"

/* Where the expected forces are from. */
typedef enum lab_expected_from {
  LAB_EXPECTED_PAIR,   /* the law of the pair, stored or fitted in memory */
  LAB_EXPECTED_OTHERS, /* laws of other pairs with this cloth or this body */
  LAB_EXPECTED_ASSUMED /* nothing is known: friction coefficients from 0.3 to 1 */
} lab_expected_from;
extern const char *const lab_expected_from_names[]; /* "pair", "others", "assumed", NULL */

typedef struct lab_expected_force {
  double low_N, mid_N, high_N;
} lab_expected_force;

typedef enum lab_trouble {
  LAB_NO_SLIDE,    /* the link only stretches: the cart never breaks away */
  LAB_SLIDES_LATE, /* it breaks away after the plateau's window has begun */
  LAB_OVERLOAD,    /* the guard stops the stage: force.overload_N */
  LAB_WEAK_STAGE,  /* the stage cannot pull so much: stage.max_force_N */
  LAB_STICK_SLIP,
  LAB_UNCALIBRATED_FORCE, /* beyond the largest calibrated force */
  LAB_FEW_READINGS,       /* in the plateau's window: fewer than 16 tell no slope, fewer than 8 no mean */
  LAB_BRAKES,             /* the stage brakes in the window, which makes the mean low by more than 0.5 % */
  LAB_N_TROUBLES
} lab_trouble;
extern const char *const lab_trouble_names[]; /* "no-slide", ..., NULL */

/* POSSIBLE: with the highest force expected; LIKELY: with the middle one; CERTAIN: even with the least. Only
 * LAB_NO_SLIDE, LAB_OVERLOAD, LAB_WEAK_STAGE and LAB_FEW_READINGS can be certain. */
typedef enum lab_grade { LAB_NO_TROUBLE, LAB_POSSIBLE, LAB_LIKELY, LAB_CERTAIN } lab_grade;

/* Angle and load of pulls. The caller fills the first three members. */
typedef struct lab_forecast_cell {
  double angle_deg, body_angle_deg; /* body: NAN: not known */
  double added_mass_kg;
  double normal_force_N;
  lab_expected_force kinetic, stat;
  double slips_at_m;     /* way of the stage at the expected breakaway */
  double peak_N;         /* expected */
  double smooth_m_per_s; /* expected to stick and slip below */
  lab_grade grade[LAB_N_TROUBLES];
} lab_forecast_cell;

typedef struct lab_forecast_plan {
  const char *cloth, *body;
  double travel_m, speed_m_per_s;
  double calibrated_N; /* largest calibrated force; 0: not known */
  bool backward;       /* pulls towards home, after which the stage backs off beyond the far end */
} lab_forecast_plan;

typedef struct lab_forecast {
  lab_expected_from from;
  size_t n_others; /* laws of other pairs */
  bool has_static; /* false: the static force is taken as 1.25 times the kinetic one */
  const cb_rig *rig;
  lab_forecast_plan plan;
  size_t n;
  lab_forecast_cell *cells; /* the caller's */
  /* What would help all cells of a trouble: its number is 0 where there is no such trouble. */
  double travel_wanted_m, stiffness_wanted_N_per_m;
  double smooth_speed_m_per_s, smooth_stiffness_N_per_m;
  double force_wanted_N;
  double readable_m_per_s;         /* slower, there are enough readings; INFINITY: no such trouble */
  double sound_kg[LAB_N_TROUBLES]; /* up to this added mass no cell has the trouble; NAN: none is free of it
                                    */
} lab_forecast;

/* The laws of all pairs, which forecasts of many pairs share. All 0: none. */
typedef struct lab_known_laws {
  cb_friction_law *list; /* owned */
  size_t n;
} lab_known_laws;

/* Reads the newest laws. s NULL: none. The caller calls lab_known_laws_clear, also after an error. */
CB_CHECKED cb_status lab_known_laws_read(cb_store *s, lab_known_laws *k, cb_err *err);
void lab_known_laws_clear(lab_known_laws *k);

/* Forecasts n cells. s NULL: no database. Real laws count for a real rig, virtual ones for a virtual rig.
 * *out refers to rig, plan's texts and cells. It only reads. */
CB_CHECKED cb_status lab_forecast_make(cb_store *s, const lab_known_laws *known, const cb_rig *rig,
                                       const lab_forecast_plan *plan, lab_forecast_cell *cells, size_t n,
                                       lab_forecast *out, cb_err *err);

/* Writes one sentence on the cells with this trouble: which, how sure, and what would help. "" without such
 * cells. Returns the gravest grade. */
#define LAB_FORECAST_TEXT 700
lab_grade lab_forecast_say(const lab_forecast *f, lab_trouble trouble, char out[LAB_FORECAST_TEXT]);

/* Makes the member `forecast` of docs/reference/json, `run --dry-run`. Returns NULL without memory. The
 * caller calls json_decref. */
json_t *lab_forecast_json(const lab_forecast *f);

#endif
