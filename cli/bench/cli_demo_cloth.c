/* The demo's other properties: the instruments of the virtual laboratory, imports, laws, verdicts. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_store_material_test.h"
#include "cb_law_json.h"
#include "cb_store.h"
#include "cli_demo.h"
#include "lab_judged.h"
#include "cb_signals.h"

#define STACK_LAYERS 2
#define DRAPES_MOST 12
#define WORD_BYTES 32

typedef struct path {
  char text[400];
} path;

static path in_instruments(const cli_demo *d, const char *name) {
  path p;
  (void)snprintf(p.text, sizeof p.text, "%s/%s", d->instruments, name);
  return p;
}

/* ---- the instruments ---- */

static cb_status measure_cloth(const cli_demo *d, cb_err *err) {
  CB_TRY(vlab_strips(&d->lab, in_instruments(d, "strips.csv").text, err));
  CB_TRY(vlab_bends(&d->lab, in_instruments(d, "bending.tsv").text, err));
  return vlab_airs(&d->lab, 1, in_instruments(d, "air.csv").text, err);
}

static cb_status measure_judged(const cli_demo *d, cb_err *err) {
  CB_TRY(vlab_judged_strips(&d->judged, in_instruments(d, "strips-oblique.csv").text, err));
  CB_TRY(vlab_airs(&d->judged, STACK_LAYERS, in_instruments(d, "air-stacks.csv").text, err));
  CB_TRY(vlab_inclines(&d->judged, d->judged_rig, false, in_instruments(d, "releases.csv").text, err));
  CB_TRY(vlab_inclines(&d->judged, d->judged_rig, true, in_instruments(d, "slopes.csv").text, err));
  return vlab_drapes_end(
      d->drapes, &d->judged, d->instruments,
      cb_signals_listen_once(
          "clothbench demo: stops after the drapes under way; once more ends it there and then\n"),
      err);
}

static int measure(const cli_demo *d, const char *title,
                   cb_status (*instruments)(const cli_demo *, cb_err *)) {
  cb_err err = {""};
  fprintf(stderr, "\n== %s: the instruments write into %s\n", title, d->instruments);
  cb_status st = cb_stop_check(cb_signals_wish(), &err);
  if (st == CB_OK) st = instruments(d, &err);
  return st == CB_OK ? CLI_DONE : cli_fail("demo", st, &err);
}

/* ---- imports ---- */

static int import_drapes(const cli_demo *d) {
  path file[DRAPES_MOST];
  const char *words[DRAPES_MOST + 8] = {"import", "drape"};
  int n = 2;
  for (int i = 0; i < d->lab.have.drapes && i < DRAPES_MOST; i++) {
    char name[WORD_BYTES];
    (void)snprintf(name, sizeof name, "drape-%d.png", i + 1);
    file[i] = in_instruments(d, name);
    words[n++] = file[i].text;
  }
  const char *const options[] = {"--cloth", d->lab.cloth, "--virtual", "--db", d->db};
  for (int i = 0; i < 5; i++) words[n++] = options[i];
  return cli_demo_command("Importing the pictures of drapes", cmd_import, words);
}

/* What a person reads off the balance and the gauge, and types. */
static int type_facts(const cli_demo *d, const vlab_weighed *w) {
  char word[4][WORD_BYTES];
  const double value[] = {1e3 * w->areal_density_kg_per_m2, 1e3 * w->u_areal_density_kg_per_m2,
                          1e3 * w->thickness_m, 1e3 * w->u_thickness_m};
  for (int i = 0; i < 4; i++) (void)snprintf(word[i], sizeof word[i], "%.4g", value[i]);
  return cli_demo_command(
      "Typing what balance and thickness gauge show", cmd_material,
      (const char *const[]){"material", "set", d->lab.cloth, "--areal-mass-g-m2", word[0],
                            "--u-areal-mass-g-m2", word[1], "--thickness-mm", word[2], "--u-thickness-mm",
                            word[3], "--source", "the virtual laboratory", "--db", d->db, NULL});
}

/* ---- laws, and the truth ---- */

/* The laws are 30 KB. */
static cb_status compare_laws(cli_demo *d, cb_store *s, cb_err *err) {
  static cb_stretch_law stretch;
  static cb_bending_law bending;
  static cb_permeability_law air;
  cb_material_law row = {.result_json = NULL};
  CB_TRY(cb_store_law_of(s, CB_LAW_STRETCH, d->lab.cloth, &stretch, NULL, err));
  CB_TRY(cb_store_law_of(s, CB_LAW_PERMEABILITY, d->lab.cloth, &air, NULL, err));
  CB_TRY(cb_store_law_of(s, CB_LAW_BENDING, d->lab.cloth, &bending, &row, err));
  free(row.result_json);
  d->tally[CLI_DEMO_STRETCH] = vlab_check_stretch(&d->lab, &stretch);
  d->tally[CLI_DEMO_BENDING] = vlab_check_bending(&d->lab, &bending);
  d->tally[CLI_DEMO_AIR] = vlab_check_air(&d->lab, &air);
  return CB_OK;
}

static int check_truth(cli_demo *d) {
  cb_err err = {""};
  cb_store *s;
  cb_status st = cb_store_open(d->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, compare_laws(d, s, &err), &err);
  return st == CB_OK ? CLI_DONE : cli_fail("demo", st, &err);
}

/* A table; and the law of its kind, if the fit shall see it. */
typedef struct table {
  const char *kind, *mapping, *file, *law;
} table;

static int import_tables(const cli_demo *d, const table *list, size_t n) {
  int code = CLI_DONE;
  for (const table *l = list; l < list + n && code == CLI_DONE; l++) {
    char map[CLI_SHARE_PATH_BYTES];
    const path p = in_instruments(d, l->file);
    code =
        cli_demo_command("Importing the instrument's file", cmd_import,
                         (const char *const[]){"import", l->kind, "--mapping",
                                               cli_share_path(l->mapping, map), p.text, "--db", d->db, NULL});
    if (code == CLI_DONE && l->law)
      code = cli_demo_command(
          "Fitting a law", cmd_fit,
          (const char *const[]){"fit", l->law, "--cloth", d->lab.cloth, "--db", d->db, NULL});
  }
  return code;
}

static int make_laws(cli_demo *d) {
  static const table tables[] = {
      {"stretch", "rigs/import/demo_strips.yaml", "strips.csv", "stretch"},
      {"bending-moment", "rigs/import/demo_bending.yaml", "bending.tsv", "bending"},
      {"permeability", "rigs/import/demo_air.yaml", "air.csv", "permeability"}};
  const vlab_weighed weighed = vlab_weigh(&d->lab);
  int code = measure(d, "Measuring weight, thickness, stretch, bending and air", measure_cloth);
  d->tally[CLI_DEMO_WEIGHED] = vlab_check_weighed(&d->lab, &weighed);
  if (code == CLI_DONE) code = type_facts(d, &weighed);
  if (code == CLI_DONE) code = import_tables(d, tables, sizeof tables / sizeof tables[0]);
  return code == CLI_DONE ? check_truth(d) : code;
}

/* ---- verdicts ---- */

static int judge_incline(const char *db, const cb_run *run) {
  char id[24];
  (void)snprintf(id, sizeof id, "%lld", (long long)run->id);
  return cli_demo_command("Comparing a predicted slide on a slope with the measured one", cmd_validate,
                          (const char *const[]){"validate", "incline", "--run", id, "--db", db, NULL});
}

static int judge_inclines(const cli_demo *d) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_run *runs = NULL;
  size_t n = 0;
  cb_run_filter f = cb_run_filter_all();
  f.kind = CB_RUN_SLIDE;
  f.status = CB_RUN_DONE;
  cb_status st = cb_store_open(d->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, cb_store_runs(s, &f, &runs, &n, &err), &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  int code = CLI_DONE;
  for (size_t i = 0; i < n && code == CLI_DONE; i++)
    if (runs[i].incline_deg != 0) code = judge_incline(d->db, &runs[i]);
  free(runs);
  return code;
}

static int judge_laws(const cli_demo *d) {
  char layers[80], stack[80], angle[WORD_BYTES];
  (void)snprintf(angle, sizeof angle, "%g", d->lab.have.judged_angle_deg);
  (void)snprintf(layers, sizeof layers, "%s*%d", d->lab.cloth, STACK_LAYERS);
  vlab_stack_name(&d->lab, STACK_LAYERS, stack);
  const struct {
    const char *title, *words[10];
  } steps[] = {
      {"Comparing predicted stacks of two layers with measured ones",
       {"validate", "stack", layers, "--measured", stack, "--db", d->db}},
      {"Comparing predicted strips in a direction that was not fitted with the measured ones",
       {"validate", "stretch", "--cloth", d->lab.cloth, "--angle-deg", angle, "--db", d->db}},
      {"Comparing predicted drapes with those of the virtual drape meter, " LAB_JUDGED_APART,
       {"validate", "drape", "--cloth", d->lab.cloth, "--vertices", "2500", "--db", d->db}},
  };
  int code = cli_demo_judge_slides(d, "prescribed");
  if (code == CLI_DONE) code = judge_inclines(d);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0] && code == CLI_DONE; i++)
    code = cli_demo_command(steps[i].title, cmd_validate, steps[i].words);
  return code;
}

int cli_demo_cloth(cli_demo *d) {
  static const table judged[] = {{"stretch", "rigs/import/demo_strips.yaml", "strips-oblique.csv", NULL},
                                 {"permeability", "rigs/import/demo_air.yaml", "air-stacks.csv", NULL},
                                 {"release", "rigs/import/demo_release.yaml", "releases.csv", NULL},
                                 {"incline", "rigs/import/demo_slope.yaml", "slopes.csv", NULL}};
  int code = make_laws(d);
  if (code == CLI_DONE) code = measure(d, "Measuring what no fit sees", measure_judged);
  if (code == CLI_DONE) code = import_tables(d, judged, sizeof judged / sizeof judged[0]);
  if (code == CLI_DONE) code = import_drapes(d);
  return code == CLI_DONE ? judge_laws(d) : code;
}
