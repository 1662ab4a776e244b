/* The document of what drapes tell: docs/json.md, "fit drape". */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "lab_drape.h"
#include "lab_law.h"

#define AT(member) offsetof(lab_drape_sign, member)
static const cb_json_field sign_fields[] = {
    {"measured", CB_JSON_REAL, AT(measured), NULL, 0},
    {"sd", CB_JSON_NAN, AT(sd), NULL, 0},
    {"u", CB_JSON_REAL, AT(u), NULL, 0},
    {"prior_lo95", CB_JSON_REAL, AT(prior_lo95), NULL, 0},
    {"prior_hi95", CB_JSON_REAL, AT(prior_hi95), NULL, 0},
    {"expected", CB_JSON_REAL, AT(expected), NULL, 0},
    {"lo95", CB_JSON_REAL, AT(lo95), NULL, 0},
    {"hi95", CB_JSON_REAL, AT(hi95), NULL, 0},
    {"inside", CB_JSON_BOOL, AT(inside), NULL, 0},
};
#undef AT
#define AT(member) offsetof(lab_drape_group, member)
static const cb_json_field group_fields[] = {
    {"support_cm", CB_JSON_REAL, AT(support_cm), NULL, 0},
    {"specimen_cm", CB_JSON_REAL, AT(specimen_cm), NULL, 0},
    {"drapes", CB_JSON_INT, AT(drapes), NULL, 0},
};
#undef AT
/* Beside these, what follows from them: mean, sd_over_prior, told. */
#define AT(member) offsetof(val_drape_estimate, member)
static const cb_json_field estimate_fields[] = {
    {"lo95", CB_JSON_REAL, AT(lo95), NULL, 0},
    {"hi95", CB_JSON_REAL, AT(hi95), NULL, 0},
    {"mean_ln", CB_JSON_REAL, AT(mean_ln), NULL, 0},
    {"sd_ln", CB_JSON_REAL, AT(sd_ln), NULL, 0},
    {"prior_lo95", CB_JSON_REAL, AT(prior_lo95), NULL, 0},
    {"prior_hi95", CB_JSON_REAL, AT(prior_hi95), NULL, 0},
    {"prior_sd_ln", CB_JSON_REAL, AT(prior_sd_ln), NULL, 0},
};
static const cb_json_field median_field = {"median", CB_JSON_REAL, AT(median), NULL, 0};
#undef AT
#define AT(member) offsetof(val_drape_direction, member)
static const cb_json_field direction_fields[] = {
    {"ln_B", CB_JSON_REAL, AT(share[0]), NULL, 0},
    {"ln_ratio", CB_JSON_REAL, AT(share[1]), NULL, 0},
    {"ln_G", CB_JSON_REAL, AT(share[2]), NULL, 0},
    {"sd_over_prior", CB_JSON_REAL, AT(sd_over_prior), NULL, 0},
};
#undef AT
#define AT(member) offsetof(lab_drape, member)
static const cb_json_field figure_fields[] = {
    {"p_value", CB_JSON_REAL, AT(p), NULL, 0},
    {"at_limp_end", CB_JSON_REAL, AT(at_limp_end), NULL, 0},
    {"at_stiff_end", CB_JSON_REAL, AT(at_stiff_end), NULL, 0},
};
static const cb_json_field prior_fields[] = {
    {"B_Nm", CB_JSON_REAL, AT(prior.B_Nm), NULL, 0},
    {"sd_ln_B", CB_JSON_REAL, AT(prior.sd_ln_B), NULL, 0},
    {"sd_ln_ratio", CB_JSON_REAL, AT(prior.sd_ln_ratio), NULL, 0},
    {"G_N_per_m", CB_JSON_REAL, AT(prior.G_N_per_m), NULL, 0},
    {"sd_ln_G", CB_JSON_REAL, AT(prior.sd_ln_G), NULL, 0},
    {"areal_mass_kg_per_m2", CB_JSON_REAL, AT(prior.mass_kg_per_m2), NULL, 0},
    {"sd_ln_areal_mass", CB_JSON_REAL, AT(prior.sd_ln_mass), NULL, 0},
    {"areal_mass_known", CB_JSON_BOOL, AT(mass_known), NULL, 0},
};
#undef AT
#define ROWS(fields) fields, CB_JSON_COUNT_OF(fields)

/* ---- to JSON ---- */

static json_t *told_json(double sd_over_prior) {
  return json_string(val_drape_telling_text[val_drape_tells(sd_over_prior)]);
}

static json_t *group_json(const lab_drape_group *g) {
  json_t *o = cb_json_object(ROWS(group_fields), g), *signs = json_object();
  int failed = !o || !signs;
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++)
    failed |= LAB_SET(signs, val_drape_sign_names[s],
                      g->sign[s].known ? cb_json_object(ROWS(sign_fields), &g->sign[s]) : json_null());
  failed |= LAB_SET(o, "signs", signs);
  return lab_whole(o, failed);
}

static json_t *groups_json(const lab_drape *d) {
  json_t *list = json_array();
  int failed = list == NULL;
  for (size_t k = 0; k < d->n_groups; k++)
    failed |= json_array_append_new(list, group_json(&d->group[k])) != 0;
  return lab_whole(list, failed);
}

static json_t *unknown_json(const val_drape_estimate *e) {
  double left = e->sd_ln / e->prior_sd_ln;
  json_t *o = cb_json_object(&median_field, 1, e);
  int failed = LAB_SET(o, "mean", json_real(exp(e->mean_ln + 0.5 * e->sd_ln * e->sd_ln)));
  failed |= cb_json_put(o, ROWS(estimate_fields), e) != 0;
  failed |= LAB_SET(o, "sd_over_prior", json_real(left));
  failed |= LAB_SET(o, "told", told_json(left));
  return lab_whole(o, failed);
}

static json_t *unknowns_json(const lab_drape *d) {
  json_t *o = json_object();
  int failed = o == NULL;
  for (int u = 0; u < VAL_DRAPE_UNKNOWNS; u++)
    failed |= LAB_SET(o, val_drape_unknown_names[u], unknown_json(&d->estimate[u]));
  return lab_whole(o, failed);
}

static json_t *correlation_json(const lab_drape *d) {
  double r[VAL_DRAPE_FREE][VAL_DRAPE_FREE];
  for (int i = 0; i < VAL_DRAPE_FREE; i++)
    for (int k = 0; k < VAL_DRAPE_FREE; k++)
      r[i][k] = d->covariance[i][k] / sqrt(d->covariance[i][i] * d->covariance[k][k]);
  return cb_json_matrix(&r[0][0], VAL_DRAPE_FREE, VAL_DRAPE_FREE);
}

static json_t *combinations_json(const lab_drape *d) {
  json_t *list = json_array();
  int failed = list == NULL;
  for (int k = 0; k < VAL_DRAPE_FREE; k++) {
    json_t *one = cb_json_object(ROWS(direction_fields), &d->direction[k]);
    failed |= LAB_SET(one, "told", told_json(d->direction[k].sd_over_prior));
    failed |= json_array_append_new(list, one) != 0;
  }
  return lab_whole(list, failed);
}

static json_t *ids_json(const lab_drape *d) {
  json_t *list = json_array();
  int failed = list == NULL;
  for (size_t i = 0; i < d->n_drapes; i++)
    failed |= json_array_append_new(list, json_integer((json_int_t)d->drape_id[i])) != 0;
  return lab_whole(list, failed);
}

json_t *lab_drape_json(const lab_drape *d) {
  json_t *o = json_pack("{s:s?, s:s, s:s}", "cloth", d->cloth[0] ? d->cloth : NULL, "outcome",
                        val_drape_outcome_text[d->outcome], "origin", cb_origin_names[d->origin]);
  int failed = LAB_SET(o, "law", d->has_law ? cb_bending_json(&d->law) : json_null());
  failed |= LAB_SET(o, "law_id", d->law_id > 0 ? json_integer((json_int_t)d->law_id) : json_null());
  failed |= LAB_SET(o, "groups", groups_json(d));
  failed |= LAB_SET(o, "unknowns", unknowns_json(d));
  failed |= LAB_SET(o, "covariance_ln", cb_json_matrix(&d->covariance[0][0], VAL_DRAPE_FREE, VAL_DRAPE_FREE));
  failed |= LAB_SET(o, "correlation", correlation_json(d));
  failed |= LAB_SET(o, "combinations", combinations_json(d));
  failed |= cb_json_put(o, ROWS(figure_fields), d) != 0;
  failed |= LAB_SET(o, "prior", cb_json_object(ROWS(prior_fields), d));
  failed |= LAB_SET(o, "drape_ids", ids_json(d));
  return lab_whole(o, failed);
}

/* ---- and back ---- */

static cb_status parse_group(const json_t *o, lab_drape_group *g, cb_err *err) {
  CB_TRY(cb_json_get(o, "drape fit: groups[].", ROWS(group_fields), g, err));
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
    const json_t *sign = json_object_get(json_object_get(o, "signs"), val_drape_sign_names[s]);
    g->sign[s].known = !json_is_null(sign);
    if (g->sign[s].known)
      CB_TRY(cb_json_get(sign, "drape fit: groups[].signs.", ROWS(sign_fields), &g->sign[s], err));
  }
  return CB_OK;
}

static cb_status parse_groups(const json_t *list, lab_drape *d, cb_err *err) {
  d->n_groups = json_array_size(list);
  if (d->n_groups < 1 || d->n_groups > VAL_DRAPE_SPECIMENS_MAX)
    return cb_fail(err, CB_E_PARSE, "drape fit: groups: a list of 1 to %d was wanted",
                   VAL_DRAPE_SPECIMENS_MAX);
  for (size_t k = 0; k < d->n_groups; k++) CB_TRY(parse_group(json_array_get(list, k), &d->group[k], err));
  return CB_OK;
}

static cb_status parse_unknowns(const json_t *o, lab_drape *d, cb_err *err) {
  for (int u = 0; u < VAL_DRAPE_UNKNOWNS; u++) {
    const json_t *one = json_object_get(o, val_drape_unknown_names[u]);
    val_drape_estimate *e = &d->estimate[u];
    e->prior_mean_ln = NAN;
    CB_TRY(cb_json_get(one, "drape fit: unknowns.", &median_field, 1, e, err));
    CB_TRY(cb_json_get(one, "drape fit: unknowns.", ROWS(estimate_fields), e, err));
  }
  return CB_OK;
}

static cb_status parse_ids(const json_t *list, lab_drape *d, cb_err *err) {
  size_t n = json_array_size(list);
  d->drape_id = calloc(n + 1, sizeof *d->drape_id);
  if (!d->drape_id) return cb_fail(err, CB_E_NOMEM, "no memory for %zu drapes", n);
  for (d->n_drapes = 0; d->n_drapes < n; d->n_drapes++) {
    const json_t *id = json_array_get(list, d->n_drapes);
    if (!json_is_integer(id))
      return cb_fail(err, CB_E_PARSE, "drape fit: drape_ids: numbers of rows were wanted");
    d->drape_id[d->n_drapes] = json_integer_value(id);
  }
  return CB_OK;
}

static cb_status parse_fit(const json_t *o, lab_drape *d, cb_err *err) {
  const cb_json_field names[] = {
      {"cloth", CB_JSON_TEXT, offsetof(lab_drape, cloth), NULL, sizeof d->cloth},
      {"outcome", CB_JSON_NAME, offsetof(lab_drape, outcome), val_drape_outcome_text, 0},
      {"origin", CB_JSON_NAME, offsetof(lab_drape, origin), cb_origin_names, 0},
  };
  size_t directions;
  CB_TRY(cb_json_get(o, "drape fit: ", ROWS(names), d, err));
  CB_TRY(parse_groups(json_object_get(o, "groups"), d, err));
  CB_TRY(parse_unknowns(json_object_get(o, "unknowns"), d, err));
  CB_TRY(cb_json_get_matrix(json_object_get(o, "covariance_ln"), "drape fit: covariance_ln", VAL_DRAPE_FREE,
                            VAL_DRAPE_FREE, &d->covariance[0][0], err));
  CB_TRY(cb_json_get_rows(json_object_get(o, "combinations"), "drape fit: combinations[].",
                          ROWS(direction_fields), d->direction, sizeof d->direction[0], VAL_DRAPE_FREE,
                          &directions, err));
  if (directions != VAL_DRAPE_FREE)
    return cb_fail(err, CB_E_PARSE, "drape fit: combinations: a list of %d was wanted", VAL_DRAPE_FREE);
  CB_TRY(cb_json_get(o, "drape fit: ", ROWS(figure_fields), d, err));
  CB_TRY(cb_json_get(json_object_get(o, "prior"), "drape fit: prior.", ROWS(prior_fields), d, err));
  return parse_ids(json_object_get(o, "drape_ids"), d, err);
}

/* What is in a column has a law. */
cb_status lab_drape_parse(const char *text, lab_drape *out, cb_err *err) {
  json_t *doc;
  *out = (lab_drape){.has_law = true};
  CB_TRY(cb_bending_parse(text, &out->law, err));
  CB_TRY(lab_document(text, "drape fit", &doc, err));
  cb_status st = parse_fit(doc, out, err);
  json_decref(doc);
  return st;
}
