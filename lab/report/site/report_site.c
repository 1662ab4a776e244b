#include "report_site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_version.h"
#include "report_html.h"
#include "report_site_impl.h"
#include "show_run.h"

#define HTML "text/html; charset=utf-8"

const char *site_value(const site *w, const char *key) {
  const char *v = w->q->value(w->q->context, key);
  return v ? v : "";
}

double site_number(const site *w, const char *key, double otherwise) {
  double v;
  return cb_parse_double(site_value(w, key), key, &v, NULL) == CB_OK ? v : otherwise;
}

cb_status site_find(cb_store *s, cb_material_kind kind, int64_t id, cb_material *out, cb_err *err) {
  cb_material *list;
  size_t n;
  cb_status st =
      cb_fail(err, CB_E_NOTFOUND, "there is no %s %lld", cb_material_kind_names[kind], (long long)id);
  CB_TRY(cb_store_materials(s, &list, &n, err));
  for (size_t i = 0; i < n && st != CB_OK; i++)
    if (list[i].id == id && list[i].kind == kind) *out = list[i], st = CB_OK;
  free(list);
  return st;
}

/* ---- the frame ---- */

void site_begin(site *w, const char *kicker, const char *title, const char *lead) {
  report_text *t = w->text;
  report_text_add(
      t,
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>");
  report_text_html(t, title);
  report_text_add(t, " \u2013 clothbench</title>\n" REPORT_SERVED_HEAD "</head>\n<body>");
  report_page_bar(t, site_value(w, "q"));
  report_text_in(t, "<main>\n<header><p class=\"kicker\">", kicker, "</p><h1>");
  report_text_in(t, "", title, "</h1>\n");
  if (lead) {
    report_text_in(t, "<p class=\"lead\">", lead, "</p>");
  }
  report_text_add(t, "</header>\n");
}

void site_end(site *w) {
  report_text_addf(w->text, "<footer>clothbench %s", cb_version());
  if (w->store) {
    report_text_in(w->text, " \u00b7 database ", cb_store_path(w->store), "");
  }
  report_text_add(w->text, "</footer>\n</main></body></html>\n");
}

void site_refuse(site *w, const char *sentence) {
  report_text_in(w->text, "<div class=\"banner\" role=\"alert\">", sentence, "</div>\n");
}

/* ---- which page ---- */

/* The foot that pages of a report have. */
static void end_report(site *w) {
  const report_data data = {.store = w->store};
  report_page page = {.text = w->text, .data = &data};
  report_page_end(&page);
}

static cb_status site_cloth(site *w, const cb_material *m, cb_err *err) {
  CB_TRY(report_cloth_text(w->store, m->id, w->text, err));
  CB_TRY(site_beside_cloth(w, m, false, err));
  end_report(w);
  return CB_OK;
}

static cb_status site_pair(site *w, int64_t cloth_id, int64_t body_id, cb_err *err) {
  CB_TRY(report_pair_text(w->store, cloth_id, body_id, w->text, err));
  CB_TRY(site_beside_pair(w, cloth_id, body_id, err));
  end_report(w);
  return CB_OK;
}

/* cloth.html?name=Twill: answers to questions name cloths, and have no numbers of them. */
static cb_status site_cloth_named(site *w, cb_err *err) {
  cb_material m;
  CB_TRY(cb_store_material_find(w->store, CB_CLOTH, site_value(w, "name"), &m, err));
  return site_cloth(w, &m, err);
}

static cb_status site_cloth_numbered(site *w, int64_t id, cb_err *err) {
  cb_material m;
  CB_TRY(site_find(w->store, CB_CLOTH, id, &m, err));
  return site_cloth(w, &m, err);
}

static cb_status site_drape(site *w, int64_t id, cb_err *err) {
  cb_material m;
  CB_TRY(site_find(w->store, CB_CLOTH, id, &m, err));
  return report_shape_text(w->store, &m, w->text, err);
}

static const struct {
  const char *path;
  cb_status (*make)(site *w, cb_err *err);
} made[] = {
    {"/", site_home},
    {"/index.html", site_home},
    {"/matrix.html", site_matrix},
    {"/query.html", site_question},
    {"/compare.html", site_compare},
    {"/type.html", site_type},
    {"/cloth.html", site_cloth_named},
};

static const show_file fixed[] = {
    {"/style.css", "text/css", report_page_style},
    {"/site.css", "text/css", site_style},
    {"/site.js", "text/javascript", site_script},
    {"/plot.js", "text/javascript", site_plot},
    {"/d3.js", "text/javascript", site_d3},
    {"/live.html", HTML, site_live},
    {"/live.js", "text/javascript", site_live_script},
    {"/live.css", "text/css", site_live_style},
};

#define FIXED (sizeof fixed / sizeof fixed[0])

/* "/run-12.html", "/cloth-3-twill.html": the number of what it shows; 0: it is no such path. What follows the
 * number is for people. */
static int64_t number_of(const char *path, const char *kind, const char **rest) {
  const size_t n = strlen(kind);
  char *end;
  if (path[0] != '/' || strncmp(path + 1, kind, n) != 0 || path[n + 1] != '-') return 0;
  if (path[n + 2] < '1' || path[n + 2] > '9') return 0;
  const long long id = strtoll(path + n + 2, &end, 10);
  if (end - (path + n + 2) > 15 || (*end != '-' && *end != '.')) return 0;
  *rest = end;
  return id;
}

static cb_status make_numbered(site *w, cb_err *err) {
  const char *path = w->q->path, *rest = "";
  int64_t id;
  if ((id = number_of(path, "run", &rest)) > 0) return site_run(w, id, err);
  if ((id = number_of(path, "body", &rest)) > 0) return site_body(w, id, err);
  if ((id = number_of(path, "cloth", &rest)) > 0) return site_cloth_numbered(w, id, err);
  if ((id = number_of(path, "drape", &rest)) > 0) return site_drape(w, id, err);
  if ((id = number_of(path, "campaign", &rest)) > 0) return report_campaign_text(w->store, id, w->text, err);
  if ((id = number_of(path, "pair", &rest)) > 0 && rest[0] == '-' && rest[1] >= '1' && rest[1] <= '9')
    return site_pair(w, id, strtoll(rest + 1, NULL, 10), err);
  return cb_fail(err, CB_E_NOTFOUND, "there is no page '%.100s'", path);
}

static cb_status make_page(site *w, cb_err *err) {
  cb_status st;
  if (site_list(w, &st, err)) return st;
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
    if (strcmp(w->q->path, made[i].path) == 0) return made[i].make(w, err);
  return make_numbered(w, err);
}

static cb_status finish(report_text *t, cb_status st, report_site_answer *out, cb_err *err) {
  if (st == CB_OK) st = report_text_check(t, err);
  if (st != CB_OK) {
    report_text_clear(t);
    return st;
  }
  *out = (report_site_answer){.text = t->s, .n = t->n, .type = HTML};
  return CB_OK;
}

/* In the folder of another database nothing is written, and nothing is beside it. */
static cb_status enter_folder(site *w, report_site_query *inside, cb_err *err) {
  const char *path = w->q->path;
  const size_t k = path[0] == '/' && path[1] >= '1' && path[2] == '/' ? (size_t)(path[1] - '1') : SIZE_MAX;
  if (k >= w->q->n_beside) return CB_OK;
  CB_TRY(site_beside(w, k, &w->store, err));
  *inside = *w->q;
  inside->path += 2;
  inside->secret = "";
  inside->n_beside = 0;
  w->q = inside;
  return CB_OK;
}

cb_status report_site_page(cb_store *s, const report_site_query *q, report_site_answer *out, cb_err *err) {
  report_text text = {0};
  report_site_query inside;
  site w = {s, q, &text, false};
  *out = (report_site_answer){0};
  CB_TRY(enter_folder(&w, &inside, err));
  for (size_t i = 0; i < FIXED + SHOW_FILES; i++) {
    const show_file *f = i < FIXED ? &fixed[i] : &show_files[i - FIXED];
    if (strcmp(w.q->path, f->path) != 0) continue;
    *out = (report_site_answer){.fixed = f->text, .n = strlen(f->text), .type = f->type};
    return CB_OK;
  }
  return finish(&text, make_page(&w, err), out, err);
}

cb_status report_site_error(const report_site_query *q, const char *sentence, report_site_answer *out,
                            cb_err *err) {
  report_text text = {0};
  site w = {NULL, q, &text, false};
  site_begin(&w, "no", "This cannot be shown", sentence);
  report_text_add(&text, "<p><a href=\"index.html\">To the first page</a></p>\n");
  site_end(&w);
  return finish(&text, CB_OK, out, err);
}
