/* Other databases beside this one: what several know of a cloth or a pair, and whether they agree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "lab_card.h"
#include "lab_compare.h"
#include "lab_material.h"
#include "report_site_impl.h"

/* The last parts of a path: "lab.db", "north/lab.db". */
static const char *tail_of(const char *path, int parts) {
  const char *at = path + strlen(path);
  while (at > path && (at[-1] != '/' || --parts > 0)) at--;
  return at;
}

/* With its folder where another has the same name. */
const char *site_beside_name(const site *w, size_t k) {
  const char *name = tail_of(w->q->beside[k], 1);
  bool alone = strcmp(name, tail_of(cb_store_path(w->store), 1)) != 0;
  for (size_t i = 0; i < w->q->n_beside; i++)
    alone = alone && (i == k || strcmp(name, tail_of(w->q->beside[i], 1)) != 0);
  return alone ? name : tail_of(w->q->beside[k], 2);
}

cb_status site_beside(const site *w, size_t k, cb_store **out, cb_err *err) {
  return w->q->open(w->q->shelf, k, out, err);
}

typedef struct beside {
  site *w;
  const cb_material *cloth, *body; /* of the database of the page; NULL: not one alone */
  size_t k;                        /* the other database */
  cb_store *store;
  json_t *rows;
} beside;

/* A section with the rows that `add` makes for each other database; without rows nothing. columns: their
 * names with commas. */
static cb_status add_section(beside *b, const char *title, const char *columns,
                             cb_status (*add)(beside *b, cb_err *err), cb_err *err) {
  json_t *doc = json_pack("{s:[], s:[]}", "columns", "rows");
  cb_status st = doc ? CB_OK : cb_no_memory(err, "a table");
  b->rows = json_object_get(doc, "rows");
  for (size_t n; *columns; columns += n + (columns[n] == ',')) {
    n = strcspn(columns, ",");
    (void)json_array_append_new(json_object_get(doc, "columns"), json_stringn(columns, n));
  }
  for (b->k = 0; b->k < b->w->q->n_beside && st == CB_OK; b->k++) {
    cb_err why = {""};
    if (site_beside(b->w, b->k, &b->store, &why) == CB_OK)
      st = add(b, err);
    else
      site_refuse(b->w, why.msg);
  }
  if (st == CB_OK && json_array_size(b->rows) > 0) {
    report_text_addf(b->w->text, "<section><h2>%s</h2>\n", title);
    site_rows(b->w, doc, "");
    report_text_add(b->w->text, "</section>\n");
  }
  json_decref(doc);
  return st;
}

/* The material that the other database has by this name. */
static bool find_there(const beside *b, const cb_material *m, cb_material *there) {
  return cb_store_material_find(b->store, m->kind, m->name, there, NULL) == CB_OK;
}

/* ---- a pair ---- */

/* The origins of a pair's runs, or "": there are none. */
static cb_status read_origins(cb_store *s, int64_t cloth_id, int64_t body_id, char out[80], cb_err *err) {
  const cb_query_value values[] = {{NULL, (double)cloth_id}, {NULL, (double)body_id}};
  json_t *doc;
  CB_TRY(cb_store_query(s, "SELECT group_concat(DISTINCT origin) FROM run WHERE cloth_id = ? AND body_id = ?",
                        values, 2, &doc, err));
  const char *text = json_string_value(json_array_get(json_array_get(json_object_get(doc, "rows"), 0), 0));
  (void)snprintf(out, 80, "%s", text ? text : "");
  json_decref(doc);
  return CB_OK;
}

#define PAIR_COLUMNS                                                                           \
  "body,body_to,friction,friction_to,in,in_to,origin,runs_here,runs_there,difference_percent," \
  "U95_percent,En_of_the_laws,worst_En_of_a_cell,limit,verdict"

/* What cannot be compared is said in place of the verdict. */
static void add_kind(beside *b, const cb_material there[2], cb_friction_kind kind, const char *origin) {
  const lab_compare_side sides[2] = {{.s = b->w->store}, {.s = b->store}};
  const long long cloth = b->cloth->id, body = b->body->id;
  char here[80], compare[160], pair[80];
  cb_err why = {""};
  lab_compare c = {.n_cells = 0};
  const cb_status st = lab_compare_pair(sides, b->cloth->name, b->body->name, kind, &c, &why);
  (void)snprintf(here, sizeof here, "pair-%lld-%lld.html", cloth, body);
  (void)snprintf(pair, sizeof pair, "%zu/pair-%lld-%lld.html", b->k + 1, (long long)there[0].id,
                 (long long)there[1].id);
  (void)snprintf(compare, sizeof compare, "compare.html?cloth=%lld&body=%lld&A=0&B=%zu&kind=%s", cloth, body,
                 b->k + 1, cb_friction_kind_names[kind]);
  json_t *row =
      json_pack("[s,s,s,s,s,s,s,I,I]", b->body->name, here, cb_friction_kind_names[kind], compare,
                site_beside_name(b->w, b->k), pair, origin, (json_int_t)c.n_runs[0], (json_int_t)c.n_runs[1]);
  const double numbers[] = {100 * expm1(c.difference_rel), 100 * c.u95_rel, c.en, c.worst_en, c.worst_limit};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    (void)json_array_append_new(row, st == CB_OK ? json_real(numbers[i]) : json_null());
  (void)json_array_append_new(row, json_string(st != CB_OK ? why.msg
                                               : c.agree   ? "they agree"
                                                           : "they differ"));
  (void)json_array_append_new(b->rows, row);
  lab_compare_clear(&c);
}

/* A pair that both have runs of. */
static cb_status add_pair(beside *b, cb_err *err) {
  cb_material there[2];
  char here[80], origin[80];
  if (!find_there(b, b->cloth, &there[0]) || !find_there(b, b->body, &there[1])) return CB_OK;
  CB_TRY(read_origins(b->w->store, b->cloth->id, b->body->id, here, err));
  CB_TRY(read_origins(b->store, there[0].id, there[1].id, origin, err));
  for (int kind = CB_FRICTION_KINETIC; kind >= CB_FRICTION_STATIC && here[0] && origin[0]; kind--)
    add_kind(b, there, (cb_friction_kind)kind, origin);
  return CB_OK;
}

static cb_status add_pairs(beside *b, cb_err *err) {
  cb_material *list;
  size_t n;
  CB_TRY(cb_store_materials(b->w->store, &list, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    b->body = &list[i];
    if (list[i].kind == CB_BODY) st = add_pair(b, err);
  }
  free(list);
  return st;
}

/* ---- properties of a cloth ---- */

static cb_status read_card(cb_store *s, const char *name, lab_card *card, cb_err *err) {
  exch_material m;
  *card = (lab_card){.n = 0};
  CB_TRY(lab_material_load(s, name, &m, err));
  const cb_status st = lab_card_make(s, &m, card, err);
  exch_material_clear(&m);
  return st;
}

/* Friction and verdicts are compared elsewhere. */
static bool is_property(const lab_card *card, const lab_property *p) {
  const lab_section *s = &card->sections[p->section];
  return !strstr(s->title, "friction") && strcmp(s->n_what, "verdict") != 0;
}

/* The same of the same; ", sd 3" behind the conditions is a result. */
static const lab_property *find_property(const lab_card *card, const char *title, const lab_property *like) {
  for (size_t i = 0; i < card->n; i++) {
    const lab_property *p = &card->list[i];
    const char *a = strstr(p->conditions, ", sd"), *b = strstr(like->conditions, ", sd");
    const size_t n = a ? (size_t)(a - p->conditions) : strlen(p->conditions);
    if (strcmp(card->sections[p->section].title, title) == 0 && strcmp(p->name, like->name) == 0 &&
        strcmp(p->unit, like->unit) == 0 &&
        n == (b ? (size_t)(b - like->conditions) : strlen(like->conditions)) &&
        strncmp(p->conditions, like->conditions, n) == 0)
      return p;
  }
  return NULL;
}

static void append(json_t *row, double v) {
  (void)json_array_append_new(row, isfinite(v) ? json_real(v) : json_null());
}

#define PROPERTY_COLUMNS \
  "property,conditions,unit,here,u_here,there,u_there,difference_over_u,En,in,in_to,origin"

/* of: here and there; NULL: that one has none. page, origin: of the other. */
static void add_property(beside *b, const char *title, const lab_property *const of[2], const char *page,
                         const char *origin) {
  const lab_property *p = of[0] ? of[0] : of[1];
  const report_prefix scale = report_page_prefix(p);
  double u2 = 0, U2 = 0;
  char what[240], unit[40];
  (void)snprintf(what, sizeof what, "%s%s%s", title, title[0] ? ": " : "", p->name);
  (void)snprintf(unit, sizeof unit, "%s%s", scale.name, strcmp(p->unit, "1") == 0 ? "" : p->unit);
  json_t *row = json_pack("[s,s,s]", what, p->conditions, unit);
  for (int i = 0; i < 2; i++) {
    const double u = of[i] ? of[i]->u : NAN, dof = of[i] && !isnan(of[i]->dof) ? of[i]->dof : INFINITY;
    append(row, of[i] ? scale.unit * of[i]->value : NAN);
    append(row, scale.unit * u);
    u2 += u * u;
    U2 += pow(cb_student_t(0.95, dof) * u, 2);
  }
  const double difference = of[0] && of[1] ? of[0]->value - of[1]->value : NAN;
  append(row, difference / sqrt(u2));
  append(row, difference / sqrt(U2));
  (void)json_array_append_new(row, json_string(site_beside_name(b->w, b->k)));
  (void)json_array_append_new(row, json_string(page));
  (void)json_array_append_new(row, json_string(origin));
  (void)json_array_append_new(b->rows, row);
}

static cb_status add_properties(beside *b, cb_err *err) {
  cb_material there;
  lab_card c[2] = {{.n = 0}, {.n = 0}};
  char page[40];
  if (!find_there(b, b->cloth, &there)) return CB_OK;
  (void)snprintf(page, sizeof page, "%zu/cloth-%lld.html", b->k + 1, (long long)there.id);
  cb_status st = read_card(b->w->store, b->cloth->name, &c[0], err);
  if (st == CB_OK) st = read_card(b->store, there.name, &c[1], err);
  for (int k = 0; k < 2 && st == CB_OK; k++)
    for (size_t i = 0; i < c[k].n; i++) {
      const lab_property *p = &c[k].list[i], *of[2] = {p, p};
      const char *title = c[k].sections[p->section].title;
      of[!k] = find_property(&c[!k], title, p);
      if (!is_property(&c[k], p) || (k == 1 && of[0])) continue;
      add_property(b, title, of, page, of[1] ? c[1].sections[of[1]->section].origin : "");
    }
  lab_card_clear(&c[0]);
  lab_card_clear(&c[1]);
  return st;
}

/* ---- the sections ---- */

cb_status site_beside_pair(site *w, int64_t cloth_id, int64_t body_id, cb_err *err) {
  cb_material cloth, body;
  beside b = {.w = w, .cloth = &cloth, .body = &body};
  CB_TRY(site_find(w->store, CB_CLOTH, cloth_id, &cloth, err));
  CB_TRY(site_find(w->store, CB_BODY, body_id, &body, err));
  return add_section(&b, "In other databases: do we agree?", PAIR_COLUMNS, add_pair, err);
}

cb_status site_beside_cloth(site *w, const cb_material *cloth, bool with_pairs, cb_err *err) {
  beside b = {.w = w, .cloth = cloth};
  if (with_pairs) CB_TRY(add_section(&b, "Friction: do we agree?", PAIR_COLUMNS, add_pairs, err));
  if (!with_pairs && w->q->n_beside > 0)
    report_text_addf(
        w->text,
        "<p><a href=\"compare.html?cloth=%lld\">This cloth in other databases: do we agree?</a></p>\n",
        (long long)cloth->id);
  return add_section(&b, "Properties beside those of other databases", PROPERTY_COLUMNS, add_properties, err);
}

/* Every cloth that the other database has, too. */
static cb_status add_cloths(beside *b, cb_err *err) {
  cb_material *list, there;
  size_t n;
  char page[40], compare[60];
  CB_TRY(cb_store_materials(b->w->store, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (list[i].kind != CB_CLOTH || !find_there(b, &list[i], &there)) continue;
    (void)snprintf(compare, sizeof compare, "compare.html?cloth=%lld", (long long)list[i].id);
    (void)snprintf(page, sizeof page, "%zu/cloth-%lld.html", b->k + 1, (long long)there.id);
    (void)json_array_append_new(
        b->rows, json_pack("[s,s,s,s]", list[i].name, compare, site_beside_name(b->w, b->k), page));
  }
  free(list);
  return CB_OK;
}

cb_status site_beside_all(site *w, cb_err *err) {
  beside b = {.w = w};
  return add_section(&b, "Cloths that other databases have, too", "compare,compare_to,in,in_to", add_cloths,
                     err);
}
