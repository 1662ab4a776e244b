/* clothbench validate drape: drapes predicted from mechanical data, against those that were measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_store_drape.h"
#include "cli_drape_cloth.h"
#include "cli_drape_figure.h"
#include "cli_kind.h"
#include "cli_signals.h"

/* Coverage factor of what was measured. */
#define COVERAGE 2.0

typedef struct measured {
  int n; /* 0: nothing to compare with */
  double mean, sd, u_each, nodes, nodes_sd;
  int inside; /* of the predicted band */
  double difference, allowed;
  bool agrees;
} measured;

typedef struct request {
  val_drape_many e;
  cli_drape_cloth cloth;
  double specimen_cm, support_cm, seeds, seed, vertices, measured;
  const char *figure;
  bool json;
} request;

/* ---- what was measured ---- */

static void add_measured(measured *m, const val_drape_statistics *s, double coefficient, double nodes, double u, double *squares) {
  double step = coefficient - m->mean, node_step = nodes - m->nodes;
  m->n++;
  m->mean += step / m->n;
  m->nodes += node_step / m->n;
  m->u_each += (u - m->u_each) / m->n;
  squares[0] += step * (coefficient - m->mean);
  squares[1] += node_step * (nodes - m->nodes);
  m->inside += coefficient >= s->drape_coefficient.lo95 && coefficient <= s->drape_coefficient.hi95;
}

/* What the band allows holds what is in doubt about the cloth, which no number of drapes takes out; beside it the measured mean's own. */
static void compare(measured *m, const val_drape_statistics *s, const double *squares) {
  m->sd = m->n > 1 ? sqrt(squares[0] / (m->n - 1)) : NAN;
  m->nodes_sd = m->n > 1 ? sqrt(squares[1] / (m->n - 1)) : NAN;
  double scatter = m->n > 1 ? m->sd / sqrt(m->n) : 0, band = s->drape_coefficient.hi95 - s->drape_coefficient.mean;
  m->difference = s->drape_coefficient.mean - m->mean;
  m->allowed = hypot(band, COVERAGE * hypot(scatter, m->u_each));
  m->agrees = fabs(m->difference) <= m->allowed;
}

static bool alike(const cb_drape_test *t, const fit_drape_setup *size) {
  return t->origin != CB_VIRTUAL && t->origin != CB_SIMULATED && fabs(t->support_m - size->support_m) < 1e-4 &&
         fabs(t->specimen_m - size->specimen_m) < 1e-4;
}

static cb_status look_up(const request *q, const val_drape_statistics *s, measured *m, cb_err *err) {
  double squares[2] = {0, 0};
  *m = (measured){0};
  if (!isnan(q->measured) && !q->cloth.from_drapes) add_measured(m, s, q->measured, NAN, 0, squares);
  if (q->cloth.from_drapes) {
    cli_say("validate", "the law of bending of '%s' was found from drapes: to compare with drapes would be no prediction", q->cloth.name);
  } else if (q->cloth.name && isnan(q->measured)) {
    cb_drape_test *list;
    size_t n;
    CB_TRY(cli_drape_cloth_measured(&q->cloth, &list, &n, err));
    for (size_t i = 0; i < n; i++)
      if (alike(&list[i], &q->e.one.size))
        add_measured(m, s, list[i].drape_coefficient, list[i].nodes, list[i].u_drape_coefficient, squares);
    free(list);
  }
  if (m->n > 0) compare(m, s, squares);
  return CB_OK;
}

/* ---- what is shown ---- */

static json_t *spread_json(const val_spread *s) {
  return json_pack("{s:f, s:o, s:o, s:o}", "mean", s->mean, "sd", cb_json_real(s->sd), "lo95", cb_json_real(s->lo95), "hi95",
                   cb_json_real(s->hi95));
}

static json_t *measured_json(const measured *m) {
  if (m->n == 0) return json_null();
  return json_pack("{s:i, s:f, s:o, s:f, s:o, s:o, s:i, s:f, s:f}", "n", m->n, "mean", m->mean, "sd", cb_json_real(m->sd), "u", m->u_each,
                   "nodes", cb_json_real(m->nodes), "nodes_sd", cb_json_real(m->nodes_sd), "inside_band", m->inside, "difference",
                   m->difference, "allowed", m->allowed);
}

static json_t *each_json(const val_drape_statistics *s) {
  json_t *list = json_array();
  for (int i = 0; i < s->n; i++) {
    const val_drape_result *r = &s->each[i];
    (void)json_array_append_new(
        list, json_pack("{s:I, s:f, s:i, s:f, s:i, s:b, s:f, s:i, s:f}", "seed", (json_int_t)r->seed, "drape_coefficient",
                        r->drape.drape_coefficient, "nodes", r->drape.nodes, "amplitude_m", r->drape.node_height_m, "vertices", r->vertices,
                        "settled", r->settled, "residual", r->residual, "iterations", r->iterations, "seconds", r->seconds));
  }
  return list;
}

static const char *verdict_of(const request *q, const val_drape_statistics *s, const measured *m) {
  if (s->n < q->e.seeds) return NULL;
  if (s->settled < s->n) return "fail";
  return m->n == 0 ? NULL : m->agrees ? "pass" : "fail";
}

static int print_json(const request *q, const val_drape_statistics *s, const measured *m) {
  const char *verdict = verdict_of(q, s, m);
  json_t *doc = json_pack("{s:s, s:o, s:o, s:f, s:f, s:i, s:i, s:i}", "experiment", "drape", "verdict",
                          verdict ? json_string(verdict) : json_null(), "cloth", cli_drape_cloth_json(&q->cloth), "support_cm",
                          q->support_cm, "specimen_cm", q->specimen_cm, "seeds", s->n, "seeds_asked", q->e.seeds, "settled", s->settled);
  (void)json_object_set_new(doc, "drape_coefficient", spread_json(&s->drape_coefficient));
  (void)json_object_set_new(doc, "nodes", spread_json(&s->nodes));
  (void)json_object_set_new(doc, "amplitude_m", spread_json(&s->amplitude_m));
  (void)json_object_set_new(doc, "measured", measured_json(m));
  (void)json_object_set_new(doc, "stretch_most_N_m", cb_json_real(s->each[0].stretch_most_N_per_m));
  (void)json_object_set_new(doc, "each", each_json(s));
  (void)json_object_set_new(doc, "seconds", json_real(s->seconds));
  return cli_print_json("validate", doc);
}

static void print_spread(const char *what, const val_spread *s, double scale, double reference) {
  printf("%-20s %10.4g", what, scale * s->mean);
  if (isnan(s->sd))
    printf(" %10s %22s", "-", "-");
  else
    printf(" %10.3g %10.4g .. %8.4g", scale * s->sd, scale * s->lo95, scale * s->hi95);
  if (!isnan(reference)) printf(" %10.4g", reference);
  printf("\n");
}

/* What else stands behind the numbers. */
static void print_remarks(const request *q, const val_drape_statistics *s) {
  const cli_drape_cloth *c = &q->cloth;
  printf("bending friction from %s: 2HB = %.3g and %.3g mN, +- %.0f %%\n",
         c->hysteresis_from[0] == 'r' ? "a relation of other fabrics (docs/bending.md)" : c->hysteresis_from,
         2e3 * c->material.bending_friction_N[0], 2e3 * c->material.bending_friction_N[1], 100 * c->doubt.friction);
  const double most = s->each[0].stretch_most_N_per_m;
  const double stretch[2] = {cli_first_slope(&c->material.warp), cli_first_slope(&c->material.weft)};
  if (fmax(stretch[0], stretch[1]) > most)
    printf("this mesh bears %.3g N/m of stretch stiffness, the cloth has %.3g and %.3g: more --vertices are better\n", most, stretch[0],
           stretch[1]);
}

static void print_text(const request *q, const val_drape_statistics *s, const measured *m) {
  char words[240];
  cli_drape_cloth_words(&q->cloth, words, sizeof words);
  printf("drape of %s, %g cm on %g cm: %d drapes of about %g vertices\n\n", words, q->specimen_cm, q->support_cm, s->n, q->vertices);
  printf("%-20s %10s %10s %22s %10s\n", "", "mean", "sd", "95 % of drapes", m->n ? "measured" : "");
  print_spread("drape coefficient", &s->drape_coefficient, 1, m->n ? m->mean : NAN);
  print_spread("nodes", &s->nodes, 1, m->n ? m->nodes : NAN);
  print_spread("amplitude mm", &s->amplitude_m, 1e3, NAN);
  printf("\n%d of %d settled (%.1f s)\n", s->settled, s->n, s->seconds);
  if (m->n > 0)
    printf("measured: %d, of which %d within the band; predicted - measured = %+.4f, allowed %.4f\n", m->n, m->inside, m->difference,
           m->allowed);
  print_remarks(q, s);
  const char *verdict = verdict_of(q, s, m);
  printf("verdict: %s\n", verdict             ? verdict
                          : s->n < q->e.seeds ? "none (not all drapes were made)"
                                              : "none (nothing measured to compare with)");
}

static int show(const request *q, const val_drape_statistics *s) {
  cb_err err = {""};
  measured m = {0};
  bool all = s->n == q->e.seeds; /* a part of them is shown, and compared with nothing */
  cb_status st = all ? look_up(q, s, &m, &err) : CB_OK;
  if (st == CB_OK && q->figure) st = cli_drape_figure(q->figure, &q->e.one.size, s, m.n > 0 ? m.mean : NAN, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->json)
    print_text(q, s, &m);
  else if (print_json(q, s, &m) != CLI_DONE)
    return CLI_FAILED;
  const char *verdict = verdict_of(q, s, &m);
  return verdict && verdict[0] == 'f' ? CLI_NEGATIVE : CLI_DONE;
}

static int tell_failure(const request *q, const val_drape_statistics *s, cb_status st, const cb_err *err) {
  (void)fflush(stdout);
  if (s->n > 0) cli_say("validate", "%d of %d drapes were made and are shown", s->n, q->e.seeds);
  return cli_fail("validate", st, err);
}

/* ---- options ---- */

static int run(request *q) {
  q->e.one.size = (fit_drape_setup){.support_m = q->support_cm / 100, .specimen_m = q->specimen_cm / 100};
  q->e.one.vertices = (int)q->vertices;
  q->e.one.seed = (uint64_t)q->seed;
  q->e.seeds = (int)q->seeds;
  cb_err err = {""};
  cb_status st = cli_drape_cloth_read(&q->cloth, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!isnan(q->measured) || q->cloth.name ? q->e.seeds < 2 : false) {
    cli_say("validate", "--seeds 1: a comparison with what was measured wants 2 or more");
    return CLI_USAGE;
  }
  q->e.one.material = q->cloth.material;
  q->e.doubt = q->cloth.doubt;
  val_drape_statistics s;
  q->e.stop = cli_signals_listen_once("clothbench validate: stops after the drapes under way; once more ends it there and then\n");
  st = val_drape_many_run(&q->e, &s, &err);
  int code = st == CB_OK || s.n > 0 ? show(q, &s) : CLI_DONE;
  if (st != CB_OK) code = tell_failure(q, &s, st, &err);
  val_drape_statistics_clear(&s);
  return code;
}

int cli_validate_drape(int argc, char **argv) {
  request q = {.e = {.one = val_drape_default()},
               .cloth = CLI_DRAPE_CLOTH_DEFAULT,
               .specimen_cm = 30,
               .support_cm = 18,
               .seeds = 10,
               .seed = 1,
               .vertices = 5000,
               .measured = NAN};
  const cli_opt opts[] = {
      CLI_DRAPE_CLOTH_OPTIONS(q.cloth),
      {.name = "specimen-cm", .kind = CLI_NUMBER, .value = &q.specimen_cm, .min = 1, .max = 200, .help = "diameter; else 30"},
      {.name = "support-cm", .kind = CLI_NUMBER, .value = &q.support_cm, .min = 1, .max = 200, .help = "diameter; else 18"},
      {.name = "seeds", .kind = CLI_NUMBER, .value = &q.seeds, .min = 1, .max = 100000, .help = "drapes; else 10"},
      {.name = "seed", .kind = CLI_NUMBER, .value = &q.seed, .min = 0, .max = 1e9, .help = "the first; else 1"},
      {.name = "vertices", .kind = CLI_NUMBER, .value = &q.vertices, .min = 200, .max = 1e6, .help = "of a drape, about; else 5000"},
      {.name = "measured", .kind = CLI_NUMBER, .value = &q.measured, .min = 0, .max = 1, .help = "a coefficient to compare with"},
      {.name = "figure", .kind = CLI_OUT_FILE, .value = &q.figure, .help = "draw the outlines: FILE.png or FILE.svg"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate drape " CLI_DRAPE_CLOTH_USAGE " [--seeds K] [--vertices N] [--measured DC] [--figure FILE] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  return stop >= 0 ? stop : run(&q);
}
