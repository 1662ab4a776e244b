/* Cusick's drape test (BS 5058, ISO 9073-9) on a simulated cloth. A disc lies flat on a smaller one, falls
 * over its edge and comes to rest. Its shadow is reduced by the code that reduces measured drapes
 * (fit_drape.h). docs/method/drape-prediction.md has the figures.
 *
 * Chance decides where a cloth folds: small differences of how it lay, and the direction of the warp. A seed
 * stands for one laying: an uneven start (waves of fractions of a millimetre), the mesh, and its angle to
 * the warp.
 *
 * The fall is dynamic, with the drag of the air and the damping of backward Euler. sim_cloth_settle then
 * finds the equilibrium. Friction within the bending cloth depends on the fall (sim_bending_friction.h).
 * Self-contact and friction in shear (2HG) are not simulated.
 *
 * Linear triangles resist a bend that does not run along their edges by their stretch. Its energy grows as
 * stretch stiffness (edge x curvature)^4. (Sze and Zhou report this, too, in "An efficient rotation-free
 * triangle for drape/cloth simulations", and took quadratic strains instead.) Where it would exceed
 * `locking` times the energy of bending, warp and weft are softened as far as the mesh needs. They are never
 * softened so far that the weight stretches the cloth by more than `strain`. */
#ifndef VAL_DRAPE_H
#define VAL_DRAPE_H

#include <stdint.h>

#include "cb_stop.h"
#include "fit_drape.h"
#include "sim_cloth.h"

/* What real drapes have and others lack, each alone: docs/method/folds.md. All 0: nothing. */
typedef struct val_drape_trial {
  double ring_m_per_s; /* the overhang lies on a plane that sinks so fast, as on Cusick's instrument */
  double rest_per_m;   /* uneven cloth: rms of the curvature at rest, along warp and along weft */
  double uneven_mass;  /* rms of the mass per area over its mean */
  double lost;         /* of the moment of friction, once at rest, as in minutes of hanging; 0 to 1 */
} val_drape_trial;

typedef struct val_drape {
  sim_material material;
  fit_drape_setup size;
  int vertices;   /* approximate number */
  bool even_mesh; /* false: finer at the support, where the cloth bends most sharply
                     (docs/method/drape-prediction.md, "The mesh") */
  uint64_t seed;
  double locking; /* warp and weft are softened where the stretch energy of bent triangles exceeds this share
                     of the bending energy */
  double strain;  /* ... until the weight stretches the cloth at the support's edge by this; 0: no
                     softening */
  double drag_per_s;   /* of the air; force = -drag x mass x velocity */
  double dt_s, fall_s; /* step and duration of the fall, before it is settled */
  int fall_vertices;   /* without bending friction, a mesh of four times as many vertices or more starts from
                          the fall of a mesh with a quarter of its vertices */
  double tolerance;    /* of the equilibrium: unbalanced forces over the weight */
  int settle_iterations; /* most iterations of settling */
  val_drape_trial trial;
  bool also_coarser; /* brings the settled cloth to rest on a coarser mesh, too: coarse_coefficient */
  /* Told now and then about what share of the work is done, 0 to 1, never less than before; NULL: nobody. */
  void (*told)(void *context, double share);
  void *context;
} val_drape;

#define VAL_DRAPE_SHAPES 100          /* of many drapes, so many have a shape at most */
#define VAL_DRAPE_SHAPE_VERTICES 6000 /* of a shape, about, at most */

/* A draped cloth: the support's upper side is z = 0, its middle x = y = 0. The arrays are owned. */
typedef struct val_drape_shape {
  int n_vertices, n_triangles;
  double (*position_m)[3];
  int (*triangle)[3];
} val_drape_shape;

typedef struct val_drape_result {
  val_drape_shape shape; /* of the first VAL_DRAPE_SHAPES drapes of many; else empty */
  uint64_t seed;
  fit_drape drape;
  int vertices, calm_steps, iterations;  /* calm_steps: steps on the finest mesh; iterations: of settling */
  bool settled, stable;                  /* stable: the energy has a strict minimum there */
  double residual, stretch_most_N_per_m; /* stiffness to which warp and weft were limited; INFINITY: not */
  double coarse_coefficient;             /* of the same cloth on a coarser mesh; NAN: not asked for */
  double seconds, settle_seconds;        /* in all; of these, for settling */
} val_drape_result;

/* Returns a drape of 18 and 30 cm with 10000 vertices and seed 1; the caller sets the material. */
val_drape val_drape_default(void);

/* The edges of the coarser mesh of `also_coarser` over those of the mesh itself. */
#define VAL_DRAPE_COARSER 1.5

/* ---- many drapes of a cloth with uncertain properties ---- */

/* Relative standard uncertainties; factors are drawn log-normal from a balanced design (cb_sobol.h): seed k
 * is the same cloth however many seeds there are. */
typedef struct val_drape_doubt {
  double mass, shear, bending[2]; /* bending: of warp and of weft, independent */
  double bending_common;          /* common to warp and weft */
  double friction;                /* of bending friction, common to warp and weft */
  double stretch;                 /* common to warp and weft */
  double onset;                   /* of the curvature over which bending friction sets in */
  bool friction_follows_bending;  /* bending friction was taken in proportion to the rigidity and shares its
                                     uncertainty */
  /* The curvature at which the moment of loading is known: there friction and onset only divide it, and
   * `bending` is its uncertainty. 0: the slope is known. */
  double moment_known_at_per_m;
} val_drape_doubt;

/* The properties that are drawn. The first axes of the design are the most even, so what moves a drape most
 * comes first. */
typedef enum val_drawn {
  VAL_DRAWN_BEND_WARP,
  VAL_DRAWN_BEND_WEFT,
  VAL_DRAWN_HYSTERESIS,
  VAL_DRAWN_ONSET,
  VAL_DRAWN_BEND_BOTH,
  VAL_DRAWN_STRETCH,
  VAL_DRAWN_SHEAR,
  VAL_DRAWN_MASS,
  VAL_DRAWN_AXES
} val_drawn;
extern const char *const val_drawn_names[]; /* as in the plans of lab_drape_plan.h: "bend_warp", ... */

typedef struct val_drape_many {
  val_drape one; /* the best known material; its seed is the first */
  val_drape_doubt doubt;
  /* Instead of draws: by how many standard uncertainties the logarithm of each property lies above its value,
   * by val_drawn. NULL: drawn. */
  const double *score;
  int seeds;
  const cb_stop *stop; /* once it is set, no further drape starts; NULL: never */
  /* Told how many drapes are done, with parts of those under way: 0 first, never less than before, seeds at
   * the end. From any thread, one at a time. NULL: nobody. */
  void (*told)(void *context, double done, int seeds);
  void *context;
} val_drape_many;

typedef struct val_spread {
  double mean, sd;   /* sd NAN of one */
  double lo95, hi95; /* 95 % interval of one further drape; NAN of one */
} val_spread;

typedef struct val_drape_statistics {
  int n, settled;         /* drapes made; those that settled */
  val_drape_result *each; /* n, in order of their seeds; owned */
  /* Where one.also_coarser: mesh_shift is what the mesh still lacks (Richardson): it is in the coefficient's
   * mean and interval, and not in `each`. Its standard uncertainty u_mesh_shift widens the interval. Both 0:
   * not extrapolated. */
  double mesh_shift, u_mesh_shift;
  val_spread drape_coefficient, nodes, amplitude_m;
  double seconds;
  int middle; /* of the drapes that have a shape, the one whose coefficient is nearest to the median of all */
} val_drape_statistics;

/* Simulates the drapes in parallel, a thread for each seed (OMP_NUM_THREADS); the bits do not depend on
 * their number. Clear *out in any case. Errors: a number out of range; memory; CB_E_STOPPED: *out then has
 * the drapes that were finished, perhaps none. */
CB_CHECKED cb_status val_drape_many_run(const val_drape_many *e, val_drape_statistics *out, cb_err *err);
void val_drape_statistics_clear(val_drape_statistics *s);

#endif
