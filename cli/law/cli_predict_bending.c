/* clothbench predict bending: what a law of bending says, with uncertainty. Reads only. */
#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cli_kind.h"
#include "lab_bending.h"

typedef struct request {
  lab_bending_question lab;
  const char *db;
  double overhang_mm, areal_density_g_per_m2; /* NAN: not given */
  bool json;
} request;

/* "  2HB    0.60 +- 0.12 mN (95 %)" and what comes behind. */
static void print_value(const char *name, double value, double u, double dof, const char *unit,
                        const char *behind) {
  char text[CB_PLUS_MINUS];
  printf("  %-6s %s %s%s%s\n", name, cb_plus_minus_of_u(value, u, dof, text), unit,
         u > 0 ? " (95 %)" : ", uncertainty not known", behind);
}

static void print_answer(const request *q, const lab_bending_answer *a) {
  const cb_bending_value *v = &a->value;
  printf("%s, bending at %g deg (%s, form %s)\n", q->lab.cloth, q->lab.angle_deg, cb_origin_names[a->origin],
         cb_bending_form_names[a->law.form]);
  char chord[120];
  print_value("B", 1e6 * v->B_Nm, 1e6 * v->u_B_Nm, v->dof, "uN m", "");
  if (!isnan(v->width_N)) print_value("2HB", 1e3 * v->width_N, 1e3 * v->u_width_N, v->dof, "mN", "");
  (void)snprintf(chord, sizeof chord, " below the horizontal at %g mm (curvature %.3g 1/m)", q->overhang_mm,
                 a->curvature_per_m);
  if (!isnan(a->chord_deg)) print_value("chord", a->chord_deg, a->u_chord_deg, v->dof, "deg", chord);
  if (!v->inside_measured_range) printf("  outside the measured curvatures: held at their end\n");
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_store *s;
  lab_bending_answer a;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, lab_bending_predict(s, &q->lab, &a, &err), &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (q->json) return cli_print_json("predict", lab_bending_answer_json(&q->lab, &a));
  print_answer(q, &a);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_predict_bending(int argc, char **argv) {
  request q = {.lab.curvature_per_m = NAN, .overhang_mm = NAN, .areal_density_g_per_m2 = NAN};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.lab.cloth, "the cloth's name", .required = true},
      {"angle-deg", CLI_NUMBER, &q.lab.angle_deg, "direction of the strip, 0 = warp", .required = true},
      {"curvature-per-m", CLI_NUMBER, &q.lab.curvature_per_m,
       "else that of the overhang, else where the law holds"},
      {"overhang-mm", CLI_NUMBER, &q.overhang_mm, "how far would a strip of this length hang down?",
       .min = 0.1, .max = 1e4},
      {"areal-mass-g-m2", CLI_NUMBER, &q.areal_density_g_per_m2, "for that; else the material's", .min = 0.1,
       .max = 1e5},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "predict bending --cloth NAME --angle-deg A [--curvature-per-m K] [--overhang-mm L "
                       "[--areal-mass-g-m2 W]] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_to_read(q.db);
  q.lab.overhang_m = 1e-3 * q.overhang_mm;
  q.lab.areal_density_kg_per_m2 = 1e-3 * q.areal_density_g_per_m2;
  return run_predict(&q);
}
