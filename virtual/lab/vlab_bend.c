/* The pure bending tester: curvature from 0 to +2.5, to -2.5 and back to 0 1/cm. Its file has three lines of
 * the instrument, then a table with tabs. */
#include <math.h>

#include "cb_draft.h"
#include "cb_num.h"
#include "vlab_impl.h"

#define MOST_PER_CM 2.5
#define STEPS 50                /* from 0 to the most */
#define SUBSTEPS 20             /* of the friction, between two readings */
#define GF_CM_PER_CM 9.80665e-3 /* N */

enum { AXIS_CURVATURE = 3, AXIS_MOMENT };

/* A strip on its way: curvature [1/m] and the moment per width that friction holds [N]. */
typedef struct bent {
  double B_Nm, HB_N, onset_per_m, curvature_per_m, held_N;
} bent;

static void bend_to(bent *b, double curvature_per_m) {
  const double step = (curvature_per_m - b->curvature_per_m) / SUBSTEPS;
  const double end = step > 0 ? b->HB_N : -b->HB_N, keeps = exp(-fabs(step) / b->onset_per_m);
  for (int i = 0; i < SUBSTEPS; i++) b->held_N = end + (b->held_N - end) * keeps;
  b->curvature_per_m = curvature_per_m;
}

/* In steps of 1/STEPS: 0, up, down to the other side, back to 0. */
static int curvature_step(int i) {
  if (i <= STEPS) return i;
  return i <= 3 * STEPS ? 2 * STEPS - i : i - 4 * STEPS;
}

static void bend_strip(const vlab *lab, double angle_deg, int specimen, cb_rng *rng, FILE *f) {
  const vlab_bending *truth = &lab->truth.bending;
  const double stiff = vlab_specimen(rng, lab->scatter.bending), angle = angle_deg * CB_DEG;
  const double by_curvature = vlab_calibration(lab, AXIS_CURVATURE, lab->have.curvature_per_cm.u_rel),
               by_moment = vlab_calibration(lab, AXIS_MOMENT, lab->have.moment_gf_cm_per_cm.u_rel);
  bent b = {.B_Nm = stiff * vlab_rigidity_Nm(truth, angle),
            .HB_N = stiff * vlab_friction_N(truth, angle),
            .onset_per_m = truth->onset_per_m};
  for (int i = 0; i <= 4 * STEPS; i++) {
    const double K = MOST_PER_CM * curvature_step(i) / STEPS;
    bend_to(&b, 100 * K);
    const double M = (b.B_Nm * b.curvature_per_m + b.held_N) / GF_CM_PER_CM;
    (void)fprintf(f, "%s\tB%d\t%g\t%.3f\t%.4f\n", lab->cloth, specimen, angle_deg,
                  vlab_read(&lab->have.curvature_per_cm, by_curvature * K, rng),
                  vlab_read(&lab->have.moment_gf_cm_per_cm, by_moment * M, rng));
  }
}

cb_status vlab_bends(const vlab *lab, const char *path, cb_err *err) {
  static const double angles_deg[] = {0, 45, 90};
  cb_draft out;
  cb_rng rng;
  CB_TRY(cb_draft_begin(&out, err));
  cb_rng_init(&rng, lab->seed, VLAB_STREAM_BENDS);
  (void)fprintf(out.to,
                "Virtual pure bending tester\nsample width 20 cm, clamps 1 cm apart, 0.5 1/cm per s\n\n"
                "sample\tspecimen\tdirection\tK 1/cm\tM gf.cm/cm\n");
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < lab->have.bent; i++) bend_strip(lab, angles_deg[k], i + 1, &rng, out.to);
  return cb_draft_save(&out, CB_OK, path, err);
}
