/* clothbench import fab: raw data of a FAB, a machine with two clamps. */
#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cli_import.h"
#include "lab_fab.h"
#include "cb_plural.h"

typedef struct request {
  lab_import lab;
  const char *cloth, *source;
  bool json;
} request;

/* ---- in words ---- */

static char *in_micro(double value, double u, double dof, char out[CB_PLUS_MINUS]) {
  return cb_plus_minus_of_u(1e6 * value, 1e6 * u, dof, out);
}

static void print_buckled(int angle_deg, const lab_fab_strip *s) {
  char a[CB_PLUS_MINUS], b[CB_PLUS_MINUS];
  if (isnan(s->en)) {
    printf("  %d deg, 2 cm: up %s, down %s: no B\n", angle_deg, fit_buckled_outcome_text[s->up.outcome],
           fit_buckled_outcome_text[s->down.outcome]);
    return;
  }
  printf("  %d deg, 2 cm: B up %s, down %s uN m (95 %%), E_n %.2f;\n", angle_deg,
         in_micro(s->up.B_Nm, s->up.u_B_Nm, s->up.dof, a),
         in_micro(s->down.B_Nm, s->down.u_B_Nm, s->down.dof, b), s->en);
  printf("    mean B %s uN m, 2HB %s uN%s\n", in_micro(s->mean.B_Nm, s->mean.u_B_Nm, s->mean.dof, a),
         in_micro(s->mean.width_N, s->mean.u_width_N, s->mean.dof, b), s->low_force ? ", low force" : "");
}

static double mean_zero_N(const fit_buckled_result *r) {
  double sum = 0;
  for (size_t i = 0; i < r->cycles; i++) sum += r->zero_N[i];
  return sum / (double)r->cycles;
}

static void print_zeros(const lab_fab_strip *s) {
  if (isnan(s->en) || s->hanging.outcome != FIT_BUCKLED_OK) return;
  printf("    zero of the force: up %.3g, down %.3g, 8 cm %.3g mN\n", 1e3 * mean_zero_N(&s->up),
         1e3 * mean_zero_N(&s->down), 1e3 * mean_zero_N(&s->hanging));
}

static void print_hanging(const lab_fab *f, const lab_fab_strip *s) {
  const fit_buckled_result *h = &s->hanging;
  char text[CB_PLUS_MINUS];
  if (isnan(s->load)) return;
  printf("    8 cm: no B, w g L3 / B = %.3g: the force tells the weight, ", s->load);
  if (h->outcome == FIT_BUCKLED_OK)
    printf("%s g/m2 (scales: %.4g)\n",
           cb_plus_minus_of_u(1e3 * h->areal_density_kg_per_m2, 1e3 * h->u_areal_density_kg_per_m2, h->dof,
                              text),
           1e3 * f->raw.areal_density_kg_per_m2);
  else
    printf("%s\n", fit_buckled_outcome_text[h->outcome]);
}

static void print_loops(const lab_fab_strip *s) {
  char text[CB_PLUS_MINUS];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < LAB_FAB_LOOPS; i++) {
      const lab_fab_loop *l = &s->loops[k][i];
      if (isnan(l->measured_J)) continue;
      printf("    loop of stretch, %d cm, cycle %d left out: %.3g mJ, predicted %s (%+.1f %%)\n",
             lab_fab_clamps_cm[k], i + 2, 1e3 * l->measured_J,
             cb_plus_minus_of_u(1e3 * l->predicted_J, 1e3 * l->u_J, NAN, text),
             100 * (l->predicted_J / l->measured_J - 1));
    }
}

static int print_summary(const request *q, const lab_fab *f) {
  printf("%s: '%s' imported into %s: %zu test%s of stretch with %zu point%s, %zu of buckling, facts\n",
         q->lab.file, q->cloth, q->lab.db, f->tests, CB_S(f->tests), f->points, CB_S(f->points), f->buckled);
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++) {
    print_buckled(lab_fab_angles_deg[d], &f->strips[d]);
    print_hanging(f, &f->strips[d]);
    print_zeros(&f->strips[d]);
    print_loops(&f->strips[d]);
  }
  for (int i = 0; i < EXCH_FAB_FIGURES; i++) {
    const exch_fab_figure *g = &f->raw.figures[i];
    if (isfinite(g->value))
      printf("  vendor's %s %.4g, no unit%s%s\n", g->name, g->value, g->warning[0] ? ", " : "", g->warning);
  }
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

/* ---- as a document ---- */

static int print_document(const request *q, const lab_fab *f) {
  return cli_print_json("import", json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:o}", "file", q->lab.file,
                                            "db", q->lab.db, "cloth", q->cloth, "origin", "imported", "tests",
                                            (json_int_t)f->tests, "points", (json_int_t)f->points, "buckled",
                                            (json_int_t)f->buckled, "strips", lab_fab_json(f)));
}

int cli_import_fab(int argc, char **argv) {
  request q = {.lab.ask = cli_name_question()};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "its name in the database", .required = true},
      {"source", CLI_TEXT, &q.source, "who measured it; else the file's name"},
      {"db", CLI_TEXT, &q.lab.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.lab.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  const int stop = cli_parse(argc, argv,
                             "import fab FILE.json --cloth NAME [--source TEXT] [--db FILE] [--json]\n"
                             "  raw data of a FAB, in physics.json of U3M",
                             opts, sizeof opts / sizeof opts[0], &q.lab.file, 1, 1, NULL);
  if (stop >= 0) return stop;
  q.lab.db = cli_db_path(q.lab.db);
  cb_err err = {""};
  lab_fab f;
  const cb_status st = lab_import_fab(&q.lab, q.cloth, q.source, &f, &err);
  const int code = st != CB_OK ? cli_fail("import", st, &err)
                   : q.json    ? print_document(&q, &f)
                               : print_summary(&q, &f);
  lab_fab_clear(&f);
  return code;
}
