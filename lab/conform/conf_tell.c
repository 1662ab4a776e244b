#include "conf_tell.h"

#include <math.h>

#include "conf_engine_impl.h"

#define RESTS_M_PER_S 1e-3

/* How a property is shown. */
static const struct {
  const char *property, *unit;
  double scale;
} shown[CONF_KINDS] = {{"bending", "uN m", 1e6}, {"stretch", "N/m", 1}, {"shear", "N/m", 1},
                       {"gravity", "m/s2", 1},   {"friction", "", 1},   {"gravity", "m/s2", 1},
                       {"friction", "", 1},      {"friction", "", 1},   {"friction", "", 1},
                       {"carried", "mm", 1e3}};

/* ---- the table ---- */

static void write_row(const conf_row *r, FILE *to) {
  const conf_finding *f = &r->finding;
  const double scale = shown[r->kind].scale;
  fprintf(to, "%-11s %-7g %6.3g", conf_kind_names[r->kind], r->level, 1e3 * r->edge_m);
  if (conf_case_holds(r->kind, r->level))
    fprintf(to, "  %-8s creeps %.3g um/s", "holds", 1e6 * f->found);
  else
    fprintf(to, "  %-8s %10.4g %10.4g %-5s %+7.2f %%", shown[r->kind].property, scale * f->wanted,
            scale * f->found, shown[r->kind].unit, 100 * (f->found / f->wanted - 1));
  if (r->kind <= CONF_SHEAR && f->drift_m_per_s > RESTS_M_PER_S)
    fprintf(to, ", moves %.2g mm/s", 1e3 * f->drift_m_per_s);
  if (r->kind == CONF_DRIFT)
    fprintf(to, ", centre moves %.2g um/s aside, turns by %.2g mrad/s", 1e6 * f->sideways_m_per_s,
            1e3 * f->turn_rad_per_s);
  fputs(r->calibrated ? ", passport\n" : "\n", to);
}

/* "-": not played. */
static void write_off(double off, FILE *to) {
  if (isnan(off))
    fprintf(to, " %8s  ", "-");
  else
    fprintf(to, " %8.2f %%", 100 * off);
}

static void write_passport(const conf_proof *p, FILE *to) {
  fputs(
      "\npassport: what to type over what was measured\n"
      "edge mm   stretch     shear   bending  friction  then off: cantilever  strip   friction\n",
      to);
  for (int m = 0; m < p->passport.n; m++) {
    fprintf(to, "%7.3g %9.4f %9.4f %9.4f %9.4f            ", 1e3 * p->passport.at[m].edge_m,
            p->passport.at[m].stretch, p->passport.at[m].shear, p->passport.at[m].bending,
            p->passport.at[m].friction);
    write_off(p->passport.at[m].cantilever_off, to);
    write_off(p->passport.at[m].strip_off, to);
    write_off(p->passport.at[m].friction_off, to);
    fputs("\n", to);
  }
}

void conf_proof_write(const conf_proof *p, FILE *to) {
  fprintf(to, "%s in %s, %s\n", p->told.name, p->engine, p->date);
  if (p->lost_stretch != 0 || p->lost_bending != 0)
    fprintf(to, "one direction for both: warp %+.1f %% in stretch, %+.1f %% in bending of what is told\n",
            100 * p->lost_stretch, 100 * p->lost_bending);
  fputs("experiment  level   edge mm  property     wanted      found             off\n", to);
  for (int i = 0; i < p->n_rows; i++) write_row(&p->row[i], to);
  if (p->passport.n > 0) write_passport(p, to);
}

/* ---- the document ---- */

static json_t *row_json(const conf_row *r) {
  const conf_finding *f = &r->finding;
  return json_pack("{s:s, s:f, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:f}", "experiment",
                   conf_kind_names[r->kind], "level", r->level, "edge_mm", conf_number(1e3 * r->edge_m),
                   "passport", r->calibrated, "wanted", conf_number(f->wanted), "found",
                   conf_number(f->found), "drift_m_per_s", conf_number(f->drift_m_per_s), "sideways_m_per_s",
                   conf_number(f->sideways_m_per_s), "turn_rad_per_s", conf_number(f->turn_rad_per_s),
                   "seconds", r->seconds);
}

static json_t *passport_json(const exch_passport *s) {
  json_t *list = json_array();
  for (int m = 0; m < s->n; m++)
    (void)json_array_append_new(
        list,
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:o, s:o}", "edge_mm", 1e3 * s->at[m].edge_m, "stretch",
                  s->at[m].stretch, "shear", s->at[m].shear, "friction", s->at[m].friction, "bending",
                  s->at[m].bending, "cantilever_off_percent", conf_number(100 * s->at[m].cantilever_off),
                  "strip_off_percent", conf_number(100 * s->at[m].strip_off)));
  return list;
}

json_t *conf_proof_json(const conf_proof *p) {
  json_t *rows = json_array();
  for (int i = 0; i < p->n_rows; i++) (void)json_array_append_new(rows, row_json(&p->row[i]));
  return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:o, s:o}", "experiment", "export", "cloth", p->told.name,
                   "engine", p->engine, "date", p->date, "lost_stretch_percent", 100 * p->lost_stretch,
                   "lost_bending_percent", 100 * p->lost_bending, "rows", rows, "passport",
                   passport_json(&p->passport));
}
