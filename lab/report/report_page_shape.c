/* The draped shape of a cloth: a still picture, and over it a frame in which it turns. Without scripts the
 * frame is clear, and on paper it is left out. */
#include "cb_plural.h"
#include "lab_drape_prediction.h"
#include "report_page.h"
#include "show_run.h"

static show_drape drape_of(const cb_drape_shape *p, const char *name) {
  return (show_drape){.name = name,
                      .position_m = (const double(*)[3])p->position_m,
                      .triangle = (const int(*)[3])p->triangle,
                      .n_vertices = p->n_vertices,
                      .n_triangles = p->n_triangles,
                      .support_m = p->support_m};
}

/* The frame of a served page is a file; a page that is given away has it in its text. */
static cb_status add_pictures(report_page *page, const show_drape *d, int64_t cloth_id, cb_err *err) {
  report_text *t = page->text;
  cb_bytes png = {0}, html = {0};
  cb_status st = show_drape_picture(d, 640, 480, &png, err);
  if (st == CB_OK && !page->served) st = show_drape_page(d, false, &html, err);
  cb_bytes_put(&html, "", 1);
  t->failed = t->failed || html.failed;
  if (st == CB_OK && !t->failed) {
    report_text_add(t,
                    "<section><h2>The draped cloth</h2>\n<figure class=\"turn\"><div>\n<img alt=\"Drape of ");
    report_text_in(t, "", d->name, "\" src=\"data:image/png;base64,");
    report_text_base64(t, png.data, png.n);
    report_text_addf(t,
                     page->served ? "\">\n<iframe title=\"The drape\" src=\"drape-%lld.html"
                                  : "\">\n<iframe title=\"The drape\" srcdoc=\"",
                     (long long)cloth_id);
    report_text_in(t, "", (const char *)html.data, "\"></iframe></div>\n");
  }
  cb_bytes_clear(&png);
  cb_bytes_clear(&html);
  return st;
}

static void add_caption(report_text *t, const cb_drape_shape *p, const lab_drape_behind *b) {
  report_text_addf(t, "<figcaption>Simulated: %g cm on %g cm, drape coefficient %.3f of this one",
                   100 * p->specimen_m, 100 * p->support_m, p->drape_coefficient);
  if (p->seeds > 1)
    report_text_addf(t, ", nearest to the median of %lld drape%s", (long long)p->seeds, CB_S(p->seeds));
  report_text_addf(t, "; 'clothbench predict drape' has the band; laws: %s; clothbench ", b->text);
  report_text_html(t, p->program_version);
  report_text_addf(t, ", %.10s.%s Drag or arrows turn, + and \u2212 zoom.</figcaption></figure></section>\n",
                   p->created_at, b->older ? " <b class=\"bad\">It is older than its laws.</b>" : "");
}

cb_status report_page_shape(report_page *page, const cb_material *cloth, cb_err *err) {
  cb_drape_shape p;
  lab_drape_behind behind;
  CB_TRY(cb_store_shape_newest(page->data->store, cloth->id, &p, err));
  if (p.id == 0) return CB_OK;
  const show_drape d = drape_of(&p, cloth->name);
  cb_status st = lab_drape_shape_behind(page->data->store, cloth, &p, &behind, err);
  if (st == CB_OK) st = add_pictures(page, &d, cloth->id, err);
  if (st == CB_OK) add_caption(page->text, &p, &behind);
  cb_drape_shape_clear(&p);
  return st;
}

cb_status report_shape_text(cb_store *s, const cb_material *cloth, report_text *text, cb_err *err) {
  cb_drape_shape p;
  cb_bytes html = {0};
  CB_TRY(cb_store_shape_newest(s, cloth->id, &p, err));
  const show_drape d = drape_of(&p, cloth->name);
  const cb_status st = p.id > 0 ? show_drape_page(&d, true, &html, err)
                                : cb_fail(err, CB_E_NOTFOUND, "'%s' has no draped shape", cloth->name);
  if (st == CB_OK) report_text_bytes(text, html.data, html.n);
  cb_bytes_clear(&html);
  cb_drape_shape_clear(&p);
  return st;
}
