#include "report_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "report_plots.h"
#include "report_curves.h"
#include "report_data.h"
#include "report_plot_impl.h"

static const report_figure paper_figures[] = {
    {"a", "force over time (over load where there are no traces): several cloths on one body"},
    {"b", "the same: one cloth on several bodies"},
    {"c", "the same in different directions: the pair least dependent on direction"},
    {"d", "the same in different directions: the pair most dependent on direction"},
    {"e", "friction force over load with law and 95 % band: the most and the least nonlinear pair"},
    {"f", "friction force between the axes (any direction but 0 and 90 degrees) against the law"},
    {NULL, NULL},
};

/* ---- the figures of a cloth, and of a pair ---- */

static cb_status check_content(const cb_store *s, const char *figure, const char *of, const report_plot *p,
                               cb_err *err) {
  return report_plot_is_empty(p) && !p->failed
             ? cb_fail(err, CB_E_NOTFOUND, "%s holds nothing for the figure '%s' of %s", cb_store_path(s),
                       figure, of)
             : CB_OK;
}

static cb_status build_of_cloth(cb_store *s, const report_cloth_figure *f, const char *cloth,
                                const char *body, report_plot *p, cb_err *err) {
  cb_material m;
  if (!cloth || body)
    return cb_fail(err, CB_E_ARG, "figure '%s' is of one cloth: %s", f->name,
                   cloth ? "--body has no meaning" : "--cloth NAME was wanted");
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  CB_TRY(f->build(p, s, &m, err));
  return check_content(s, f->name, m.name, p, err);
}

static cb_status build_of_pair(cb_store *s, const lab_selection *sel, const report_pair_figure *f,
                               const char *cloth, const char *body, report_plot *p, cb_err *err) {
  cb_material m_cloth, m_body;
  report_data d;
  if (!cloth || !body)
    return cb_fail(err, CB_E_ARG, "figure '%s' is of one pair: --cloth NAME and --body NAME were wanted",
                   f->name);
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m_cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &m_body, err));
  cb_status st = report_data_load(s, 0, sel, &d, err);
  if (st == CB_OK) st = f->build(p, &d, (report_pair){m_cloth.id, m_body.id}, err);
  report_data_clear(&d);
  char of[160];
  (void)snprintf(of, sizeof of, "%s on %s", m_cloth.name, m_body.name);
  return st == CB_OK ? check_content(s, f->name, of, p, err) : st;
}

/* ---- by name ---- */

#define N_PAPER (sizeof paper_figures / sizeof paper_figures[0] - 1)

static size_t count_cloth_figures(void) {
  size_t n = 0;
  while (report_cloth_figures[n].name) n++;
  return n;
}

report_figure report_figure_at(size_t i) {
  const size_t n_cloth = count_cloth_figures();
  if (i < N_PAPER) return paper_figures[i];
  i -= N_PAPER;
  if (i < n_cloth) return (report_figure){report_cloth_figures[i].name, report_cloth_figures[i].what};
  i -= n_cloth;
  for (size_t k = 0; report_pair_figures[k].name; k++)
    if (k == i) return (report_figure){report_pair_figures[k].name, report_pair_figures[k].what};
  return (report_figure){NULL, NULL};
}

cb_status report_figure_build(cb_store *s, const lab_selection *sel, const char *figure, const char *cloth,
                              const char *body, report_plot *p, cb_err *err) {
  *p = (report_plot){0};
  for (size_t i = 0; i < N_PAPER; i++)
    if (strcmp(paper_figures[i].name, figure) == 0)
      return report_paper_plot(s, sel, figure[0], cloth, body, p, err);
  for (const report_cloth_figure *f = report_cloth_figures; f->name; f++)
    if (strcmp(f->name, figure) == 0)
      return sel && lab_selection_is_partial(sel)
                 ? cb_fail(err, CB_E_ARG, "figure '%s' shows no runs: a selection of runs has no meaning",
                           figure)
                 : build_of_cloth(s, f, cloth, body, p, err);
  for (const report_pair_figure *f = report_pair_figures; f->name; f++)
    if (strcmp(f->name, figure) == 0) return build_of_pair(s, sel, f, cloth, body, p, err);
  return cb_fail(err, CB_E_RANGE, "no figure '%s'", figure);
}

/* ---- one run ---- */

static cb_status build_look(const report_data *d, const cb_run *run, report_plot *p, cb_err *err) {
  (void)snprintf(p->title, sizeof p->title, "Run %lld: look, %s", (long long)run->id, run->started_at);
  (void)snprintf(p->y_label, sizeof p->y_label, "force as read [N]");
  (void)snprintf(p->x_label, sizeof p->x_label, "time [s]");
  return report_curve_trace(p, d, run, REPORT_OVER_TIME, REPORT_PAIRS, 0, run->flags, err);
}

static cb_status build_run(const report_data *d, const cb_run *run, report_plot *p, cb_err *err) {
  char load[32] = "load unknown";
  if (run->kind == CB_RUN_LOOK) return build_look(d, run, p, err);
  if (run->normal_force_N > 0) (void)snprintf(load, sizeof load, "%.3g N", run->normal_force_N);
  (void)snprintf(p->title, sizeof p->title, "Run %lld: %s on %s, %g\u00b0, %s, %s", (long long)run->id,
                 report_data_name(d, run->cloth_id), report_data_name(d, run->body_id), run->angle_deg, load,
                 cb_run_status_names[run->status]);
  (void)snprintf(p->y_label, sizeof p->y_label, "pull force [N]");
  (void)snprintf(p->x_label, sizeof p->x_label, "stage displacement [mm]");
  CB_TRY(report_curve_trace(p, d, run, REPORT_OVER_DISPLACEMENT, REPORT_PAIRS, 0, run->flags, err));
  if (!report_plot_is_empty(p)) return CB_OK;
  (void)snprintf(p->x_label, sizeof p->x_label, "reading");
  if (run->origin == CB_IMPORTED)
    CB_TRY(report_curve_trace(p, d, run, REPORT_OVER_READINGS, REPORT_PAIRS, 0, run->flags, err));
  if (!report_plot_is_empty(p)) return CB_OK;
  return cb_fail(err, CB_E_NOTFOUND, "%s: run %lld has no samples of force and position",
                 cb_store_path(d->store), (long long)run->id);
}

cb_status report_figure_run(cb_store *s, int64_t run_id, report_plot *p, cb_err *err) {
  cb_run run;
  report_data d = {.store = s};
  *p = (report_plot){.n = 0};
  CB_TRY(cb_store_run_get(s, run_id, &run, err));
  /* Of all that figures read only the names are wanted here. */
  CB_TRY(cb_store_materials(s, &d.materials, &d.n_materials, err));
  cb_status st = build_run(&d, &run, p, err);
  report_data_clear(&d);
  return st;
}
