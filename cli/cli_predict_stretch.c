/* clothbench predict stretch: force per width of a strip at a strain, or its strain at a force, in any direction. Reads only. */
#include <math.h>
#include <stdio.h>

#include "cb_stats.h"
#include "cli_kind.h"
#include "cb_law_json.h"

typedef struct request {
  const char *cloth, *db;
  double angle_deg, strain, force_N_per_m; /* NAN: not given */
  bool json;
} request;

static json_t *document(const request *q, const cb_stretch_law *law, double strain, const cb_stretch_value *v) {
  double u_strain = isnan(q->strain) ? v->u_N_per_m / v->slope_N_per_m : NAN;
  return json_pack("{s:s, s:s, s:f, s:f, s:o, s:f, s:o, s:o, s:o, s:o, s:f, s:s, s:s, s:f, s:b}", "cloth", law->cloth, "origin",
                   cb_origin_names[law->origin], "angle_deg", q->angle_deg, "strain", strain, "u_strain", cb_json_real(u_strain),
                   "force_N_per_m", v->force_N_per_m, "u_N_per_m", cb_json_real(v->u_N_per_m), "u95_N_per_m",
                   cb_json_real(cb_student_t(0.95, v->dof) * v->u_N_per_m), "sd_N_per_m", cb_json_real(v->sd_N_per_m), "u_form_N_per_m",
                   cb_json_real(v->u_form_N_per_m), "slope_N_per_m", v->slope_N_per_m, "basis", cb_stretch_basis_names[v->basis], "form",
                   cb_stretch_form_names[law->form], "dof", fmin(v->dof, 1e9), "inside_measured_range", v->inside_measured_range);
}

static void print_uncertainty(const cb_stretch_law *law, const cb_stretch_value *v) {
  if (v->basis == CB_STRETCH_BY_TABLE) {
    printf("  from an imported table (Wang et al. 2011): its uncertainty is not known\n");
    return;
  }
  printf("  +- %.3g N/m (95 %%; standard uncertainty of the mean %.3g N/m)\n", cb_student_t(0.95, v->dof) * v->u_N_per_m, v->u_N_per_m);
  if (isnan(v->sd_N_per_m))
    printf("  one test a direction: how another would differ is not known, and not in this uncertainty\n");
  else
    printf("  one test differs from another by %.3g N/m (standard deviation)\n", v->sd_N_per_m);
  if (v->basis == CB_STRETCH_BY_FORM)
    printf("  from other directions by the form '%s', which leaves %.3g N/m open\n", cb_stretch_form_names[law->form], v->u_form_N_per_m);
}

static int print_value(const request *q, const cb_stretch_law *law, double strain, const cb_stretch_value *v) {
  if (q->json) return cli_print_json("predict", document(q, law, strain, v));
  printf("%s, stretch at %g deg (%s)\n", law->cloth, q->angle_deg, cb_origin_names[law->origin]);
  printf("  strain %.4f %%, force %.5g N/m\n", 100 * strain, v->force_N_per_m);
  print_uncertainty(law, v);
  if (!v->inside_measured_range)
    printf("  outside the measured strains: carried on with the last %s\n", v->basis == CB_STRETCH_BY_TABLE ? "stiffness" : "slope");
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_store *s;
  cb_stretch_law law;
  cb_stretch_value v;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  st = cb_store_stretch(s, q->cloth, &law, NULL, &err);
  (void)cb_store_close(s, NULL);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  double strain = isnan(q->strain) ? cb_stretch_strain(&law, q->angle_deg, q->force_N_per_m) : q->strain;
  cb_stretch_eval(&law, q->angle_deg, isnan(strain) ? 0 : strain, &v);
  if (v.basis != CB_STRETCH_BY_NOTHING && !isnan(strain)) return print_value(q, &law, strain, &v);
  if (v.basis == CB_STRETCH_BY_NOTHING)
    cli_say("predict", "%s: %g deg was not tested, and no three directions tell (0, 90 and one between would)", q->cloth, q->angle_deg);
  else
    cli_say("predict", "%s: %g N/m is not reached at %g deg", q->cloth, q->force_N_per_m, q->angle_deg);
  return CLI_NEGATIVE;
}

int cli_predict_stretch(int argc, char **argv) {
  request q = {.strain = NAN, .force_N_per_m = NAN};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name", .required = true},
      {.name = "angle-deg",
       .kind = CLI_NUMBER,
       .value = &q.angle_deg,
       .help = "direction of the strip in the cloth, 0 = warp",
       .required = true},
      {.name = "strain", .kind = CLI_NUMBER, .value = &q.strain, .max = 10, .help = "extension over length: 0.02 is 2 %"},
      {.name = "force-N-per-m", .kind = CLI_NUMBER, .value = &q.force_N_per_m, .max = 1e6, .help = "or the force per width"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "predict stretch --cloth NAME --angle-deg A {--strain E | --force-N-per-m F} [--db FILE] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (isnan(q.strain) != isnan(q.force_N_per_m)) return run_predict(&q);
  cli_say("predict", "either --strain or --force-N-per-m was wanted");
  return CLI_USAGE;
}
