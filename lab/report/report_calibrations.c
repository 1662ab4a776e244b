#include "report_page.h"
#include "cb_language.h"

#include <stdio.h>
#include <string.h>

#include "cb_date.h"

/* Dates compare as texts. A calibration without a date is valid at any time. */
static bool is_valid_at(const cb_calibration *c, const char *day) {
  if (c->valid_from[0] && strncmp(day, c->valid_from, CB_DATE_SIZE - 1) < 0) return false;
  return !c->valid_until[0] || strncmp(day, c->valid_until, CB_DATE_SIZE - 1) <= 0;
}

static const cb_calibration *find_calibration(const cb_calibration *list, size_t n, int64_t id) {
  for (size_t i = 0; i < n; i++)
    if (list[i].id == id) return &list[i];
  return NULL;
}

/* Flags are words separated by blanks. */
static bool has_flag(const cb_run *run, const char *word) {
  const size_t m = strlen(word);
  for (const char *at = run->flags; (at = strstr(at, word)); at += m)
    if ((at == run->flags || at[-1] == ' ') && (at[m] == '\0' || at[m] == ' ')) return true;
  return false;
}

bool report_run_is_doubtful(const cb_calibration *list, size_t n, const cb_run *run) {
  const cb_calibration *c = find_calibration(list, n, run->calibration_id);
  return has_flag(run, "uncalibrated") || has_flag(run, "calibration-expired") ||
         (c && c->kind != CB_CALIBRATION_IMPORTED && !is_valid_at(c, run->started_at));
}

bool report_run_is_outdated(const cb_calibration *list, size_t n, const cb_run *run, const char *today) {
  const cb_calibration *c = find_calibration(list, n, run->calibration_id);
  return c && !is_valid_at(c, today);
}

/* ---- the table ---- */

static void add_text(report_text *t, const char *text) {
  report_text_in(t, "<td class=\"t\">", text[0] ? text : "\u2013", "</td>");
}

static void add_day(report_text *t, const char *date) {
  char day[CB_DATE_SIZE];
  (void)snprintf(day, sizeof day, "%s", date);
  add_text(t, day);
}

static void add_state(report_text *t, const cb_calibration *c, const char *today) {
  const bool valid = is_valid_at(c, today);
  const bool early = c->valid_from[0] && strncmp(today, c->valid_from, CB_DATE_SIZE - 1) < 0;
  report_text_addf(t, "<td class=\"%s t\">%s</td>", valid ? "good" : "bad",
                   !valid              ? early ? "not yet valid" : "expired"
                   : c->valid_until[0] ? "valid"
                                       : "valid, without an end");
}

static void add_calibration(report_page *page, const cb_calibration *c, const cb_calibration *list, size_t n,
                            const char *today) {
  report_text *t = page->text;
  size_t runs = 0, doubtful = 0;
  for (size_t i = 0; i < page->data->n_runs; i++) {
    if (page->data->runs[i].calibration_id != c->id) continue;
    runs++;
    doubtful += report_run_is_doubtful(list, n, &page->data->runs[i]);
  }
  report_text_addf(t, "<tr><td>%lld</td>", (long long)c->id);
  add_text(t, c->rig_name);
  add_text(t, c->cell);
  add_text(t, cb_calibration_kind_names[c->kind]);
  add_day(t, c->valid_from);
  add_day(t, c->valid_until);
  add_state(t, c, today);
  report_text_addf(t, "<td>%zu</td><td class=\"%s\">%zu</td></tr>\n", runs, doubtful > 0 ? "bad" : "note",
                   doubtful);
}

void report_calibrations(report_page *page, const cb_calibration *list, size_t n, const char *today) {
  report_text *t = page->text;
  size_t shown = 0;
  for (size_t i = 0; i < n; i++) {
    if (list[i].kind == CB_CALIBRATION_IMPORTED) continue;
    if (shown++ == 0) report_text_addf(t, _("<section><h2>Calibrations on %s</h2>\n"), today);
    if (shown == 1)
      report_text_words(t,
                        "<div class=\"scroll\"><table><tr><th>no.</th><th "
                        "class=\"t\">rig</th><th class=\"t\">cell</th><th class=\"t\">kind</th><th "
                        "class=\"t\">valid from</th><th class=\"t\">until</th><th class=\"t\">today</th>"
                        "<th>runs</th><th>of them without valid calibration</th></tr>\n");
    add_calibration(page, &list[i], list, n, today);
  }
  if (shown > 0)
    report_text_add(t,
                    "</table></div>\n<p class=\"note\">Without valid calibration: made outside its dates, or "
                    "flagged uncalibrated or calibration-expired.</p></section>\n");
}
