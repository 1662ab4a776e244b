/* The pages of a cloth: its own, and one of each of its pairs. */
#include <stdio.h>
#include <stdlib.h>

#include "report_html.h"
#include "report_page.h"

typedef struct folder {
  const char *dir;
  const report_cloths *what;
} folder;

static cb_status save_page(const report_page *page, const folder *f, cb_err *err) {
  char path[512];
  CB_TRY(report_page_save(page, path, err));
  f->what->on_page(f->what->context, path);
  return CB_OK;
}

/* ---- a pair ---- */

static void note_origins(report_page *page, report_pair pair) {
  const report_data *d = page->data;
  const cb_friction_law *law = report_data_law(d, pair, CB_FRICTION_KINETIC);
  page->origin = CB_MEASURED;
  if (law) report_page_note_origin(page, law->origin);
  for (size_t i = 0; i < d->n_runs; i++)
    if (report_pair_is(pair, &d->runs[i])) report_page_note_origin(page, d->runs[i].origin);
}

static void add_pair_head(report_page *page, report_pair pair) {
  report_text *t = page->text;
  char title[160], stem[128];
  (void)snprintf(title, sizeof title, "%s on %s", report_data_name(page->data, pair.cloth_id),
                 report_data_name(page->data, pair.body_id));
  report_page_begin(page, title);
  report_text_in(t, "<header><p class=\"kicker\">friction</p><h1>", title, "");
  report_cloth_stem(page->data, pair.cloth_id, stem);
  report_text_addf(t, "</h1>\n<p class=\"lead\"><a href=\"%s.html\">All of this cloth</a>", stem);
  if (report_page_is_there(page, REPORT_INDEX_STEM))
    report_text_add(t, " \u00b7 <a href=\"" REPORT_INDEX_STEM ".html\">Index of the database</a>");
  if (page->served)
    report_text_addf(
        t,
        " \u00b7 <a href=\"compare.html?cloth=%lld&amp;body=%lld\">Compare campaigns, lots or databases</a>",
        (long long)pair.cloth_id, (long long)pair.body_id);
  report_text_add(t, "</p></header>\n");
}

static cb_status fill_pair(report_page *page, report_pair pair, cb_err *err) {
  note_origins(page, pair);
  report_pair_stem(page->data, pair, page->stem);
  add_pair_head(page, pair);
  CB_TRY(report_page_pair(page, pair, err));
  if (!page->data->sel) CB_TRY(report_page_chart(page, pair, err));
  CB_TRY(report_page_slides(page, err));
  if (!page->served) report_page_end(page);
  return CB_OK;
}

static cb_status write_pair(const report_data *d, report_pair pair, const folder *f, cb_err *err) {
  report_text text = {0};
  report_page page = {
      .text = &text, .data = d, .pairs = &pair, .n_pairs = 1, .dir = f->dir, .whole = f->what->cloth == NULL};
  cb_status st = fill_pair(&page, pair, err);
  if (st == CB_OK) st = save_page(&page, f, err);
  report_text_clear(&text);
  return st;
}

/* ---- the cloth ---- */

static cb_status write_cloth(const report_data *d, const cb_material *cloth, const report_pair *pairs,
                             size_t n, const folder *f, cb_err *err) {
  report_text text = {0};
  report_page page = {.text = &text,
                      .data = d,
                      .pairs = pairs,
                      .n_pairs = n,
                      .origin = cloth->origin,
                      .dir = f->dir,
                      .whole = f->what->cloth == NULL,
                      .next = f->what->next};
  cb_status st = CB_OK;
  /* First the pairs, to which the page of the cloth links. They link to it in any case. */
  for (size_t i = 0; i < n && st == CB_OK; i++) st = write_pair(d, pairs[i], f, err);
  report_cloth_stem(d, cloth->id, page.stem);
  if (st == CB_OK) st = report_page_cloth(&page, cloth, err);
  if (st == CB_OK) st = save_page(&page, f, err);
  report_text_clear(&text);
  return st;
}

static cb_status pairs_of(const report_data *d, const cb_material *cloth, report_pair **pairs, size_t *kept,
                          cb_err *err) {
  size_t n;
  *kept = 0;
  CB_TRY(report_data_pairs(d, 0, pairs, &n, err));
  for (size_t i = 0; i < n; i++)
    if ((*pairs)[i].cloth_id == cloth->id) (*pairs)[(*kept)++] = (*pairs)[i];
  return CB_OK;
}

static cb_status write_pages(const report_data *d, const cb_material *cloth, const folder *f, cb_err *err) {
  report_pair *pairs;
  size_t n;
  cb_status st = pairs_of(d, cloth, &pairs, &n, err);
  if (st == CB_OK) st = write_cloth(d, cloth, pairs, n, f, err);
  free(pairs);
  return st;
}

cb_status report_cloth_write(cb_store *s, const report_cloths *what, const char *dir, cb_err *err) {
  const folder f = {dir, what};
  report_data d;
  cb_material m = {0};
  if (what->cloth) CB_TRY(cb_store_material_find(s, CB_CLOTH, what->cloth, &m, err));
  cb_status st = report_data_load(s, m.id, what->sel, &d, err);
  if (st == CB_OK) st = report_pen_new(REPORT_PEN_LIMIT_S, &d.pen, err);
  for (size_t i = 0; i < d.n_materials && st == CB_OK; i++)
    if (d.materials[i].kind == CB_CLOTH && (!what->cloth || d.materials[i].id == m.id))
      st = write_pages(&d, &d.materials[i], &f, err);
  report_data_clear(&d);
  return st;
}

/* ---- for a browser ---- */

static const cb_material *find_material(const report_data *d, cb_material_kind kind, int64_t id) {
  for (size_t i = 0; i < d->n_materials; i++)
    if (d->materials[i].id == id && d->materials[i].kind == kind) return &d->materials[i];
  return NULL;
}

static cb_status refuse(const report_data *d, const char *what, int64_t id, cb_err *err) {
  return cb_fail(err, CB_E_NOTFOUND, "%s: no %s %lld", cb_store_path(d->store), what, (long long)id);
}

cb_status report_cloth_text(cb_store *s, int64_t cloth_id, report_text *text, cb_err *err) {
  cb_run_filter filter = cb_run_filter_all();
  report_data d;
  report_pair *pairs = NULL;
  cb_status st;
  filter.cloth_id = cloth_id;
  CB_GOTO(report_data_load_some(s, &filter, &d, err));
  const cb_material *cloth = find_material(&d, CB_CLOTH, cloth_id);
  report_page page = {.text = text, .data = &d, .served = true};
  CB_GOTO(cloth ? pairs_of(&d, cloth, &pairs, &page.n_pairs, err) : refuse(&d, "cloth", cloth_id, err));
  page.pairs = pairs;
  page.origin = cloth->origin;
  report_cloth_stem(&d, cloth->id, page.stem);
  st = report_page_cloth(&page, cloth, err);
done:
  free(pairs);
  report_data_clear(&d);
  return st;
}

cb_status report_pair_text(cb_store *s, int64_t cloth_id, int64_t body_id, report_text *text, cb_err *err) {
  cb_run_filter filter = cb_run_filter_all();
  const report_pair pair = {cloth_id, body_id};
  report_data d;
  cb_status st;
  filter.cloth_id = cloth_id;
  filter.body_id = body_id;
  CB_GOTO(report_data_load_some(s, &filter, &d, err));
  report_page page = {.text = text, .data = &d, .pairs = &pair, .n_pairs = 1, .served = true};
  if (!find_material(&d, CB_CLOTH, cloth_id))
    st = refuse(&d, "cloth", cloth_id, err);
  else if (!find_material(&d, CB_BODY, body_id))
    st = refuse(&d, "body", body_id, err);
  else
    st = fill_pair(&page, pair, err);
done:
  report_data_clear(&d);
  return st;
}
