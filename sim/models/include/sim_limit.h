/* Limits of strain: after a time step the cloth goes to the nearest place, by mass, where no triangle is
 * longer or shorter than it may be (adaptive anisotropic strain limiting with an inner-product-reciprocal
 * mapping). docs/strain-limiting.md.
 *
 *   minimise 1/2 sum m_i |x_i - x_i*|^2   with   low - 1 <= q_i(x) <= high - 1 in every triangle
 *
 * W = [w_u w_v], the derivatives of a triangle's place by its warp and weft co-ordinates, has the singular
 * values s_1 >= s_2 (principal ratios of lengths) and, in the cloth, their directions e_1, e_2. What is
 * limited, as strain:
 *   principal    q = s_1 - 1, s_2 - 1: knows no warp and no weft, so that what both ranges allow holds for
 *                either
 *   warp-weft    q = |w_u| - 1, |w_v| - 1, in place of the principal ones (Ma et al.); shear is free
 *   mapped       q = (s_k - 1) |<e_k, g>|, g warp or weft: s_k - 1 within eps_g / |<e_k, g>| of both, so that
 *                the tighter one counts
 * Mapped, where e stands across g: the limit of g is infinite, that of the other holds alone. Limits above
 * and below are mapped each for itself; one below that comes to 1 or more limits nothing. Where both singular
 * values are the same any direction is principal, and limits by direction would jump: near there (squares
 * that differ by less than half of the least strain allowed) |<e_k, g>| goes to 1, the tighter side, so that
 * nothing is let through that the limits forbid.
 *
 * Solved by an augmented Lagrangian whose penalty grows, but not beyond a bound; inside Newton's method.
 * Directions are differentiated too (Papadopoulo, Lourakis, ECCV 2000). Multipliers are kept for the next
 * step, which begins with them.
 *
 * The corrections are internal forces. Without held vertices or bodies the momentum stays, to rounding, and
 * the corrections have no moment about where the cloth is at the end, to the tolerance. The angular momentum
 * changes by the rest, sum m (x - x*) x v*, which goes with the length of the step. Same bits for any number
 * of threads. SI. */
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
  SIM_LIMIT_KINDS
} sim_limit_kind;
extern const char *const sim_limit_kind_names[]; /* "principal", "warp-weft", "mapped", NULL */

/* Of the ratio of lengths: 0 <= low <= 0.9999, 1.0001 <= high. 0 and INFINITY limit nothing. */
typedef struct sim_limit_range {
  double low, high;
} sim_limit_range;

typedef struct sim_limit_setup {
  const sim_mesh *mesh;  /* not owned; outlives the limit */
  const double *mass_kg; /* per vertex, > 0; copied */
  const bool *held;      /* per vertex: stays where it is; NULL: none; not owned */
  sim_limit_kind kind;
  sim_limit_range range[2]; /* warp, weft */
  double tolerance;         /* of strain: how far outside a triangle may stay */
  int rounds;               /* of multipliers, at most */
} sim_limit_setup;

/* mapped, +-5 %, tolerance 5e-4, 60 rounds. */
sim_limit_setup sim_limit_setup_default(const sim_mesh *mesh, const double *mass_kg);

/* range[].high from a law of stretch: where warp and weft come to this force per width, or where that is not
 * reached (or force_N_per_m is INFINITY) the end of what was measured; low stays. CB_E_RANGE: a direction
 * that was not tested, or that gives less than 0.01 %. */
CB_CHECKED cb_status sim_limit_of_law(const cb_stretch_law *law, double force_N_per_m,
                                      sim_limit_range range[2], cb_err *err);

/* How a cloth lies: what it is stretched by at most and least (ratios) along warp, along weft and in any
 * direction, over all triangles. */
typedef struct sim_limit_look {
  double warp[2], weft[2], any[2]; /* least, most */
  double excess;                   /* the most by which a ratio is outside its limits; 0: all are within */
  int outside;                     /* triangles by more than the tolerance */
} sim_limit_look;
void sim_limit_see(const sim_limit_setup *s, const double (*x_m)[3], sim_limit_look *out);

typedef struct sim_limit_report {
  bool within;                  /* by the tolerance, and the multipliers agree */
  int rounds, systems;          /* systems: linear ones, of Newton's method */
  double excess_before, excess; /* as in sim_limit_look */
  double penalty_kg;            /* at the end */
} sim_limit_report;

typedef struct sim_limit sim_limit;

/* Caller: sim_limit_free. Errors: a setup with a number out of range; memory. */
CB_CHECKED cb_status sim_limit_new(const sim_limit_setup *setup, sim_limit **out, cb_err *err);
void sim_limit_free(sim_limit *l);

/* A step of a cloth of this mesh, then its projection, out of the cloth's n_bodies; velocities change by what
 * places do, over dt_s. step and report may be NULL. */
CB_CHECKED cb_status sim_limit_step(sim_limit *l, sim_cloth *cloth, int n_bodies, double dt_s,
                                    sim_step_report *step, sim_limit_report *report, cb_err *err);

/* ---- a shirt ---- */

/* A shirt on a mannequin: cloth sewn around the torso of sim_shape.h, cut open at the neck, the arms and the
 * hem. */

typedef struct sim_shirt {
  sim_solid *skin;  /* the mannequin as it is seen */
  sim_solid *solid; /* as it is met, a little larger */
  sim_body body;    /* of that */
} sim_shirt;

/* The shirt's warp runs upwards. Clear both, even after an error. */
CB_CHECKED cb_status sim_shirt_make(int about_vertices, sim_shirt *out, sim_mesh *mesh, cb_err *err);
void sim_shirt_clear(sim_shirt *s);

/* Multipliers, for the next step; its cloth is another's. */
void sim_limit_archive(sim_limit *limit, cb_archive *a);
void sim_limit_report_archive(sim_limit_report *report, cb_archive *a);

#endif
