/* What a file of a FAB says -> the document of --json. */
#include <math.h>

#include "cb_json.h"
#include "lab_fab.h"
#include "lab_law.h"

static json_t *fit_json(const fit_buckled_result *r) {
  json_t *zeros = json_array();
  for (size_t i = 0; i < r->cycles; i++) (void)json_array_append_new(zeros, json_real(r->zero_N[i]));
  if (r->outcome != FIT_BUCKLED_OK) {
    json_decref(zeros);
    return json_null();
  }
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f}", "B_Nm", r->B_Nm, "u_B_Nm", r->u_B_Nm,
                   "width_N", r->width_N, "u_width_N", r->u_width_N, "onset_per_m", r->onset_per_m,
                   "areal_density_kg_per_m2", r->areal_density_kg_per_m2, "u_areal_density_kg_per_m2",
                   r->u_areal_density_kg_per_m2, "zero_N", zeros, "residual_sd_N", r->residual_sd_N);
}

static json_t *mean_json(const lab_fab_strip *s) {
  const lab_fab_mean *m = &s->mean;
  if (isnan(s->en)) return json_null();
  return json_pack("{s:f, s:f, s:f, s:f}", "B_Nm", m->B_Nm, "u_B_Nm", m->u_B_Nm, "width_N", m->width_N,
                   "u_width_N", m->u_width_N);
}

static json_t *strip_json(int angle_deg, const lab_fab_strip *s) {
  json_t *loops = json_array();
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < LAB_FAB_LOOPS; i++) {
      const lab_fab_loop *l = &s->loops[k][i];
      if (isfinite(l->measured_J))
        (void)json_array_append_new(
            loops, json_pack("{s:i, s:i, s:f, s:f, s:f}", "clamps_cm", lab_fab_clamps_cm[k], "cycle", i + 2,
                             "measured_J", l->measured_J, "predicted_J", l->predicted_J, "u_J", l->u_J));
    }
  return json_pack("{s:i, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "angle_deg", angle_deg, "mean",
                   mean_json(s), "up", fit_json(&s->up), "down", fit_json(&s->down), "en",
                   cb_json_real(s->en), "low_force", s->low_force, "load", cb_json_real(s->load), "hanging",
                   fit_json(&s->hanging), "loops", loops);
}

json_t *lab_fab_json(const lab_fab *f) {
  json_t *strips = json_array();
  int failed = 0;
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++)
    failed |= json_array_append_new(strips, strip_json(lab_fab_angles_deg[d], &f->strips[d]));
  return lab_whole(strips, failed);
}
