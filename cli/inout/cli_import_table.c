/* Tables and logs with a mapping: friction, a trace, tests of a material, KES summary sheets. */
#include <math.h>
#include <stdio.h>

#include "cb_material_law.h"
#include "cli_import.h"
#include "lab_kes.h"
#include "lab_material_tests.h"
#include "cb_plural.h"

/* note: what is odd in the last digits of a column; "": nothing. */
static void tell_digit(const char *note) {
  if (note[0]) cli_say("import", "warning: %s", note);
}

static int print_document(json_t *doc, const char *note) {
  if (json_object_set_new(doc, "warning", note[0] ? json_string(note) : json_null()) != 0) {
    json_decref(doc);
    doc = NULL;
  }
  return cli_print_json("import", doc);
}

/* ---- friction ---- */

static int report_friction(const cli_import *q, const lab_friction_report *r) {
  const fit_import *im = &r->table;
  const lab_friction_import *sum = &r->stored;
  tell_digit(im->digit_note);
  if (im->n_conflicts)
    cli_say("import", "%zu row%s kept whose reading and coefficient disagree, first %s", im->n_conflicts,
            im->n_conflicts == 1 ? " was" : "s were", im->first_conflict);
  if (im->n_holes)
    cli_say("import", "%zu hole%s skipped: neither reading nor coefficient", im->n_holes,
            im->n_holes == 1 ? " was" : "s were");
  if (q->json)
    return print_document(
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "file", q->lab.file, "db", q->lab.db, "origin",
                  "imported", "campaign_id", (json_int_t)sum->campaign_id, "points", (json_int_t)im->n_rows,
                  "pairs", (json_int_t)sum->pairs, "holes", (json_int_t)im->n_holes, "conflicts",
                  (json_int_t)im->n_conflicts),
        im->digit_note);
  printf("%s: %zu point%s of %zu pair%s imported into %s (campaign %lld)\n", q->lab.file, im->n_rows,
         CB_S(im->n_rows), sum->pairs, CB_S(sum->pairs), q->lab.db, (long long)sum->campaign_id);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_friction(const void *request) {
  const cli_import *q = request;
  cb_err err = {""};
  lab_friction_report r;
  const cb_status st = lab_import_friction(&q->lab, &r, &err);
  const int code = st == CB_OK ? report_friction(q, &r) : cli_fail("import", st, &err);
  fit_import_clear(&r.table);
  return code;
}

/* ---- inclines ---- */

static int report_incline(const cli_import *q, const lab_friction_report *r) {
  const fit_import *im = &r->table;
  const lab_friction_import *sum = &r->stored;
  tell_digit(im->digit_note);
  const int64_t first = im->rows[0].run.id, last = im->rows[im->n_rows - 1].run.id;
  if (im->n_skipped)
    cli_say("import", "%zu hole%s skipped", im->n_skipped, im->n_skipped == 1 ? " was" : "s were");
  if (q->json)
    return print_document(
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "file", q->lab.file, "db", q->lab.db,
                  "origin", cb_origin_names[im->calibration.origin], "campaign_id",
                  (json_int_t)sum->campaign_id, "runs", (json_int_t)im->n_rows, "first_run_id",
                  (json_int_t)first, "last_run_id", (json_int_t)last, "pairs", (json_int_t)sum->pairs,
                  "holes", (json_int_t)im->n_skipped),
        im->digit_note);
  printf("%s: runs %lld to %lld of %zu pair%s imported into %s (campaign %lld)\n", q->lab.file,
         (long long)first, (long long)last, sum->pairs, CB_S(sum->pairs), q->lab.db,
         (long long)sum->campaign_id);
  printf("'clothbench validate incline --run %lld --db %s' compares one with the law of its pair\n",
         (long long)first, q->lab.db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_incline(const void *request) {
  const cli_import *q = request;
  cb_err err = {""};
  lab_friction_report r;
  const cb_status st = lab_import_incline(&q->lab, (fit_incline_kind)q->which, &r, &err);
  const int code = st == CB_OK ? report_incline(q, &r) : cli_fail("import", st, &err);
  fit_import_clear(&r.table);
  return code;
}

/* ---- a trace ---- */

static json_t *clocks_json(const fit_trace *t) {
  if (!t->two_clocks) return json_null();
  return json_pack("{s:o, s:o, s:o}", "offset_s", cb_json_real(t->clocks.offset_s), "u_offset_s",
                   cb_json_real(t->clocks.u_offset_s), "correlation",
                   t->clocks.scale != 0 ? cb_json_real(t->clocks.correlation) : json_null());
}

static int report_trace(const cli_import *q, const fit_trace *t) {
  tell_digit(t->digit_note);
  if (t->holes) cli_say("import", "%zu hole%s skipped", t->holes, t->holes == 1 ? " was" : "s were");
  if (t->run.flags[0]) cli_say("import", "run %lld is flagged '%s'", (long long)t->run.id, t->run.flags);
  if (q->json)
    return print_document(
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:s}", "file", q->lab.file, "db",
                  q->lab.db, "origin", "imported", "campaign_id", (json_int_t)t->run.campaign_id, "run_id",
                  (json_int_t)t->run.id, "force_samples", (json_int_t)t->force_raw.n, "motion_samples",
                  (json_int_t)t->motion_raw.n, "labelled_strokes", (json_int_t)t->n_strokes, "holes",
                  (json_int_t)t->holes, "rate_Hz",
                  t->run.rate_Hz > 0 ? json_real(t->run.rate_Hz) : json_null(), "clocks", clocks_json(t),
                  "flags", t->run.flags),
        t->digit_note);
  printf("%s: run %lld with %zu sample%s of force and %zu of the motion imported into %s (campaign %lld)\n",
         q->lab.file, (long long)t->run.id, t->force_raw.n, CB_S(t->force_raw.n), t->motion_raw.n, q->lab.db,
         (long long)t->run.campaign_id);
  if (t->two_clocks)
    printf("  the motion's clock: %+.2g ms to be added to it, u = %.2g ms\n", 1e3 * t->clocks.offset_s,
           1e3 * t->clocks.u_offset_s);
  printf("'clothbench fit trace --run %lld --db %s' tells what is in it\n", (long long)t->run.id, q->lab.db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_trace(const void *request) {
  const cli_import *q = request;
  cb_err err = {""};
  fit_trace t;
  const cb_status st = lab_import_trace(&q->lab, &t, &err);
  const int code = st == CB_OK ? report_trace(q, &t) : cli_fail("import", st, &err);
  fit_trace_clear(&t);
  return code;
}

/* ---- tests of a material ---- */

/* Of shear and compression: tests that say nothing. */
static void tell_unused(const lab_material_tests *im) {
  for (size_t i = 0; i < im->n; i++) {
    cb_err err = {""};
    const char *why = lab_material_test_unused(im, i, &err);
    if (why) cli_say("import", "test %zu, of '%s', has no figures: %s", i + 1, im->curves[i].material, why);
  }
}

static int report_tests(const cli_import *q, cb_test_kind kind, const lab_material_tests *im) {
  tell_digit(fit_table_note(im->table));
  if (im->holes) cli_say("import", "%zu hole%s skipped", im->holes, im->holes == 1 ? " was" : "s were");
  tell_unused(im);
  if (q->json)
    return print_document(
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "file", q->lab.file, "db", q->lab.db, "kind",
                  cb_test_kind_names[kind], "origin", cb_origin_names[im->curves[0].test.origin], "tests",
                  (json_int_t)im->n, "points", (json_int_t)im->points, "holes", (json_int_t)im->holes),
        fit_table_note(im->table));
  printf("%s: %zu %s test%s with %zu point%s imported into %s\n", q->lab.file, im->n,
         cb_test_kind_names[kind], CB_S(im->n), im->points, CB_S(im->points), q->lab.db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_test(const void *request) {
  const cli_import *q = request;
  const cb_test_kind kind = (cb_test_kind)q->which;
  cb_err err = {""};
  lab_material_tests tests;
  const cb_status st = lab_import_tests(&q->lab, kind, &tests, &err);
  const int code = st == CB_OK ? report_tests(q, kind, &tests) : cli_fail("import", st, &err);
  lab_material_tests_clear(&tests);
  return code;
}

/* ---- summary sheets ---- */

static json_t *kes_cloth_json(const lab_kes_cloth *c) {
  const exch_material *m = &c->material;
  return json_pack("{s:s, s:b, s:b, s:o, s:o, s:I}", "cloth", m->facts.name, "stretch",
                   m->laws[CB_LAW_STRETCH].result_json != NULL, "bending",
                   m->laws[CB_LAW_BENDING].result_json != NULL, "drape_coefficient",
                   c->has_drape ? json_real(c->drape.drape_coefficient) : json_null(), "miu",
                   cb_json_real(c->miu), "figures", (json_int_t)c->n_figures);
}

static void print_kes_cloth(const lab_kes_cloth *c) {
  const exch_material *m = &c->material;
  printf("  %s:%s%s", m->facts.name, m->laws[CB_LAW_STRETCH].result_json ? " law of stretch," : "",
         m->laws[CB_LAW_BENDING].result_json ? " law of bending," : "");
  if (c->has_drape) printf(" drape coefficient %.3g,", c->drape.drape_coefficient);
  if (isfinite(c->miu)) printf(" coefficient of friction %.3g on %s,", c->miu, c->probe);
  if (c->n_figures > 0) printf(" %zu figure%s,", c->n_figures, CB_S(c->n_figures));
  printf(" facts\n");
}

static int report_kes(const cli_import *q, const lab_kes *kes) {
  tell_digit(fit_table_note(kes->table));
  json_t *cloths = json_array();
  for (size_t i = 0; q->json && i < kes->n; i++)
    (void)json_array_append_new(cloths, kes_cloth_json(&kes->cloths[i]));
  if (q->json)
    return print_document(json_pack("{s:s, s:s, s:s, s:o}", "file", q->lab.file, "db", q->lab.db, "origin",
                                    "imported", "cloths", cloths),
                          fit_table_note(kes->table));
  json_decref(cloths);
  printf("%s: %zu cloth%s imported into %s\n", q->lab.file, kes->n, CB_S(kes->n), q->lab.db);
  for (size_t i = 0; i < kes->n; i++) print_kes_cloth(&kes->cloths[i]);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_kes(const void *request) {
  const cli_import *q = request;
  cb_err err = {""};
  lab_kes kes;
  const cb_status st = lab_import_kes(&q->lab, &kes, &err);
  const int code = st == CB_OK ? report_kes(q, &kes) : cli_fail("import", st, &err);
  lab_kes_clear(&kes);
  return code;
}
