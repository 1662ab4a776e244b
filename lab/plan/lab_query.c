#include "lab_query.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cb_nearest.h"
#include "cb_num.h"
#include "cb_text.h"

/* "at 1 N" takes loads within this factor, "at 45 deg" angles within so many degrees. */
#define LOAD_FACTOR 1.25
#define ANGLE_DEG 0.5

typedef struct reader {
  const char *at;
  char word[128]; /* the present one, without quotation marks; "" at the end */
  bool quoted;
  bool materials; /* the question is one of cloths or bodies */
  bool without;   /* the last of with and without */
  char order[40], limit[24];
  size_t n_conditions;
} reader;

/* ---- words ---- */

static cb_status next_word(reader *r, cb_err *err) {
  size_t n = 0;
  while (isspace((unsigned char)*r->at) || *r->at == ',') r->at++;
  r->quoted = *r->at == '"' || *r->at == '\'';
  const char mark = r->quoted ? *r->at++ : '\0';
  const bool sign = !r->quoted && *r->at && strchr("<>=!", *r->at);
  while (*r->at && n + 1 < sizeof r->word) {
    const bool is_sign = strchr("<>=!", *r->at) != NULL;
    if (r->quoted ? *r->at == mark : isspace((unsigned char)*r->at) || *r->at == ',' || is_sign != sign)
      break;
    r->word[n++] = *r->at++;
  }
  r->word[n] = '\0';
  if (r->quoted && *r->at != mark)
    return cb_fail(err, CB_E_ARG, "'%s': a closing quotation mark was wanted", r->word);
  if (r->quoted) r->at++;
  if (n + 1 == sizeof r->word)
    return cb_fail(err, CB_E_ARG, "'%.20s...': a shorter word was wanted", r->word);
  return CB_OK;
}

static bool is_word(const reader *r, const char *word) {
  return !r->quoted && strcasecmp(r->word, word) == 0;
}

static bool at_end(const reader *r) { return !r->word[0] && !r->quoted; }

/* ---- pieces of SQL ---- */

static void add_sql(lab_query *q, const char *text) {
  const size_t n = strlen(q->sql);
  (void)snprintf(q->sql + n, sizeof q->sql - n, "%s", text);
}

static cb_status add_value(lab_query *q, const char *text, double number, cb_err *err) {
  const size_t n = text ? strlen(text) + 1 : 0;
  if (q->n_values == LAB_QUERY_VALUES || q->used + n > sizeof q->names ||
      strlen(q->sql) > sizeof q->sql - 200)
    return cb_fail(err, CB_E_ARG, "the question is too long: at most %d values were wanted",
                   LAB_QUERY_VALUES);
  if (text) memcpy(q->names + q->used, text, n);
  q->values[q->n_values++] = (cb_query_value){text ? q->names + q->used : NULL, number};
  q->used += n;
  return CB_OK;
}

static void begin_condition(reader *r, lab_query *q) {
  add_sql(q, r->n_conditions++ == 0 ? " WHERE " : " AND ");
}

static cb_status add_name(reader *r, lab_query *q, const char *column, cb_err *err) {
  CB_TRY(next_word(r, err));
  if (!r->word[0]) return cb_fail(err, CB_E_ARG, "%s: a name was wanted", column);
  begin_condition(r, q);
  add_sql(q, column);
  add_sql(q, " = ?");
  CB_TRY(add_value(q, r->word, 0, err));
  q->is_cloth[q->n_values - 1] = strcmp(column, "cloth") == 0;
  q->is_body[q->n_values - 1] = strcmp(column, "body") == 0;
  return next_word(r, err);
}

static cb_status read_number(reader *r, const char *what, double *v, cb_err *err) {
  cb_err wrong = {""};
  if (r->word[0] && cb_parse_double(r->word, what, v, &wrong) == CB_OK) return CB_OK;
  return cb_fail(err, CB_E_ARG, "%s '%s': a number was wanted", what, r->word);
}

static cb_status add_between(reader *r, lab_query *q, const char *column, double low, double high,
                             cb_err *err) {
  begin_condition(r, q);
  add_sql(q, column);
  add_sql(q, " BETWEEN ? AND ?");
  CB_TRY(add_value(q, NULL, low, err));
  return add_value(q, NULL, high, err);
}

/* between 100 and 150 */
static cb_status add_range(reader *r, lab_query *q, const char *column, cb_err *err) {
  double low, high;
  CB_TRY(next_word(r, err));
  CB_TRY(read_number(r, column, &low, err));
  CB_TRY(next_word(r, err));
  if (!is_word(r, "and"))
    return cb_fail(err, CB_E_ARG, "'%s' after between %g: and was wanted", r->word, low);
  CB_TRY(next_word(r, err));
  CB_TRY(read_number(r, column, &high, err));
  CB_TRY(add_between(r, q, column, low, high, err));
  return next_word(r, err);
}

/* mu < 0.4 */
static cb_status add_comparison(reader *r, lab_query *q, const char *column, cb_err *err) {
  static const char *const signs[] = {"<", "<=", ">", ">=", "=", "!=", NULL};
  double v;
  int i = 0;
  CB_TRY(next_word(r, err));
  if (is_word(r, "between")) return add_range(r, q, column, err);
  while (signs[i] && strcmp(r->word, signs[i]) != 0) i++;
  if (!signs[i])
    return cb_fail(err, CB_E_ARG, "'%s' after %s: <, <=, >, >=, =, != or between was wanted", r->word,
                   column);
  CB_TRY(next_word(r, err));
  CB_TRY(read_number(r, column, &v, err));
  begin_condition(r, q);
  add_sql(q, column);
  add_sql(q, " ");
  add_sql(q, signs[i]);
  add_sql(q, " ?");
  CB_TRY(add_value(q, NULL, v, err));
  return next_word(r, err);
}

static cb_status set_limit(reader *r, cb_err *err) {
  long long n;
  CB_TRY(next_word(r, err));
  if (cb_parse_int(r->word, "first", &n, NULL) != CB_OK || n < 1 || n > 1000000)
    return cb_fail(err, CB_E_ARG, "first '%s': a number from 1 was wanted", r->word);
  (void)snprintf(r->limit, sizeof r->limit, " LIMIT %lld", n);
  return next_word(r, err);
}

/* ---- cloths and bodies ---- */

/* What a material has, in words, and the condition on v_material for it. */
static const struct {
  const char *word, *sql;
} haves[] = {
    {"friction",
     "EXISTS (SELECT 1 FROM v_law l WHERE l.law = 'friction' AND name = CASE v_material.kind WHEN 'cloth' "
     "THEN "
     "l.material ELSE l.body END)"},
    {"stretch",
     "kind = 'cloth' AND EXISTS (SELECT 1 FROM v_law l WHERE l.law = 'stretch' AND l.material = name)"},
    {"bending",
     "kind = 'cloth' AND EXISTS (SELECT 1 FROM v_law l WHERE l.law = 'bending' AND l.material = name)"},
    {"air",
     "kind = 'cloth' AND EXISTS (SELECT 1 FROM v_law l WHERE l.law = 'permeability' AND l.material = name)"},
    {"compression",
     "kind = 'cloth' AND EXISTS (SELECT 1 FROM v_law l WHERE l.law = 'compression' AND l.material = name)"},
    {"elasticity",
     "kind = 'body' AND EXISTS (SELECT 1 FROM v_law l WHERE l.law = 'elasticity' AND l.material = name)"},
    {"drape", "n_drapes > 0"},
    {"runs", "n_runs > 0"},
    {"mass", "areal_density_g_per_m2 IS NOT NULL"},
    {"thickness", "thickness_mm IS NOT NULL"},
    {"composition", "coalesce(composition, '') <> ''"},
    {"weave", "coalesce(weave, '') <> ''"},
};
#define N_HAVES (sizeof haves / sizeof haves[0])

static bool is_have(const reader *r) {
  for (size_t i = 0; i < N_HAVES; i++)
    if (is_word(r, haves[i].word)) return true;
  return false;
}

static cb_status refuse_have(const reader *r, cb_err *err) {
  const char *words[N_HAVES];
  for (size_t i = 0; i < N_HAVES; i++) words[i] = haves[i].word;
  const int meant = cb_nearest(r->word, words, N_HAVES);
  return cb_fail(err, CB_E_ARG,
                 "'%s':%s%s%s friction, stretch, bending, air, compression, elasticity, drape, runs, mass, "
                 "thickness, composition or weave was wanted",
                 r->word, meant >= 0 ? " did you mean '" : "", meant >= 0 ? words[meant] : "",
                 meant >= 0 ? "'?" : "");
}

/* bending; with or without, as was said last */
static cb_status add_have(reader *r, lab_query *q, cb_err *err) {
  size_t i = 0;
  while (i < N_HAVES && !is_word(r, haves[i].word)) i++;
  if (i == N_HAVES) return refuse_have(r, err);
  begin_condition(r, q);
  add_sql(q, r->without ? "NOT (" : "(");
  add_sql(q, haves[i].sql);
  add_sql(q, ")");
  return next_word(r, err);
}

static cb_status add_with(reader *r, lab_query *q, cb_err *err) {
  r->without = is_word(r, "without");
  CB_TRY(next_word(r, err));
  return add_have(r, q, err);
}

/* named denim: any name with that part */
static cb_status add_part(reader *r, lab_query *q, cb_err *err) {
  CB_TRY(next_word(r, err));
  if (!r->word[0]) return cb_fail(err, CB_E_ARG, "named: a part of a name was wanted");
  begin_condition(r, q);
  add_sql(q, "instr(lower(name), lower(?)) > 0");
  CB_TRY(add_value(q, r->word, 0, err));
  return next_word(r, err);
}

static const char *column_of(const reader *r) {
  if (is_word(r, "mass")) return "areal_density_g_per_m2";
  if (is_word(r, "thickness")) return "thickness_mm";
  if (is_word(r, "runs")) return "n_runs";
  return NULL;
}

static cb_status refuse_material_word(const reader *r, cb_err *err) {
  return cb_fail(
      err, CB_E_ARG,
      "'%s' in a question of cloths or bodies: with or without a property, mass [g/m2], thickness [mm] or "
      "runs "
      "with a comparison, named PART, sorted [by mass | thickness | runs] [down] or first K was wanted",
      r->word);
}

/* sorted, sorted by mass down */
static cb_status set_material_order(reader *r, cb_err *err) {
  const char *column = "name";
  CB_TRY(next_word(r, err));
  if (is_word(r, "by")) {
    CB_TRY(next_word(r, err));
    if (!column_of(r) && !is_word(r, "name")) return refuse_material_word(r, err);
    if (column_of(r)) column = column_of(r);
    CB_TRY(next_word(r, err));
  }
  const bool down = is_word(r, "down");
  (void)snprintf(r->order, sizeof r->order, " ORDER BY %s%s", column, down ? " DESC" : "");
  return down ? next_word(r, err) : CB_OK;
}

static cb_status read_material_clause(reader *r, lab_query *q, cb_err *err) {
  if (is_word(r, "with") || is_word(r, "without")) return add_with(r, q, err);
  if (is_word(r, "areal")) { /* areal density */
    CB_TRY(next_word(r, err));
    return is_word(r, "density") ? add_comparison(r, q, "areal_density_g_per_m2", err)
                                 : refuse_material_word(r, err);
  }
  if (column_of(r)) return add_comparison(r, q, column_of(r), err);
  if (is_word(r, "named")) return add_part(r, q, err);
  if (is_word(r, "sorted")) return set_material_order(r, err);
  if (is_word(r, "first")) return set_limit(r, err);
  if (is_word(r, "and")) return next_word(r, err);
  return is_have(r) ? add_have(r, q, err) : refuse_material_word(r, err);
}

/* ---- pulls ---- */

/* at 1 N, at 45 deg */
static cb_status add_place(reader *r, lab_query *q, cb_err *err) {
  double v;
  CB_TRY(next_word(r, err));
  CB_TRY(read_number(r, "at", &v, err));
  CB_TRY(next_word(r, err));
  if (is_word(r, "N"))
    CB_TRY(add_between(r, q, "normal_force_N", v / LOAD_FACTOR, v * LOAD_FACTOR, err));
  else if (is_word(r, "deg"))
    CB_TRY(add_between(r, q, "angle_deg", v - ANGLE_DEG, v + ANGLE_DEG, err));
  else
    return cb_fail(err, CB_E_ARG, "'%s' after 'at %g': N or deg was wanted", r->word, v);
  return next_word(r, err);
}

static cb_status add_kind(reader *r, lab_query *q, cb_err *err) {
  begin_condition(r, q);
  add_sql(q, is_word(r, "static") ? "kind = 'static'" : "kind = 'kinetic'");
  return next_word(r, err);
}

static cb_status add_since(reader *r, lab_query *q, cb_err *err) {
  CB_TRY(next_word(r, err));
  if (strlen(r->word) < 4 || strspn(r->word, "0123456789-:TZ.") != strlen(r->word))
    return cb_fail(err, CB_E_ARG, "since '%s': a date such as 2026-05-31 was wanted", r->word);
  begin_condition(r, q);
  add_sql(q, "newest >= ?");
  CB_TRY(add_value(q, r->word, 0, err));
  return next_word(r, err);
}

static cb_status set_order(reader *r, cb_err *err) {
  CB_TRY(next_word(r, err));
  const bool down = is_word(r, "down");
  (void)snprintf(r->order, sizeof r->order, " ORDER BY mu%s", down ? " DESC" : "");
  return down ? next_word(r, err) : CB_OK;
}

static cb_status refuse_word(const reader *r, cb_err *err) {
  static const char *const words[] = {"mu",      "angle",  "load",  "on",     "of",   "at",
                                      "kinetic", "static", "since", "sorted", "first"};
  const int meant = r->quoted ? -1 : cb_nearest(r->word, words, sizeof words / sizeof words[0]);
  return cb_fail(err, CB_E_ARG,
                 "'%s':%s%s%s mu, load or angle with a comparison, on BODY, of CLOTH, at 1 N, at 45 deg, "
                 "kinetic, static, since DATE, sorted [down] or first K was wanted, or cloths or bodies at "
                 "the beginning",
                 r->word, meant >= 0 ? " did you mean '" : "", meant >= 0 ? words[meant] : "",
                 meant >= 0 ? "'?" : "");
}

static cb_status read_clause(reader *r, lab_query *q, cb_err *err) {
  if (is_word(r, "mu")) return add_comparison(r, q, "mu", err);
  if (is_word(r, "load")) return add_comparison(r, q, "normal_force_N", err);
  if (is_word(r, "angle")) return add_comparison(r, q, "angle_deg", err);
  if (is_word(r, "on")) return add_name(r, q, "body", err);
  if (is_word(r, "of")) return add_name(r, q, "cloth", err);
  if (is_word(r, "at")) return add_place(r, q, err);
  if (is_word(r, "kinetic") || is_word(r, "static")) return add_kind(r, q, err);
  if (is_word(r, "since")) return add_since(r, q, err);
  if (is_word(r, "sorted")) return set_order(r, err);
  if (is_word(r, "first")) return set_limit(r, err);
  if (is_word(r, "and")) return next_word(r, err);
  return refuse_word(r, err);
}

static cb_status begin_question(reader *r, lab_query *q, cb_err *err) {
  const bool cloths = is_word(r, "cloths");
  r->materials = cloths || is_word(r, "bodies");
  if (!r->materials) {
    add_sql(q, "SELECT cloth, body, kind, angle_deg, normal_force_N, mu, sd_mu, n_runs FROM v_mu");
    return CB_OK;
  }
  add_sql(q,
          "SELECT name, composition, weave, areal_density_g_per_m2, thickness_mm, n_runs, n_tests, n_drapes, "
          "origin "
          "FROM v_material");
  begin_condition(r, q);
  add_sql(q, cloths ? "kind = 'cloth'" : "kind = 'body'");
  return next_word(r, err);
}

cb_status lab_query_parse(const char *text, lab_query *out, cb_err *err) {
  reader r = {.at = text};
  *out = (lab_query){.n_values = 0};
  CB_TRY(next_word(&r, err));
  if (at_end(&r))
    return cb_fail(err, CB_E_ARG,
                   "a question such as 'mu < 0.4 on \"Plastic Foam\" at 1 N, sorted' was wanted");
  CB_TRY(begin_question(&r, out, err));
  while (!at_end(&r)) CB_TRY(r.materials ? read_material_clause(&r, out, err) : read_clause(&r, out, err));
  add_sql(out, r.order);
  add_sql(out, r.limit);
  if (strlen(out->sql) + 1 == sizeof out->sql) /* add_sql cut it */
    return cb_fail(err, CB_E_ARG, "the question is too long: fewer conditions were wanted");
  return CB_OK;
}

/* The one material whose name has this part. Errors: `first` for none; CB_E_NOTFOUND for several, with them.
 */
static cb_status find_by_part(cb_store *s, cb_material_kind kind, const char *part, cb_status first,
                              char name[64], cb_err *err) {
  const cb_query_value values[] = {{kind == CB_CLOTH ? "cloth" : "body", 0}, {part, 0}};
  enum { SHOWN = 4 }; /* names of up to 63 bytes */
  char list[SHOWN * 66] = "";
  json_t *doc;
  if (cb_store_query(
          s, "SELECT name FROM v_material WHERE kind = ? AND instr(lower(name), lower(?)) > 0 ORDER BY name",
          values, 2, &doc, NULL) != CB_OK)
    return first;
  const json_t *rows = json_object_get(doc, "rows");
  const size_t n = json_array_size(rows);
  for (size_t i = 0; i < n; i++) {
    const char *found = json_string_value(json_array_get(json_array_get(rows, i), 0));
    if (n == 1) (void)snprintf(name, 64, "%s", found);
    if (i < SHOWN) cb_text_add(list, sizeof list, ", ", "%s", found);
  }
  json_decref(doc);
  if (n == 0) return first;
  if (n > SHOWN)
    return cb_fail(err, CB_E_NOTFOUND, "'%s': one of these %zu was wanted: %s, ...", part, n, list);
  return n == 1 ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "'%s': one of %s was wanted", part, list);
}

static cb_status find_name(cb_store *s, cb_material_kind kind, const char *typed, cb_material *out,
                           cb_err *err) {
  const cb_status st = cb_store_material_find(s, kind, typed, out, err);
  return st == CB_E_NOTFOUND ? find_by_part(s, kind, typed, st, out->name, err) : st;
}

cb_status lab_query_ask(cb_store *s, const lab_query *q, json_t **out, cb_err *err) {
  cb_query_value values[LAB_QUERY_VALUES];
  cb_material meant[LAB_QUERY_VALUES];
  for (size_t i = 0; i < q->n_values; i++) {
    values[i] = q->values[i];
    if (!q->is_cloth[i] && !q->is_body[i]) continue;
    CB_TRY(find_name(s, q->is_cloth[i] ? CB_CLOTH : CB_BODY, values[i].text, &meant[i], err));
    values[i].text = meant[i].name;
  }
  return cb_store_query(s, q->sql, values, q->n_values, out, err);
}
