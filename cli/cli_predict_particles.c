/* clothbench predict particles: k and lambda of a particle cloth, from the measured curve of warp and weft.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_law_json.h"
#include "cli_kind.h"

typedef struct request {
  const char *cloth, *db;
  double cell_mm;
  bool json;
} request;

/* Of one direction; a = sqrt(A), so that k is in N/m and lambda in N/m3 (docs/conditions.md). */
typedef struct stiffness {
  double angle_deg, k, u_k, lambda, u_lambda, misfit_rel;
} stiffness;

/* A square cell has two triangles. */
static double area_of(const request *q) { return 0.5e-6 * q->cell_mm * q->cell_mm; }

static stiffness stiffness_of(const request *q, const cb_stretch_direction *d) {
  const double area = area_of(q);
  stiffness s = {.angle_deg = d->angle_deg, .u_k = d->u_k1_N_per_m, .misfit_rel = d->cubic_misfit_rel};
  cb_stretch_k_lambda(d, area, sqrt(area), &s.k, &s.lambda);
  s.u_lambda = d->u_k3_N_per_m / area;
  return s;
}

static json_t *particles_json(const request *q, const stiffness *s, size_t n) {
  json_t *rows = json_array();
  for (size_t i = 0; i < n; i++)
    (void)json_array_append_new(
        rows, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "angle_deg", cb_json_real(s[i].angle_deg),
                        "k_N_per_m", cb_json_real(s[i].k), "u_k_N_per_m", cb_json_real(s[i].u_k),
                        "lambda_N_per_m3", cb_json_real(s[i].lambda), "u_lambda_N_per_m3",
                        cb_json_real(s[i].u_lambda), "cubic_misfit_rel", cb_json_real(s[i].misfit_rel)));
  return json_pack("{s:s, s:o, s:o, s:o}", "cloth", q->cloth, "cell_mm", cb_json_real(q->cell_mm),
                   "triangle_area_m2", cb_json_real(area_of(q)), "directions", rows);
}

static void print_particles(const request *q, const stiffness *s, size_t n) {
  printf("%s, particles on square cells of %g mm (triangles of %.4g mm2, C = sqrt(A) e)\n", q->cloth,
         q->cell_mm, 1e6 * area_of(q));
  for (size_t i = 0; i < n; i++)
    printf("  %-4s k = %.4g +- %.2g N/m, lambda = %.4g +- %.2g N/m3 (standard), misfit %.1f %%\n",
           s[i].angle_deg == 0 ? "warp" : "weft", s[i].k, s[i].u_k, s[i].lambda, s[i].u_lambda,
           100 * s[i].misfit_rel);
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_store *s;
  static cb_stretch_law law;
  char *text = NULL;
  stiffness of[2];
  size_t n = 0;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  st = cb_store_stretch(s, q->cloth, &law, &text, &err);
  (void)cb_store_close(s, NULL);
  free(text);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  for (int i = 0; i < 2; i++) {
    const cb_stretch_direction *d = cb_stretch_find(&law, 90 * i);
    if (d && d->k1_N_per_m > 0) of[n++] = stiffness_of(q, d);
  }
  if (n == 0) {
    cli_say("predict",
            "%s: neither warp nor weft has a curve k1 e + k3 e^3: 'clothbench fit stretch' makes one",
            q->cloth);
    return CLI_NEGATIVE;
  }
  if (q->json) return cli_print_json("predict", particles_json(q, of, n));
  print_particles(q, of, n);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_predict_particles(int argc, char **argv) {
  request q = {.cell_mm = NAN};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "the cloth's name", .required = true},
      {"cell-mm", CLI_NUMBER, &q.cell_mm, "side of the mesh's square cells", .required = true, .min = 1e-3,
       .max = 1e4},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "predict particles --cloth NAME --cell-mm D [--db FILE] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  return run_predict(&q);
}
