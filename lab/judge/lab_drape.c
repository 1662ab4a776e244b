/* Drapes -> what follows of the cloth -> law into the store. */
#include "cb_store_material_test.h"
#include "lab_drape_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_law.h"
#include "cb_plural.h"

/* ---- the law that comes of it ---- */

/* Makes a law in Peirce's form, of moments at the curvature VAL_DRAPE_BEND / bending length. Drapes do not
 * show which direction is the stiffer one: if stiffer is 0, warp and weft have the same B, and the ratio is
 * part of their covariance. */
static void draw_law(const val_drape_inverse *v, int stiffer, cb_bending_law *out) {
  const val_drape_estimate *B = &v->estimate[VAL_DRAPE_B], *ratio = &v->estimate[VAL_DRAPE_RATIO];
  double side = stiffer, K = VAL_DRAPE_BEND / v->estimate[VAL_DRAPE_LENGTH].median;
  double var_ratio = side != 0 ? v->covariance[1][1] : v->mean_square_ln_ratio;
  *out = (cb_bending_law){.form = CB_BENDING_PEIRCE,
                          .B_is = CB_BENDING_SECANT,
                          .dof = INFINITY,
                          .curvature_per_m = K,
                          .curvature_min_per_m = K / 4,
                          .curvature_max_per_m = K,
                          .width_N = {NAN, NAN},
                          .u_width_N = {NAN, NAN}};
  /* ln B1 = ln B + ln ratio / 2, ln B2 = ln B - ln ratio / 2; the middle one is between them, and does not
   * count. */
  double to_ratio[3] = {0.5, 0, -0.5}, sign = side != 0 ? side : 1,
         cross = side != 0 ? v->covariance[0][1] : 0;
  for (int i = 0; i < 3; i++) out->B_Nm[i] = B->median * exp(side * to_ratio[i] * ratio->mean_ln);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out->cov_N2m2[i][j] = out->B_Nm[i] * out->B_Nm[j] *
                            (v->covariance[0][0] + to_ratio[i] * to_ratio[j] * var_ratio +
                             sign * (to_ratio[i] + to_ratio[j]) * cross);
}

/* ---- inference ---- */

/* Of a stretch that was measured: as docs/method/drape-prediction.md has it for numbers. */
#define U_STRETCH_REL 0.1

typedef struct job {
  val_drape_table table;
  val_drape_model model;
  val_drape_lattice *lattice;
  lab_drape_data data;
  val_drape_prior prior;
  val_drape_inverse result;
} job;

static void free_job(job *j) {
  if (!j) return;
  val_drape_table_clear(&j->table);
  val_drape_lattice_free(j->lattice);
  lab_drape_data_clear(&j->data);
  free(j);
}

static cb_status infer(const lab_drape_request *q, cb_store *s, job *j, cb_err *err) {
  CB_TRY(val_drape_table_read(q->table_file, &j->table, err));
  CB_TRY(val_drape_model_make(&j->table, q->table_file, &j->model, err));
  CB_TRY(lab_drape_gather(q, s, &j->model, &j->data, err));
  j->prior = val_drape_prior_default();
  if (j->data.mass_known) {
    j->prior.mass_kg_per_m2 = j->data.mass_kg_per_m2;
    j->prior.sd_ln_mass = isnan(q->u_mass_rel) ? 0.01 : q->u_mass_rel;
  }
  if (!isnan(j->data.stretch_N_per_m)) {
    j->prior.stretch_N_per_m = j->data.stretch_N_per_m;
    j->prior.sd_ln_stretch = U_STRETCH_REL;
  }
  CB_TRY(val_drape_lattice_make(&j->model, &j->prior, j->data.group, j->data.n_groups, &j->lattice, err));
  return val_drape_infer(j->lattice, j->data.group, j->data.n_groups, &j->prior, &j->result, err);
}

/* ---- the result ---- */

static lab_drape_sign tell_sign(const val_drape_group *g, const val_drape_check *c, val_drape_sign s) {
  if (!c->known) return (lab_drape_sign){.known = false};
  double slope = val_drape_even_slope(s, c->measured);
  return (lab_drape_sign){.known = true,
                          .measured = c->measured,
                          .sd = g->sd[s] / slope,
                          .u = g->u[s] / slope,
                          .prior_lo95 = c->prior_lo95,
                          .prior_hi95 = c->prior_hi95,
                          .expected = c->mean,
                          .lo95 = c->lo95,
                          .hi95 = c->hi95,
                          .inside = c->inside};
}

static void tell_group(const job *j, int k, lab_drape_group *out) {
  const val_drape_group *g = &j->data.group[k];
  *out = (lab_drape_group){.support_cm = 100 * j->model.specimen[g->specimen].support_m,
                           .specimen_cm = 100 * j->model.specimen[g->specimen].specimen_m,
                           .drapes = g->n};
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++)
    out->sign[s] = tell_sign(g, &j->result.check[k][s], (val_drape_sign)s);
}

static void tell_result(const lab_drape_request *q, job *j, lab_drape *out) {
  const val_drape_inverse *v = &j->result;
  out->outcome = v->outcome;
  out->origin = j->data.origin;
  out->n_groups = (size_t)j->data.n_groups;
  for (int k = 0; k < j->data.n_groups; k++) tell_group(j, k, &out->group[k]);
  memcpy(out->estimate, v->estimate, sizeof out->estimate);
  memcpy(out->covariance, v->covariance, sizeof out->covariance);
  memcpy(out->direction, v->direction, sizeof out->direction);
  out->p = v->p;
  out->at_limp_end = v->at_limp_end;
  out->at_stiff_end = v->at_stiff_end;
  out->prior = j->prior;
  out->mass_known = j->data.mass_known;
  out->stretch_known = !isnan(j->data.stretch_N_per_m);
  out->drape_id = j->data.drape_id;
  out->n_drapes = j->data.n_ids;
  j->data.drape_id = NULL;
  out->has_law = v->outcome == VAL_DRAPE_TOLD && out->mass_known;
  if (out->has_law) draw_law(v, q->stiffer, &out->law);
}

void lab_drape_clear(lab_drape *d) {
  free(d->drape_id);
  d->drape_id = NULL;
  d->n_drapes = 0;
}

/* ---- the store ---- */

static cb_status put_law(cb_store *s, size_t table_rows, lab_drape *d, cb_err *err) {
  cb_material m;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, d->cloth, &m, err));
  cb_material_law row = {.material_id = m.id, .kind = CB_LAW_BENDING, .origin = d->origin};
  (void)snprintf(row.form, sizeof row.form, "%s", cb_bending_form_names[d->law.form]);
  (void)snprintf(row.method, sizeof row.method,
                 LAB_DRAPE_METHOD " effective bending from %zu drape%s, table of %zu", d->n_drapes,
                 CB_S(d->n_drapes), table_rows);
  (void)snprintf(row.source, sizeof row.source, "%zu drape%s; effective: friction within the cloth is in it",
                 d->n_drapes, CB_S(d->n_drapes));
  CB_TRY(lab_law_put(s, &row, d->cloth, lab_drape_json(d), NULL, 0, err));
  d->law_id = row.id;
  return CB_OK;
}

cb_status lab_drape_fit(cb_store *s, const lab_drape_request *q, lab_drape *out, cb_err *err) {
  *out = (lab_drape){.n_groups = 0};
  if (q->cloth) (void)snprintf(out->cloth, sizeof out->cloth, "%s", q->cloth);
  job *j = calloc(1, sizeof *j);
  cb_status st = j ? infer(q, s, j, err) : cb_no_memory(err, "the table of drapes");
  if (st == CB_OK) tell_result(q, j, out);
  if (st == CB_OK && s && out->has_law) st = put_law(s, j->table.n, out, err);
  free_job(j);
  return st;
}

cb_status lab_drape_stored(cb_store *s, const char *cloth, lab_drape *out, cb_err *err) {
  cb_material m;
  cb_material_law row;
  *out = (lab_drape){.n_groups = 0};
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  CB_TRY(cb_store_material_law_find(s, &m, CB_LAW_BENDING, &row, err));
  cb_status st = lab_drape_read(row.result_json, out, err);
  free(row.result_json);
  out->law_id = row.id;
  return st == CB_OK ? st : cb_fail_in(err, st, "%s: law B%lld", cb_store_path(s), (long long)row.id);
}
