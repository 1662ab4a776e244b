/* clothbench predict particles: k and lambda of a particle cloth, from the measured curve of warp and weft.
 */
#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cli_kind.h"
#include "lab_particles.h"

typedef struct request {
  const char *cloth, *db;
  double cell_mm;
  bool json;
} request;

static void print_particles(const lab_particles *p) {
  printf("%s, particles on square cells of %g mm (triangles of %.4g mm2, C = sqrt(A) e)\n", p->cloth,
         1e3 * p->cell_m, 1e6 * p->area_m2);
  for (size_t i = 0; i < p->n; i++) {
    const lab_stiffness *s = &p->of[i];
    char k[CB_PLUS_MINUS], lambda[CB_PLUS_MINUS];
    printf("  %-4s k = %s N/m, lambda = %s N/m3 (95 %%), misfit %.1f %%\n",
           s->angle_deg == 0 ? "warp" : "weft", cb_plus_minus_of_u(s->k, s->u_k, NAN, k),
           cb_plus_minus_of_u(s->lambda, s->u_lambda, NAN, lambda), 100 * s->misfit_rel);
  }
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_store *s;
  lab_particles p;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK)
    st = cb_store_close_after(s, lab_particles_of(s, q->cloth, 1e-3 * q->cell_mm, &p, &err), &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (p.n == 0) {
    cli_say("predict",
            "%s: neither warp nor weft has a curve k1 e + k3 e^3: 'clothbench fit stretch' makes one",
            q->cloth);
    return CLI_NEGATIVE;
  }
  if (q->json) return cli_print_json("predict", lab_particles_json(&p));
  print_particles(&p);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_predict_particles(int argc, char **argv) {
  request q = {.cell_mm = NAN};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.cloth, "the cloth's name", .required = true},
      {"cell-mm", CLI_NUMBER, &q.cell_mm, "side of the mesh's square cells", .required = true, .min = 1e-3,
       .max = 1e4},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "predict particles --cloth NAME --cell-mm D [--db FILE] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_to_read(q.db);
  return run_predict(&q);
}
