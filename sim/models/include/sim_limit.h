/* Strain limits. After a time step the vertices move to the nearest positions, weighted by mass, at which no
 * triangle is stretched or compressed beyond its range. This is adaptive anisotropic strain limiting with an
 * inner-product-reciprocal mapping. docs/method/strain-limiting.md has the method.
 *
 *   minimise 1/2 sum m_i |x_i - x_i*|^2   with   low - 1 <= q_i(x) <= high - 1 in every triangle
 *
 * W = [w_u w_v] are the derivatives of a triangle's position by its warp and weft co-ordinates. Its singular
 * values s_1 >= s_2 are the principal ratios of lengths. e_1 and e_2 are their directions in the cloth. The
 * limited strain q depends on the kind:
 *   principal    q = s_1 - 1, s_2 - 1. It ignores directions; both must lie in the range of warp and in that
 *                of weft.
 *   principal-own  the same strains, each with its own range: s_1 has that of warp, s_2 that of weft,
 * wherever their directions lie. It is the isotropic method of the paper's comparison. warp-weft    q = |w_u|
 * - 1, |w_v| - 1 (Ma et al.). Shear is free. mapped       q = (s_k - 1) |<e_k, g>| for g = warp and g = weft.
 * So s_k - 1 stays within eps_g / |<e_k, g>| of both, and the tighter bound counts. In `mapped`, a direction
 * g across e_k does not limit s_k. Upper and lower bounds are mapped separately. A mapped lower bound of 1 or
 * more does not limit.
 *
 * Where s_1 = s_2 every direction is principal, and mapped limits would jump. Near there |<e_k, g>| is
 * blurred towards 1, the tighter side, so that the limits still hold. "Near" means that the squares of s_1
 * and s_2 differ by about half of the least strain allowed, or less.
 *
 * The method is an augmented Lagrangian with a bounded, growing penalty, minimised by Newton's method.
 * Directions are differentiated, too (Papadopoulo, Lourakis, ECCV 2000). The next step starts with the
 * multipliers of this one.
 *
 * The corrections are internal forces. Without held vertices and bodies they keep the linear momentum, to
 * rounding. They have no moment about the final positions, to the tolerance. The angular momentum changes by
 * sum m (x - x*) x v*, which goes with the length of the step.
 *
 * The result has the same bits for any number of threads. All units are SI. */
#ifndef SIM_LIMIT_H
#define SIM_LIMIT_H

#include <stdbool.h>

#include "cb_stretch_law.h"
#include "sim_body.h"
#include "sim_cloth.h"
#include "sim_mesh.h"

typedef enum sim_limit_kind {
  SIM_LIMIT_PRINCIPAL,
  SIM_LIMIT_WARP_WEFT,
  SIM_LIMIT_MAPPED,
  SIM_LIMIT_PRINCIPAL_OWN,
  SIM_LIMIT_KINDS
} sim_limit_kind;
extern const char *const sim_limit_kind_names[]; /* "principal", "warp-weft", "mapped", "principal-own", NULL
                                                  */

/* Range of a ratio of lengths: 0 <= low <= 0.9999, 1.0001 <= high <= 1000. low = 0 and high = INFINITY do
 * not limit. */
typedef struct sim_limit_range {
  double low, high;
} sim_limit_range;

typedef struct sim_limit_setup {
  const sim_mesh *mesh;  /* not owned; must outlive the limit */
  const double *mass_kg; /* per vertex, > 0; copied */
  const bool *held;      /* per vertex: the projection does not move it; NULL: none; not owned */
  sim_limit_kind kind;
  sim_limit_range range[2]; /* warp, weft */
  double tolerance;         /* strain by which a triangle may stay outside its limits */
  int rounds;               /* most updates of the multipliers per projection */
} sim_limit_setup;

/* Returns a setup of kind mapped with +-5 %, a tolerance of 5e-4 and 60 rounds. */
sim_limit_setup sim_limit_setup_default(const sim_mesh *mesh, const double *mass_kg);

/* Sets range[].high of warp and weft from a law of stretch; range[].low stays. The limit is the strain at
 * force_N_per_m. It is the end of the measured curve where that force is not reached or is INFINITY. Error:
 * CB_E_RANGE where the law lacks warp or weft, or where the strain is below 1e-4. */
CB_CHECKED cb_status sim_limit_of_law(const cb_stretch_law *law, double force_N_per_m,
                                      sim_limit_range range[2], cb_err *err);

/* The strains of a cloth: least and greatest ratio of lengths over all triangles. */
typedef struct sim_limit_look {
  double warp[2], weft[2], any[2]; /* least, greatest; any: of the principal directions */
  double excess;                   /* greatest strain beyond a limit; 0: none */
  int outside;                     /* triangles beyond a limit by more than the tolerance */
} sim_limit_look;

/* Measures the positions x_m[n_vertices] against the limits of s. */
void sim_limit_see(const sim_limit_setup *s, const double (*x_m)[3], sim_limit_look *out);

/* Returns whether a triangle is within its limits, up to the tolerance. setup is a sim_limit_setup; w[0] and
 * w[1] are the derivatives of the triangle's position by its warp and weft co-ordinates. */
bool sim_limit_fits(const void *setup, const double w[2][3]);

typedef struct sim_limit_report {
  bool within;         /* all triangles are within the tolerance, and the multipliers have converged */
  int rounds, systems; /* systems: linear systems solved */
  double excess_before, excess; /* before and after; as sim_limit_look.excess */
  double penalty_kg;            /* final penalty */
} sim_limit_report;

typedef struct sim_limit sim_limit;

/* Makes a limit without multipliers. The caller frees *out with sim_limit_free. Errors: a number of the
 * setup out of range, a mesh without triangles, memory. */
CB_CHECKED cb_status sim_limit_new(const sim_limit_setup *setup, sim_limit **out, cb_err *err);
void sim_limit_free(sim_limit *l);

/* Steps the cloth, which must have the limit's mesh, and projects its positions. The projection keeps
 * vertices out of the first n_bodies of sim_cloth_bodies, without friction. It takes nothing through a cloth
 * with self_collision: what it would take through stays behind a plane, and the projection is done again,
 * six times at most. Velocities change by the correction over dt_s. A projection that does not end within the
 * limits is done once more without multipliers, and the better of both counts. Limits that cannot be kept are
 * no error: see report->within. step and report may be NULL. Errors: those of sim_cloth_step; CB_E_NUM for a
 * position that is not finite; memory. */
CB_CHECKED cb_status sim_limit_step(sim_limit *l, sim_cloth *cloth, int n_bodies, double dt_s,
                                    sim_step_report *step, sim_limit_report *report, cb_err *err);

/* ---- a shirt ---- */

/* A T-shirt on a mannequin. It is sewn of four flat panels: front, back and two sleeves. The mannequin is the
 * torso of sim_shape.h with arms. */

typedef struct sim_shirt_setup {
  int about_vertices;
  double shift_m[3]; /* from the usual place, before it is put on: another start of the same shirt */
  const sim_material *material;
  sim_friction friction; /* on the mannequin */
  bool self_collision;
} sim_shirt_setup;

typedef struct sim_shirt {
  sim_solid *skin;  /* the mannequin, for pictures */
  sim_solid *solid; /* the mannequin that the shirt meets, 2 mm larger or more */
  sim_body body;    /* the body of `solid` */
} sim_shirt;

/* Makes the mannequin and the mesh of the shirt. Its material co-ordinates are those of the flat panels; warp
 * runs upwards, and along the arms in the sleeves. Its positions are those to which a cloth of the same
 * material, but 300 N/m, settles on the mannequin within 0.4 s. The caller clears *out (sim_shirt_clear) and
 * *mesh (sim_mesh_clear), even after an error. Errors: those of sim_cloth_new and sim_cloth_step; memory. */
CB_CHECKED cb_status sim_shirt_make(const sim_shirt_setup *setup, sim_shirt *out, sim_mesh *mesh,
                                    cb_err *err);
void sim_shirt_clear(sim_shirt *s);

/* Saves or restores the multipliers. The cloth has an archive of its own. */
void sim_limit_archive(sim_limit *limit, cb_archive *a);
void sim_limit_report_archive(sim_limit_report *report, cb_archive *a);

#endif
