#include "cli_forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"

/* Beside the pull and two zeros: slack of the link taken up twice, and rest. 108 pulls of
 * rigs/campaign-demo.yaml take 11 min of rig time.
 */
#define BETWEEN_S 1.5

double cli_forecast_pull_s(const daq_campaign *c) {
  const double way_s = c->travel_m / c->speed_m_per_s;
  return 2 * c->zero_s + way_s + BETWEEN_S + (c->directions == DAQ_BOTH ? 0 : way_s);
}

cb_status cli_forecast_make(cb_store *s, const lab_known_laws *known, const cb_rig *rig,
                            const daq_campaign *c, double calibrated_N, cli_forecast *out, cb_err *err) {
  const size_t pulls = (size_t)c->repeats * (c->directions == DAQ_BOTH ? 2 : 1),
               n = daq_campaign_cells(c) / pulls;
  const lab_forecast_plan plan = {.cloth = c->cloth,
                                  .body = c->body,
                                  .travel_m = c->travel_m,
                                  .speed_m_per_s = c->speed_m_per_s,
                                  .calibrated_N = calibrated_N,
                                  .backward = c->directions != DAQ_FORWARD};
  *out = (cli_forecast){.n_pulls = pulls, .cells = calloc(n + 1, sizeof *out->cells)};
  if (!out->cells) return cb_no_memory(err, "a forecast of %zu cells", n);
  for (size_t i = 0, k = 0; i < daq_campaign_cells(c) && k < n; i++) {
    const daq_cell cell = daq_campaign_cell(c, i);
    if (cell.repeat > 1 || (c->directions == DAQ_BOTH && cell.direction < 0)) continue;
    out->cells[k].angle_deg = cell.angle_deg;
    out->cells[k].body_angle_deg = cell.body_angle_deg;
    out->cells[k++].added_mass_kg = cell.added_mass_kg;
  }
  return lab_forecast_make(s, known, rig, &plan, out->cells, n, &out->f, err);
}

void cli_forecast_clear(cli_forecast *out) {
  free(out->cells);
  *out = (cli_forecast){.n_pulls = 0};
}

cb_status cli_forecast_say(const char *command, const cli_forecast *f, bool anyway, cb_err *err) {
  char text[LAB_FORECAST_TEXT], fatal[LAB_FORECAST_TEXT] = "";
  for (int t = 0; t < LAB_N_TROUBLES; t++) {
    const lab_grade grade = lab_forecast_say(&f->f, (lab_trouble)t, text);
    if (grade == LAB_NO_TROUBLE) continue;
    /* What any cloth may need beyond the limit, daq_outlook.h has said. */
    if ((t == LAB_OVERLOAD || t == LAB_UNCALIBRATED_FORCE) && f->f.from == LAB_EXPECTED_ASSUMED &&
        grade != LAB_CERTAIN)
      continue;
    if (grade == LAB_CERTAIN && !anyway && !fatal[0])
      memcpy(fatal, text, sizeof fatal);
    else
      cli_say(command, "%s", text);
  }
  return fatal[0] ? cb_fail(err, CB_E_RANGE, "%s; --anyway pulls all the same", fatal) : CB_OK;
}

/* ---- rows ---- */

static void print_source(const lab_forecast *f) {
  printf("  friction ");
  if (f->from == LAB_EXPECTED_PAIR) printf("by what is known of this pair");
  if (f->from == LAB_EXPECTED_OTHERS)
    printf("by %zu other pair%s of this cloth or body", f->n_others, CB_S(f->n_others));
  if (f->from == LAB_EXPECTED_ASSUMED) printf("not known: coefficients of 0.3 to 1 are assumed");
  printf("%s\n", f->has_static ? "" : "; static friction taken as 1.25 times kinetic");
}

static void print_force(const lab_expected_force *f) {
  char range[48];
  (void)snprintf(range, sizeof range, "(%.3g to %.3g)", f->low_N, f->high_N);
  printf("  %7.3g %-18s", f->mid_N, range);
}

static void print_troubles(const lab_forecast_cell *c) {
  static const char *const words[LAB_N_TROUBLES] = {
      "does not slide", "slides too late", "overload",     "beyond the stage's force",
      "stick-slip",     "not calibrated",  "few readings", "brakes"};
  const char *before = "  ";
  for (int t = 0; t < LAB_N_TROUBLES; t++) {
    if (c->grade[t] == LAB_NO_TROUBLE) continue;
    printf("%s%s%s", before, words[t], c->grade[t] == LAB_POSSIBLE ? " perhaps" : "");
    before = ", ";
  }
}

static void print_cell(const lab_forecast_cell *c) {
  char angle[48], body[24] = "";
  if (!isnan(c->body_angle_deg)) (void)snprintf(body, sizeof body, " on %g", c->body_angle_deg);
  (void)snprintf(angle, sizeof angle, "%g%s deg", c->angle_deg, body);
  printf("  %12s  %6g g  %6.4g N", angle, c->added_mass_kg * 1e3, c->normal_force_N);
  print_force(&c->kinetic);
  print_force(&c->stat);
  printf("  %5.1f mm", c->slips_at_m * 1e3);
  print_troubles(c);
  printf("\n");
}

void cli_forecast_print(const cli_forecast *f) {
  print_source(&f->f);
  printf("  %12s  %8s  %8s   %-26s  %-26s  %s\n", "angle", "added", "load", "  kinetic, N", "  static, N",
         "slides after");
  for (size_t i = 0; i < f->f.n; i++) print_cell(&f->f.cells[i]);
}
