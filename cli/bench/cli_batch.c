#include "cli_batch.h"

#include <stdio.h>

#include "cli.h"
#include "cb_plural.h"
#include "daq_engine.h"

static void write_pair(const daq_campaign *c, char out[300]) {
  const char *lot = c->conditions.cloth_lot;
  (void)snprintf(out, 300, "%s%s%s%s%s on %s", c->cloth, lot[0] ? ", lot " : "", lot,
                 c->specimen[0] ? ", specimen " : "", c->specimen, c->body);
}

void cli_batch_say(const daq_batch *b, size_t at, bool finished) {
  char pair[300];
  write_pair(&b->campaigns[at], pair);
  cli_say("run", "fabric %zu of %zu: %s%s", at + 1, b->n, pair, finished ? ": finished already" : "");
}

static json_t *handling_json(const daq_handling *h) {
  return json_pack("{s:I, s:I, s:I, s:I}", "bodies", (json_int_t)h->bodies, "cloths", (json_int_t)h->cloths,
                   "turns", (json_int_t)h->turns, "weights", (json_int_t)h->weights);
}

/* What a step by hand takes; `plan` takes the same if nothing else is said. */
#define TURN_S 60
#define WEIGHTS_S 30

static double pulls_s(const daq_batch *b) {
  double sum = 0;
  for (size_t i = 0; i < b->n; i++)
    sum += (double)daq_campaign_cells(&b->campaigns[i]) * cli_forecast_pull_s(&b->campaigns[i]);
  return sum;
}

static double hands_s(const daq_handling *h) {
  return TURN_S * (double)(h->bodies + h->cloths + h->turns) + WEIGHTS_S * (double)h->weights;
}

static json_t *batch_json(const daq_batch *b, const cli_forecast *forecasts, const daq_handling *ordered,
                          const daq_handling *plain) {
  json_t *rows = json_array();
  for (size_t i = 0; i < b->n; i++) {
    const daq_campaign *c = &b->campaigns[i];
    const char *lot = c->conditions.cloth_lot;
    (void)json_array_append_new(
        rows, json_pack("{s:s, s:s?, s:s?, s:s, s:I, s:o}", "cloth", c->cloth, "lot", lot[0] ? lot : NULL,
                        "specimen", c->specimen[0] ? c->specimen : NULL, "body", c->body, "runs",
                        (json_int_t)daq_campaign_cells(c), "forecast", lab_forecast_json(&forecasts[i].f)));
  }
  return json_pack("{s:I, s:f, s:f, s:o, s:o, s:o}", "runs", (json_int_t)ordered->runs, "rig_s", pulls_s(b),
                   "by_hand_s", hands_s(ordered), "pairs", rows, "handling", handling_json(ordered),
                   "handling_as_written", handling_json(plain));
}

static void print_handling(const char *what, const daq_handling *h) {
  printf("  %-18s %6zu %6zu %6zu %8zu\n", what, h->bodies, h->cloths, h->turns, h->weights);
}

static const char *write_time(double s, char out[24]) {
  (void)snprintf(out, 24, s < 90 ? "%.0f s" : "%.0f min", s < 90 ? s : s / 60);
  return out;
}

/* Nobody turns the samples of a rig that is played. */
static void print_duration(const daq_batch *b, const cb_rig *rig, const daq_handling *h) {
  char all[24], pulls[24], hands[24];
  const double rig_s = pulls_s(b), by_hand_s = hands_s(h);
  if (daq_engine_emulates(rig))
    printf("about %s of the rig's time, %s of the clock's\n", write_time(rig_s, pulls),
           write_time(rig_s / rig->virt.time_scale, all));
  else
    printf("about %s: %s of pulls, and %s by hand (%d s for a sample, %d s for weights)\n",
           write_time(rig_s + by_hand_s, all), write_time(rig_s, pulls), write_time(by_hand_s, hands), TURN_S,
           WEIGHTS_S);
}

static void print_pair(const daq_campaign *c, size_t number, const cli_forecast *f) {
  char pair[300];
  const size_t n = daq_campaign_cells(c);
  write_pair(c, pair);
  printf("%4zu  %s: %zu run%s\n", number, pair, n, CB_S(n));
  printf("  %zu pull%s of every angle and load, %g mm at %g mm/s\n", f->n_pulls, CB_S(f->n_pulls),
         c->travel_m * 1e3, c->speed_m_per_s * 1e3);
  cli_forecast_print(f);
}

cb_status cli_batch_print(const daq_batch *b, const cb_rig *rig, const cli_forecast *forecasts, bool json,
                          cb_err *err) {
  daq_handling ordered, plain;
  daq_batch_handling(b, &ordered, &plain);
  if (json)
    return cli_print_json("run", batch_json(b, forecasts, &ordered, &plain)) == CLI_DONE
               ? CB_OK
               : cb_fail(err, CB_E_IO, "the plan could not be written");
  for (size_t i = 0; i < b->n; i++) print_pair(&b->campaigns[i], i + 1, &forecasts[i]);
  printf("%zu run%s; steps by hand:\n  %-18s %6s %6s %6s %8s\n", ordered.runs, CB_S(ordered.runs), "",
         "bodies", "cloths", "turns", "weights");
  print_handling("in this order", &ordered);
  if (b->n > 1) print_handling("in the file's", &plain);
  print_duration(b, rig, &ordered);
  return CB_OK;
}
