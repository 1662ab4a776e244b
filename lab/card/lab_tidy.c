#include "lab_tidy.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_csv.h"
#include "cb_store_specimen.h"
#include "lab_slide_parts.h"
#include "lab_validity.h"

const char *const lab_tidy_names[] = {"runs", "points", "laws", "traces", NULL};

/* ---- columns ---- */

typedef enum column_kind { TEXT, NAME, REAL, ID, INTEGER } column_kind;

/* A member of a row, and what it is. */
typedef struct column {
  const char *name, *unit, *meaning;
  column_kind kind;
  size_t offset;
  double scale; /* of a REAL: number in the table over the member */
} column;

/* What a row of any table is made of. */
typedef struct tidy_row {
  cb_run run;
  cb_friction_point point;
  const char *cloth, *body, *kind, *origin, *status, *campaign, *lot, *specimen;
  double mu_static, mu_kinetic;
  const char *validity;
  char faults[96];
  cb_friction_law law;
  size_t knot;
  cb_friction_knot at;
  const char *law_kind, *form, *model, *law_origin;
  double u_N[3];
  const char *channel;
  double t_s, value;
} tidy_row;

#define C(kind, member, scale, name, unit, meaning) \
  { name, unit, meaning, kind, offsetof(tidy_row, member), scale }
#define PAIR                                                                                                \
  C(NAME, cloth, 1, "cloth", "", "cloth that was pulled"), C(NAME, body, 1, "body", "", "what it slid on"), \
      C(REAL, run.angle_deg, 1, "angle_deg", "deg",                                                         \
        "direction of the pull in the cloth; 0: along the warp"),                                           \
      C(REAL, run.body_angle_deg, 1, "body_angle_deg", "deg",                                               \
        "the same of the body; empty: none, or not known"),                                                 \
      C(REAL, run.normal_force_N, 1, "normal_force_N", "N", "load on the contact")

#define PIECE                                                                                        \
  C(NAME, lot, 1, "lot", "", "lot or roll of the cloth, as the campaign says; empty: not recorded"), \
      C(NAME, specimen, 1, "specimen", "", "piece of the cloth, by name; empty: not recorded")

static const column run_columns[] = {
    C(ID, run.id, 1, "run_id", "", "number in the database"),
    C(TEXT, run.uuid, 1, "run_uuid", "", "the same in every copy and merge of the database"),
    C(ID, run.campaign_id, 1, "campaign_id", "", "campaign or import that it belongs to"),
    C(NAME, campaign, 1, "campaign", "", "its name"),
    C(NAME, kind, 1, "kind", "", "pull: laws are fitted to it; slide: laws are judged by it; look: neither"),
    PAIR,
    PIECE,
    C(REAL, run.u_normal_force_N, 1, "u_normal_force_N", "N", "standard uncertainty of the load"),
    C(REAL, run.cart_mass_kg, 1e3, "cart_mass_g", "g", "of the empty cart"),
    C(REAL, run.added_mass_kg, 1e3, "added_mass_g", "g", "on the cart"),
    C(REAL, run.contact_area_m2, 1e4, "contact_area_cm2", "cm2", "of the cart's sole"),
    C(REAL, run.incline_deg, 1, "incline_deg", "deg", "slope of the bed"),
    C(REAL, run.speed_m_per_s, 1e3, "speed_mm_per_s", "mm/s", "of the stage, as commanded; 0: not known"),
    C(REAL, run.travel_m, 1e3, "travel_mm", "mm", "as commanded"),
    C(INTEGER, run.direction, 1, "direction", "", "1: away from home, -1: towards it"),
    C(INTEGER, run.repeat, 1, "repeat", "", "from 1"),
    C(NAME, origin, 1, "origin", "", "measured, imported, virtual or simulated"),
    C(TEXT, run.source, 1, "source", "", "rig, or file and line"),
    C(TEXT, run.started_at, 1, "started_at", "", "UTC"),
    C(TEXT, run.finished_at, 1, "finished_at", "", "UTC"),
    C(NAME, status, 1, "status", "", "done, failed, aborted, interrupted, running or voided"),
    C(TEXT, run.reason, 1, "reason", "", "why it failed or was voided"),
    C(TEXT, run.flags, 1, "flags", "", "warnings, separated by blanks"),
};
static const column point_columns[] = {
    C(ID, run.id, 1, "run_id", "", "number of the run"),
    PAIR,
    PIECE,
    C(REAL, point.static_N, 1, "static_N", "N", "static friction force"),
    C(REAL, point.u_static_N, 1, "u_static_N", "N", "its standard uncertainty, calibration not included"),
    C(REAL, point.kinetic_N, 1, "kinetic_N", "N", "mean kinetic friction force of the plateau"),
    C(REAL, point.u_kinetic_N, 1, "u_kinetic_N", "N", "its standard uncertainty, calibration not included"),
    C(REAL, mu_static, 1, "mu_static", "1", "static force over load"),
    C(REAL, mu_kinetic, 1, "mu_kinetic", "1", "kinetic force over load"),
    C(REAL, point.kinetic_sd_N, 1, "kinetic_sd_N", "N", "standard deviation of the samples in the plateau"),
    C(REAL, point.n_eff, 1, "n_eff", "1", "effective number of those samples"),
    C(REAL, point.window_from_m, 1e3, "window_from_mm", "mm", "displacement at which the plateau begins"),
    C(REAL, point.window_to_m, 1e3, "window_to_mm", "mm", "displacement at which it ends"),
    C(NAME, validity, 1, "validity", "", "valid, doubtful or invalid; empty: not judged"),
    C(TEXT, faults, 1, "faults", "", "what made it so, separated by blanks; said: a person overruled it"),
    C(NAME, status, 1, "status", "", "of the run: done or voided"),
    C(TEXT, point.method, 1, "method", "", "how the point was found"),
};
static const column law_columns[] = {
    C(ID, law.id, 1, "law_id", "", "number in the database; a row for each of its loads"),
    C(TEXT, law.cloth, 1, "cloth", "", ""),
    C(TEXT, law.body, 1, "body", "", ""),
    C(NAME, law_kind, 1, "kind", "", "static or kinetic"),
    C(NAME, form, 1, "form", "", "isotropic, orthotropic or general"),
    C(NAME, model, 1, "model", "", "over the load: curve, coulomb, power or offset"),
    C(REAL, at.normal_force_N, 1, "normal_force_N", "N", "load of this row"),
    C(REAL, at.f_N[0], 1, "f00_N", "N", "force along the warp: F = f00 c^2 + 2 f01 c s + f11 s^2"),
    C(REAL, at.f_N[1], 1, "f01_N", "N", ""),
    C(REAL, at.f_N[2], 1, "f11_N", "N", "force along the weft"),
    C(REAL, u_N[0], 1, "u_f00_N", "N", "standard uncertainty, all sources"),
    C(REAL, u_N[1], 1, "u_f01_N", "N", ""),
    C(REAL, u_N[2], 1, "u_f11_N", "N", ""),
    C(REAL, law.exponent, 1, "exponent", "1", "of the force over the load, outside the loads"),
    C(REAL, law.dof, 1, "dof", "1", "effective degrees of freedom"),
    C(NAME, law_origin, 1, "origin", "", "of the runs behind it"),
};
static const column trace_columns[] = {
    C(ID, run.id, 1, "run_id", "", "number of the run"),
    C(NAME, channel, 1, "channel", "", "force, position or displacement"),
    C(REAL, t_s, 1, "time_s", "s", "since the record began, on the read-out's clock"),
    C(REAL, value, 1, "value", "N or m",
      "calibrated force, zero not subtracted; position of the stage; displacement of the cart"),
};

static const struct {
  const column *list;
  size_t n;
} tables[LAB_TIDY_N] = {{run_columns, sizeof run_columns / sizeof *run_columns},
                        {point_columns, sizeof point_columns / sizeof *point_columns},
                        {law_columns, sizeof law_columns / sizeof *law_columns},
                        {trace_columns, sizeof trace_columns / sizeof *trace_columns}};

/* ---- rows ---- */

/* Every digit of a number; nothing for one that is not known. */
static void put_cell(FILE *to, const column *c, const tidy_row *row) {
  const char *at = (const char *)row + c->offset;
  double x;
  switch (c->kind) {
    case TEXT: cb_csv_put_text(to, at); break;
    case NAME: cb_csv_put_text(to, *(const char *const *)(const void *)at); break;
    case ID: fprintf(to, "%lld", (long long)*(const int64_t *)(const void *)at); break;
    case INTEGER: fprintf(to, "%d", *(const int *)(const void *)at); break;
    case REAL:
      memcpy(&x, at, sizeof x);
      if (isfinite(x)) fprintf(to, "%.17g", x * c->scale);
  }
}

static void put_row(FILE *to, lab_tidy what, const tidy_row *row) {
  for (size_t i = 0; i < tables[what].n; i++) {
    if (i > 0) fputc(',', to);
    put_cell(to, &tables[what].list[i], row);
  }
  fputc('\n', to);
}

static void put_header(FILE *to, lab_tidy what) {
  for (size_t i = 0; i < tables[what].n; i++) fprintf(to, "%s%s", i ? "," : "", tables[what].list[i].name);
  fputc('\n', to);
}

void lab_tidy_dictionary(lab_tidy what, FILE *to) {
  fputs("column,unit,meaning\n", to);
  for (size_t i = 0; i < tables[what].n; i++) {
    const column *c = &tables[what].list[i];
    fprintf(to, "%s,", c->name);
    cb_csv_put_text(to, c->unit);
    fputc(',', to);
    cb_csv_put_text(to, c->meaning);
    fputc('\n', to);
  }
}

/* ---- runs and what belongs to them ---- */

static void put_series(FILE *to, tidy_row *row, const char *channel, const cb_series *series) {
  row->channel = channel;
  for (size_t i = 0; i < series->n; i++) {
    row->t_s = series->t_s[i];
    row->value = series->v[i];
    put_row(to, LAB_TIDY_TRACES, row);
  }
}

static cb_status put_trace(cb_store *s, tidy_row *row, FILE *to, cb_err *err) {
  cb_trace trace;
  const cb_status st = cb_store_trace(s, &row->run, &trace, err);
  if (st == CB_OK) put_series(to, row, "force", &trace.force_N);
  if (st == CB_OK) put_series(to, row, "position", &trace.position_m);
  if (st == CB_OK) put_series(to, row, "displacement", &trace.displacement_m);
  cb_trace_clear(&trace);
  return st == CB_E_NOTFOUND ? CB_OK : st; /* imported as a point */
}

static cb_status put_point(cb_store *s, tidy_row *row, FILE *to, cb_err *err) {
  const cb_status st = cb_store_point_of_run(s, row->run.id, &row->point, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  CB_TRY(st);
  CB_TRY(lab_validity_said(s, &row->run, &row->point, &row->validity, row->faults, err));
  row->mu_static = row->point.static_N / row->run.normal_force_N;
  row->mu_kinetic = row->point.kinetic_N / row->run.normal_force_N;
  put_row(to, LAB_TIDY_POINTS, row);
  return CB_OK;
}

/* "" where none was recorded. */
static cb_status name_specimen(cb_store *s, int64_t id, char name[64], cb_err *err) {
  cb_specimen *list;
  size_t n;
  name[0] = '\0';
  if (id == 0) return CB_OK;
  CB_TRY(cb_store_specimens(s, &list, &n, err));
  for (size_t i = 0; i < n; i++)
    if (list[i].id == id) memcpy(name, list[i].name, sizeof list[i].name);
  free(list);
  return CB_OK;
}

static cb_status put_run(cb_store *s, lab_tidy what, const cb_run *run, FILE *to, cb_err *err) {
  char cloth[64] = "", body[64] = "", specimen[64], preset[32];
  cb_campaign campaign;
  cb_conditions conditions;
  CB_TRY(cb_store_conditions_get(s, run->campaign_id, preset, &conditions, err));
  CB_TRY(name_specimen(s, run->specimen_id, specimen, err));
  if (run->kind != CB_RUN_LOOK) CB_TRY(lab_slide_pair(s, run, cloth, body, err));
  CB_TRY(cb_store_campaign_get(s, run->campaign_id, &campaign, err));
  tidy_row row = {.run = *run,
                  .cloth = cloth,
                  .body = body,
                  .campaign = campaign.name,
                  .lot = conditions.cloth_lot,
                  .specimen = specimen,
                  .kind = cb_run_kind_names[run->kind],
                  .origin = cb_origin_names[run->origin],
                  .status = cb_run_status_names[run->status]};
  if (what == LAB_TIDY_TRACES) return put_trace(s, &row, to, err);
  if (what == LAB_TIDY_POINTS) return put_point(s, &row, to, err);
  put_row(to, what, &row);
  return CB_OK;
}

static cb_status put_all_runs(cb_store *s, lab_tidy what, FILE *to, cb_err *err) {
  const cb_run_filter all = cb_run_filter_all();
  cb_run *runs;
  size_t n;
  CB_TRY(cb_store_runs(s, &all, &runs, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++) st = put_run(s, what, &runs[i], to, err);
  free(runs);
  return st;
}

static cb_status put_some_runs(cb_store *s, lab_tidy what, const int64_t *ids, size_t n, FILE *to,
                               cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    cb_run run;
    CB_TRY(cb_store_run_get(s, ids[i], &run, err));
    CB_TRY(put_run(s, what, &run, to, err));
  }
  return CB_OK;
}

/* ---- laws ---- */

static void put_law(const cb_friction_law *law, tidy_row *row, FILE *to) {
  row->law = *law;
  row->law_kind = cb_friction_kind_names[law->kind];
  row->form = cb_friction_form_names[law->form];
  row->model = cb_friction_model_names[law->model];
  row->law_origin = cb_origin_names[law->origin];
  for (size_t k = 0; k < law->n_knots; k++) {
    double cov_N2[3][3];
    cb_friction_law_knot_cov(law, k, cov_N2);
    row->at = law->knots[k];
    for (int i = 0; i < 3; i++) row->u_N[i] = sqrt(cov_N2[i][i]);
    put_row(to, LAB_TIDY_LAWS, row);
  }
}

static cb_status put_laws(cb_store *s, FILE *to, cb_err *err) {
  cb_friction_law *laws;
  size_t n;
  CB_TRY(cb_store_laws(s, &laws, &n, err));
  tidy_row *row = calloc(1, sizeof *row); /* a law is large */
  for (size_t i = 0; row && i < n; i++) put_law(&laws[i], row, to);
  free(laws);
  const bool made = row != NULL;
  free(row);
  return made ? CB_OK : cb_no_memory(err, "a row of %zu laws", n);
}

cb_status lab_tidy_write(cb_store *s, lab_tidy what, const int64_t *run_ids, size_t n_runs, FILE *to,
                         cb_err *err) {
  put_header(to, what);
  if (what == LAB_TIDY_LAWS)
    CB_TRY(put_laws(s, to, err));
  else if (n_runs > 0)
    CB_TRY(put_some_runs(s, what, run_ids, n_runs, to, err));
  else
    CB_TRY(put_all_runs(s, what, to, err));
  return ferror(to) ? cb_fail(err, CB_E_IO, "the table of %s: cannot be written", lab_tidy_names[what])
                    : CB_OK;
}
