#include "val_drape_laying.h"

#include <math.h>

#include "cb_num.h"

#include "val_drape_impl.h"

#define MASS_KG_PER_M2 0.15 /* any other makes the same drape */

val_drape_laying val_drape_laying_default(void) {
  const val_drape d = val_drape_default();
  return (val_drape_laying){.cloth = {0.015, 1, 20, 0, VAL_DRAPE_STRETCH_M},
                            .support_m = 0.18,
                            .specimen_m = 0.30,
                            .vertices = d.vertices,
                            .seed = 1};
}

cb_status val_drape_laying_run(const val_drape_laying *q, val_drape_row *out, bool *settled, cb_err *err) {
  val_drape_many e = val_drape_of_cloth(&q->cloth, MASS_KG_PER_M2);
  val_drape_statistics all;
  e.one.size.support_m = q->support_m;
  e.one.size.specimen_m = q->specimen_m;
  e.one.vertices = q->vertices;
  e.one.seed = q->seed;
  e.one.trial = q->trial;
  CB_TRY(val_drape_many_run(&e, &all, err));
  const val_drape drawn = val_drape_drawn(&e, 0);
  *settled = all.each[0].settled;
  *out = (val_drape_row){.support_m = q->support_m,
                         .specimen_m = q->specimen_m,
                         .vertices = q->vertices,
                         .seed = (double)q->seed,
                         .cloth = q->cloth};
  /* What the mesh bore is what draped. */
  out->cloth.stretch_m = fmin(
      q->cloth.stretch_m, all.each[0].stretch_most_N_per_m / (MASS_KG_PER_M2 * CB_STANDARD_GRAVITY_M_PER_S2));
  out->cloth.softening = val_drape_softening(&drawn.material, q->cloth.bending_m);
  val_drape_signs_of(&all, 0, out->sign);
  val_drape_statistics_clear(&all);
  return CB_OK;
}
