/* The virtual laboratory: instruments that measure a cloth whose truth is known, and write the files that
 * such instruments write. docs/guide/virtual-lab.md describes instruments, formats and truth.
 *
 * It is the other end of the imports. It shares no code with the readers, the reductions and the fits, so
 * that it cannot agree with them about a mistake. Laws of core are arguments of the comparisons alone.
 *
 * Every instrument has a calibration error, drawn once per seed within its stated uncertainty. Every specimen
 * has its own properties, drawn about the truth. Every reading has noise and a last digit. The same file and
 * seed give the same bytes. SI units inside; the files have the instruments' units. */
#ifndef VLAB_H
#define VLAB_H

#include <stdint.h>
#include <sys/types.h>

#include "cb_bending_law.h"
#include "cb_err.h"
#include "cb_permeability_law.h"
#include "cb_stop.h"
#include "cb_stretch_law.h"
#include "cb_yaml.h" /* cb_numlist */

/* Energy per area of the membrane, of the Green-Lagrange strain E in warp (u) and weft (v):
 *
 *   W = w(E_uu) + f(E_vv) + cross E_uu E_vv + g(E_uv)
 *   w' = (warp / growth) (exp(growth E) - 1) for E > 0, else warp E; f' likewise
 *   g' = (2 shear / growth) sinh(growth E_uv) */
typedef struct vlab_membrane {
  double warp_N_per_m, weft_N_per_m, shear_N_per_m, cross_N_per_m;
  double warp_growth, weft_growth, shear_growth;
} vlab_membrane;

/* Moment per width = B K + h with dh/dK = (HB - sign(dK) h) / onset (Dahl's friction). In a direction with
 * cosine c and sine s: B = warp c^4 + 2 twist s^2 c^2 + weft s^4; HB = c^2 of warp's, s^2 of weft's. */
typedef struct vlab_bending {
  double warp_Nm, weft_Nm, twist_Nm;
  double friction_N[2]; /* HB of warp and weft */
  double onset_per_m;
} vlab_bending;

typedef struct vlab_truth {
  double areal_density_kg_per_m2, thickness_m;
  vlab_membrane membrane;
  vlab_bending bending;
  double viscous_Pa_s_per_m, inertial_Pa_s2_per_m2; /* pressure = viscous v + inertial v^2 */
} vlab_truth;

/* Relative standard deviations between specimens. */
typedef struct vlab_scatter {
  double mass, stretch, bending, air;
} vlab_scatter;

/* An axis of an instrument. */
typedef struct vlab_axis {
  double u_rel; /* standard uncertainty of the calibration */
  double noise; /* standard deviation of a reading, in the unit of the file */
  double digit; /* in the unit of the file */
} vlab_axis;

/* Counts of specimens, and axes, in the units of the files. */
typedef struct vlab_instruments {
  vlab_axis extension_mm, load_N, curvature_per_cm, moment_gf_cm_per_cm, pressure_Pa, flow_l_per_min;
  double u_mass_rel, u_thickness_rel;
  cb_numlist strip_angles_deg; /* from the warp; those that are fitted */
  double judged_angle_deg;
  int strips, bent, pieces, stacks, drapes, drape_vertices;
} vlab_instruments;

typedef struct vlab {
  char cloth[64];
  uint64_t seed;
  vlab_truth truth;
  vlab_scatter scatter;
  vlab_instruments have;
  double drape_area_factor; /* of the area that a drape's shadow has beyond the support; 1 */
} vlab;

/* Reads rigs/virtual-lab.yaml or a file like it. Errors name file:line, key, value and what is allowed. */
CB_CHECKED cb_status vlab_load(const char *path, vlab *out, cb_err *err);

/* Returns the laboratory with another cloth behind its back: membrane and air resistance times factor, and
 * the area that a drape's shadow has beyond the support times factor. */
vlab vlab_moved(const vlab *lab, double factor);

/* ---- instruments; each writes one file. Errors: CB_E_IO, CB_E_NOMEM ---- */

/* Strip tester: strips of 50 mm x 200 mm in the directions that are fitted; in the judged direction. */
CB_CHECKED cb_status vlab_strips(const vlab *lab, const char *path, cb_err *err);
CB_CHECKED cb_status vlab_judged_strips(const vlab *lab, const char *path, cb_err *err);
/* Pure bending tester: moment over curvature in warp, bias and weft. */
CB_CHECKED cb_status vlab_bends(const vlab *lab, const char *path, cb_err *err);
/* Air permeability tester: single pieces under the name of the cloth, layers 1; or stacks of that many
 * pieces, under the name "CLOTH x LAYERS". */
CB_CHECKED cb_status vlab_airs(const vlab *lab, int layers, const char *path, cb_err *err);
/* Writes the name of a stack to out. */
void vlab_stack_name(const vlab *lab, int layers, char out[80]);
/* Drape meter: lab->have.drapes pictures, folder/drape-1.png and so on. Hangs each (seconds each) beside
 * other work, in a child that comes after this process where both want a processor. It ends with this
 * process, and begins before the first thread. _end waits for it, and hangs them itself, with errors, where
 * the child could not, or was none (-1): once stop is set, no further drape starts; NULL: never. Errors also:
 * CB_E_NUM for a drape that did not come to rest, CB_E_STOPPED. */
pid_t vlab_drapes_begin(const vlab *lab, const char *folder);
CB_CHECKED cb_status vlab_drapes_end(pid_t drapes, const vlab *lab, const char *folder, const cb_stop *stop,
                                     cb_err *err);

/* Tilting plane: six pieces on the body of a rig file, whose truth their friction has. Angles of release; or
 * times from rest to a gate, down 60 degrees. Errors also: those of cb_rig_load. */
CB_CHECKED cb_status vlab_inclines(const vlab *lab, const char *rig, bool slides, const char *path,
                                   cb_err *err);

/* Balance and thickness gauge: means over specimens, and the stated standard uncertainties of the means. */
typedef struct vlab_weighed {
  double areal_density_kg_per_m2, u_areal_density_kg_per_m2, thickness_m, u_thickness_m;
} vlab_weighed;
vlab_weighed vlab_weigh(const vlab *lab);

/* ---- laws against the truth, which no laboratory can know ---- */

/* Counts cells (a direction and a strain, a pressure ...): truth inside the law's 95 % band or not. */
typedef struct vlab_tally {
  int cells, inside;
  double worst; /* largest |law - truth| over the half-width of the band */
} vlab_tally;
/* Counts one cell: error and half-width of the band. */
void vlab_count(vlab_tally *t, double error, double half_width);

/* Warp, bias and weft at a quarter to all of the measured strain. */
vlab_tally vlab_check_stretch(const vlab *lab, const cb_stretch_law *law);
/* B in five directions, two of which are never measured; 2HB of warp and weft. */
vlab_tally vlab_check_bending(const vlab *lab, const cb_bending_law *law);
/* Velocity at seven pressures from 20 to 500 Pa. */
vlab_tally vlab_check_air(const vlab *lab, const cb_permeability_law *law);
vlab_tally vlab_check_weighed(const vlab *lab, const vlab_weighed *w);

/* ---- the virtual rig ---- */

/* Writes the rig file `from` as `to`, with another seed and with the truth's coefficients times factor.
 * Errors: CB_E_IO; CB_E_PARSE if the file has no such keys. */
CB_CHECKED cb_status vlab_rig(const char *from, uint64_t seed, double factor, const char *to, cb_err *err);

#endif
