/* What `fit drape` prints; docs/json.md lists the keys. */
#include <math.h>
#include <stdio.h>

#include "cb_law_json.h"
#include "cli_fit_drape.h"

/* ---- the document ---- */

static json_t *groups_json(const val_drape_model *m, const cli_fit_drape_data *d, const val_drape_inverse *v) {
  json_t *list = json_array();
  for (int k = 0; k < d->n_groups; k++) {
    const val_drape_group *g = &d->group[k];
    json_t *signs = json_object();
    for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
      const val_drape_check *c = &v->check[k][s];
      double slope = c->known ? val_drape_even_slope((val_drape_sign)s, c->measured) : NAN;
      (void)json_object_set_new(
          signs, val_drape_sign_names[s],
          !c->known ? json_null()
                    : json_pack("{s:f, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "measured", c->measured, "sd",
                                cb_json_real(g->sd[s] / slope), "u", g->u[s] / slope, "prior_lo95", c->prior_lo95, "prior_hi95",
                                c->prior_hi95, "expected", c->mean, "lo95", c->lo95, "hi95", c->hi95, "inside", c->inside));
    }
    (void)json_array_append_new(list, json_pack("{s:f, s:f, s:i, s:o}", "support_cm", 100 * m->specimen[g->specimen].support_m,
                                                "specimen_cm", 100 * m->specimen[g->specimen].specimen_m, "drapes", g->n, "signs", signs));
  }
  return list;
}

static json_t *unknowns_json(const val_drape_inverse *v) {
  json_t *o = json_object();
  for (int u = 0; u < VAL_DRAPE_UNKNOWNS; u++) {
    const val_drape_estimate *e = &v->estimate[u];
    double left = e->sd_ln / e->prior_sd_ln;
    (void)json_object_set_new(
        o, val_drape_unknown_names[u],
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "median", e->median, "mean",
                  exp(e->mean_ln + 0.5 * e->sd_ln * e->sd_ln), "lo95", e->lo95, "hi95", e->hi95, "mean_ln", e->mean_ln, "sd_ln", e->sd_ln,
                  "prior_lo95", e->prior_lo95, "prior_hi95", e->prior_hi95, "prior_sd_ln", e->prior_sd_ln, "sd_over_prior", left, "told",
                  val_drape_telling_text[val_drape_tells(left)]));
  }
  return o;
}

static json_t *matrix_json(const val_drape_inverse *v, bool correlation) {
  json_t *list = json_array();
  for (int i = 0; i < VAL_DRAPE_FREE; i++) {
    json_t *row = json_array();
    for (int k = 0; k < VAL_DRAPE_FREE; k++)
      (void)json_array_append_new(row,
                                  cb_json_real(v->covariance[i][k] / (correlation ? sqrt(v->covariance[i][i] * v->covariance[k][k]) : 1)));
    (void)json_array_append_new(list, row);
  }
  return list;
}

static json_t *combinations_json(const val_drape_inverse *v) {
  json_t *list = json_array();
  for (int k = 0; k < VAL_DRAPE_FREE; k++) {
    const val_drape_direction *d = &v->direction[k];
    (void)json_array_append_new(
        list, json_pack("{s:f, s:f, s:f, s:f, s:s}", "ln_B", d->share[0], "ln_ratio", d->share[1], "ln_G", d->share[2], "sd_over_prior",
                        d->sd_over_prior, "told", val_drape_telling_text[val_drape_tells(d->sd_over_prior)]));
  }
  return list;
}

static json_t *prior_json(const val_drape_prior *q, bool mass_known) {
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "B_Nm", q->B_Nm, "sd_ln_B", q->sd_ln_B, "sd_ln_ratio", q->sd_ln_ratio,
                   "G_N_per_m", q->G_N_per_m, "sd_ln_G", q->sd_ln_G, "areal_mass_kg_per_m2", q->mass_kg_per_m2, "sd_ln_areal_mass",
                   q->sd_ln_mass, "areal_mass_known", mass_known);
}

static json_t *ids_json(const cli_fit_drape_data *d) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->n_ids; i++) (void)json_array_append_new(list, json_integer((json_int_t)d->drape_id[i]));
  return list;
}

json_t *cli_fit_drape_json(const cli_fit_drape_request *q, const val_drape_model *m, const cli_fit_drape_data *d,
                           const val_drape_prior *prior, const val_drape_inverse *v, const cb_bending_law *law) {
  json_t *doc = json_pack("{s:s?, s:s, s:s, s:o, s:o}", "cloth", q->cloth, "outcome", val_drape_outcome_text[v->outcome], "origin",
                          cb_origin_names[d->origin], "law", law ? cb_bending_json(law) : json_null(), "law_id", json_null());
  if (!doc) return NULL;
  int failed = json_object_set_new(doc, "groups", groups_json(m, d, v));
  failed |= json_object_set_new(doc, "unknowns", unknowns_json(v));
  failed |= json_object_set_new(doc, "covariance_ln", matrix_json(v, false));
  failed |= json_object_set_new(doc, "correlation", matrix_json(v, true));
  failed |= json_object_set_new(doc, "combinations", combinations_json(v));
  failed |= json_object_set_new(doc, "p_value", json_real(v->p));
  failed |= json_object_set_new(doc, "at_limp_end", json_real(v->at_limp_end));
  failed |= json_object_set_new(doc, "at_stiff_end", json_real(v->at_stiff_end));
  failed |= json_object_set_new(doc, "prior", prior_json(prior, d->mass_known));
  failed |= json_object_set_new(doc, "drape_ids", ids_json(d));
  if (!failed) return doc;
  json_decref(doc);
  return NULL;
}

/* ---- the readable table ---- */

static void print_sign(const char *name, const char *words, double scale, const json_t *signs) {
  const json_t *s = json_object_get(signs, name);
  if (!json_is_object(s)) return;
  printf("  %-18s %9.4g ", words, scale * cb_json_number(s, "measured"));
  if (isnan(cb_json_number(s, "sd")))
    printf("%9s", "-");
  else
    printf("%9.2g", scale * cb_json_number(s, "sd"));
  printf(" %9.2g %9.3g .. %7.3g %9.3g .. %7.3g  %s\n", scale * cb_json_number(s, "u"), scale * cb_json_number(s, "prior_lo95"),
         scale * cb_json_number(s, "prior_hi95"), scale * cb_json_number(s, "lo95"), scale * cb_json_number(s, "hi95"),
         json_is_true(json_object_get(s, "inside")) ? "inside" : "outside");
}

static void print_group(const json_t *g) {
  const json_t *signs = json_object_get(g, "signs");
  printf("%g drape%s of %g cm on %g cm\n", cb_json_number(g, "drapes"), cb_json_number(g, "drapes") > 1 ? "s" : "",
         cb_json_number(g, "specimen_cm"), cb_json_number(g, "support_cm"));
  printf("  %-18s %9s %9s %9s %20s %20s\n", "", "measured", "sd", "u", "before, 95 %", "after, 95 %");
  print_sign("drape_coefficient", "drape coefficient", 1, signs);
  print_sign("nodes", "nodes", 1, signs);
  print_sign("amplitude_m", "amplitude mm", 1e3, signs);
  print_sign("elongation", "elongation %", 100, signs);
  printf("\n");
}

static void print_unknown(const char *name, const char *words, double scale, const json_t *unknowns) {
  const json_t *u = json_object_get(unknowns, name);
  printf("  %-26s %9.4g %9.3g .. %7.3g %9.3g .. %7.3g  %s (%.0f %% of the prior's width)\n", words, scale * cb_json_number(u, "median"),
         scale * cb_json_number(u, "lo95"), scale * cb_json_number(u, "hi95"), scale * cb_json_number(u, "prior_lo95"),
         scale * cb_json_number(u, "prior_hi95"), json_string_value(json_object_get(u, "told")), 100 * cb_json_number(u, "sd_over_prior"));
}

static void print_combinations(const json_t *list) {
  size_t i;
  json_t *c;
  printf("\nwhat is told, of ln B, ln ratio and ln G, each over its prior standard deviation:\n");
  json_array_foreach(list, i, c) printf("  %+.2f %+.2f %+.2f: %.0f %% of the prior's width\n", cb_json_number(c, "ln_B"),
                                        cb_json_number(c, "ln_ratio"), cb_json_number(c, "ln_G"), 100 * cb_json_number(c, "sd_over_prior"));
}

int cli_fit_drape_print(const json_t *doc) {
  size_t i;
  json_t *g;
  const json_t *unknowns = json_object_get(doc, "unknowns"), *id = json_object_get(doc, "law_id");
  json_array_foreach(json_object_get(doc, "groups"), i, g) print_group(g);
  printf("  %-26s %9s %20s %20s\n", "", "median", "95 %", "before, 95 %");
  print_unknown("bending_length_m", "bending length mm", 1e3, unknowns);
  print_unknown("B_Nm", "B, effective, uN m", 1e6, unknowns);
  print_unknown("ratio", "stiffer to limper", 1, unknowns);
  print_unknown("G_N_per_m", "G, shear, N/m", 1, unknowns);
  print_combinations(json_object_get(doc, "combinations"));
  printf("\nsuch a cloth's drapes differ as much from what is expected of it with p = %.2g\n", cb_json_number(doc, "p_value"));
  if (json_is_integer(id)) printf("stored as law %lld of bending\n", (long long)json_integer_value(id));
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}
