/* The page's frame: head, sections in their order, foot; written in one piece. */
#include "report_html.h"

#include <stdio.h>
#include <stdlib.h>

#include "report_page.h"
#include "cb_plural.h"

/* Of campaign, runs and laws shown. */
static void note_origins(report_page *page) {
  page->origin = CB_MEASURED;
  for (size_t i = 0; i < page->data->n_runs; i++)
    if (page->data->runs[i].campaign_id == page->campaign->id)
      report_page_note_origin(page, page->data->runs[i].origin);
  for (size_t i = 0; i < page->n_pairs; i++) {
    const cb_friction_law *l = report_data_law(page->data, page->pairs[i], CB_FRICTION_KINETIC);
    if (l) report_page_note_origin(page, l->origin);
  }
  if (!page->partly) report_page_note_origin(page, page->campaign->origin);
}

static void add_head(report_page *page) {
  report_text *t = page->text;
  report_page_begin(page, page->campaign->name);
  report_text_addf(t, "<header><p class=\"kicker\">%s campaign %lld</p><h1>",
                   cb_campaign_kind_names[page->campaign->kind], (long long)page->campaign->id);
  report_text_in(t, "", page->campaign->name, "</h1>\n<p class=\"lead\">");
  for (size_t i = 0; i < page->n_pairs && i < 3; i++) {
    report_text_add(t, i ? ", " : "");
    report_text_html(t, report_data_name(page->data, page->pairs[i].cloth_id));
    report_text_in(t, " on ", report_data_name(page->data, page->pairs[i].body_id), "");
  }
  if (page->n_pairs > 3)
    report_text_addf(t, " and %zu more pair%s", page->n_pairs - 3, CB_S(page->n_pairs - 3));
  report_text_add(t, page->n_pairs                              ? "</p></header>\n"
                     : page->campaign->kind == CB_CAMPAIGN_LOOK ? "what 'rig live' saw</p></header>\n"
                                                                : "no runs yet</p></header>\n");
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
  report_page_end(page);
  return CB_OK;
}

/* Fills the page of the campaign, whose runs are among those of the data. */
static cb_status fill_campaign(report_page *page, cb_err *err) {
  report_pair *pairs;
  CB_TRY(report_data_pairs(page->data, page->campaign->id, &pairs, &page->n_pairs, err));
  page->pairs = pairs;
  note_origins(page);
  report_campaign_stem(page->campaign, page->stem);
  const cb_status st = fill_page(page, err);
  free(pairs);
  page->pairs = NULL;
  return st;
}

cb_status report_html_write(cb_store *s, const lab_selection *sel, int64_t campaign_id, const char *dir,
                            char path[512], cb_err *err) {
  report_data data;
  report_text text = {0};
  cb_campaign campaign = {0};
  cb_status st;
  CB_GOTO(report_data_load(s, 0, sel, &data, err));
  CB_GOTO(cb_store_campaign_get(s, campaign_id, &campaign, err));
  CB_GOTO(report_pen_new(REPORT_PEN_LIMIT_S, &data.pen, err));
  report_page page = {.text = &text, .data = &data, .campaign = &campaign, .dir = dir};
  CB_GOTO(fill_campaign(&page, err));
  st = report_page_save(&page, path, err);
done:
  report_text_clear(&text);
  report_data_clear(&data);
  return st;
}

/* A campaign of one pair is shown beside the pair's other runs, as in a file. */
static cb_run_filter filter_of(const cb_campaign *c) {
  cb_run_filter filter = cb_run_filter_all();
  filter.cloth_id = c->cloth_id;
  filter.body_id = c->body_id;
  if (c->cloth_id == 0 || c->body_id == 0) filter.campaign_id = c->id;
  return filter;
}

cb_status report_campaign_text(cb_store *s, int64_t campaign_id, report_text *text, cb_err *err) {
  report_data data = {0};
  cb_campaign campaign = {0};
  cb_status st;
  CB_GOTO(cb_store_campaign_get(s, campaign_id, &campaign, err));
  const cb_run_filter filter = filter_of(&campaign);
  CB_GOTO(report_data_load_some(s, &filter, &data, err));
  report_page page = {.text = text, .data = &data, .campaign = &campaign, .served = true};
  st = fill_campaign(&page, err);
done:
  report_data_clear(&data);
  return st;
}
