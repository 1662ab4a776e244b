#include "lab_drape_plan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_file.h"
#include "cb_num.h"
#include "cb_text.h"

/* In the order of --scores. */
enum { BEND_WARP, BEND_WEFT, HYSTERESIS, ONSET, STRETCH, SHEAR, MASS, N };

static const struct {
  const char *name, *source;
} properties[N] = {
    {"bend_warp", "cantilevers or a bending tester along the warp: 'clothbench import cantilever'"},
    {"bend_weft", "cantilevers or a bending tester along the weft: 'clothbench import cantilever'"},
    {"hysteresis", "2HB of a bending tester (KES-FB2): 'clothbench import bending-moment'"},
    {"onset", "whole curves of a bending tester (KES-FB2): 'clothbench import bending-moment'"},
    {"stretch", "strips along warp and weft: 'clothbench import stretch'"},
    {"shear", "strips at 45 degrees, or shear tests: 'clothbench import stretch', 'clothbench import shear'"},
    {"mass", "a weighed piece (ISO 3801): 'clothbench material set'"}};

const char *lab_drape_property_source(const char *variable) {
  for (int i = 0; i < N; i++)
    if (strcmp(properties[i].name, variable) == 0) return properties[i].source;
  return NULL;
}

lab_drape_plan lab_drape_plan_default(void) { return (lab_drape_plan){30, 18, 400, 32}; }

/* ---- the text ---- */

typedef struct job {
  const lab_drape_cloth *cloth;
  const lab_drape_plan *plan;
  double sd[N]; /* in the uncertainties of the command line, which has one of bending */
  FILE *f;
} job;

static void find_sds(job *j) {
  const val_drape_doubt *u = &j->cloth->doubt;
  const double bend = fmax(u->bending[0], u->bending[1]),
               sd[N] = {[BEND_WARP] = bend > 0 ? u->bending[0] / bend : 0,
                        [BEND_WEFT] = bend > 0 ? u->bending[1] / bend : 0,
                        [HYSTERESIS] = u->friction > 0,
                        [ONSET] = u->onset > 0,
                        [STRETCH] = u->stretch > 0,
                        [SHEAR] = u->shear > 0,
                        [MASS] = u->mass > 0};
  memcpy(j->sd, sd, sizeof sd);
}

/* A plan's name has letters, digits and _, a letter first; it is the sweep's folder, too. */
static void put_name(job *j) {
  const char *name = j->cloth->name;
  char last = '_';
  (void)fputs("name: ", j->f);
  if (!isalpha((unsigned char)name[0])) (void)fputs("cloth_", j->f);
  for (int i = 0; name[i] && i < 40; i++) {
    const char c = isalnum((unsigned char)name[i]) ? (char)tolower((unsigned char)name[i]) : '_';
    if (c != '_' || last != '_') (void)fputc(c, j->f);
    last = c;
  }
  (void)fputc('\n', j->f);
}

static void put(job *j, const char *option, double value) {
  char number[32];
  (void)fprintf(j->f, "\n  --%s %s", option, cb_shortest(value, number));
}

static void put_bending(job *j) {
  const lab_drape_cloth *c = j->cloth;
  const sim_material *m = &c->material;
  put(j, "bend-warp-N-m", m->bending_Nm[0][0]);
  put(j, "bend-weft-N-m", m->bending_Nm[1][1]);
  if (c->doubt.moment_known_at_per_m > 0) put(j, "bend-known-at-per-m", c->doubt.moment_known_at_per_m);
  if (c->doubt.friction_follows_bending && !(c->doubt.moment_known_at_per_m > 0)) return; /* the relation */
  put(j, "bend-hysteresis-warp-N", 2 * m->bending_friction_N[0]);
  put(j, "bend-hysteresis-weft-N", 2 * m->bending_friction_N[1]);
}

static void put_doubts(job *j) {
  const val_drape_doubt *u = &j->cloth->doubt;
  put(j, "u-mass-percent", 100 * u->mass);
  put(j, "u-stretch-percent", 100 * u->stretch);
  put(j, "u-shear-percent", 100 * u->shear);
  put(j, "u-bend-percent", 100 * fmax(u->bending[0], u->bending[1]));
  put(j, "u-hysteresis-percent", 100 * u->friction);
  put(j, "u-onset-percent", 100 * u->onset);
}

static void put_command(job *j) {
  const sim_material *m = &j->cloth->material;
  (void)fputs("command: validate drape", j->f);
  put(j, "areal-mass-g-m2", 1e3 * m->areal_density_kg_per_m2);
  if (m->thickness_m > 0) put(j, "thickness-mm", 1e3 * m->thickness_m);
  put(j, "stretch-warp-N-m", sim_curve_slope(&m->warp));
  put(j, "stretch-weft-N-m", sim_curve_slope(&m->weft));
  put(j, "shear-N-m", sim_curve_slope(&m->shear) / 2); /* the angle is twice the strain */
  put_bending(j);
  put_doubts(j);
  put(j, "specimen-cm", j->plan->specimen_cm);
  put(j, "support-cm", j->plan->support_cm);
  put(j, "vertices", j->plan->vertices);
  (void)fputs("\n  --seeds 1 --seed 1 --scores ", j->f);
  for (int i = 0; i < N; i++)
    (void)fprintf(j->f, j->sd[i] > 0 ? "%s{%s}" : "%s0", i ? "," : "", properties[i].name);
  (void)fputc('\n', j->f);
}

static void put_plan(job *j) {
  char name[160], number[32];
  (void)fprintf(j->f,
                "# Which property of %s makes its predicted drape uncertain? Written by 'clothbench plan' "
                "from its laws.\n"
                "# The variables are in standard uncertainties. With `design: sobol`, the cases are draws of "
                "the cloth.\n",
                cb_text_show(j->cloth->name, name, sizeof name));
  put_name(j);
  put_command(j);
  (void)fprintf(j->f, "design: indices\ncases: %d\nvary:\n", j->plan->rows);
  for (int i = 0; i < N; i++)
    if (j->sd[i] > 0)
      (void)fprintf(j->f, "  - {name: %s, mean: 0, sd: %s}\n", properties[i].name,
                    cb_shortest(j->sd[i], number));
  (void)fputs(
      "keep:\n  - {name: coefficient, path: drape_coefficient.mean}\n  - {name: nodes, path: nodes.mean}\n",
      j->f);
}

cb_status lab_drape_plan_write(const char *path, const lab_drape_cloth *cloth, const lab_drape_plan *plan,
                               cb_err *err) {
  job j = {.cloth = cloth, .plan = plan};
  cb_draft d;
  double most = 0;
  find_sds(&j);
  for (int i = 0; i < N; i++) most = fmax(most, j.sd[i]);
  if (most == 0)
    return cb_fail(err, CB_E_RANGE, "%s: none of its properties has an uncertainty", cloth->name);
  CB_TRY(cb_draft_begin(&d, err));
  j.f = d.to;
  put_plan(&j);
  return cb_draft_save(&d, CB_OK, path, err);
}

/* ---- what it found ---- */

json_t *lab_drape_influences_json(const lab_drape_influences *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->n; i++) {
    const lab_drape_influence *x = &f->each[i];
    (void)json_array_append_new(
        list, json_pack("{s:s, s:f, s:[ff], s:f, s:[ff], s:f, s:s?}", "name", x->property, "first", x->alone,
                        "first_95", x->alone_lo95, x->alone_hi95, "total", x->total, "total_95",
                        x->total_lo95, x->total_hi95, "sd_if_known", x->sd_if_known, "source", x->source));
  }
  return json_pack("{s:s, s:i, s:f, s:f, s:o}", "of", f->figure, "rows", f->rows, "mean", f->mean, "sd",
                   f->sd, "properties", list);
}
