/* clothbench predict bending: what a law of bending says, with uncertainty. Reads only. */
#include <math.h>
#include <stdio.h>

#include "cli_kind.h"
#include "lab_bending.h"

typedef struct request {
  lab_bending_question lab;
  const char *db;
  double overhang_mm, areal_density_g_per_m2; /* NAN: not given */
  bool json;
} request;

static void print_standard_uncertainty(double u) {
  if (isnan(u))
    printf(", uncertainty not known\n");
  else
    printf(", standard uncertainty %.2g\n", u);
}

static void print_answer(const request *q, const lab_bending_answer *a) {
  const cb_bending_value *v = &a->value;
  printf("%s, bending at %g deg (%s, form %s)\n", q->lab.cloth, q->lab.angle_deg, cb_origin_names[a->origin],
         cb_bending_form_names[a->law.form]);
  if (isnan(a->u95_B_Nm))
    printf("  B      %.4g uN m, uncertainty not known\n", 1e6 * v->B_Nm);
  else
    printf("  B      %.4g uN m +- %.2g uN m (95 %%; standard uncertainty %.2g)\n", 1e6 * v->B_Nm,
           1e6 * a->u95_B_Nm, 1e6 * v->u_B_Nm);
  if (!isnan(v->width_N)) {
    printf("  2HB    %.3g mN", 1e3 * v->width_N);
    print_standard_uncertainty(1e3 * v->u_width_N);
  }
  if (!isnan(a->chord_deg)) {
    printf("  chord  %.2f deg below the horizontal at %g mm (curvature %.3g 1/m)", a->chord_deg,
           q->overhang_mm, a->curvature_per_m);
    print_standard_uncertainty(a->u_chord_deg);
  }
  if (!v->inside_measured_range) printf("  outside the measured curvatures: held at their end\n");
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_store *s;
  lab_bending_answer a;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  st = lab_bending_predict(s, &q->lab, &a, &err);
  (void)cb_store_close(s, NULL);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (q->json) return cli_print_json("predict", lab_bending_answer_json(&q->lab, &a));
  print_answer(q, &a);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_predict_bending(int argc, char **argv) {
  request q = {.lab.curvature_per_m = NAN, .overhang_mm = NAN, .areal_density_g_per_m2 = NAN};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.lab.cloth, "the cloth's name", .required = true},
      {"angle-deg", CLI_NUMBER, &q.lab.angle_deg, "direction of the strip, 0 = warp", .required = true},
      {"curvature-per-m", CLI_NUMBER, &q.lab.curvature_per_m,
       "else that of the overhang, else where the law holds"},
      {"overhang-mm", CLI_NUMBER, &q.overhang_mm, "how far would a strip of this length hang down?",
       .min = 0.1, .max = 1e4},
      {"areal-density-g-per-m2", CLI_NUMBER, &q.areal_density_g_per_m2, "for that; else the material's",
       .min = 0.1, .max = 1e5},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "predict bending --cloth NAME --angle-deg A [--curvature-per-m K] [--overhang-mm L "
                       "[--areal-density-g-per-m2 W]] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_to_read(q.db);
  q.lab.overhang_m = 1e-3 * q.overhang_mm;
  q.lab.areal_density_kg_per_m2 = 1e-3 * q.areal_density_g_per_m2;
  return run_predict(&q);
}
