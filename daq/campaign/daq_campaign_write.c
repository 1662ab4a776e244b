/* A campaign as the file that reads back as it. */
#include <stdarg.h>
#include <stdio.h>

#include "cb_file.h"
#include "cb_text.h"
#include "daq_campaign.h"
#include "daq_conditions.h"

#define MOST_BYTES 16384

typedef struct page {
  char text[MOST_BYTES];
  size_t n;
} page;

static void put_format(page *p, const char *fmt, ...) CB_PRINTF(2, 3);

/* Texts below 256 bytes, lists of 64 numbers: a page cannot be full. */
static void put_format(page *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(p->text + p->n, sizeof p->text - p->n, fmt, ap);
  va_end(ap);
  if (n > 0) p->n = p->n + (size_t)n < sizeof p->text ? p->n + (size_t)n : sizeof p->text - 1;
}

/* A double-quoted scalar holds any text that has no control characters. */
static void put_text(page *p, const char *key, const char *text) {
  char shown[16];
  put_format(p, "%s: \"", key);
  for (size_t n; (n = cb_text_next(text, shown)) > 0; text += n)
    for (const char *c = shown; *c; c++) put_format(p, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  put_format(p, "\"\n");
}

/* What the frame says of air and specimen, key by key. */
static void put_conditions(page *p, const cb_conditions *c) {
  for (size_t i = 0; i < DAQ_N_CONDITIONS; i++) {
    const cb_yfield *f = &daq_conditions_questions[i].field;
    const void *member = (const char *)c + f->offset;
    if (!daq_conditions_known(c, i)) continue;
    if (f->kind == CB_Y_STR)
      put_text(p, f->key, member);
    else if (f->kind == CB_Y_ENUM)
      put_format(p, "%s: %s\n", f->key, f->choices[*(const int *)member]);
    else
      put_format(p, "%s: %.15g\n", f->key, *(const double *)member / (f->scale > 0 ? f->scale : 1));
  }
}

static void put_list(page *p, const char *key, const cb_numlist *list, double scale) {
  put_format(p, "%s: [", key);
  for (size_t i = 0; i < list->n; i++) put_format(p, "%s%.15g", i ? ", " : "", scale * list->v[i]);
  put_format(p, "]\n");
}

cb_status daq_campaign_write(const char *path, const daq_campaign *c, const char *remark, cb_err *err) {
  static const char *const directions[] = {"forward", "backward", "both"};
  static const char *const orders[] = {"return", "passes", "cells"};
  page p = {.n = 0};
  put_format(&p, "# %s\n", remark);
  put_text(&p, "name", c->name);
  put_format(&p, "kind: friction\n");
  put_text(&p, "cloth", c->cloth);
  put_text(&p, "body", c->body);
  if (c->specimen[0]) put_text(&p, "specimen", c->specimen);
  put_format(&p, "grid: %s\n", c->grid == DAQ_GRID_PAIRS ? "pairs" : "full");
  put_list(&p, "angles_deg", &c->angles_deg, 1);
  if (c->body_angles_deg.n) put_list(&p, "body_angles_deg", &c->body_angles_deg, 1);
  put_list(&p, "added_masses_g", &c->added_masses_kg, 1e3);
  put_format(&p, "repeats: %d\ndirections: %s\nspeed_mm_per_s: %.15g\ntravel_mm: %.15g\nzero_s: %.15g\n",
             c->repeats, directions[c->directions], 1e3 * c->speed_m_per_s, 1e3 * c->travel_m, c->zero_s);
  put_format(&p, "order: %s\n", orders[c->order]);
  if (c->operator_name[0]) put_text(&p, "operator", c->operator_name);
  put_conditions(&p, &c->conditions);
  return cb_file_write(path, p.text, p.n, err);
}
