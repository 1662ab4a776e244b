/* clothbench db ls: what is in the file: how much, what is due, and the first of each kind; or all of a kind.
 */
#include <stdio.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"
#include "lab_contents.h"
#include "lab_query.h"
#include "lab_specimen.h"
#include "law.h"

static cb_status print_json(const char *db, const lab_contents *c, json_t *summary, cb_err *err) {
  json_t *doc = lab_contents_json(db, c);
  (void)json_object_set(doc, "summary", summary);
  if (!doc) return cb_no_memory(err, "the list of a database");
  return cli_print_json("db", doc) == CLI_DONE ? CB_OK
                                               : cb_fail(err, CB_E_IO, "the list could not be written");
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

static void print_law(const lab_contents_law *l) {
  shown cloth, body, form;
  char ref[LAW_REF];
  printf("law       %-5s %-13s %s%s%s, ", law_ref(l->law, l->id, ref), l->law, show_text(l->cloth, &cloth),
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

/* ---- how much of it, and what is due ---- */

enum { OF_A_KIND = 8, RUNS = 40 }; /* shown of more */

/* runs      done 62, voided 1 */
static void print_summary(const json_t *summary) {
  static const char *const titles[LAB_SUMMARY_LISTS] = {
      "in all    ",
      "runs      ",
      "laws      ",
      "due       laws, each older than so many of its runs: ",
      "due       calibrations that end: ",
      "due       campaigns that are unfinished: ",
      "due       alarms that 'db note' has not answered: "};
  for (int k = 0; k < LAB_SUMMARY_LISTS; k++) {
    const json_t *list = json_object_get(summary, lab_summary_lists[k]), *o;
    size_t i;
    json_array_foreach(list, i, o) {
      shown text;
      if (i == OF_A_KIND) break;
      printf("%s%s", i > 0 ? ", " : titles[k], show_text(json_string_value(json_object_get(o, "of")), &text));
      if (json_object_get(o, "n")) printf(" %lld", (long long)json_integer_value(json_object_get(o, "n")));
    }
    if (json_array_size(list) > 0) printf("%s\n", json_array_size(list) > OF_A_KIND ? ", ..." : "");
  }
}

static size_t laws_in(const json_t *summary) {
  size_t i, n = 0;
  const json_t *o;
  json_array_foreach(json_object_get(summary, "laws"), i, o) n +=
      (size_t)json_integer_value(json_object_get(o, "n"));
  return n;
}

/* ---- the lists ---- */

static void tell_left_out(size_t shown_n, size_t n, const char *one, const char *many, const char *word) {
  if (shown_n < n)
    printf("          and %zu more %s: 'db ls %s'\n", n - shown_n, n - shown_n == 1 ? one : many, word);
}

static size_t shown_of(size_t n, size_t most) { return most > 0 && n > most ? most : n; }

static void print_materials(const lab_contents *c, cb_material_kind kind, size_t most) {
  size_t n = 0;
  for (size_t i = 0; i < c->n_materials; i++)
    if (c->materials[i].facts.kind == kind && n++ < shown_of(c->n_materials, most))
      print_material(&c->materials[i]);
  if (kind == CB_CLOTH)
    tell_left_out(shown_of(n, most), n, "cloth", "cloths", "cloths");
  else
    tell_left_out(shown_of(n, most), n, "body", "bodies", "bodies");
}

static void print_specimens(const lab_contents *c, size_t most) {
  const size_t n = shown_of(c->n_specimens, most);
  for (size_t i = 0; i < n; i++) print_specimen(&c->specimens[i]);
  tell_left_out(n, c->n_specimens, "specimen", "specimens", "specimens");
}

/* The newest are shown. */
static void print_campaigns(const lab_contents *c, size_t most) {
  const size_t n = c->n_campaigns, k = shown_of(n, most);
  tell_left_out(k, n, "campaign, which is older", "campaigns, which are older", "campaigns");
  for (size_t i = n - k; i < n; i++) print_campaign(&c->campaigns[i]);
}

static void print_laws(const lab_contents *c, size_t most, size_t n) {
  const size_t k = shown_of(c->n_laws, most);
  for (size_t i = 0; i < k; i++) print_law(&c->laws[i]);
  tell_left_out(k, n, "law", "laws", "laws");
}

/* All of a kind; the newest runs. */
static cb_status list_runs(cb_store *s, bool all, cb_err *err) {
  static lab_query q;
  char text[60];
  json_t *doc;
  (void)snprintf(text, sizeof text, all ? "runs" : "runs sorted down first %d", RUNS);
  CB_TRY(lab_query_parse(text, &q, err));
  CB_TRY(lab_query_ask(s, &q, &doc, err));
  cli_db_print_table(doc);
  if (!all && json_array_size(json_object_get(doc, "rows")) == RUNS)
    printf("--all shows every run; 'db query \"runs ...\"' chooses\n");
  json_decref(doc);
  return CB_OK;
}

static const char *const kinds[] = {"cloths", "bodies", "specimens", "campaigns", "laws", "runs"};
enum { CLOTHS, BODIES, SPECIMENS, CAMPAIGNS, LAWS, THE_RUNS, KINDS };

/* kind KINDS: a look at all of them. */
static void print_lists(const lab_contents *c, int kind, size_t most, size_t n_laws) {
  if (kind == CLOTHS || kind == KINDS) print_materials(c, CB_CLOTH, most);
  if (kind == BODIES || kind == KINDS) print_materials(c, CB_BODY, most);
  if (kind == SPECIMENS || kind == KINDS) print_specimens(c, most);
  if (kind == CAMPAIGNS || kind == KINDS) print_campaigns(c, most);
  if (kind == LAWS || kind == KINDS) print_laws(c, most, n_laws);
}

static cb_status print_contents(cb_store *s, const cli_db_request *q, int kind, cb_err *err) {
  const size_t most = q->all || q->json || kind < KINDS ? 0 : OF_A_KIND;
  lab_contents c = {.n_laws = 0};
  json_t *summary = NULL;
  cb_status st;
  if (kind == THE_RUNS) return list_runs(s, q->all, err);
  CB_GOTO(lab_contents_read(s, most, &c, err));
  if (kind == KINDS) CB_GOTO(lab_summary_read(s, &summary, err));
  if (q->json) {
    st = print_json(q->db, &c, summary, err);
    goto done;
  }
  if (c.n_materials + c.n_campaigns > 0) print_summary(summary);
  print_lists(&c, kind, most, summary ? laws_in(summary) : c.n_laws);
done:
  json_decref(summary);
  lab_contents_clear(&c);
  return st;
}

int cli_db_list(const void *request) {
  const cli_db_request *q = request;
  cb_err err = {""};
  cb_store *s = NULL;
  int kind = 0;
  while (kind < KINDS && (q->n == 0 || strcmp(kinds[kind], q->words[0]) != 0)) kind++;
  if (q->n > 0 && (kind == KINDS || q->json)) {
    cli_say("db", "ls '%s': %s", q->words[0],
            q->json ? "--json tells everything, no word was wanted"
                    : "cloths, bodies, specimens, campaigns, laws or runs was wanted");
    return CLI_USAGE;
  }
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = print_contents(s, q, kind, &err);
  return cli_db_finish(s, st, &err);
}
