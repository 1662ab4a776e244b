#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "cli_plan.h"
#include "swp_home.h"
#include "cb_plural.h"

/* ---- the plan of a sweep ---- */

static cb_status write_plan(const char *name, const char *db, const char *out, cb_err *err) {
  const lab_drape_numbers none = {.areal_density_kg_per_m2 = NAN,
                                  .thickness_m = NAN,
                                  .stretch_N_per_m = {NAN, NAN},
                                  .shear_N_per_m = NAN,
                                  .bend_Nm = {NAN, NAN},
                                  .hysteresis_N = {NAN, NAN},
                                  .bend_known_at_per_m = NAN,
                                  .u_mass_rel = NAN,
                                  .u_stretch_rel = NAN,
                                  .u_shear_rel = NAN,
                                  .u_bend_rel = NAN,
                                  .u_hysteresis_rel = NAN,
                                  .u_onset_rel = NAN};
  const lab_drape_plan plan = lab_drape_plan_default();
  lab_drape_cloth cloth;
  cb_store *s;
  CB_TRY(cb_store_open(cli_db_to_read(db), CB_STORE_READ, &s, err));
  CB_TRY(cb_store_close_after(s, lab_drape_cloth_make(s, name, &none, &cloth, err), err));
  return lab_drape_plan_write(out, &cloth, &plan, err);
}

int cli_plan_cloth(const char *cloth, const char *db, const char *out) {
  cb_err err = {""};
  if (!out) {
    cli_say("plan", "--cloth %s: --out FILE was wanted: the plan of a sweep", cloth);
    return CLI_USAGE;
  }
  const cb_status st = write_plan(cloth, db, out, &err);
  if (st != CB_OK) return cli_fail("plan", st, &err);
  cli_say("plan", "%s is a sweep; 'clothbench sweep %s --local' plays it", out, out);
  return CLI_DONE;
}

/* ---- what it found ---- */

static int compare(const void *a, const void *b) {
  const lab_drape_influence *x = a, *y = b;
  return (x->total < y->total) - (x->total > y->total);
}

static void take(const swp_home *home, const swp_sensitivity *s, lab_drape_influences *out) {
  *out = (lab_drape_influences){.rows = s->n_rows, .mean = s->mean, .sd = s->sd, .n = home->plan.n_variables};
  (void)snprintf(out->figure, sizeof out->figure, "%s", home->plan.figure[0].name);
  for (size_t i = 0; i < out->n; i++) {
    const swp_index *x = &s->index[i];
    const char *name = home->plan.variable[i].name;
    out->each[i] = (lab_drape_influence){.alone = x->first,
                                         .alone_lo95 = x->first_low,
                                         .alone_hi95 = x->first_high,
                                         .total = x->total,
                                         .total_lo95 = x->total_low,
                                         .total_hi95 = x->total_high,
                                         .sd_if_known = s->sd * sqrt(fmin(1, fmax(0, 1 - x->first))),
                                         .source = lab_drape_property_source(name)};
    (void)snprintf(out->each[i].property, sizeof out->each[i].property, "%s", name);
  }
  qsort(out->each, out->n, sizeof *out->each, compare);
}

cb_status cli_plan_influences(const char *folder, lab_drape_influences *out, cb_err *err) {
  swp_home home;
  swp_sensitivity s;
  cb_status st = swp_home_open(folder, &home, err);
  if (st == CB_OK) st = swp_home_indices(&home, home.plan.figure[0].name, &s, err);
  if (st == CB_OK) take(&home, &s, out);
  swp_home_clear(&home);
  return st;
}

static void print_influences(const lab_drape_influences *f) {
  printf("%s %.4g, standard deviation %.3g by the uncertainty of the cloth (%d row%s)\n", f->figure, f->mean,
         f->sd, f->rows, CB_S(f->rows));
  printf("  %-16s %-24s %6s  %s\n", "property", "share (95 % interval)", "alone", "sd if it were known");
  for (size_t i = 0; i < f->n; i++) {
    const lab_drape_influence *x = &f->each[i];
    printf("  %-16s %5.2f (%5.2f to %4.2f)     %6.2f  %.3g\n", x->property, x->total, x->total_lo95,
           x->total_hi95, x->alone, x->sd_if_known);
  }
  if (f->each[0].source) printf("next: %s: %s\n", f->each[0].property, f->each[0].source);
}

int cli_plan_sweep(const char *folder, bool json) {
  cb_err err = {""};
  lab_drape_influences found;
  const cb_status st = cli_plan_influences(folder, &found, &err);
  if (st != CB_OK) return cli_fail("plan", st, &err);
  if (json) return cli_print_json("plan", lab_drape_influences_json(&found));
  print_influences(&found);
  return CLI_DONE;
}
