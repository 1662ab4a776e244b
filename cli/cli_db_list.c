/* clothbench db ls: what is in the file, as one document or a line for each entry. */
#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"
#include "lab_contents.h"
#include "lab_specimen.h"

static int print_json(const char *db, const lab_contents *c) {
  cb_err err = {""};
  json_t *doc = lab_contents_json(db, c);
  return doc ? cli_print_json("db", doc) : cli_fail("db", cb_no_memory(&err, "the list of a database"), &err);
}

/* ---- on paper ---- */

/* Safe to show: other programs write databases, too. */
typedef struct shown {
  char text[160];
} shown;

static const char *show_text(const char *text, shown *out) {
  return cb_text_show(text, out->text, sizeof out->text);
}

static void print_count(size_t n, const char *one, const char *many) {
  if (n > 0) printf(", %zu %s", n, n == 1 ? one : many);
}

static void print_material(const lab_contents_material *m) {
  shown name;
  printf("%-8s  %-24s", cb_material_kind_names[m->facts.kind], show_text(m->facts.name, &name));
  if (m->facts.areal_density_kg_per_m2 > 0) printf("  %6.1f g/m2", 1e3 * m->facts.areal_density_kg_per_m2);
  print_count(m->tests, "test", "tests");
  print_count(m->drapes, "drape", "drapes");
  printf("\n");
}

static void print_specimen(const cb_specimen *p) {
  char text[256];
  shown name, facts;
  lab_specimen_text(p, text);
  printf("specimen  %s  %-14s %s\n", p->mark, show_text(p->name, &name), show_text(text, &facts));
}

static void print_campaign(const lab_contents_campaign *c) {
  shown name, created;
  printf("campaign  %-4lld %-24s %-9s %-9s %zu of %zu runs done, %s%s", (long long)c->facts.id,
         show_text(c->facts.name, &name), cb_campaign_kind_names[c->facts.kind],
         cb_origin_names[c->facts.origin], c->runs_done, c->runs, show_text(c->facts.created_at, &created),
         c->facts.finished_at[0] ? "" : ", unfinished");
  if (c->runs_voided > 0) printf(", %zu voided", c->runs_voided);
  if (c->runs_flagged > 0) printf(", %zu flagged", c->runs_flagged);
  printf("\n");
}

static const char *law_words(const lab_contents_law *l) {
  if (l->is_friction) return cb_friction_kind_names[l->kind];
  return strcmp(l->law, "self-friction") == 0 ? "both turned, two tensors" : l->law;
}

static void print_law(const lab_contents_law *l) {
  shown cloth, body, form;
  printf("law       %-4lld %s%s%s, ", (long long)l->id, show_text(l->cloth, &cloth),
         l->cloth[0] && l->body[0] ? " on " : "", show_text(l->body, &body));
  printf("%s, %s, %s", law_words(l), show_text(l->form, &form), cb_origin_names[l->origin]);
  if (l->is_friction)
    printf(", %zu loads %.3g to %.3g N", l->loads, l->lowest_normal_force_N, l->highest_normal_force_N);
  print_count(l->points, "point", "points");
  print_count(l->tests, "test", "tests");
  printf("\n");
}

static int print_text(const lab_contents *c) {
  for (size_t i = 0; i < c->n_materials; i++) print_material(&c->materials[i]);
  for (size_t i = 0; i < c->n_specimens; i++) print_specimen(&c->specimens[i]);
  for (size_t i = 0; i < c->n_campaigns; i++) print_campaign(&c->campaigns[i]);
  for (size_t i = 0; i < c->n_laws; i++) print_law(&c->laws[i]);
  return CLI_DONE;
}

int cli_db_list(const char *db, bool json) {
  cb_err err = {""};
  cb_store *s = NULL;
  lab_contents c = {.n_laws = 0};
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = lab_contents_read(s, &c, &err);
  cb_status closed = cb_store_close(s, st == CB_OK ? &err : NULL);
  if (st == CB_OK) st = closed;
  int code = st == CB_OK ? (json ? print_json(db, &c) : print_text(&c)) : cli_fail("db", st, &err);
  lab_contents_clear(&c);
  return code;
}
