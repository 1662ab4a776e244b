/* The document of what follows from drapes: docs/reference/json, "fit drape". */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "law.h"
#include "lab_drape_impl.h"
#include "lab_law.h"

static const lab_field sign_fields[] = {
    LAB_KEY(LAB_REAL, lab_drape_sign, measured, "measured"),
    LAB_KEY(LAB_REAL, lab_drape_sign, sd, "sd"),
    LAB_KEY(LAB_REAL, lab_drape_sign, u, "u"),
    LAB_KEY(LAB_REAL, lab_drape_sign, prior_lo95, "prior_lo95"),
    LAB_KEY(LAB_REAL, lab_drape_sign, prior_hi95, "prior_hi95"),
    LAB_KEY(LAB_REAL, lab_drape_sign, expected, "expected"),
    LAB_KEY(LAB_REAL, lab_drape_sign, lo95, "lo95"),
    LAB_KEY(LAB_REAL, lab_drape_sign, hi95, "hi95"),
    LAB_KEY(LAB_TRUTH, lab_drape_sign, inside, "inside"),
};
static const lab_field group_fields[] = {
    LAB_KEY(LAB_REAL, lab_drape_group, support_cm, "support_cm"),
    LAB_KEY(LAB_REAL, lab_drape_group, specimen_cm, "specimen_cm"),
    LAB_KEY(LAB_SIGN, lab_drape_group, drapes, "drapes"),
};
/* Beside these, what follows from them: mean, sd_over_prior, told. */
static const lab_field estimate_fields[] = {
    LAB_KEY(LAB_REAL, val_drape_estimate, lo95, "lo95"),
    LAB_KEY(LAB_REAL, val_drape_estimate, hi95, "hi95"),
    LAB_KEY(LAB_REAL, val_drape_estimate, mean_ln, "mean_ln"),
    LAB_KEY(LAB_REAL, val_drape_estimate, sd_ln, "sd_ln"),
    LAB_KEY(LAB_REAL, val_drape_estimate, prior_lo95, "prior_lo95"),
    LAB_KEY(LAB_REAL, val_drape_estimate, prior_hi95, "prior_hi95"),
    LAB_KEY(LAB_REAL, val_drape_estimate, prior_sd_ln, "prior_sd_ln"),
};
static const lab_field median_field = LAB_KEY(LAB_REAL, val_drape_estimate, median, "median");
static const lab_field direction_fields[] = {
    LAB_KEY(LAB_REAL, val_drape_direction, share[0], "ln_B"),
    LAB_KEY(LAB_REAL, val_drape_direction, share[1], "ln_ratio"),
    LAB_KEY(LAB_REAL, val_drape_direction, share[2], "ln_G"),
    LAB_KEY(LAB_REAL, val_drape_direction, sd_over_prior, "sd_over_prior"),
};
static const lab_field figure_fields[] = {
    LAB_KEY(LAB_REAL, lab_drape, p, "p_value"),
    LAB_KEY(LAB_REAL, lab_drape, at_limp_end, "at_limp_end"),
    LAB_KEY(LAB_REAL, lab_drape, at_stiff_end, "at_stiff_end"),
};
static const lab_field prior_fields[] = {
    LAB_KEY(LAB_REAL, lab_drape, prior.B_Nm, "B_Nm"),
    LAB_KEY(LAB_REAL, lab_drape, prior.sd_ln_B, "sd_ln_B"),
    LAB_KEY(LAB_REAL, lab_drape, prior.sd_ln_ratio, "sd_ln_ratio"),
    LAB_KEY(LAB_REAL, lab_drape, prior.G_N_per_m, "G_N_per_m"),
    LAB_KEY(LAB_REAL, lab_drape, prior.sd_ln_G, "sd_ln_G"),
    LAB_KEY(LAB_REAL, lab_drape, prior.mass_kg_per_m2, "areal_mass_kg_per_m2"),
    LAB_KEY(LAB_REAL, lab_drape, prior.sd_ln_mass, "sd_ln_areal_mass"),
    LAB_KEY(LAB_TRUTH, lab_drape, mass_known, "areal_mass_known"),
    LAB_KEY(LAB_REAL, lab_drape, prior.stretch_N_per_m, "stretch_N_per_m"),
    LAB_KEY(LAB_REAL, lab_drape, prior.sd_ln_stretch, "sd_ln_stretch"),
    LAB_KEY(LAB_TRUTH, lab_drape, stretch_known, "stretch_known"),
};
#define ROWS(fields) fields, LAB_N(fields)

/* ---- to JSON ---- */

static json_t *told_json(double sd_over_prior) {
  return json_string(val_drape_telling_text[val_drape_tells(sd_over_prior)]);
}

static json_t *group_json(const lab_drape_group *g) {
  json_t *o = lab_fields_json(ROWS(group_fields), g), *signs = json_object();
  int failed = !o || !signs;
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++)
    failed |= LAB_SET(signs, val_drape_sign_names[s],
                      g->sign[s].known ? lab_fields_json(ROWS(sign_fields), &g->sign[s]) : json_null());
  failed |= LAB_SET(o, "signs", signs);
  return lab_whole(o, failed);
}

static json_t *groups_json(const lab_drape *d) {
  json_t *list = json_array();
  int failed = !list;
  for (size_t k = 0; k < d->n_groups; k++)
    failed |= json_array_append_new(list, group_json(&d->group[k])) != 0;
  return lab_whole(list, failed);
}

static json_t *unknown_json(const val_drape_estimate *e) {
  double left = e->sd_ln / e->prior_sd_ln;
  json_t *o = lab_fields_json(&median_field, 1, e);
  int failed = LAB_SET(o, "mean", cb_json_real(exp(e->mean_ln + 0.5 * e->sd_ln * e->sd_ln)));
  failed |= !lab_fields_join(o, lab_fields_json(ROWS(estimate_fields), e));
  failed |= LAB_SET(o, "sd_over_prior", cb_json_real(left));
  failed |= LAB_SET(o, "told", told_json(left));
  return lab_whole(o, failed);
}

static json_t *unknowns_json(const lab_drape *d) {
  json_t *o = json_object();
  int failed = !o;
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
  int failed = !list;
  for (int k = 0; k < VAL_DRAPE_FREE; k++) {
    json_t *one = lab_fields_json(ROWS(direction_fields), &d->direction[k]);
    failed |= LAB_SET(one, "told", told_json(d->direction[k].sd_over_prior));
    failed |= json_array_append_new(list, one) != 0;
  }
  return lab_whole(list, failed);
}

static json_t *ids_json(const lab_drape *d) {
  json_t *list = json_array();
  int failed = !list;
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
  failed |= !lab_fields_join(o, lab_fields_json(ROWS(figure_fields), d));
  failed |= LAB_SET(o, "prior", lab_fields_json(ROWS(prior_fields), d));
  failed |= LAB_SET(o, "drape_ids", ids_json(d));
  return lab_whole(o, failed);
}

/* ---- and back ---- */

static cb_status read_sign(const json_t *signs, int s, lab_drape_sign *out, cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(signs, val_drape_sign_names[s], &o, err));
  out->known = o != NULL;
  return o ? lab_fields_read(ROWS(sign_fields), o, out, err) : CB_OK;
}

static cb_status read_groups(const json_t *doc, lab_drape *d, cb_err *err) {
  const json_t *signs;
  CB_TRY(lab_rows_read(ROWS(group_fields), doc, "groups", d->group, sizeof d->group[0],
                       VAL_DRAPE_SPECIMENS_MAX, &d->n_groups, err));
  for (size_t k = 0; k < d->n_groups; k++) {
    CB_TRY(lab_fields_object(json_array_get(json_object_get(doc, "groups"), k), "signs", &signs, err));
    for (int s = 0; s < VAL_DRAPE_SIGNS; s++) CB_TRY(read_sign(signs, s, &d->group[k].sign[s], err));
  }
  return CB_OK;
}

static cb_status read_unknowns(const json_t *doc, lab_drape *d, cb_err *err) {
  const json_t *all, *one;
  CB_TRY(lab_fields_object(doc, "unknowns", &all, err));
  for (int u = 0; u < VAL_DRAPE_UNKNOWNS; u++) {
    d->estimate[u].prior_mean_ln = NAN;
    CB_TRY(lab_fields_object(all, val_drape_unknown_names[u], &one, err));
    CB_TRY(lab_fields_read(&median_field, 1, one, &d->estimate[u], err));
    CB_TRY(lab_fields_read(ROWS(estimate_fields), one, &d->estimate[u], err));
  }
  return CB_OK;
}

static cb_status read_ids(const json_t *doc, lab_drape *d, cb_err *err) {
  const json_t *list;
  CB_TRY(lab_fields_list(doc, "drape_ids", SIZE_MAX, &list, err));
  d->n_drapes = json_array_size(list);
  d->drape_id = calloc(d->n_drapes + 1, sizeof *d->drape_id);
  if (!d->drape_id) return cb_no_memory(err, "%zu drapes", d->n_drapes);
  for (size_t i = 0; i < d->n_drapes; i++) {
    const json_t *id = json_array_get(list, i);
    if (!json_is_integer(id)) return cb_fail(err, CB_E_DB, "drape_ids: a row's number was wanted");
    d->drape_id[i] = json_integer_value(id);
  }
  return CB_OK;
}

static cb_status read_fit(const json_t *doc, lab_drape *d, cb_err *err) {
  static const lab_field names[] = {
      LAB_KEY_TEXT(lab_drape, cloth, "cloth"),
      LAB_KEY_CHOICE(lab_drape, outcome, "outcome", val_drape_outcome_text, VAL_DRAPE_CONTRADICTED),
      LAB_KEY_CHOICE(lab_drape, origin, "origin", cb_origin_names, CB_SIMULATED),
  };
  const json_t *prior;
  size_t directions;
  CB_TRY(lab_fields_read(ROWS(names), doc, d, err));
  CB_TRY(read_groups(doc, d, err));
  CB_TRY(read_unknowns(doc, d, err));
  CB_TRY(cb_json_get_matrix(json_object_get(doc, "covariance_ln"), "covariance_ln", VAL_DRAPE_FREE,
                            VAL_DRAPE_FREE, &d->covariance[0][0], err));
  CB_TRY(lab_rows_read(ROWS(direction_fields), doc, "combinations", d->direction, sizeof d->direction[0],
                       VAL_DRAPE_FREE, &directions, err));
  CB_TRY(lab_fields_read(ROWS(figure_fields), doc, d, err));
  CB_TRY(lab_fields_object(doc, "prior", &prior, err));
  CB_TRY(lab_fields_read(ROWS(prior_fields), prior, d, err));
  return read_ids(doc, d, err);
}

/* What is in a column has a law. */
cb_status lab_drape_read(const char *text, lab_drape *out, cb_err *err) {
  json_t *doc;
  *out = (lab_drape){.has_law = true};
  CB_TRY(law_read(CB_LAW_BENDING, text, &out->law, err));
  CB_TRY(lab_fields_document(text, &doc, err));
  cb_status st = read_fit(doc, out, err);
  json_decref(doc);
  return st;
}
