/* clothbench validate drape: drapes predicted from mechanical data, now or by a sealed prediction, against
 * those that were measured. */
#include <math.h>
#include <stdio.h>

#include "cli_drape.h"
#include "cli_verdict.h"
#include "report_drape.h"
#include "cb_plural.h"

typedef struct request {
  cli_drape drape;
  double measured;
  const char *sealed, *view, *scan;
} request;

static bool given(double v) { return !isnan(v); }

/* ---- what was measured ---- */

static cb_status compare_stored(const request *q, lab_drape_prediction *p, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(cli_db_path(q->drape.cloth.db), CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_drape_compare_stored(s, p, err), err);
}

static cb_status keep(cb_store *s, void *verdict, cb_err *err) { return lab_drape_keep(s, verdict, err); }

static cb_status compare_measured(const request *q, lab_drape_prediction *p, cb_err *err) {
  if (p->cloth.from_drapes) {
    cli_say("validate",
            "the law of bending of '%s' was found from drapes: to compare with drapes would be no prediction",
            p->cloth.name);
    return CB_OK;
  }
  if (given(q->measured)) lab_drape_compare_number(q->measured, &p->predicted, &p->measured);
  return p->cloth.name[0] && !given(q->measured) ? compare_stored(q, p, err) : CB_OK;
}

static cb_status judge(const request *q, lab_drape_prediction *p, cb_err *err) {
  CB_TRY(compare_measured(q, p, err));
  if (p->measured.too_early > 0)
    cli_say("validate", "%d drape%s of '%s' %s stored before the prediction was sealed: %s not count",
            p->measured.too_early, CB_S(p->measured.too_early), p->cloth.name, CB_WERE(p->measured.too_early),
            CB_PLURAL(p->measured.too_early, "it does", "they do"));
  if (p->measured.n == 0 || given(q->measured)) return CB_OK;
  return cli_verdict_keep(cli_db_path(q->drape.cloth.db), keep, p, err);
}

static void print_text(const request *q, const lab_drape_prediction *p) {
  const char *verdict = lab_drape_verdict(p);
  cli_drape_print(&q->drape, p);
  if (p->validation_id > 0) printf("kept as validation %lld\n", (long long)p->validation_id);
  printf("verdict: %s\n", verdict                     ? verdict
                          : p->predicted.n < p->seeds ? "none (not all drapes were made)"
                                                      : "none (nothing measured to compare with)");
}

static int show_prediction(void *request_, lab_drape_prediction *p) {
  const request *q = request_;
  cb_err err = {""};
  bool all = p->predicted.n == p->seeds; /* a part of them is shown, and compared with nothing */
  cb_status st = all ? judge(q, p, &err) : CB_OK;
  if (st == CB_OK && q->drape.figure) st = report_drape_draw(q->drape.figure, p, &err);
  if (st == CB_OK && q->view) st = report_drape_view(q->view, q->scan, p, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->drape.json)
    print_text(q, p);
  else if (cli_print_json("validate", lab_drape_prediction_json(p)) != CLI_DONE)
    return CLI_FAILED;
  const char *verdict = lab_drape_verdict(p);
  return verdict && verdict[0] == 'f' ? CLI_NEGATIVE : CLI_DONE;
}

/* ---- a sealed one ---- */

static int judge_sealed(request *q) {
  cb_err err = {""};
  lab_seal seal;
  lab_drape_prediction p;
  cb_status st = lab_seal_read(q->sealed, "drape", &seal, &err);
  if (st == CB_OK) st = lab_drape_unseal(&seal, &p, &err);
  int code = st == CB_OK ? show_prediction(q, &p) : cli_fail("validate", st, &err);
  lab_seal_clear(&seal);
  return code;
}

static int run_request(request *q) {
  const cli_drape *d = &q->drape;
  if (q->sealed && (d->cloth.name || d->figure)) {
    cli_say("validate", "--sealed FILE names the cloth and has its prediction: %s is not taken with it",
            d->figure ? "--figure" : "--cloth");
    return CLI_USAGE;
  }
  if (q->sealed) return judge_sealed(q);
  if ((given(q->measured) || d->cloth.name) && d->seeds < 2) {
    cli_say("validate", "--seeds 1: a comparison with what was measured wants 2 or more");
    return CLI_USAGE;
  }
  if (d->scores && (given(q->measured) || d->cloth.name)) {
    cli_say("validate",
            "--scores: a cloth that is not as it is known is compared with nothing: numbers of a cloth "
            "were wanted, and no --cloth or --measured");
    return CLI_USAGE;
  }
  return cli_drape_run(
      d, &(cli_drape_use){
             "validate",
             "clothbench validate: stops after the drapes under way; once more ends it there and then\n",
             show_prediction, q});
}

int cli_validate_drape(int argc, char **argv) {
  request q = {.drape = CLI_DRAPE_DEFAULT, .measured = NAN};
  const cli_opt opts[] = {
      CLI_DRAPE_OPTIONS(q.drape),
      {"figure", CLI_OUT_FILE, &q.drape.figure, "draw the outlines: FILE.png or FILE.svg"},
      {"measured", CLI_NUMBER, &q.measured, "a coefficient to compare with", .min = 0, .max = 1},
      {"view", CLI_OUT_FILE, &q.view, "write the middle drape as a page for a browser: FILE.html"},
      {"scan", CLI_TEXT, &q.scan, "--view: a measured drape (OBJ, m, z up) to draw over it"},
      {"sealed", CLI_TEXT, &q.sealed, "judge this prediction of 'predict drape --seal' instead"},
  };
  int stop = cli_parse(argc, argv,
                       "validate drape " CLI_DRAPE_CLOTH_USAGE
                       " [--seeds K] [--vertices N] | --sealed FILE [--measured DC] [--figure FILE] [--view "
                       "FILE [--scan OBJ]] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  return stop >= 0 ? stop : run_request(&q);
}
