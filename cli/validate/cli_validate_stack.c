/* clothbench validate stack: air through cloths in series, by the laws of the single cloths, against a stack
 * that was measured. */
#include <math.h>
#include <stdio.h>

#include "cli_kind.h"
#include "cli_verdict.h"
#include "lab_stack.h"
#include "cb_plural.h"

typedef struct request {
  const char *words[LAB_LAYERS_MAX], *measured, *db;
  size_t n_words;
  bool json;
} request;

static cb_status judge(const request *q, lab_stack *out, cb_err *err) {
  static lab_layers layers; /* 8 KB */
  cb_store *s;
  layers.n = 0;
  *out = (lab_stack){.n = 0};
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < q->n_words && st == CB_OK; i++)
    st = lab_layers_add_word(s, q->words[i], &layers, err);
  if (st == CB_OK) st = lab_stack_judge(s, &layers, q->measured, out, err);
  return cb_store_close_after(s, st, err);
}

static cb_status keep(cb_store *s, void *verdict, cb_err *err) { return lab_stack_keep(s, verdict, err); }

static void print_stack(const lab_stack *k) {
  for (size_t i = 0; i < k->layers.n; i++)
    printf("%s%d layer%s of %s", i ? ", " : "", k->layers.layers[i], CB_S(k->layers.layers[i]),
           k->layers.law[i].material);
  printf(", measured as %s\n", k->cloth);
  printf("  %12s  %14s  %24s  %8s\n", "pressure Pa", "measured mm/s", "predicted mm/s, 95 %", "E_n");
  for (size_t i = 0; i < k->n; i++) {
    const lab_stack_point *p = &k->points[i];
    const double mm = 1e3 * p->predicted_m_per_s, factor = exp(p->U_predicted_ln);
    printf("  %12.4g  %14.4g  %8.4g, %6.4g ... %-6.4g  %8.2f%s\n", p->pressure_Pa, 1e3 * p->measured_m_per_s,
           mm, mm / factor, mm * factor, p->en, p->inside_measured_range ? "" : "  extrapolated");
  }
  if (k->validation_id > 0) printf("kept as validation %lld\n", (long long)k->validation_id);
  printf("verdict: %s\n", k->pass ? "pass" : "fail");
}

static int show_stack(const request *q, lab_stack *k) {
  cb_err err = {""};
  const cb_status st = cli_verdict_keep(q->db, keep, k, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->json) print_stack(k);
  const int code = q->json ? cli_print_json("validate", lab_stack_json(k)) : CLI_DONE;
  return code == CLI_DONE && !k->pass ? CLI_NEGATIVE : code;
}

int cli_validate_stack(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {"measured", CLI_TEXT, &q.measured, "the cloth whose tests are those of the stack", .required = true},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "validate stack CLOTH[*LAYERS] ... --measured CLOTH [--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], q.words, 1, LAB_LAYERS_MAX, &q.n_words);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  cb_err err = {""};
  lab_stack k;
  const cb_status st = judge(&q, &k, &err);
  const int code = st == CB_OK ? show_stack(&q, &k) : cli_fail("validate", st, &err);
  lab_stack_clear(&k);
  return code;
}
