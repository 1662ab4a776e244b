/* clothbench validate slide: does the law of a pair predict a pull it was not fitted to? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_signals.h"
#include "cli_kind.h"
#include "cli_table.h"
#include "cli_validate.h"
#include "cli_verdict.h"
#include "lab_slide_seal.h"

static cb_status find_run(cb_store *s, double wanted, cb_run *run, cb_err *err) {
  if (wanted > 0) return cb_store_run_get(s, (int64_t)wanted, run, err);
  cb_status st = lab_slide_newest(s, run, err);
  if (st != CB_E_NOTFOUND) return st;
  return cb_fail(err, st,
                 "%s: no finished slide: measure one with a campaign of kind slide, or name a run with --run",
                 cb_store_path(s));
}

static void print_part(const char *name, bool known) {
  printf(", %s %s", name, known ? "of its law" : "assumed");
}

static void print_sheet(const lab_slide_sheet *c) {
  printf("\nthe cloth: held %s, %.4g g/m2%s", c->grip == LAB_SLIDE_EDGE ? "at its edge" : "over its area",
         1e3 * c->areal_density_kg_per_m2, c->mass_assumed ? " (assumed)" : "");
  print_part("stretch", c->stretch_law_id > 0);
  print_part("bending", c->bending_law_id > 0);
  printf(", %s\n\n", c->permeability_law_id > 0 ? "air through it by its law" : "no air under it");
}

static void print_head(const lab_slide_verdict *v) {
  printf("slide: run %lld, %s on %s, %g deg, %.4g N normal force (law: %s, slide: %s)\n\n",
         (long long)v->run_id, v->cloth, v->body, v->angle_deg, v->normal_force_N,
         cb_origin_names[v->origin_law], cb_origin_names[v->origin_measured]);
  if (v->model != LAB_SLIDE_SLED)
    printf("predicted by the three layers, %s body", lab_slide_model_names[v->model]);
  if (v->model == LAB_SLIDE_ELASTIC)
    printf(" of %.3g kPa (%s)", 1e-3 * v->young_Pa, v->elasticity_law_id > 0 ? "database" : "assumed");
  if (v->model != LAB_SLIDE_SLED) print_sheet(&v->sheet);
}

static void print_text(const lab_slide_verdict *v) {
  print_head(v);
  cli_print_quantities(v->q, lab_slide_quantity_names, lab_slide_quantity_units, LAB_SLIDE_QUANTITIES);
  cli_print_scatter(&v->kinetic_scatter, v->inside_measured_range);
  printf("verdict: %s (largest |E_n| %.2f, 1 is allowed)\n", v->pass ? "pass" : "fail", v->worst_en);
}

static cb_status keep(cb_store *s, void *verdict, cb_err *err) { return lab_slide_store(s, verdict, err); }

typedef struct request {
  const char *path;
  double wanted; /* run; 0: the newest */
  lab_slide_model model;
  lab_slide_grip grip;
  const lab_seal *seal; /* NULL: predict now */
  bool json, all;
} request;

static cb_status judge_run(cb_store *s, const request *q, const cb_run *run, lab_slide_verdict *v,
                           cb_err *err) {
  if (q->seal) return lab_slide_judge_sealed(s, run, q->seal, v, err);
  return lab_slide_judge(s, run, q->model, q->grip, v, err);
}

static cb_status judge(const request *q, lab_slide_verdict *v, cb_err *err) {
  cb_store *s;
  cb_run run;
  CB_TRY(cb_store_open(q->path, CB_STORE_READ, &s, err));
  cb_status st = find_run(s, q->wanted, &run, err);
  if (st == CB_OK) st = judge_run(s, q, &run, v, err);
  return cb_store_close_after(s, st, err);
}

static int keep_and_tell(const request *q, lab_slide_verdict *v, cb_status st, cb_err *err) {
  if (st == CB_OK) st = cli_verdict_keep(q->path, keep, v, err);
  if (st != CB_OK) return cli_fail("validate", st, err);
  if (!q->json) print_text(v);
  return cli_verdict(q->json, q->json ? lab_slide_json(v) : NULL, v->pass);
}

static int judge_and_tell(const request *q) {
  lab_slide_verdict v;
  cb_err err = {""};
  const cb_status st = judge(q, &v, &err);
  return keep_and_tell(q, &v, st, &err);
}

/* One without a verdict outweighs one that failed. */
static int judge_all(const request *q) {
  lab_slide_judged *each;
  size_t n;
  cb_err err = {""};
  const cb_status st = lab_slide_judge_all(q->path, q->model, q->grip, cb_signals_wish(), &each, &n, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  int code = CLI_DONE;
  for (size_t i = 0; i < n; i++) {
    const int one = keep_and_tell(q, &each[i].verdict, each[i].status, &each[i].err);
    if (code != CLI_FAILED && one != CLI_DONE) code = one;
  }
  free(each);
  return code;
}

static int judge_sealed(request *q, const char *sealed) {
  lab_seal seal;
  cb_err err = {""};
  cb_status st = lab_seal_read(sealed, "slide", &seal, &err);
  q->seal = &seal;
  int code = st == CB_OK ? judge_and_tell(q) : cli_fail("validate", st, &err);
  q->seal = NULL;
  lab_seal_clear(&seal);
  return code;
}

/* Reads the two words. Returns false, after a message, for others. */
static bool read_layers(const char *layers, const char *held, request *q) {
  int model = LAB_SLIDE_SLED, grip = LAB_SLIDE_AREA;
  if (layers)
    model = strcmp(layers, "prescribed") == 0 ? LAB_SLIDE_PRESCRIBED
            : strcmp(layers, "elastic") == 0  ? LAB_SLIDE_ELASTIC
                                              : -1;
  if (model < 0) {
    cli_say("validate", "--layers '%s': prescribed or elastic was wanted", layers);
    return false;
  }
  if (held)
    grip = strcmp(held, "area") == 0 ? LAB_SLIDE_AREA : strcmp(held, "edge") == 0 ? LAB_SLIDE_EDGE : -1;
  if (grip < 0 || (held && !layers)) {
    cli_say("validate", "--held '%s': area or edge was wanted, with --layers", held);
    return false;
  }
  q->model = (lab_slide_model)model;
  q->grip = (lab_slide_grip)grip;
  return true;
}

int cli_validate_slide(int argc, char **argv) {
  const char *db = NULL, *layers = NULL, *held = NULL, *sealed = NULL;
  request q = {.wanted = 0};
  const cli_opt opts[] = {
      {"run", CLI_NUMBER, &q.wanted, "the run to compare; else the newest finished slide", .min = 1,
       .max = 9e15},
      {"all", CLI_SWITCH, &q.all, "every finished level slide, as many at once as there are threads"},
      {"layers", CLI_TEXT, &layers,
       "predict with the cloth itself by the three layers, over a body whose motion is prescribed, or held "
       "and elastic"},
      {"held", CLI_TEXT, &held,
       "with --layers: the bed holds the cloth over its area, or at its edge (area)"},
      {"sealed", CLI_TEXT, &sealed, "judge by this prediction of 'predict slide --seal' instead"},
      {"db", CLI_TEXT, &db, "database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document on standard output"},
  };
  int stop = cli_parse(
      argc, argv,
      "validate slide [--run ID | --all] [--layers prescribed|elastic [--held area|edge] | --sealed FILE] "
      "[--db FILE] [--json]",
      opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (q.wanted != floor(q.wanted)) {
    cli_say("validate", "--run = %g: must be a whole number", q.wanted);
    return CLI_USAGE;
  }
  if (q.all && (q.wanted > 0 || sealed || q.json)) {
    cli_say("validate", "--all judges every slide: --run, --sealed and --json are not taken with it");
    return CLI_USAGE;
  }
  if (sealed && layers) {
    cli_say("validate", "--sealed FILE has its prediction: --layers is not taken with it");
    return CLI_USAGE;
  }
  if (!read_layers(layers, held, &q)) return CLI_USAGE;
  q.path = cli_db_path(db);
  if (q.all) return judge_all(&q);
  return sealed ? judge_sealed(&q, sealed) : judge_and_tell(&q);
}
