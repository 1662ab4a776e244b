#include "cli_batch.h"

#include <stdio.h>

#include "cli.h"

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

static json_t *batch_json(const daq_batch *b, const daq_handling *ordered, const daq_handling *plain) {
  json_t *rows = json_array();
  for (size_t i = 0; i < b->n; i++) {
    const daq_campaign *c = &b->campaigns[i];
    const char *lot = c->conditions.cloth_lot;
    (void)json_array_append_new(
        rows, json_pack("{s:s, s:s?, s:s?, s:s, s:I}", "cloth", c->cloth, "lot", lot[0] ? lot : NULL,
                        "specimen", c->specimen[0] ? c->specimen : NULL, "body", c->body, "runs",
                        (json_int_t)daq_campaign_cells(c)));
  }
  return json_pack("{s:I, s:o, s:o, s:o}", "runs", (json_int_t)ordered->runs, "pairs", rows, "handling",
                   handling_json(ordered), "handling_as_written", handling_json(plain));
}

static void print_handling(const char *what, const daq_handling *h) {
  printf("  %-18s %6zu %6zu %6zu %8zu\n", what, h->bodies, h->cloths, h->turns, h->weights);
}

cb_status cli_batch_print(const daq_batch *b, bool json, cb_err *err) {
  daq_handling ordered, plain;
  daq_batch_handling(b, &ordered, &plain);
  if (json)
    return cli_print_json("run", batch_json(b, &ordered, &plain)) == CLI_DONE
               ? CB_OK
               : cb_fail(err, CB_E_IO, "the plan could not be written");
  for (size_t i = 0; i < b->n; i++) {
    char pair[300];
    write_pair(&b->campaigns[i], pair);
    printf("%4zu  %s: %zu runs\n", i + 1, pair, daq_campaign_cells(&b->campaigns[i]));
  }
  printf("%zu runs; steps by hand:\n  %-18s %6s %6s %6s %8s\n", ordered.runs, "", "bodies", "cloths", "turns",
         "weights");
  print_handling("in this order", &ordered);
  if (b->n > 1) print_handling("in the file's", &plain);
  return CB_OK;
}
