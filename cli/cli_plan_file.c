#include "cli_plan_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_text.h"
#include "daq_conditions.h"

#define MOST_BYTES 16384

typedef struct page {
  char text[MOST_BYTES];
  size_t n;
} page;

static void put(page *p, const char *fmt, ...) CB_PRINTF(2, 3);

/* Texts below 256 bytes, lists of 64 numbers: a page cannot be full. */
static void put(page *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(p->text + p->n, sizeof p->text - p->n, fmt, ap);
  va_end(ap);
  if (n > 0) p->n = p->n + (size_t)n < sizeof p->text ? p->n + (size_t)n : sizeof p->text - 1;
}

/* A double-quoted scalar holds any text that has no control characters. */
static void put_text(page *p, const char *key, const char *text) {
  char shown[16];
  put(p, "%s: \"", key);
  for (size_t n; (n = cb_text_next(text, shown)) > 0; text += n)
    for (const char *c = shown; *c; c++) put(p, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  put(p, "\"\n");
}

/* What the frame says of air and specimen, key by key. */
static void put_conditions(page *p, const cb_conditions *c) {
  for (size_t i = 0; i < DAQ_N_CONDITIONS; i++) {
    const cb_yfield *f = &daq_conditions_fields[i];
    const void *member = (const char *)c + f->offset;
    if (!daq_conditions_known(c, i)) continue;
    if (f->kind == CB_Y_STR)
      put_text(p, f->key, member);
    else if (f->kind == CB_Y_ENUM)
      put(p, "%s: %s\n", f->key, f->choices[*(const int *)member]);
    else
      put(p, "%s: %.15g\n", f->key, *(const double *)member / (f->scale > 0 ? f->scale : 1));
  }
}

static int as_a_person_goes(const void *a, const void *b) {
  const fit_plan_cell *x = a, *y = b;
  if (x->angle_deg != y->angle_deg) return x->angle_deg < y->angle_deg ? -1 : 1;
  return (x->normal_force_N > y->normal_force_N) - (x->normal_force_N < y->normal_force_N);
}

/* Loads came from the frame's masses: the nearest one is it. */
static double mass_of(const daq_campaign *frame, const cb_rig *rig, double load_N) {
  double wanted = load_N / rig->bench.gravity_m_per_s2 - rig->bench.cart_mass_kg, best = frame->added_masses_kg.v[0];
  for (size_t i = 1; i < frame->added_masses_kg.n; i++)
    if (fabs(frame->added_masses_kg.v[i] - wanted) < fabs(best - wanted)) best = frame->added_masses_kg.v[i];
  return best;
}

static void put_cells(page *p, const daq_campaign *frame, const cb_rig *rig, const fit_plan *plan) {
  fit_plan_cell cells[FIT_PLAN_MAX];
  memcpy(cells, plan->cells, plan->n_cells * sizeof *cells);
  qsort(cells, plan->n_cells, sizeof *cells, as_a_person_goes);
  put(p, "grid: pairs\nangles_deg: [");
  for (size_t i = 0; i < plan->n_cells; i++) put(p, "%s%.15g", i ? ", " : "", cells[i].angle_deg);
  put(p, "]\n");
  if (frame->body_angles_deg.n) put(p, "body_angles_deg: [%.15g]\n", frame->body_angles_deg.v[0]);
  put(p, "added_masses_g: [");
  for (size_t i = 0; i < plan->n_cells; i++) put(p, "%s%.15g", i ? ", " : "", 1e3 * mass_of(frame, rig, cells[i].normal_force_N));
  put(p, "]\nrepeats: %zu\n", plan->repeats);
}

cb_status cli_plan_write(const char *path, const daq_campaign *frame, const cb_rig *rig, const fit_plan *plan, cb_err *err) {
  static const char *const directions[] = {"forward", "backward", "both"};
  page p = {.n = 0};
  put(&p, "# Written by 'clothbench plan': %s.\n", fit_plan_stage_text[plan->stage]);
  put_text(&p, "name", frame->name);
  put(&p, "kind: friction\n");
  put_text(&p, "cloth", frame->cloth);
  put_text(&p, "body", frame->body);
  put_cells(&p, frame, rig, plan);
  put(&p, "directions: %s\nspeed_mm_per_s: %.15g\ntravel_mm: %.15g\nzero_s: %.15g\n", directions[frame->directions],
      1e3 * frame->speed_m_per_s, 1e3 * frame->travel_m, frame->zero_s);
  if (frame->operator_name[0]) put_text(&p, "operator", frame->operator_name);
  put_conditions(&p, &frame->conditions);
  return cb_file_write(path, p.text, p.n, err);
}
