#include "lab_particles.h"

#include <math.h>
#include <stdlib.h>

#include "cb_store_material_test.h"
#include "cb_json.h"
#include "cb_law_json.h"

static lab_stiffness stiffness_of(const cb_stretch_direction *d, double area_m2) {
  lab_stiffness s = {.angle_deg = d->angle_deg, .u_k = d->u_k1_N_per_m, .misfit_rel = d->cubic_misfit_rel};
  cb_stretch_k_lambda(d, area_m2, sqrt(area_m2), &s.k, &s.lambda);
  s.u_lambda = d->u_k3_N_per_m / area_m2;
  return s;
}

cb_status lab_particles_of(cb_store *s, const char *cloth, double cell_m, lab_particles *out, cb_err *err) {
  cb_stretch_law law;
  *out = (lab_particles){.cloth = cloth, .cell_m = cell_m, .area_m2 = 0.5 * cell_m * cell_m};
  CB_TRY(cb_store_law_of(s, CB_LAW_STRETCH, cloth, &law, NULL, err));
  for (int i = 0; i < 2; i++) {
    const cb_stretch_direction *d = cb_stretch_find(&law, 90 * i);
    if (d && d->k1_N_per_m > 0) out->of[out->n++] = stiffness_of(d, out->area_m2);
  }
  return CB_OK;
}

json_t *lab_particles_json(const lab_particles *p) {
  json_t *rows = json_array();
  for (size_t i = 0; i < p->n; i++) {
    const lab_stiffness *s = &p->of[i];
    (void)json_array_append_new(
        rows, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "angle_deg", cb_json_real(s->angle_deg),
                        "k_N_per_m", cb_json_real(s->k), "u_k_N_per_m", cb_json_real(s->u_k),
                        "lambda_N_per_m3", cb_json_real(s->lambda), "u_lambda_N_per_m3",
                        cb_json_real(s->u_lambda), "cubic_misfit_rel", cb_json_real(s->misfit_rel)));
  }
  return json_pack("{s:s, s:o, s:o, s:o}", "cloth", p->cloth, "cell_mm", cb_json_real(1e3 * p->cell_m),
                   "triangle_area_m2", cb_json_real(p->area_m2), "directions", rows);
}
