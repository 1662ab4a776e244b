/* One pair: verdicts, figures, law. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_stats.h"
#include "lab_friction_words.h"
#include "lab_validity.h"
#include "report_curves.h"
#include "report_page.h"
#include "report_plots.h"
#include "report_plot_impl.h"

#define MAX_ANGLES 12
#define POLAR_CAPTION                                                                            \
  "Friction coefficient over the direction of sliding, at the smallest and the largest load of " \
  "the law. Grey circles: 0.2 apart."

/* ---- verdicts ---- */

static void card(report_text *t, const char *title, const char *head) {
  report_text_addf(t, "<div class=\"card\"><span>%s</span><b>%s</b><span>", title, head);
}

/* The word before the colon is the card's head. */
static void add_said(report_text *t, const char *title, const char *words) {
  const size_t head = strcspn(words, ":");
  char text[LAB_WORDS];
  (void)snprintf(text, sizeof text, "%.*s", (int)head, words);
  card(t, title, text);
  report_text_html(t, words + head + (words[head] ? strspn(words + head, ": ") : 0));
}

static void add_direction_card(report_text *t, const fit_verdict *v) {
  char words[LAB_WORDS];
  add_said(t, "Direction", lab_friction_direction_words(v, words));
  if (isfinite(v->anisotropy_percent))
    report_text_addf(t, " (the authors\u2019 rule: %.1f %%, isotropic up to %g %%)", v->anisotropy_percent,
                     FIT_ISOTROPIC_PERCENT);
  report_text_add(t, "</span></div>\n");
}

static void add_load_card(report_text *t, const fit_verdict *v) {
  char words[LAB_WORDS];
  add_said(t, "Load", lab_friction_load_words(v, words));
  size_t n = 0;
  for (size_t i = 0; i < v->n_angles; i++) {
    const fit_angle *a = &v->angles[i];
    if (isnan(a->nonlinearity_percent)) continue;
    report_text_addf(t, "%s%.1f %% at %g\u00b0",
                     n++ ? ", " : " (the authors\u2019 figure: ", a->nonlinearity_percent, a->angle_deg);
  }
  if (n) report_text_addf(t, "; linear up to %g %%)", FIT_LINEAR_PERCENT);
  report_text_add(t, "</span></div>\n");
}

static void add_fit_card(report_text *t, const fit_friction_law *f) {
  char head[48] = "\u2013";
  if (f->n_points > 0) (void)snprintf(head, sizeof head, "%.3g mN", 1e3 * f->rmse_N);
  card(t, "Misfit of the points (rms)", head);
  if (f->n_points > 0) report_text_addf(t, "%zu point%s", f->n_points, CB_S(f->n_points));
  if (f->n_points > 0 && f->scatter_rel > 0)
    report_text_addf(t, ", %.2g %% scatter from run to run", 100 * f->scatter_rel);
  else if (f->n_points > 0)
    report_text_add(t, ", no scatter from run to run beyond what the points state themselves");
  report_text_add(t, "</span></div>\n");
}

static void add_mean(report_text *t, const fit_angle *a) {
  report_text_addf(t, "<tr><td>%g\u00b0</td><td>", a->angle_deg);
  report_page_number(t, a->mean_mu, 4);
  report_text_add(t, "</td><td>");
  report_page_number(t, a->sd_mu, 2);
  report_text_addf(t, "</td><td>%zu", a->n);
  if (a->n_elsewhere > 0) report_text_addf(t, ", and %zu of other campaigns not in it", a->n_elsewhere);
  report_text_add(t, "</td></tr>\n");
}

static void add_means(report_text *t, const fit_verdict *v) {
  size_t n = 0;
  for (size_t i = 0; i < v->n_angles; i++) {
    if (v->angles[i].n == 0) continue;
    if (n++ == 0)
      report_text_words(
          t,
          "<h3>Mean friction coefficient</h3>\n<div class=\"scroll\"><table><tr><th>direction</th><th>mean "
          "\u00b5</th><th>sd</th><th>runs</th></tr>\n");
    add_mean(t, &v->angles[i]);
  }
  if (n > 0) report_text_add(t, "</table></div>\n");
}

/* "forward_minus_backward_percent" -> "forward minus backward percent" */
static void add_words(report_text *t, const char *key) {
  char words[64];
  (void)snprintf(words, sizeof words, "%s", key);
  for (char *c = words; *c; c++)
    if (*c == '_') *c = ' ';
  report_text_html(t, words);
}

static void add_test(report_text *t, const fit_test *test, const char *name, const char *effect) {
  report_text_add(t, "<tr><td class=\"t\">");
  add_words(t, name);
  if (!test->done) {
    report_text_add(t, "</td><td>not enough data</td><td class=\"t\"></td></tr>\n");
    return;
  }
  report_text_addf(t, "</td><td>%.2g</td><td class=\"t\">", test->p_value);
  add_words(t, effect);
  report_text_addf(t, " %.4g</td></tr>\n", test->effect);
}

static void add_tests(report_text *t, const lab_friction *f) {
  if (!f->has_tests) return;
  report_text_words(t,
                    "<h3>Statistical tests</h3>\n<div class=\"scroll\"><table><tr><th class=\"t\">test "
                    "of</th><th>p value</th><th "
                    "class=\"t\">size of the effect</th></tr>\n");
  for (int i = 0; i < LAB_FRICTION_TESTS; i++)
    add_test(t, lab_friction_test_of(&f->verdict, i), lab_friction_tests[i].name,
             lab_friction_tests[i].effect);
  report_text_add(t, "</table></div>\n");
}

static void add_verdicts(report_text *t, const lab_friction *f) {
  report_text_add(t, "<div class=\"cards\">\n");
  add_direction_card(t, &f->verdict);
  add_load_card(t, &f->verdict);
  add_fit_card(t, &f->kinetic.fit);
  report_text_add(t, "</div>\n");
  add_means(t, &f->verdict);
  add_tests(t, f);
}

/* ---- law ---- */

/* k: coverage factor. */
static void add_knot(report_text *t, const cb_friction_law *law, size_t i, double k) {
  const cb_friction_knot *knot = &law->knots[i];
  double cov[3][3];
  cb_friction_law_knot_cov(law, i, cov);
  report_text_addf(t, "<tr><td>%.4f</td>", knot->normal_force_N);
  for (int j = 0; j < 3; j++) {
    report_page_cell(t, knot->f_N[j], k * sqrt(fmax(0, cov[j][j])));
  }
  report_text_addf(t, "<td>%.3f</td><td>%.3f</td></tr>\n", knot->f_N[0] / knot->normal_force_N,
                   knot->f_N[2] / knot->normal_force_N);
}

static void add_knots(report_text *t, const cb_friction_law *law) {
  double k = cb_student_t(0.95, law->dof);
  report_text_words(t,
                    "<div class=\"scroll\"><table><tr><th>normal force [N]</th><th>f00 [N]</th><th>f01 "
                    "[N]</th><th>f11 [N]</th><th>\u00b5 "
                    "warp</th><th>\u00b5 weft</th></tr>\n");
  for (size_t i = 0; i < law->n_knots; i++) add_knot(t, law, i, k);
  report_text_add(t, "</table></div>\n");
}

/* what: the end of a sentence that begins with the run. */
static void add_outliers(report_text *t, const lab_outlier *list, size_t n, const char *what) {
  char words[LAB_WORDS];
  for (size_t i = 0; i < n; i++) {
    (void)lab_friction_fault_words(&list[i].found, words);
    report_text_addf(t,
                     "<p class=\"note\">Run %lld %s: at %g\u00b0 under %.4g N it lies %+.1f %% off, %.1f "
                     "standard deviations of the "
                     "others%s%s.</p>\n",
                     (long long)list[i].run_id, what, list[i].angle_deg, list[i].normal_force_N,
                     list[i].found.departure_percent, list[i].found.sigma, words[0] ? "; " : "", words);
  }
}

static void add_warning(report_text *t, const char *words) {
  if (!words[0]) return;
  report_text_in(t, "<p class=\"note warn\">", words, ".</p>\n");
}

static void add_far(report_text *t, const lab_friction_force *force) {
  char words[LAB_FAR_WORDS], lack[LAB_WORDS];
  add_warning(t, lab_friction_lack_words(force, lack));
  add_warning(t, lab_friction_far_words(force, words));
}

/* What one law has to stand for. */
static void add_unlike(report_text *t, const fit_verdict *v) {
  char words[LAB_WORDS];
  add_warning(t, lab_friction_senses_words(v, words));
  add_warning(t, lab_friction_first_words(v, words));
  if (v->wear.test.done && v->wear.test.p_value < FIT_WEAR_P)
    add_warning(t, lab_friction_wear_words(v, words));
}

static void add_difference(report_text *t, const lab_pooled *p, lab_specimen what) {
  const char *separator = ":";
  report_text_in(t, "<p class=\"note warn\">One law for campaigns that differ in ", lab_specimen_names[what],
                 "");
  for (size_t i = 0; i < p->n; i++) {
    const char *value = p->campaigns[i].says[what];
    size_t runs = lab_pooled_runs(p, what, i);
    if (runs == 0) continue;
    report_text_addf(t, "%s ", separator);
    report_text_html(t, value[0] ? value : "not written down");
    report_text_addf(t, " (%zu run%s)", runs, CB_S(runs));
    separator = ",";
  }
  report_text_add(t, ".</p>\n");
}

static void add_lots(report_text *t, const fit_lots *lots) {
  if (!lots->test.done) return;
  report_text_addf(
      t,
      "<p class=\"note\">%zu lot%s of the cloth %s: %.2g %% apart at most, p = %.2g. The law is that "
      "of the mean lot, and its band holds for another lot.</p>\n",
      lots->n, CB_S(lots->n), lots->test.p_value < FIT_LOTS_P ? "differ" : "do not differ beyond chance",
      lots->test.effect, lots->test.p_value);
}

/* What else was tried, and which runs were left out or are doubtful. */
static void add_choice(report_text *t, const lab_friction_force *force) {
  const fit_friction_law *f = &force->fit;
  if (f->n_candidates > 1)
    report_text_addf(t, "<p class=\"note\">Runner-up by Akaike's criterion: %s, %s, %.1f behind.</p>\n",
                     cb_friction_model_names[f->candidates[1].model],
                     cb_friction_form_names[f->candidates[1].form], f->candidates[1].delta);
}

static void add_doubts(report_text *t, const lab_friction_force *force) {
  add_outliers(t, force->outliers, force->fit.n_outliers, "was left out");
  add_far(t, force);
  add_outliers(t, force->doubtful, force->fit.n_doubtful,
               "is doubtful and was kept, because no other run at this direction and load contradicts it");
}

static cb_status add_law(report_page *page, const lab_friction *f, const cb_friction_law *law, cb_err *err) {
  report_text *t = page->text;
  bool kinetic = law->kind == CB_FRICTION_KINETIC;
  char *method = NULL, *text = NULL, created[32];
  if (law->id) CB_TRY(cb_store_law_info(page->data->store, law->id, &method, &text, created, err));
  report_text_words(t, kinetic ? "<h3>Kinetic law</h3>\n" : "<h3>Static law</h3>\n");
  add_knots(t, law);
  report_text_add(t, "<p class=\"note\">Law ");
  if (law->id) report_text_addf(t, "F%lld ", (long long)law->id);
  report_text_addf(t, "(%s): %s, %s; ", cb_origin_names[law->origin], cb_friction_model_names[law->model],
                   cb_friction_form_names[law->form]);
  if (law->offset_N > 0)
    report_text_addf(t, "F ~ N + %.4g N; ", law->offset_N);
  else
    report_text_addf(t, "outside these loads F ~ N<sup>%.3f</sup>; ", law->exponent);
  if (law->dof < 1e6) report_text_addf(t, "%.1f degrees of freedom; ", law->dof);
  report_text_add(t, law->id ? "fitted " : "fitted to the selected runs, not stored.</p>\n");
  if (law->id) {
    report_text_html(t, created);
    report_text_in(t, "; ", method, ".</p>\n");
  }
  add_choice(t, kinetic ? &f->kinetic : &f->stat);
  for (int k = 0; k < LAB_SPECIMENS && kinetic; k++)
    if (f->pooled.differs[k]) add_difference(t, &f->pooled, (lab_specimen)k);
  add_lots(t, kinetic ? &f->kinetic.fit.lots : &f->stat.fit.lots);
  if (kinetic) add_unlike(t, &f->verdict);
  add_doubts(t, kinetic ? &f->kinetic : &f->stat);
  free(method);
  free(text);
  return CB_OK;
}

/* ---- figures ---- */

static cb_status add_pull_figures(report_page *page, report_pair pair, cb_err *err) {
  double angles[MAX_ANGLES];
  size_t n = report_angles(page->data, pair, page->campaign->id, true, angles, MAX_ANGLES);
  report_plot plot = {0};
  if (n == 0) {
    report_text_add(page->text,
                    "<p class=\"note\">There are no force traces: the points were imported.</p>\n");
    return CB_OK;
  }
  cb_status st = report_plot_directions(&plot, page->data, pair, page->campaign->id, 0.1, err);
  if (st != CB_OK) {
    report_plot_clear(&plot);
    return st;
  }
  CB_TRY(report_page_figure(page, &plot,
                            "One pull per direction: the static peak, then the kinetic plateau. Force along "
                            "the motion, zeroed before it.",
                            err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    size_t left_out;
    char caption[160] = "Every pull in this direction, coloured by load.";
    report_plot all = {0};
    st = report_plot_pulls(&all, page->data, pair, page->campaign->id, angles[i], &left_out, err);
    if (left_out)
      (void)snprintf(caption, sizeof caption,
                     "The first %d pulls in this direction, coloured by load; %zu more are not drawn.",
                     REPORT_MAX_SERIES, left_out);
    if (st == CB_OK)
      st = report_page_figure(page, &all, caption, err);
    else
      report_plot_clear(&all);
  }
  return st;
}

static cb_status add_polar_figure(report_page *page, report_pair pair, cb_err *err) {
  report_plot plot = {0};
  report_plot_polar(&plot, page->data, pair);
  if (report_plot_is_empty(&plot)) {
    report_plot_clear(&plot);
    return CB_OK;
  }
  return report_page_figure(page, &plot, POLAR_CAPTION, err);
}

static cb_status add_law_figures(report_page *page, report_pair pair, cb_err *err) {
  for (int kind = CB_FRICTION_KINETIC; kind >= CB_FRICTION_STATIC; kind--) {
    report_plot plot = {0};
    cb_status st = report_plot_loads(&plot, page->data, pair, (cb_friction_kind)kind, err);
    if (st == CB_OK && (kind == CB_FRICTION_KINETIC || !report_plot_is_empty(&plot)))
      st = report_page_figure(page, &plot, "Points: single pulls. Curves: the law. Bars and bands: 95 %.",
                              err);
    report_plot_clear(&plot);
    CB_TRY(st);
  }
  return add_polar_figure(page, pair, err);
}

/* The newest laws of the pair with what their fits said; of a law whose verdicts cannot be read, the law
 * alone. */
static cb_status read_laws(report_page *page, report_pair pair, lab_friction *f, cb_err *err) {
  for (int kind = CB_FRICTION_KINETIC; kind >= CB_FRICTION_STATIC; kind--) {
    const cb_friction_law *law = report_data_law(page->data, pair, (cb_friction_kind)kind);
    cb_status st = law ? report_data_fit(page->data, law, f, err) : CB_OK;
    if (st != CB_OK && st != CB_E_DB) return st;
  }
  return CB_OK;
}

static cb_status add_laws(report_page *page, report_pair pair, const lab_friction *f, cb_err *err) {
  for (int kind = CB_FRICTION_KINETIC; kind >= CB_FRICTION_STATIC; kind--) {
    const cb_friction_law *law = report_data_law(page->data, pair, (cb_friction_kind)kind);
    if (law) CB_TRY(add_law(page, f, law, err));
  }
  return CB_OK;
}

/* On the page of the pair: at the width of a column, beside each other. */
static cb_status add_columns(report_page *page, report_pair pair, cb_err *err) {
  cb_status st = CB_OK;
  report_text_add(page->text, "<div class=\"figs\">\n");
  for (const report_pair_figure *f = report_pair_figures; f->name && st == CB_OK; f++) {
    report_plot plot = {0};
    st = f->build(&plot, page->data, pair, err);
    if (st == CB_OK)
      st = report_page_column(page, &plot, f->name, f->caption, err);
    else
      report_plot_clear(&plot);
  }
  report_plot rose = {0};
  if (st == CB_OK) {
    report_plot_polar(&rose, page->data, pair);
    st = report_page_column(page, &rose, "direction", POLAR_CAPTION, err);
  }
  report_text_add(page->text, "</div>\n");
  return st;
}

/* How many pulls are no pulls of sliding cloth. */
static cb_status add_tally(report_page *page, report_pair pair, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  lab_tally tally = {.n = 0};
  char words[LAB_TALLY_WORDS];
  CB_TRY(report_data_observations(page->data, pair, &obs, &n, err));
  const cb_status st = lab_overrule(page->data->store, obs, n, err);
  for (size_t i = 0; i < n; i++) lab_tally_point(&tally, &obs[i].point);
  free(obs);
  CB_TRY(st);
  if (tally.n > tally.n_of[FIT_VALID])
    add_warning(page->text, lab_tally_words(&tally, words));
  else if (tally.n > 0)
    report_text_addf(page->text, "<p class=\"note\">%s.</p>\n", lab_tally_words(&tally, words));
  return CB_OK;
}

static void add_heading(report_page *page, report_pair pair) {
  report_text *t = page->text;
  report_text_in(t, "<h2>", report_data_name(page->data, pair.cloth_id), " on ");
  report_text_in(t, "", report_data_name(page->data, pair.body_id), "</h2>\n");
}

cb_status report_page_pair(report_page *page, report_pair pair, cb_err *err) {
  report_text *t = page->text;
  lab_friction f = {.verdict.anisotropy_percent = NAN,
                    .verdict.nonlinearity_percent = NAN,
                    .verdict.found_anisotropy_percent = NAN};
  report_text_add(t, "<section>");
  if (page->campaign)
    add_heading(page, pair);
  else
    report_text_words(t, "<h2>Friction law</h2>\n"); /* the pair is the title of the page */
  cb_status st = read_laws(page, pair, &f, err);
  if (report_data_law(page->data, pair, CB_FRICTION_KINETIC))
    add_verdicts(t, &f);
  else
    report_text_add(
        t, "<p class=\"note\">No law was fitted yet: \u2018clothbench fit friction\u2019 makes one.</p>\n");
  if (st == CB_OK) st = add_tally(page, pair, err);
  if (st == CB_OK) st = page->campaign ? add_law_figures(page, pair, err) : add_columns(page, pair, err);
  if (st == CB_OK) st = add_laws(page, pair, &f, err);
  lab_friction_clear(&f);
  CB_TRY(st);
  if (page->campaign) CB_TRY(add_pull_figures(page, pair, err));
  report_text_add(t, "</section>\n");
  return CB_OK;
}
