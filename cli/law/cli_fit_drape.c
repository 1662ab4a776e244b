/* clothbench fit drape: from measured drapes back to the bending of the cloth. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_kind.h"
#include "cli_share.h"
#include "lab_drape.h"

#define FILES_MAX 1000

typedef struct request {
  lab_drape_request lab;
  const char *db, *origin, *stiffer;
  const char *files[FILES_MAX];
  /* NAN: not given */
  double amplitude_mm, specimen_cm, support_cm, scale_mm_per_px, areal_mass_g_m2, u_mass_percent;
  bool json;
} request;

/* ---- the readable table ---- */

static void print_sign(const char *words, double scale, const lab_drape_sign *s) {
  if (!s->known) return;
  printf("  %-18s %9.4g ", words, scale * s->measured);
  if (isnan(s->sd))
    printf("%9s", "-");
  else
    printf("%9.2g", scale * s->sd);
  printf(" %9.2g %9.3g .. %7.3g %9.3g .. %7.3g  %s\n", scale * s->u, scale * s->prior_lo95,
         scale * s->prior_hi95, scale * s->lo95, scale * s->hi95, s->inside ? "inside" : "outside");
}

static void print_group(const lab_drape_group *g) {
  printf("%d drape%s of %g cm on %g cm\n", g->drapes, g->drapes > 1 ? "s" : "", g->specimen_cm,
         g->support_cm);
  printf("  %-18s %9s %9s %9s %20s %20s\n", "", "measured", "sd", "u", "before, 95 %", "after, 95 %");
  print_sign("drape coefficient", 1, &g->sign[VAL_DRAPE_COEFFICIENT]);
  print_sign("nodes", 1, &g->sign[VAL_DRAPE_NODES]);
  print_sign("amplitude mm", 1e3, &g->sign[VAL_DRAPE_AMPLITUDE]);
  print_sign("elongation %", 100, &g->sign[VAL_DRAPE_ELONGATION]);
  printf("\n");
}

static void print_unknown(const char *words, double scale, const val_drape_estimate *e) {
  double left = e->sd_ln / e->prior_sd_ln;
  printf("  %-26s %9.4g %9.3g .. %7.3g %9.3g .. %7.3g  %s (%.0f %% of the prior's width)\n", words,
         scale * e->median, scale * e->lo95, scale * e->hi95, scale * e->prior_lo95, scale * e->prior_hi95,
         val_drape_telling_text[val_drape_tells(left)], 100 * left);
}

static void print_table(const lab_drape *d) {
  for (size_t k = 0; k < d->n_groups; k++) print_group(&d->group[k]);
  printf("  %-26s %9s %20s %20s\n", "", "median", "95 %", "before, 95 %");
  print_unknown("bending length mm", 1e3, &d->estimate[VAL_DRAPE_LENGTH]);
  print_unknown("B, effective, uN m", 1e6, &d->estimate[VAL_DRAPE_B]);
  print_unknown("stiffer to limper", 1, &d->estimate[VAL_DRAPE_RATIO]);
  print_unknown("G, shear, N/m", 1, &d->estimate[VAL_DRAPE_G]);
  printf("stretch N/m, %s: %.4g\n", d->stretch_known ? "as measured" : "not known, the prior's median",
         d->prior.stretch_N_per_m);
  printf("\nwhat is told, of ln B, ln ratio and ln G, each over its prior standard deviation:\n");
  for (int k = 0; k < VAL_DRAPE_FREE; k++) {
    const val_drape_direction *c = &d->direction[k];
    printf("  %+.2f %+.2f %+.2f: %.0f %% of the prior's width\n", c->share[0], c->share[1], c->share[2],
           100 * c->sd_over_prior);
  }
  printf("\nsuch a cloth's drapes differ as much from what is expected of it with p = %.2g\n", d->p);
  if (d->law_id > 0) printf("stored as law B%lld of bending\n", (long long)d->law_id);
}

static int print_result(const request *q, const lab_drape *d) {
  if (q->json) return cli_print_json("fit", lab_drape_json(d));
  print_table(d);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}

static int show_result(const request *q, const lab_drape *d) {
  if (!d->mass_known)
    cli_say(
        "fit",
        "the areal mass is not known: lengths are told, B and G only as far as a usual mass tells them; %s",
        q->lab.cloth ? "no law was stored; --areal-mass-g-m2 tells it" : "--areal-mass-g-m2 tells it");
  if (d->outcome != VAL_DRAPE_TOLD)
    cli_say("fit", "%s; no law comes of it", val_drape_outcome_text[d->outcome]);
  int code = print_result(q, d);
  return code != CLI_DONE ? code : d->outcome == VAL_DRAPE_TOLD ? CLI_DONE : CLI_NEGATIVE;
}

/* s NULL: files or numbers. */
static int fit_cloth(const request *q, cb_store *s) {
  cb_err err = {""};
  lab_drape d;
  cb_status st = lab_drape_fit(s, &q->lab, &d, &err);
  int code = st == CB_OK ? show_result(q, &d) : cli_fail("fit", st, &err);
  lab_drape_clear(&d);
  return code;
}

static int with_database(const request *q) {
  cb_err err = {""};
  cb_store *s;
  cb_status st = cb_store_open(q->db, CB_STORE_WRITE, &s, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  int code = fit_cloth(q, s);
  st = cb_store_close(s, &err);
  return st == CB_OK ? code : cli_fail("fit", st, &err);
}

/* ---- options ---- */

/* One of the three ways to state what was measured; NULL: all is well. */
static const char *misused(const request *q) {
  int ways = (q->lab.cloth != NULL) + (q->lab.n_files > 0) + !isnan(q->lab.measured);
  if (ways != 1) return "one of --cloth NAME, FILE... and --measured DC was wanted";
  if (isnan(q->lab.measured) &&
      (!isnan(q->lab.nodes) || !isnan(q->amplitude_mm) || !isnan(q->lab.sd_measured)))
    return "--nodes, --amplitude-mm and --sd-measured go with --measured";
  if ((q->db || q->origin) && !q->lab.cloth) return "--db and --origin go with --cloth";
  if (q->stiffer && strcmp(q->stiffer, "warp") != 0 && strcmp(q->stiffer, "weft") != 0)
    return "--stiffer: warp or weft was wanted";
  return NULL;
}

static void take_units(request *q) {
  static char table_file[CLI_SHARE_PATH_BYTES];
  lab_drape_request *to = &q->lab;
  to->table_file = cli_share_path(CLI_DRAPE_TABLE, table_file);
  to->files = q->files;
  to->amplitude_m = 1e-3 * q->amplitude_mm;
  to->specimen_m = q->specimen_cm / 100;
  to->support_m = q->support_cm / 100;
  to->scale_m_per_px = q->scale_mm_per_px / 1000;
  to->areal_mass_kg_per_m2 = 1e-3 * q->areal_mass_g_m2;
  to->u_mass_rel = q->u_mass_percent / 100;
  to->stiffer = !q->stiffer ? 0 : strcmp(q->stiffer, "warp") == 0 ? 1 : -1;
}

#define NUMBER(option, field, low, high, words) \
  { .name = option, .kind = CLI_NUMBER, .value = &q.field, .min = low, .max = high, .help = words }

int cli_fit_drape(int argc, char **argv) {
  static request q; /* of a thousand files */
  q = (request){
      .lab = {.measured = NAN, .sd_measured = NAN, .nodes = NAN, .drapes = 1, .stretch_N_per_m = NAN},
      .amplitude_mm = NAN,
      .specimen_cm = 30,
      .support_cm = 18,
      .areal_mass_g_m2 = NAN,
      .u_mass_percent = NAN};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.lab.cloth, "a cloth of the database: its drapes, of all sizes"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"origin", CLI_TEXT, &q.origin, "only drapes that are measured, imported, virtual or simulated"},
      NUMBER("measured", lab.measured, 0, 1, "instead: a drape coefficient, the mean of --drapes K"),
      NUMBER("drapes", lab.drapes, 1, 1e6, "how many drapes the typed numbers are means of; else 1"),
      NUMBER("u-measured", lab.u_measured, 0, 1,
             "standard uncertainty of the coefficient that all drapes share; else 0"),
      NUMBER("sd-measured", lab.sd_measured, 0, 1, "scatter of the coefficient between drapes"),
      NUMBER("nodes", lab.nodes, 0, 180, "mean number of nodes"),
      NUMBER("amplitude-mm", amplitude_mm, 0, 1000, "mean height of the nodes, valley to peak"),
      NUMBER("areal-mass-g-m2", areal_mass_g_m2, 0.1, 1e5,
             "areal mass; else the cloth's in the database, else not known"),
      NUMBER("u-mass-percent", u_mass_percent, 0, 100, "its relative standard uncertainty; else 1"),
      NUMBER("stretch-N-m", lab.stretch_N_per_m, 0.1, 1e5,
             "force per width over strain, root of warp x weft; else the cloth's law, else not known"),
      {"stiffer", CLI_TEXT, &q.stiffer, "warp or weft: the law's stiffer direction; else both alike"},
      NUMBER("specimen-cm", specimen_cm, 1, 200, "diameter, of files and typed numbers; else 30"),
      NUMBER("support-cm", support_cm, 1, 200, "diameter of the support; else 18"),
      NUMBER("scale-mm-per-px", scale_mm_per_px, 1e-3, 10, "of pictures; else as 'import drape' finds it"),
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "fit drape --cloth NAME [--db FILE] | FILE... | --measured DC [--nodes N] "
                       "[--amplitude-mm A] [--drapes K] "
                       "[--areal-mass-g-m2 W] [...] [--json]",
                       opts, sizeof opts / sizeof opts[0], q.files, 0, FILES_MAX, &q.lab.n_files);
  if (stop >= 0) return stop;
  const char *wrong = misused(&q);
  if (wrong) {
    cli_say("fit", "%s", wrong);
    return CLI_USAGE;
  }
  if (!cli_fit_origin(q.origin, &q.lab.origin)) return CLI_USAGE;
  q.db = cli_db_path(q.db);
  take_units(&q);
  return q.lab.cloth ? with_database(&q) : fit_cloth(&q, NULL);
}
