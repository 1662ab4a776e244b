/* clothbench fit compression: curves of thickness over pressure -> laws, of one cloth or of all that were
   tested. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_store_material_test.h"
#include "cli_kind.h"
#include "lab_compression.h"

typedef struct request {
  const char *cloth, *db; /* cloth NULL: all */
  bool json;
} request;

static cb_status fit_and_store(const request *q, lab_compression **list, size_t *n, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_WRITE, &s, err));
  const cb_status st = lab_compression_fit_all(s, q->cloth, list, n, err);
  return cb_store_close_after(s, st, err);
}

static void print_thickness(const cb_compression_law *law, double pressure_Pa) {
  const lab_compression_answer a = lab_compression_at(law, pressure_Pa, 1);
  printf("  %8.6g Pa  %9.4f mm  %9.2g  %9.4f ... %.4f%s\n", pressure_Pa, 1e3 * a.thickness_m,
         1e3 * a.u_thickness_m, 1e3 * a.low_m, 1e3 * a.high_m,
         a.inside_measured_range ? "" : "   extrapolated");
}

static void print_kes(const char *name, const char *unit, double value, double u, double dof) {
  char text[CB_PLUS_MINUS];
  if (!isnan(value)) printf("  %s %s%s (95 %%)\n", name, cb_plus_minus_of_u(value, u, dof, text), unit);
}

static void print_law(const lab_compression *c) {
  static const double usual_Pa[] = {CB_COMPRESSION_LOW_PA, 200, 1000, CB_COMPRESSION_HIGH_PA};
  const fit_compression_result *r = &c->fit;
  const cb_compression_law *law = &r->law;
  printf("%s: ", c->material);
  if (r->outcome != FIT_COMPRESSION_OK) {
    printf("%s; no law was stored\n", fit_compression_outcome_text[r->outcome]);
    return;
  }
  printf("%zu piece%s, %zu test%s, %zu point%s (%s)\n", r->n_pieces, CB_S(r->n_pieces), r->n_tests,
         CB_S(r->n_tests), r->n_points, CB_S(r->n_points), cb_origin_names[law->origin]);
  printf("  measured from %.4g to %.4g Pa; between pieces %.1f %%%s\n", law->knot[0].pressure_Pa,
         law->knot[law->n - 1].pressure_Pa, 100 * law->specimen_sd,
         r->sd_assumed ? " (partly assumed: too few of them)" : "");
  printf("  %8s     %12s  %9s  %s\n", "pressure", "thickness", "u", "95 %");
  for (size_t i = 0; i < sizeof usual_Pa / sizeof usual_Pa[0]; i++) print_thickness(law, usual_Pa[i]);
  print_kes("LC", "", law->kes.lc, law->kes.u_lc, law->dof);
  print_kes("WC", " J/m2", law->kes.wc_J_per_m2, law->kes.u_wc_J_per_m2, law->dof);
  print_kes("RC", "", law->kes.rc, law->kes.u_rc, law->dof);
}

static json_t *laws_json(const lab_compression *list, size_t n) {
  json_t *laws = json_array();
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(laws, lab_compression_json(&list[i]));
  return json_pack("{s:o}", "laws", laws);
}

static int show_laws(const request *q, const lab_compression *list, size_t n) {
  int code = CLI_DONE;
  bool all_fitted = true;
  for (size_t i = 0; i < n; i++) all_fitted = all_fitted && list[i].fit.outcome == FIT_COMPRESSION_OK;
  if (q->json)
    code = cli_print_json("fit", laws_json(list, n));
  else
    for (size_t i = 0; i < n; i++) print_law(&list[i]);
  if (fflush(stdout) != 0) code = CLI_FAILED;
  return code == CLI_DONE && !all_fitted ? CLI_NEGATIVE : code;
}

int cli_fit_compression(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "the cloth's name; else every cloth that was tested"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  const int stop = cli_parse(argc, argv, "fit compression [--cloth NAME] [--db FILE] [--json]", opts,
                             sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  cb_err err = {""};
  lab_compression *list = NULL;
  size_t n = 0;
  const cb_status st = fit_and_store(&q, &list, &n, &err);
  const int code = st == CB_OK ? show_laws(&q, list, n) : cli_fail("fit", st, &err);
  free(list);
  return code;
}
