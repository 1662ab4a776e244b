/* clothbench fit drape: from measured drapes back to the bending of the cloth. */
#include "cli_fit_drape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_law_json.h"
#include "cli_kind.h"
#include "cli_share.h"

typedef cli_fit_drape_request request;

/* ---- the law that comes of it ---- */

/* How sharply a fold bends: r = a + b cos(k phi) has the curvature b k^2 / a^2 at its peaks. Without folds: once over the overhang. */
static double curvature_of(const cli_fit_drape_data *d) {
  const val_drape_group *g = &d->group[0];
  double nodes = g->mean[VAL_DRAPE_NODES], height = val_drape_uneven(VAL_DRAPE_AMPLITUDE, g->mean[VAL_DRAPE_AMPLITUDE]);
  double folds = 0.5 * height * nodes * nodes / (0.1 * 0.1);
  return isnan(folds) ? 20 : fmax(folds, 20);
}

void cli_fit_drape_law(const request *q, const cli_fit_drape_data *d, const val_drape_inverse *v, cb_bending_law *out) {
  const val_drape_estimate *B = &v->estimate[VAL_DRAPE_B], *ratio = &v->estimate[VAL_DRAPE_RATIO];
  double side = !q->stiffer ? 0 : strcmp(q->stiffer, "warp") == 0 ? 1 : -1, K = curvature_of(d);
  double var_ratio = side != 0 ? v->covariance[1][1] : v->mean_square_ln_ratio;
  *out = (cb_bending_law){.form = CB_BENDING_PEIRCE,
                          .dof = INFINITY,
                          .curvature_per_m = K,
                          .curvature_min_per_m = K / 10,
                          .curvature_max_per_m = K,
                          .width_N = {NAN, NAN},
                          .u_width_N = {NAN, NAN}};
  /* ln B1 = ln B + ln ratio / 2, ln B2 = ln B - ln ratio / 2; the middle one is between them, and does not count. */
  double to_ratio[3] = {0.5, 0, -0.5}, sign = side != 0 ? side : 1, cross = side != 0 ? v->covariance[0][1] : 0;
  for (int i = 0; i < 3; i++) out->B_Nm[i] = B->median * exp(side * to_ratio[i] * ratio->mean_ln);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out->cov_N2m2[i][j] = out->B_Nm[i] * out->B_Nm[j] *
                            (v->covariance[0][0] + to_ratio[i] * to_ratio[j] * var_ratio + sign * (to_ratio[i] + to_ratio[j]) * cross);
}

/* ---- inference ---- */

typedef struct job {
  val_drape_table table;
  val_drape_model model;
  val_drape_lattice *lattice;
  cli_fit_drape_data data;
  val_drape_prior prior;
  val_drape_inverse result;
  cb_bending_law law;
  bool has_law;
} job;

static void job_free(job *j) {
  if (!j) return;
  val_drape_table_clear(&j->table);
  val_drape_lattice_free(j->lattice);
  cli_fit_drape_data_clear(&j->data);
  free(j);
}

static cb_status infer(const request *q, cb_store *s, job *j, cb_err *err) {
  char table_file[CLI_SHARE_PATH_BYTES];
  (void)cli_share_path("materials/drape_table.csv", table_file);
  CB_TRY(val_drape_table_read(table_file, &j->table, err));
  CB_TRY(val_drape_model_make(&j->table, table_file, &j->model, err));
  CB_TRY(cli_fit_drape_gather(q, s, &j->model, &j->data, err));
  CB_TRY(val_drape_lattice_make(&j->model, &j->lattice, err));
  j->prior = val_drape_prior_default();
  if (j->data.mass_known)
    j->prior.mass_kg_per_m2 = j->data.mass_kg_per_m2, j->prior.sd_ln_mass = isnan(q->u_mass_percent) ? 0.01 : q->u_mass_percent / 100;
  CB_TRY(val_drape_infer(j->lattice, j->data.group, j->data.n_groups, &j->prior, &j->result, err));
  j->has_law = j->result.outcome == VAL_DRAPE_TOLD && j->data.mass_known;
  if (j->has_law) cli_fit_drape_law(q, &j->data, &j->result, &j->law);
  return CB_OK;
}

/* ---- into the database ---- */

static cb_status put_law(const request *q, cb_store *s, const job *j, json_t *doc, cb_err *err) {
  cb_material m;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err));
  cb_material_law row = {.material_id = m.id, .kind = CB_LAW_BENDING, .origin = j->data.origin};
  (void)snprintf(row.form, sizeof row.form, "%s", cb_bending_form_names[j->law.form]);
  (void)snprintf(row.method, sizeof row.method, CLI_FIT_DRAPE_METHOD " effective bending from %zu drapes, table of %zu", j->data.n_ids,
                 j->table.n);
  (void)snprintf(row.source, sizeof row.source, "%zu drapes; effective: friction within the cloth is in it", j->data.n_ids);
  row.result_json = cb_json_text(doc);
  if (!row.result_json) return cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", q->cloth);
  cb_status st = cb_store_material_law_put(s, &row, NULL, 0, err);
  free(row.result_json);
  if (st == CB_OK && json_object_set_new(doc, "law_id", json_integer((json_int_t)row.id)) != 0)
    st = cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s'", q->cloth);
  return st;
}

static int show(const request *q, const job *j, json_t *doc) {
  if (!j->data.mass_known)
    cli_say("fit", "the areal mass is not known: lengths are told, B and G only as far as a usual mass tells them; %s",
            q->cloth ? "no law was stored; --areal-mass-g-m2 tells it" : "--areal-mass-g-m2 tells it");
  if (j->result.outcome != VAL_DRAPE_TOLD) cli_say("fit", "%s; no law comes of it", val_drape_outcome_text[j->result.outcome]);
  int code = q->json ? cli_print_json("fit", doc) : cli_fit_drape_print(doc);
  if (!q->json) json_decref(doc);
  return code != CLI_DONE ? code : j->result.outcome == VAL_DRAPE_TOLD ? CLI_DONE : CLI_NEGATIVE;
}

static int run(const request *q, cb_store *s) {
  cb_err err = {""};
  job *j = calloc(1, sizeof *j);
  json_t *doc = NULL;
  cb_status st = j ? infer(q, s, j, &err) : cb_fail(&err, CB_E_NOMEM, "no memory for the table of drapes");
  if (st == CB_OK) {
    doc = cli_fit_drape_json(q, &j->model, &j->data, &j->prior, &j->result, j->has_law ? &j->law : NULL);
    if (!doc) st = cb_fail(&err, CB_E_NOMEM, "no memory for the result");
  }
  if (st == CB_OK && s && j->has_law) st = put_law(q, s, j, doc, &err);
  int code;
  if (st == CB_OK) {
    code = show(q, j, doc);
  } else {
    json_decref(doc);
    code = cli_fail("fit", st, &err);
  }
  job_free(j);
  return code;
}

static int with_database(const request *q) {
  cb_err err = {""};
  cb_store *s;
  cb_status st = cb_store_open(q->db, CB_STORE_WRITE, &s, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  int code = run(q, s);
  st = cb_store_close(s, &err);
  return st == CB_OK ? code : cli_fail("fit", st, &err);
}

/* ---- options ---- */

/* One of the three ways to tell what was measured; NULL: all is well. */
static const char *misused(const request *q) {
  int ways = (q->cloth != NULL) + (q->n_files > 0) + !isnan(q->measured);
  if (ways != 1) return "one of --cloth NAME, FILE... and --measured DC was wanted";
  if (isnan(q->measured) && (!isnan(q->nodes) || !isnan(q->amplitude_mm) || !isnan(q->sd_measured)))
    return "--nodes, --amplitude-mm and --sd-measured go with --measured";
  if ((q->db || q->origin) && !q->cloth) return "--db and --origin go with --cloth";
  if (q->stiffer && strcmp(q->stiffer, "warp") != 0 && strcmp(q->stiffer, "weft") != 0) return "--stiffer: warp or weft was wanted";
  return NULL;
}

#define NUMBER(option, field, low, high, words) \
  { .name = option, .kind = CLI_NUMBER, .value = &q.field, .min = low, .max = high, .help = words }

int cli_fit_drape(int argc, char **argv) {
  request q = {.measured = NAN,
               .sd_measured = NAN,
               .nodes = NAN,
               .amplitude_mm = NAN,
               .drapes = 1,
               .specimen_cm = 30,
               .support_cm = 18,
               .areal_mass_g_m2 = NAN,
               .u_mass_percent = NAN};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "a cloth of the database: its drapes, of all sizes"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "origin", .kind = CLI_TEXT, .value = &q.origin, .help = "only drapes that are measured, imported, virtual or simulated"},
      NUMBER("measured", measured, 0, 1, "instead: a drape coefficient, the mean of --drapes K"),
      NUMBER("drapes", drapes, 1, 1e6, "how many drapes the typed numbers are means of; else 1"),
      NUMBER("u-measured", u_measured, 0, 1, "standard uncertainty of the coefficient that all drapes share; else 0"),
      NUMBER("sd-measured", sd_measured, 0, 1, "scatter of the coefficient between drapes"),
      NUMBER("nodes", nodes, 0, 180, "mean number of nodes"),
      NUMBER("amplitude-mm", amplitude_mm, 0, 1000, "mean height of the nodes, valley to peak"),
      NUMBER("areal-mass-g-m2", areal_mass_g_m2, 0.1, 1e5, "areal mass; else the cloth's in the database, else not known"),
      NUMBER("u-mass-percent", u_mass_percent, 0, 100, "its relative standard uncertainty; else 1"),
      {.name = "stiffer", .kind = CLI_TEXT, .value = &q.stiffer, .help = "warp or weft: the law's stiffer direction; else both alike"},
      NUMBER("specimen-cm", specimen_cm, 1, 200, "diameter, of files and typed numbers; else 30"),
      NUMBER("support-cm", support_cm, 1, 200, "diameter of the support; else 18"),
      NUMBER("scale-mm-per-px", scale_mm_per_px, 1e-3, 10, "of pictures; else as 'import drape' finds it"),
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "fit drape --cloth NAME [--db FILE] | FILE... | --measured DC [--nodes N] [--amplitude-mm A] [--drapes K] "
                       "[--areal-mass-g-m2 W] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], q.files, 0, CLI_FIT_DRAPE_FILES, &q.n_files);
  if (stop >= 0) return stop;
  const char *wrong = misused(&q);
  if (wrong) {
    cli_say("fit", "%s", wrong);
    return CLI_USAGE;
  }
  if (!cli_fit_origin_known(q.origin)) return CLI_USAGE;
  q.db = cli_db_path(q.db);
  return q.cloth ? with_database(&q) : run(&q, NULL);
}
