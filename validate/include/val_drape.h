/* Cusick's drape test (BS 5058, ISO 9073-9) on a simulated cloth: a disc lies flat on a smaller one, falls
 * over its edge and comes to rest; what its shadow comes to is found by the code that reads measured drapes
 * (fit_drape.h).
 *
 * Where a cloth folds is decided by chance: small differences of how it lay, and where the warp is. A seed
 * stands for one laying: an uneven start (waves of fractions of a millimetre), the mesh, and how it is turned
 * against the warp.
 *
 * The fall is dynamic, with the drag of the air and the damping of backward Euler; the equilibrium is then
 * found by sim_cloth_settle. Friction within the cloth that bends holds on to the way it fell
 * (sim_bending_friction.h). Layers that touch each other are not seen, nor is friction in shear (2HG).
 *
 * Linear triangles resist a bend that does not run along their edges by their stretch, with an energy that
 * grows as stretch stiffness (edge x curvature)^4 (Sze and Zhou, in "An efficient rotation-free triangle for
 * drape/cloth simulations", saw it too, and took quadratic strains instead). Where that would be more than
 * the bending's own energy, warp and weft are softened as far as the mesh needs it, but never beyond what
 * makes the weight stretch the cloth by `strain`. docs/drape.md has the figures. */
#ifndef VAL_DRAPE_H
#define VAL_DRAPE_H

#include <stdint.h>

#include "cb_stop.h"
#include "fit_drape.h"
#include "sim_cloth.h"

typedef struct val_drape {
  sim_material material;
  fit_drape_setup size;
  int vertices; /* about */
  uint64_t seed;
  double locking; /* warp and weft are softened where the stretch of bent triangles would cost more than this
                     of the bending's energy */
  double strain; /* ... but at most until the weight stretches the support's edge by this; 0: warp and weft as
                    they are */
  double drag_per_s;   /* of the air: force -= drag x mass x velocity */
  double dt_s, fall_s; /* steps, and how long, before it is settled */
  int fall_vertices; /* a mesh of four times as many or more takes over the shape in which one of a quarter of
                        its vertices fell */
  double tolerance;  /* of an equilibrium: what is out of balance over the weights */
  int settle_iterations; /* at most */
} val_drape;

typedef struct val_drape_result {
  uint64_t seed;
  fit_drape drape;
  int vertices, calm_steps, iterations;  /* calm_steps: on the finest mesh; iterations: of settling */
  bool settled, stable;                  /* stable: every small motion from there costs energy */
  double residual, stretch_most_N_per_m; /* no stiffer than that along warp and weft; INFINITY: as they are */
  double seconds, settle_seconds;        /* in all; of these, for the equilibrium once it is near */
} val_drape_result;

/* 18 and 30 cm, 2500 vertices, seed 1; the material is the caller's. */
val_drape val_drape_default(void);

/* ---- many drapes of a cloth that is not known exactly ---- */

/* Relative standard uncertainties; factors are drawn log-normal. */
typedef struct val_drape_doubt {
  double mass, shear, bending[2]; /* bending: of warp, of weft */
  double bending_common;          /* of both alike */
  double friction;                /* of bending friction, warp and weft alike */
  double stretch;                 /* of warp and weft alike */
  double onset;                   /* of the curvature over which that friction comes */
  bool friction_follows_bending; /* it was taken in proportion to the rigidity, whose doubts are then its own,
                                    too */
} val_drape_doubt;

typedef struct val_drape_many {
  val_drape one; /* the material as it is best known; its seed is the first */
  val_drape_doubt doubt;
  int seeds;
  const cb_stop *stop; /* wanted: no further drape is begun; NULL: all are made */
} val_drape_many;

typedef struct val_spread {
  double mean, sd;   /* sd NAN of one */
  double lo95, hi95; /* where one further drape is expected; NAN of one */
} val_spread;

typedef struct val_drape_statistics {
  int n, settled;         /* n: as many as were made */
  val_drape_result *each; /* by their seeds; owned */
  val_spread drape_coefficient, nodes, amplitude_m;
  double seconds;
} val_drape_statistics;

/* Seeds run beside each other, a thread each (OMP_NUM_THREADS); same bits for any number of threads. Clear in
 * any case. CB_E_STOPPED: *out is of the drapes that were finished before; n may be 0. */
CB_CHECKED cb_status val_drape_many_run(const val_drape_many *e, val_drape_statistics *out, cb_err *err);
void val_drape_statistics_clear(val_drape_statistics *s);

#endif
