/* clothbench predict stretch: force per width of a strip at a strain, or its strain at a force, in any
 * direction. Reads only. */
#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cli_kind.h"
#include "lab_stretch.h"

typedef struct request {
  lab_stretch_question lab; /* NAN: not given */
  const char *db;
  bool json;
} request;

static void print_uncertainty(const lab_stretch_answer *a) {
  const cb_stretch_value *v = &a->value;
  if (v->basis == CB_STRETCH_BY_TABLE) {
    printf("  from an imported table (Wang et al. 2011): its uncertainty is not known\n");
    return;
  }
  if (isnan(v->sd_N_per_m))
    printf("  one test a direction: how another would differ is not known, and not in this uncertainty\n");
  else
    printf("  one test differs from another by %.3g N/m (standard deviation)\n", v->sd_N_per_m);
  if (v->basis == CB_STRETCH_BY_FORM)
    printf("  from other directions by the form '%s', which leaves %.3g N/m open\n",
           cb_stretch_form_names[a->law.form], v->u_form_N_per_m);
}

static int print_answer(const request *q, const lab_stretch_answer *a) {
  const cb_stretch_value *v = &a->value;
  char force[CB_PLUS_MINUS];
  if (q->json) return cli_print_json("predict", lab_stretch_answer_json(&q->lab, a));
  printf("%s, stretch at %g deg (%s)\n", a->law.cloth, q->lab.angle_deg, cb_origin_names[a->law.origin]);
  printf("  strain %.4f %%, force %s N/m%s\n", 100 * a->strain,
         cb_plus_minus(v->force_N_per_m, a->u95_N_per_m, " +- ", force), a->u95_N_per_m > 0 ? " (95 %)" : "");
  print_uncertainty(a);
  if (!v->inside_measured_range)
    printf("  outside the measured strains: carried on with the last %s\n",
           v->basis == CB_STRETCH_BY_TABLE ? "stiffness" : "slope");
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static void say_unanswered(const lab_stretch_question *l, const lab_stretch_answer *a) {
  if (a->value.basis == CB_STRETCH_BY_NOTHING)
    cli_say("predict",
            "%s: %g deg was not tested, and no three directions tell (0, 90 and one between would)", l->cloth,
            l->angle_deg);
  else
    cli_say("predict", "%s: %g N/m is not reached at %g deg", l->cloth, l->force_N_per_m, l->angle_deg);
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_store *s;
  lab_stretch_answer a;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, lab_stretch_predict(s, &q->lab, &a, &err), &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (a.value.basis != CB_STRETCH_BY_NOTHING && !isnan(a.strain)) return print_answer(q, &a);
  say_unanswered(&q->lab, &a);
  return CLI_NEGATIVE;
}

int cli_predict_stretch(int argc, char **argv) {
  request q = {.lab = {.strain = NAN, .force_N_per_m = NAN}};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.lab.cloth, "the cloth's name", .required = true},
      {"angle-deg", CLI_NUMBER, &q.lab.angle_deg, "direction of the strip in the cloth, 0 = warp",
       .required = true},
      {"strain", CLI_NUMBER, &q.lab.strain, "extension over length: 0.02 is 2 %", .max = 10},
      {"force-N-per-m", CLI_NUMBER, &q.lab.force_N_per_m, "or the force per width", .max = 1e6},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv,
      "predict stretch --cloth NAME --angle-deg A {--strain E | --force-N-per-m F} [--db FILE] [--json]",
      opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_to_read(q.db);
  if (isnan(q.lab.strain) != isnan(q.lab.force_N_per_m)) return run_predict(&q);
  cli_say("predict", "either --strain or --force-N-per-m was wanted");
  return CLI_USAGE;
}
