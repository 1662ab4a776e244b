/* clothbench predict drape: drapes predicted from mechanical data, before any is measured. */
#include <stdio.h>

#include "cli_drape.h"
#include "cli_seal.h"
#include "report_drape.h"

typedef struct request {
  cli_drape drape;
  const char *seal;
  bool store;
} request;

/* Without p it only looks whether it could, before anything is simulated. */
static cb_status store_shape(const request *q, const lab_drape_prediction *p, cb_err *err) {
  cb_store *s;
  int64_t id = 0;
  CB_TRY(cb_store_open(cli_db_path(q->drape.cloth.db), CB_STORE_WRITE, &s, err));
  CB_TRY(cb_store_close_after(s, p ? lab_drape_shape_keep(s, p, &id, err) : CB_OK, err));
  if (id > 0 && !q->drape.json) printf("stored as draped shape %lld\n\n", (long long)id);
  return CB_OK;
}

static cb_status seal_prediction(const char *path, const lab_drape_prediction *p, cb_err *err) {
  if (p->predicted.n < p->seeds)
    return cb_fail(err, CB_E_STOPPED, "%s: not sealed, because not all drapes were made", path);
  return cli_seal_write(path, "drape", lab_drape_prediction_json(p), err);
}

static int show_prediction(void *request_, lab_drape_prediction *p) {
  const request *q = request_;
  cb_err err = {""};
  cb_status st = q->drape.figure ? report_drape_draw(q->drape.figure, p, &err) : CB_OK;
  if (st == CB_OK && q->seal) st = seal_prediction(q->seal, p, &err);
  if (st == CB_OK && q->store) st = store_shape(q, p, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (q->drape.json) return cli_print_json("predict", lab_drape_prediction_json(p));
  cli_drape_print(&q->drape, p);
  return CLI_DONE;
}

int cli_predict_drape(int argc, char **argv) {
  request q = {.drape = CLI_DRAPE_DEFAULT};
  const cli_opt opts[] = {
      CLI_DRAPE_OPTIONS(q.drape),
      {"figure", CLI_OUT_FILE, &q.drape.figure, "draw the outlines: FILE.png or FILE.svg"},
      {"seal", CLI_TEXT, &q.seal, "write the prediction and its SHA-256, for 'validate drape --sealed'"},
      {"store", CLI_SWITCH, &q.store, "--cloth: store the draped shape, for the page of the cloth"},
  };
  int stop = cli_parse(argc, argv,
                       "predict drape " CLI_DRAPE_CLOTH_USAGE
                       " [--seeds K] [--vertices N] [--figure FILE] [--seal FILE] [--store] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (q.seal && (q.drape.seeds < 2 || q.drape.scores)) {
    cli_say("predict", q.drape.scores
                           ? "--scores: a cloth as it is known was wanted for a sealed prediction"
                           : "--seeds 1: a sealed prediction wants 2 or more, because one drape has no band");
    return CLI_USAGE;
  }
  if (q.store && (!q.drape.cloth.name || q.drape.scores)) {
    cli_say("predict", "--store: a cloth as it is known was wanted, by --cloth and without --scores");
    return CLI_USAGE;
  }
  cb_err err = {""};
  cb_status st = q.seal ? lab_seal_check_new(q.seal, &err) : CB_OK;
  if (st == CB_OK && q.store) st = store_shape(&q, NULL, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  return cli_drape_run(
      &q.drape,
      &(cli_drape_use){
          "predict",
          "clothbench predict: stops after the drapes under way; once more ends it there and then\n",
          show_prediction, &q});
}
