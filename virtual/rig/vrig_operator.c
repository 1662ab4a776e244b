#include "vrig_operator.h"

#include <stdio.h>
#include <string.h>

#include "cb_num.h"

#define NOMINAL_SPEED_M_PER_S 10e-3

/* "word key=number" -> the number. */
static cb_status argument(const char *line, const char *word, const char *key, double min, double max,
                          double *out, cb_err *err) {
  const char *at = line + strlen(word);
  at += strspn(at, " ");
  if (strncmp(at, key, strlen(key)) != 0 || at[strlen(key)] != '=')
    return cb_fail(err, CB_E_PARSE, "operator: '%s': must be '%s %s=NUMBER'", line, word, key);
  CB_TRY(cb_parse_double(at + strlen(key) + 1, key, out, err));
  return cb_check_range(*out, min, max, key, "", err);
}

static cb_status act(vrig_bench *b, const char *line, cb_err *err) {
  double value;
  if (strncmp(line, "sample ", 7) == 0) {
    CB_TRY(argument(line, "sample", "angle_deg", -360, 360, &value, err));
    return vrig_bench_turn_sample(b, value * CB_DEG, err);
  }
  if (strncmp(line, "body ", 5) == 0) {
    CB_TRY(argument(line, "body", "angle_deg", -360, 360, &value, err));
    return vrig_bench_turn_body(b, value * CB_DEG, err);
  }
  if (strncmp(line, "cart ", 5) == 0) {
    CB_TRY(argument(line, "cart", "added_mass_kg", 0, 1000, &value, err));
    return vrig_bench_load_cart(b, value, err);
  }
  if (strncmp(line, "weight ", 7) == 0) {
    CB_TRY(argument(line, "weight", "mass_kg", 0, 1000, &value, err));
    return vrig_bench_hang_weight(b, value, err);
  }
  return cb_fail(err, CB_E_PARSE,
                 "operator: '%s': must be 'sample angle_deg=NUMBER', 'body angle_deg=NUMBER', 'cart "
                 "added_mass_kg=NUMBER', 'weight mass_kg=NUMBER' "
                 "or 'truth'",
                 line);
}

static cb_status tell_truth(const vrig_bench *b, const char *line, char *answer, cb_err *err) {
  double direction = 1;
  if (line[strlen("truth")]) CB_TRY(argument(line, "truth", "direction", -1, 1, &direction, err));
  if (direction != 1 && direction != -1)
    return cb_fail(err, CB_E_RANGE, "direction = %g: must be 1 (forward) or -1 (backward)", direction);
  (void)snprintf(answer, VRIG_OPERATOR_ANSWER_MAX, "truth kinetic_N=%.17g static_N=%.17g\nok\n",
                 vrig_bench_true_kinetic_N(b, (int)direction, NOMINAL_SPEED_M_PER_S),
                 vrig_bench_true_static_N(b, (int)direction));
  return CB_OK;
}

void vrig_operator_line(vrig_bench *b, const char *line, char answer[VRIG_OPERATOR_ANSWER_MAX]) {
  cb_err err;
  bool truth = strcmp(line, "truth") == 0 || strncmp(line, "truth ", 6) == 0;
  cb_status st = truth ? tell_truth(b, line, answer, &err) : act(b, line, &err);
  if (st == CB_OK && !truth) (void)snprintf(answer, VRIG_OPERATOR_ANSWER_MAX, "ok\n");
  if (st != CB_OK) (void)snprintf(answer, VRIG_OPERATOR_ANSWER_MAX, "error: %s\n", err.msg);
}
