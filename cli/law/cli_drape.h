/* Drapes from mechanical data: what `predict drape` and `validate drape` share. */
#ifndef CLI_DRAPE_H
#define CLI_DRAPE_H

#include <math.h>

#include "cli_kind.h"
#include "lab_drape_prediction.h"
#include "lab_judged.h"

/* As it was typed; NAN: not given. */
typedef struct cli_drape_cloth {
  const char *name, *db; /* name NULL: numbers only */
  double areal_mass_g_m2, thickness_mm, stretch_N_per_m[2], shear_N_per_m, bend_Nm[2];
  double hysteresis_N[2], bend_known_at_per_m;
  double u_mass_percent, u_stretch_percent, u_shear_percent, u_bend_percent, u_hysteresis_percent,
      u_onset_percent;
} cli_drape_cloth;

typedef struct cli_drape {
  cli_drape_cloth cloth;
  double specimen_cm, support_cm, seeds, seed, vertices;
  const char *scores, *figure;
  bool json;
} cli_drape;

#define CLI_DRAPE_CLOTH_DEFAULT                                                                           \
  {                                                                                                       \
    .areal_mass_g_m2 = NAN, .thickness_mm = NAN, .stretch_N_per_m = {NAN, NAN}, .shear_N_per_m = NAN,     \
    .bend_Nm = {NAN, NAN}, .hysteresis_N = {NAN, NAN}, .bend_known_at_per_m = NAN,                        \
    .u_hysteresis_percent = NAN, .u_onset_percent = NAN, .u_mass_percent = NAN, .u_stretch_percent = NAN, \
    .u_shear_percent = NAN, .u_bend_percent = NAN                                                         \
  }
#define CLI_DRAPE_NUMBER(option, field, low, high, words) \
  { .name = option, .kind = CLI_NUMBER, .value = &(field), .min = low, .max = high, .help = words }
#define CLI_DRAPE_CLOTH_OPTIONS(c)                                                                         \
  CLI_DRAPE_NUMBER("areal-mass-g-m2", (c).areal_mass_g_m2, 0.1, 1e5, "areal mass"),                        \
      CLI_DRAPE_NUMBER("thickness-mm", (c).thickness_mm, 0, 100, "thickness"),                             \
      CLI_DRAPE_NUMBER("stretch-warp-N-m", (c).stretch_N_per_m[0], 1e-3, 1e9,                              \
                       "force per width / strain along the warp"),                                         \
      CLI_DRAPE_NUMBER("stretch-weft-N-m", (c).stretch_N_per_m[1], 1e-3, 1e9, "along the weft"),           \
      CLI_DRAPE_NUMBER("shear-N-m", (c).shear_N_per_m, 1e-6, 1e9,                                          \
                       "shear force per width / shear angle in radians"),                                  \
      CLI_DRAPE_NUMBER("bend-warp-N-m", (c).bend_Nm[0], 1e-12, 1e3,                                        \
                       "bending rigidity per width along the warp"),                                       \
      CLI_DRAPE_NUMBER("bend-weft-N-m", (c).bend_Nm[1], 1e-12, 1e3, "along the weft"),                     \
      CLI_DRAPE_NUMBER("bend-hysteresis-warp-N", (c).hysteresis_N[0], 0, 1e3,                              \
                       "2HB, width of the moment's hysteresis; 0: none"),                                  \
      CLI_DRAPE_NUMBER("bend-hysteresis-weft-N", (c).hysteresis_N[1], 0, 1e3,                              \
                       "along the weft; else the law's, or a relation"),                                   \
      CLI_DRAPE_NUMBER("bend-known-at-per-m", (c).bend_known_at_per_m, 1e-3, 1e6,                          \
                       "curvature at which the moment was measured, of a cantilever; else the slope was"), \
      CLI_DRAPE_NUMBER("u-mass-percent", (c).u_mass_percent, 0, 100,                                       \
                       "its relative standard uncertainty; else 1"),                                       \
      CLI_DRAPE_NUMBER("u-stretch-percent", (c).u_stretch_percent, 0, 100, "that of stretch; else 10"),    \
      CLI_DRAPE_NUMBER("u-shear-percent", (c).u_shear_percent, 0, 100, "that of shear; else 10"),          \
      CLI_DRAPE_NUMBER("u-bend-percent", (c).u_bend_percent, 0, 100,                                       \
                       "that of bending; else the law's, or 10"),                                          \
      CLI_DRAPE_NUMBER("u-hysteresis-percent", (c).u_hysteresis_percent, 0, 100,                           \
                       "that of 2HB; else the law's, the relation's, or 10"),                              \
      CLI_DRAPE_NUMBER("u-onset-percent", (c).u_onset_percent, 0, 100,                                     \
                       "that of the curvature over which friction comes; else 40"),                        \
      {.name = "cloth",                                                                                    \
       .kind = CLI_CLOTH,                                                                                  \
       .value = &(c).name,                                                                                 \
       .help = "instead: a cloth's laws, and its measured drapes"},                                        \
  {                                                                                                        \
    .name = "db", .kind = CLI_TEXT, .value = &(c).db, .help = "the database file"                          \
  }
#define CLI_DRAPE_CLOTH_USAGE                                                                      \
  "--areal-mass-g-m2 W --stretch-warp-N-m K --stretch-weft-N-m K --shear-N-m G --bend-warp-N-m B " \
  "--bend-weft-N-m B | --cloth NAME "                                                              \
  "[--db FILE]"

#define CLI_DRAPE_DEFAULT                                                                          \
  {                                                                                                \
    .cloth = CLI_DRAPE_CLOTH_DEFAULT, .specimen_cm = 30, .support_cm = 18, .seeds = 10, .seed = 1, \
    .vertices = val_drape_default().vertices                                                       \
  }
/* The options of a cli_drape d, for the table of a command. */
#define CLI_DRAPE_OPTIONS(d)                                                                         \
  CLI_DRAPE_CLOTH_OPTIONS((d).cloth),                                                                \
      CLI_DRAPE_NUMBER("specimen-cm", (d).specimen_cm, 1, 200, "diameter; else 30"),                 \
      CLI_DRAPE_NUMBER("support-cm", (d).support_cm, 1, 200, "diameter; else 18"),                   \
      CLI_DRAPE_NUMBER("seeds", (d).seeds, 1, 100000, "drapes; else 10"),                            \
      CLI_DRAPE_NUMBER("seed", (d).seed, 0, 1e9, "the first; else 1"),                               \
      CLI_DRAPE_NUMBER("vertices", (d).vertices, 200, 1e6, "of a drape, about; else 10000"),         \
      {.name = "scores",                                                                             \
       .kind = CLI_TEXT,                                                                             \
       .value = &(d).scores,                                                                         \
       .help =                                                                                       \
           "instead of draws: BEND_WARP,BEND_WEFT,HYSTERESIS,ONSET,STRETCH,SHEAR,MASS, each in its " \
           "standard uncertainties"},                                                                \
  {                                                                                                  \
    .name = "json", .kind = CLI_SWITCH, .value = &(d).json, .help = "one JSON document"              \
  }

/* What a command does with its drapes. */
typedef struct cli_drape_use {
  const char *command, *stopping; /* its name; the line that a first Ctrl-C writes, with its line feed */
  int (*show)(void *context, lab_drape_prediction *p); /* returns a cli_exit */
  void *context;
} cli_drape_use;

/* Simulates the drapes and shows what was made, also after a signal. Says why where not all were made.
 * Returns a cli_exit, mostly that of show. */
int cli_drape_run(const cli_drape *d, const cli_drape_use *use);

/* Prints a prediction as a table, with what was measured beside it, and what stands behind the numbers. */
void cli_drape_print(const cli_drape *d, const lab_drape_prediction *p);

#endif
