/* clothbench predict bending: what a law of bending says, with uncertainty. Reads only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "cb_law_json.h"
#include "cli_kind.h"
#include "fit_elastica.h"

typedef struct request {
  const char *cloth, *db;
  double angle_deg, curvature_per_m, overhang_mm, areal_density_g_per_m2; /* NAN: not given */
  bool json;
} request;

typedef struct answer {
  cb_bending_law law;
  cb_bending_value value;
  cb_origin origin;
  double curvature_per_m;        /* of the value; NAN: where the law holds */
  double density_kg_per_m2;      /* 0: not known */
  double chord_deg, u_chord_deg; /* of the overhang; NAN: not asked */
} answer;

static cb_status load(const request *q, answer *a, cb_err *err) {
  cb_store *s;
  cb_material m;
  cb_material_law row;
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  cb_status st = cb_store_bending(s, q->cloth, &a->law, &row, err);
  if (st == CB_OK) {
    a->origin = row.origin;
    free(row.result_json);
    st = cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err);
  }
  (void)cb_store_close(s, NULL);
  if (st == CB_OK) a->density_kg_per_m2 = isnan(q->areal_density_g_per_m2) ? m.areal_density_kg_per_m2 : 1e-3 * q->areal_density_g_per_m2;
  return st;
}

static double load_of(const answer *a, double overhang_m, double B_Nm) {
  return a->density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2 * overhang_m * overhang_m * overhang_m / B_Nm;
}

static bool tells(double load) { return load > 0 && load <= FIT_ELASTICA_MAX_LOAD; }

/* B at the curvature that a strip has which is as stiff as that: both follow from each other. */
static bool settle(const request *q, answer *a, double angle_rad, double overhang_m) {
  double before = 0;
  for (int i = 0; i < 50 && fabs(a->value.B_Nm - before) > 1e-12 * before; i++) {
    double load = load_of(a, overhang_m, a->value.B_Nm);
    if (!tells(load)) return false;
    if (!isnan(q->curvature_per_m)) return true;
    before = a->value.B_Nm;
    a->curvature_per_m = sqrt(fit_elastica_of_load(load).square_curvature) / overhang_m;
    cb_bending_eval(&a->law, angle_rad, a->curvature_per_m, &a->value);
  }
  return true;
}

/* How far a strip of that direction hangs down. */
static cb_status hang(const request *q, answer *a, double angle_rad, cb_err *err) {
  double overhang_m = 1e-3 * q->overhang_mm, h = 1e-3;
  a->chord_deg = a->u_chord_deg = NAN;
  if (isnan(q->overhang_mm)) return CB_OK;
  if (!(a->density_kg_per_m2 > 0))
    return cb_fail(err, CB_E_NOTFOUND, "the areal density of '%s' is not known: --areal-density-g-per-m2 was wanted", q->cloth);
  if (!settle(q, a, angle_rad, overhang_m))
    return cb_fail(err, CB_E_RANGE, "an overhang of %g mm hangs straight down: a shorter one was wanted", q->overhang_mm);
  double B = a->value.B_Nm, chord_rad = fit_elastica_of_load(load_of(a, overhang_m, B)).chord_rad;
  double stiffer_rad = fit_elastica_of_load(load_of(a, overhang_m, B * (1 + h))).chord_rad;
  a->chord_deg = chord_rad / CB_DEG;
  a->u_chord_deg = (chord_rad - stiffer_rad) / CB_DEG / h * a->value.u_B_Nm / B;
  return CB_OK;
}

static int print_answer(const request *q, const answer *a) {
  const cb_bending_value *v = &a->value;
  double u95 = cb_student_t(0.95, v->dof) * v->u_B_Nm, K = isnan(a->curvature_per_m) ? a->law.curvature_per_m : a->curvature_per_m;
  bool table = a->law.form == CB_BENDING_TABLE;
  if (q->json)
    return cli_print_json("predict", json_pack("{s:s, s:s, s:f, s:o, s:f, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:b, s:s}", "cloth", q->cloth,
                                               "form", cb_bending_form_names[a->law.form], "angle_deg", q->angle_deg, "curvature_per_m",
                                               cb_json_real(table && isnan(a->curvature_per_m) ? NAN : K), "B_Nm", v->B_Nm, "u_B_Nm",
                                               cb_json_real(v->u_B_Nm), "u95_B_Nm", cb_json_real(u95), "dof", fmin(v->dof, 1e9), "width_N",
                                               cb_json_real(v->width_N), "u_width_N", cb_json_real(v->u_width_N), "chord_angle_deg",
                                               cb_json_real(a->chord_deg), "u_chord_angle_deg", cb_json_real(a->u_chord_deg),
                                               "inside_measured_range", v->inside_measured_range, "origin", cb_origin_names[a->origin]));
  printf("%s, bending at %g deg (%s, form %s)\n", q->cloth, q->angle_deg, cb_origin_names[a->origin], cb_bending_form_names[a->law.form]);
  if (isnan(u95))
    printf("  B      %.4g uN m, uncertainty not known\n", 1e6 * v->B_Nm);
  else
    printf("  B      %.4g uN m +- %.2g uN m (95 %%; standard uncertainty %.2g)\n", 1e6 * v->B_Nm, 1e6 * u95, 1e6 * v->u_B_Nm);
  if (!isnan(v->width_N)) printf("  2HB    %.3g mN, standard uncertainty %.2g\n", 1e3 * v->width_N, 1e3 * v->u_width_N);
  if (!isnan(a->chord_deg))
    printf("  chord  %.2f deg below the horizontal at %g mm (curvature %.3g 1/m), standard uncertainty %.2g\n", a->chord_deg,
           q->overhang_mm, K, a->u_chord_deg);
  if (!v->inside_measured_range) printf("  outside the measured curvatures: held at their end\n");
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int run_predict(const request *q) {
  cb_err err = {""};
  answer a;
  cb_status st = load(q, &a, &err);
  if (st == CB_OK) {
    /* A direction has no sign; the remainder also keeps huge angles exact. */
    double angle_rad = remainder(q->angle_deg, 180) * CB_DEG;
    a.curvature_per_m = q->curvature_per_m;
    cb_bending_eval(&a.law, angle_rad, a.curvature_per_m, &a.value);
    st = hang(q, &a, angle_rad, &err);
  }
  return st == CB_OK ? print_answer(q, &a) : cli_fail("predict", st, &err);
}

int cli_predict_bending(int argc, char **argv) {
  request q = {.curvature_per_m = NAN, .overhang_mm = NAN, .areal_density_g_per_m2 = NAN};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name", .required = true},
      {.name = "angle-deg", .kind = CLI_NUMBER, .value = &q.angle_deg, .help = "direction of the strip, 0 = warp", .required = true},
      {.name = "curvature-per-m",
       .kind = CLI_NUMBER,
       .value = &q.curvature_per_m,
       .help = "else that of the overhang, else where the law holds"},
      {.name = "overhang-mm",
       .kind = CLI_NUMBER,
       .value = &q.overhang_mm,
       .min = 0.1,
       .max = 1e4,
       .help = "how far would a strip of this length hang down?"},
      {.name = "areal-density-g-per-m2",
       .kind = CLI_NUMBER,
       .value = &q.areal_density_g_per_m2,
       .min = 0.1,
       .max = 1e5,
       .help = "for that; else the material's"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "predict bending --cloth NAME --angle-deg A [--curvature-per-m K] [--overhang-mm L [--areal-density-g-per-m2 W]] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  return run_predict(&q);
}
