/* What real cloth has and a simulated one lacks, for experiments: unevenness, and friction that is lost. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_rng.h"

#include "val_drape_impl.h"

#define WAVES 64
#define WAVE_M 0.04 /* length of the unevenness */

enum { STREAM_REST_WARP = 11, STREAM_REST_WEFT, STREAM_MASS };

/* An even field of rms 1, whose values a quarter of WAVE_M apart are nearly independent. */
typedef struct field {
  double k_per_m[WAVES][2], phase[WAVES];
} field;

static field draw_field(uint64_t seed, uint64_t stream) {
  field f;
  cb_rng rng;
  cb_rng_init(&rng, seed, stream);
  for (int i = 0; i < WAVES; i++) {
    const double direction = 2 * CB_PI * cb_rng_uniform(&rng);
    f.k_per_m[i][0] = 2 * CB_PI / WAVE_M * cos(direction);
    f.k_per_m[i][1] = 2 * CB_PI / WAVE_M * sin(direction);
    f.phase[i] = 2 * CB_PI * cb_rng_uniform(&rng);
  }
  return f;
}

static double field_at(const field *f, const double x_m[3]) {
  double sum = 0;
  for (int i = 0; i < WAVES; i++)
    sum += cos(f->k_per_m[i][0] * x_m[0] + f->k_per_m[i][1] * x_m[1] + f->phase[i]);
  return sum / sqrt(WAVES / 2.0);
}

void val_drape_uneven_cloth(const val_drape *e, const sim_mesh *mesh, double (*rest_per_m)[3],
                            double *load_kg) {
  const field warp = draw_field(e->seed, STREAM_REST_WARP), weft = draw_field(e->seed, STREAM_REST_WEFT),
              mass = draw_field(e->seed, STREAM_MASS);
  for (int v = 0; v < mesh->n_vertices; v++) load_kg[v] = 0;
  for (int t = 0; t < mesh->n_triangles; t++) {
    double middle[3] = {0};
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) middle[k] += mesh->position_m[mesh->triangle[t][c]][k] / 3;
    rest_per_m[t][0] = e->trial.rest_per_m * field_at(&warp, middle);
    rest_per_m[t][1] = e->trial.rest_per_m * field_at(&weft, middle);
    rest_per_m[t][2] = 0;
    /* a load cannot be negative: the lightest places carry none, and all others more */
    const double share = fmax(0, e->trial.uneven_mass * (field_at(&mass, middle) + 3));
    for (int c = 0; c < 3; c++)
      load_kg[mesh->triangle[t][c]] += share * e->material.areal_density_kg_per_m2 * mesh->area_m2[t] / 3;
  }
}

cb_status val_drape_loosen(const val_drape *e, sim_cloth *cloth, cb_err *err) {
  const int n = sim_cloth_mesh(cloth)->n_triangles;
  double(*slider)[2] = sim_cloth_sliders(cloth), (*K)[3] = calloc((size_t)n, sizeof *K);
  if (!K) return cb_no_memory(err, "drape of %d triangles", n);
  const cb_status st = sim_cloth_curvature(cloth, K, err);
  for (int t = 0; st == CB_OK && slider && t < n; t++)
    for (int k = 0; k < 2; k++) slider[t][k] += e->trial.lost * (K[t][k] - slider[t][k]);
  free(K);
  return st;
}
