/* What a drape needs to know of a cloth: numbers as they are typed, or the laws of a cloth in the database; numbers go before laws. */
#ifndef CLI_DRAPE_CLOTH_H
#define CLI_DRAPE_CLOTH_H

#include "cb_store_drape.h"
#include "cli.h"
#include "val_drape.h"

typedef struct cli_drape_cloth {
  const char *name, *db; /* name NULL: numbers only */
  /* NAN: not given. Shear: force per width over the shear angle in radians. Bending: B per width. */
  double areal_mass_g_m2, thickness_mm, stretch_N_per_m[2], shear_N_per_m, bend_Nm[2];
  double hysteresis_N[2]; /* 2HB of KES-FB2 */
  double u_mass_percent, u_stretch_percent, u_shear_percent, u_bend_percent, u_hysteresis_percent,
      u_onset_percent; /* of what was typed; NAN: 1, 10, 10, 10, or the law's own */
  /* what comes of it */
  sim_material material;
  val_drape_doubt doubt;
  const char *hysteresis_from; /* "numbers", "law" or "relation" (cb_bending_hysteresis_relation) */
  bool from_drapes;            /* its bending was found by 'fit drape': drapes of it are no prediction */
} cli_drape_cloth;

#define CLI_DRAPE_CLOTH_DEFAULT                                                                                                       \
  {                                                                                                                                   \
    .areal_mass_g_m2 = NAN, .thickness_mm = NAN, .stretch_N_per_m = {NAN, NAN}, .shear_N_per_m = NAN, .bend_Nm = {NAN, NAN},          \
    .hysteresis_N = {NAN, NAN}, .u_hysteresis_percent = NAN, .u_onset_percent = NAN, .u_mass_percent = NAN, .u_stretch_percent = NAN, \
    .u_shear_percent = NAN, .u_bend_percent = NAN                                                                                     \
  }
#define CLI_DRAPE_NUMBER(option, field, low, high, words) \
  { .name = option, .kind = CLI_NUMBER, .value = &(field), .min = low, .max = high, .help = words }
#define CLI_DRAPE_CLOTH_OPTIONS(c)                                                                                                      \
  CLI_DRAPE_NUMBER("areal-mass-g-m2", (c).areal_mass_g_m2, 0.1, 1e5, "areal mass"),                                                     \
      CLI_DRAPE_NUMBER("thickness-mm", (c).thickness_mm, 0, 100, "thickness"),                                                          \
      CLI_DRAPE_NUMBER("stretch-warp-N-m", (c).stretch_N_per_m[0], 1e-3, 1e9, "force per width / strain along the warp"),               \
      CLI_DRAPE_NUMBER("stretch-weft-N-m", (c).stretch_N_per_m[1], 1e-3, 1e9, "along the weft"),                                        \
      CLI_DRAPE_NUMBER("shear-N-m", (c).shear_N_per_m, 1e-6, 1e9, "shear force per width / shear angle in radians"),                    \
      CLI_DRAPE_NUMBER("bend-warp-N-m", (c).bend_Nm[0], 1e-12, 1e3, "bending rigidity per width along the warp"),                       \
      CLI_DRAPE_NUMBER("bend-weft-N-m", (c).bend_Nm[1], 1e-12, 1e3, "along the weft"),                                                  \
      CLI_DRAPE_NUMBER("bend-hysteresis-warp-N", (c).hysteresis_N[0], 0, 1e3, "2HB, width of the moment's hysteresis; 0: none"),        \
      CLI_DRAPE_NUMBER("bend-hysteresis-weft-N", (c).hysteresis_N[1], 0, 1e3, "along the weft; else the law's, or a relation"),         \
      CLI_DRAPE_NUMBER("u-mass-percent", (c).u_mass_percent, 0, 100, "its relative standard uncertainty; else 1"),                      \
      CLI_DRAPE_NUMBER("u-stretch-percent", (c).u_stretch_percent, 0, 100, "that of stretch; else 10"),                                 \
      CLI_DRAPE_NUMBER("u-shear-percent", (c).u_shear_percent, 0, 100, "that of shear; else 10"),                                       \
      CLI_DRAPE_NUMBER("u-bend-percent", (c).u_bend_percent, 0, 100, "that of bending; else the law's, or 10"),                         \
      CLI_DRAPE_NUMBER("u-hysteresis-percent", (c).u_hysteresis_percent, 0, 100, "that of 2HB; else the law's, the relation's, or 10"), \
      CLI_DRAPE_NUMBER("u-onset-percent", (c).u_onset_percent, 0, 100, "that of the curvature over which friction comes; else 70"),     \
      {.name = "cloth", .kind = CLI_TEXT, .value = &(c).name, .help = "instead: a cloth's laws, and its measured drapes"}, {            \
    .name = "db", .kind = CLI_TEXT, .value = &(c).db, .help = "the database file"                                                       \
  }
#define CLI_DRAPE_CLOTH_USAGE                                                                                                       \
  "--areal-mass-g-m2 W --stretch-warp-N-m K --stretch-weft-N-m K --shear-N-m G --bend-warp-N-m B --bend-weft-N-m B | --cloth NAME " \
  "[--db FILE]"

/* Fills material and doubt. CB_E_ARG: something is not given. */
CB_CHECKED cb_status cli_drape_cloth_read(cli_drape_cloth *c, cb_err *err);
/* Its drapes; caller frees. */
CB_CHECKED cb_status cli_drape_cloth_measured(const cli_drape_cloth *c, cb_drape_test **list, size_t *n, cb_err *err);
double cli_first_slope(const sim_curve *c); /* N/m */
json_t *cli_drape_cloth_json(const cli_drape_cloth *c);
void cli_drape_cloth_words(const cli_drape_cloth *c, char *out, size_t size);

#endif
