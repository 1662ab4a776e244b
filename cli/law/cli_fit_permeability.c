/* clothbench fit permeability: flow-against-pressure tests -> laws, of one cloth or of all that were
   tested. */
#include <math.h>
#include <stdio.h>

#include "cli_kind.h"
#include "lab_permeability.h"
#include "cb_plural.h"

typedef struct request {
  const char *cloth, *specimen, *db; /* NULL: all */
  bool json;
} request;

static cb_status fit_and_store(const request *q, lab_permeability **list, size_t *n, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_WRITE, &s, err));
  return cb_store_close_after(s, lab_permeability_fit_all(s, q->cloth, q->specimen, list, n, err), err);
}

/* ---- the readable table ---- */

static void print_kappa(const lab_kappa *k) {
  printf("  %8.6g Pa  %10.4g mm/s  %9.4g  %9.4g ... %.4g%s\n", k->pressure_Pa, 1e3 * k->kappa_m_per_s,
         1e3 * k->u_m_per_s, 1e3 * k->low_m_per_s, 1e3 * k->high_m_per_s,
         k->inside_measured_range ? "" : "   extrapolated");
}

static void print_form(const fit_permeability_result *r) {
  const cb_permeability_law *law = &r->law;
  const lab_permeability_terms t = lab_permeability_terms_of(law);
  if (law->curve.form == CB_PERMEABILITY_POWER)
    printf("  power law: v = %.4g m/s (p / Pa)^%.4f\n", t.c_m_per_s, t.n);
  else if (law->curve.form == CB_PERMEABILITY_DARCY)
    printf("  Darcy: R = %.5g Pa s/m\n", t.R_Pa_s_per_m);
  else
    printf("  Darcy-Forchheimer: R = %.5g Pa s/m, S = %.5g Pa s2/m2\n", t.R_Pa_s_per_m, t.S_Pa_s2_per_m2);
  if (law->one_pressure)
    printf(
        "  one pressure only: Darcy's line is assumed; the exponent may be anything from 0.5 to 1, and the "
        "uncertainty says "
        "so\n");
  else
    printf("  runner-up: %s; p of Darcy's line (n = 1): %.2g\n",
           law->other_weight > 0 ? cb_permeability_form_names[law->other.form] : "none", r->darcy_p);
}

static void print_law(const lab_permeability *p) {
  const fit_permeability_result *r = &p->fit;
  printf("%s: ", p->material);
  if (r->outcome != FIT_PERMEABILITY_OK) {
    printf("%s; no law was stored\n", fit_permeability_outcome_text[r->outcome]);
    return;
  }
  printf("%zu specimen%s, %zu point%s (%s)\n", r->n_specimens, CB_S(r->n_specimens), r->n_points,
         CB_S(r->n_points), cb_origin_names[r->law.origin]);
  print_form(r);
  printf("  between specimens %.1f %%%s\n", 100 * r->law.specimen_sd,
         r->specimen_sd_assumed ? " (partly assumed: too few of them)" : "");
  printf("  %8s     %15s  %9s  %s\n", "pressure", "kappa", "u", "95 %");
  for (size_t i = 0; i < p->n_kappa; i++) print_kappa(&p->kappa[i]);
  if (r->n_specimens < 2) return;
  printf("  each specimen alone:\n");
  for (size_t i = 0; i < r->n_specimens; i++) print_kappa(&p->specimens[i].at_100_Pa);
}

static json_t *laws_json(const lab_permeability *list, size_t n) {
  json_t *laws = json_array();
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(laws, lab_permeability_json(&list[i]));
  return json_pack("{s:o}", "laws", laws);
}

static int show_cloths(const request *q, const lab_permeability *list, size_t n) {
  int code = CLI_DONE;
  bool all_fitted = true;
  for (size_t i = 0; i < n; i++) all_fitted = all_fitted && list[i].fit.outcome == FIT_PERMEABILITY_OK;
  if (q->json) {
    code = cli_print_json("fit", laws_json(list, n));
  } else {
    for (size_t i = 0; i < n; i++) print_law(&list[i]);
    if (fflush(stdout) != 0) code = CLI_FAILED;
  }
  return code == CLI_DONE && !all_fitted ? CLI_NEGATIVE : code;
}

int cli_fit_permeability(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "the cloth's name; else every cloth that was tested"},
      {"specimen", CLI_TEXT, &q.specimen, "only tests whose specimen has this name"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "fit permeability [--cloth NAME] [--specimen NAME] [--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  cb_err err = {""};
  lab_permeability *list = NULL;
  size_t n = 0;
  cb_status st = fit_and_store(&q, &list, &n, &err);
  int code = st == CB_OK ? show_cloths(&q, list, n) : cli_fail("fit", st, &err);
  lab_permeabilities_free(list, n);
  return code;
}
