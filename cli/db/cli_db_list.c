/* clothbench db ls: what is in the file, as one document or a line for each entry, with a sum at the end. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_plural.h"
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
  const bool weighed = m->facts.areal_density_kg_per_m2 > 0;
  printf("%-8s  %-24s", cb_material_kind_names[m->facts.kind], show_text(m->facts.name, &name));
  if (weighed) printf("  %6.1f g/m2", 1e3 * m->facts.areal_density_kg_per_m2);
  if (!weighed && m->tests + m->drapes > 0) printf("%13s", "");
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
  printf("campaign  %-4lld %-24s %-9s %-9s %zu of %zu run%s done, %s%s", (long long)c->facts.id,
         show_text(c->facts.name, &name), cb_campaign_kind_names[c->facts.kind],
         cb_origin_names[c->facts.origin], c->runs_done, c->runs, CB_S(c->runs),
         show_text(c->facts.created_at, &created), c->facts.finished_at[0] ? "" : ", unfinished");
  if (c->runs_voided > 0) printf(", %zu voided", c->runs_voided);
  if (c->runs_flagged > 0) printf(", %zu flagged", c->runs_flagged);
  printf("\n");
}

/* Numbers of laws are of their kind: there is a friction law 1 and a stretch law 1. */
static void print_law(const lab_contents_law *l) {
  shown cloth, body, form;
  char number[48];
  (void)snprintf(number, sizeof number, "%s %lld", l->law, (long long)l->id);
  printf("law       %-16s %s%s%s, ", number, show_text(l->cloth, &cloth),
         l->cloth[0] && l->body[0] ? " on " : "", show_text(l->body, &body));
  if (l->is_friction) printf("%s, ", cb_friction_kind_names[l->kind]);
  if (strcmp(l->law, "self-friction") == 0) printf("both turned, two tensors, ");
  printf("%s, %s", show_text(l->form, &form), cb_origin_names[l->origin]);
  if (l->is_friction)
    printf(", %zu load%s %.3g to %.3g N", l->loads, CB_S(l->loads), l->lowest_normal_force_N,
           l->highest_normal_force_N);
  print_count(l->points, "point", "points");
  print_count(l->tests, "test", "tests");
  printf("\n");
}

/* ---- how much of it ---- */

/* Entries that are read on a screen, and how many of a kind are shown where there are more. */
#define SCREEN 40
#define OF_A_KIND 8

/* How many entries of a kind are shown; 0: all. */
typedef size_t most;

static size_t shown_of(size_t n, most k) { return k > 0 && n > k ? k : n; }

static void tell_left_out(size_t n, most k, const char *one, const char *many) {
  if (shown_of(n, k) < n) printf("          and %zu more %s\n", n - k, n - k == 1 ? one : many);
}

/* From the first of a kind to behind its last; bodies stand behind the cloths. */
static void print_materials(const lab_contents *c, cb_material_kind kind, most k) {
  size_t n = 0;
  for (size_t i = 0; i < c->n_materials; i++)
    if (c->materials[i].facts.kind == kind && n++ < shown_of(c->n_materials, k))
      print_material(&c->materials[i]);
  if (kind == CB_CLOTH)
    tell_left_out(n, k, "cloth", "cloths");
  else
    tell_left_out(n, k, "body", "bodies");
}

/* The newest are shown. */
static void print_campaigns(const lab_contents *c, most k) {
  const size_t n = c->n_campaigns;
  tell_left_out(n, k, "campaign, which is older", "campaigns, which are older");
  for (size_t i = n - shown_of(n, k); i < n; i++) print_campaign(&c->campaigns[i]);
}

static size_t count_cloths(const lab_contents *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->n_materials; i++) n += c->materials[i].facts.kind == CB_CLOTH;
  return n;
}

static void print_sum(const lab_contents *c) {
  size_t runs = 0, done = 0, voided = 0, flagged = 0, cloths = count_cloths(c),
         bodies = c->n_materials - cloths;
  for (size_t i = 0; i < c->n_campaigns; i++) {
    runs += c->campaigns[i].runs, done += c->campaigns[i].runs_done;
    voided += c->campaigns[i].runs_voided, flagged += c->campaigns[i].runs_flagged;
  }
  printf("in all    %zu cloth%s, %zu %s", cloths, CB_S(cloths), bodies, CB_PLURAL(bodies, "body", "bodies"));
  print_count(c->n_specimens, "specimen", "specimens");
  printf(", %zu campaign%s, %zu law%s; %zu run%s, %zu done, %zu flagged, %zu voided, %zu not done\n",
         c->n_campaigns, CB_S(c->n_campaigns), c->n_laws, CB_S(c->n_laws), runs, CB_S(runs), done, flagged,
         voided, runs - done - voided);
}

/* Whole in a file or pipe; on a screen as much as is read there. */
static int print_text(const lab_contents *c, bool all) {
  const size_t entries = c->n_materials + c->n_specimens + c->n_campaigns + c->n_laws;
  if (entries == 0) return CLI_DONE;
  const most k = !all && isatty(STDOUT_FILENO) && entries > SCREEN ? OF_A_KIND : 0;
  print_materials(c, CB_CLOTH, k);
  print_materials(c, CB_BODY, k);
  for (size_t i = 0; i < shown_of(c->n_specimens, k); i++) print_specimen(&c->specimens[i]);
  tell_left_out(c->n_specimens, k, "specimen", "specimens");
  print_campaigns(c, k);
  for (size_t i = 0; i < shown_of(c->n_laws, k); i++) print_law(&c->laws[i]);
  tell_left_out(c->n_laws, k, "law", "laws");
  print_sum(c);
  if (k > 0) printf("          --all shows every line\n");
  return CLI_DONE;
}

int cli_db_list(const void *request) {
  const cli_db_request *q = request;
  cb_err err = {""};
  cb_store *s = NULL;
  lab_contents c = {.n_laws = 0};
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, lab_contents_read(s, &c, &err), &err);
  int code =
      st == CB_OK ? (q->json ? print_json(q->db, &c) : print_text(&c, q->all)) : cli_fail("db", st, &err);
  lab_contents_clear(&c);
  return code;
}
