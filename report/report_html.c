/* The page's frame: head, sections in their order, foot; written in one piece. */
#include "report_html.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_version.h"
#include "report_page.h"

/* The least real origin of campaign, runs and laws shown. */
static cb_origin worst_origin(const report_page *page) {
  cb_origin o = page->campaign->origin;
  for (size_t i = 0; i < page->data->n_runs && cb_origin_is_real(o); i++)
    if (page->data->runs[i].campaign_id == page->campaign->id) o = page->data->runs[i].origin;
  for (size_t i = 0; i < page->n_pairs && cb_origin_is_real(o); i++) {
    const cb_friction_law *l = report_data_law(page->data, page->pairs[i], CB_FRICTION_KINETIC);
    if (l) o = l->origin;
  }
  return o;
}

static void add_head(report_page *page) {
  report_text *t = page->text;
  report_text_add(
      t,
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>");
  report_text_html(t, page->campaign->name);
  report_text_add(t, " \u2013 clothbench report</title>\n<style>\n");
  report_text_add(t, report_page_style);
  report_text_add(t, "</style></head>\n<body><main>\n");
  if (!cb_origin_is_real(page->origin))
    report_text_addf(t,
                     "<div class=\"banner\" role=\"note\"><b>%s DATA.</b> Nothing on this page was measured "
                     "on real cloth: it comes from a %s.</div>\n",
                     page->origin == CB_VIRTUAL ? "VIRTUAL" : "SIMULATED",
                     page->origin == CB_VIRTUAL ? "virtual rig" : "simulation");
  report_text_addf(t, "<header><p class=\"kicker\">%s campaign %lld</p><h1>",
                   cb_campaign_kind_names[page->campaign->kind], (long long)page->campaign->id);
  report_text_html(t, page->campaign->name);
  report_text_add(t, "</h1>\n<p class=\"lead\">");
  for (size_t i = 0; i < page->n_pairs && i < 3; i++) {
    report_text_add(t, i ? ", " : "");
    report_text_html(t, report_data_name(page->data, page->pairs[i].cloth_id));
    report_text_add(t, " on ");
    report_text_html(t, report_data_name(page->data, page->pairs[i].body_id));
  }
  if (page->n_pairs > 3) report_text_addf(t, " and %zu more pairs", page->n_pairs - 3);
  report_text_add(t, page->n_pairs ? "</p></header>\n" : "no runs yet</p></header>\n");
}

static void add_foot(report_page *page) {
  report_text *t = page->text;
  report_text_addf(t, "<footer>clothbench %s \u00b7 database ", cb_version());
  report_text_html(t, cb_store_path(page->data->store));
  report_text_addf(t, ", schema %d \u00b7 campaign ", cb_store_schema_version());
  report_text_html(t, page->campaign->uuid);
  report_text_add(t,
                  "<br>Uncertainties after \u00b1 are expanded to 95 % (Student\u2019s t); bars and bands in "
                  "the figures likewise. Friction law: "
                  "F = u\u1d40 [f00 f01; f01 f11] u (Chen, Feng, Wang, SIGGRAPH "
                  "2013).</footer>\n</main></body></html>\n");
}

static cb_status fill_page(report_page *page, cb_err *err) {
  add_head(page);
  CB_TRY(report_page_facts(page, err));
  CB_TRY(report_page_standard(page, err));
  for (size_t i = 0; i < page->n_pairs; i++) CB_TRY(report_page_pair(page, page->pairs[i], err));
  CB_TRY(report_page_slides(page, err));
  CB_TRY(report_page_runs(page, err));
  CB_TRY(report_page_events(page, err));
  CB_TRY(report_page_rigs(page, err));
  add_foot(page);
  return report_text_check(page->text, err);
}

/* Names become file names: letters, digits and dashes, at most 48. */
static void slug_of(const char *name, char out[49]) {
  size_t n = 0;
  for (; *name && n < 48; name++) {
    if (isalnum((unsigned char)*name))
      out[n++] = (char)tolower((unsigned char)*name);
    else if (n > 0 && out[n - 1] != '-')
      out[n++] = '-';
  }
  while (n > 0 && out[n - 1] == '-') n--;
  out[n] = '\0';
}

static cb_status write_page(const report_page *page, const char *dir, char path[512], cb_err *err) {
  char slug[49];
  slug_of(page->campaign->name, slug);
  int n = snprintf(path, 512, "%s/campaign-%lld%s%s.html", dir, (long long)page->campaign->id,
                   slug[0] ? "-" : "", slug);
  if (n < 0 || n >= 512)
    return cb_fail(err, CB_E_RANGE, "%.100s...: the path of the report is longer than 511 characters", dir);
  CB_TRY(cb_dir_make(dir, err));
  return cb_file_write(path, page->text->s, page->text->n, err);
}

cb_status report_html_write(cb_store *s, int64_t campaign_id, const char *dir, char path[512], cb_err *err) {
  report_data data;
  report_text text = {0};
  report_pair *pairs = NULL;
  cb_campaign campaign = {0};
  cb_status st;
  CB_GOTO(report_data_load(s, &data, err));
  CB_GOTO(cb_store_campaign_get(s, campaign_id, &campaign, err));
  report_page page = {.text = &text, .data = &data, .campaign = &campaign};
  CB_GOTO(report_data_pairs(&data, campaign_id, &pairs, &page.n_pairs, err));
  page.pairs = pairs;
  page.origin = worst_origin(&page);
  CB_GOTO(fill_page(&page, err));
  st = write_page(&page, dir, path, err);
done:
  free(pairs);
  report_text_clear(&text);
  report_data_clear(&data);
  return st;
}
