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

/* ---- what may be said ---- */

typedef enum subject { PULLS = 1, MATERIALS = 2, RUNS = 4, LAWS = 8 } subject;
#define ALL (PULLS | MATERIALS | RUNS | LAWS)

/* What a question begins with, and what is selected; the first without a word. */
static const struct question {
  const char *word;
  subject of;
  const char *select, *more, *from, *where, *order, *date;
} questions[] = {
#define OF_MATERIALS(where)                                                                              \
  MATERIALS, "name, composition, weave, areal_density_g_per_m2, thickness_mm", ", laws, n_runs, origin", \
      "v_material", where, "name", ""
    {"pulls", PULLS, "cloth, body, kind, angle_deg, normal_force_N, mu, sd_mu, n_runs", "", "v_mu", "", "mu",
     "newest"},
    {"cloths", OF_MATERIALS(" WHERE kind = 'cloth'")},
    {"bodies", OF_MATERIALS(" WHERE kind = 'body'")},
    {"runs", RUNS, "run_id, campaign, cloth, lot, body, kind, angle_deg, normal_force_N, status, started_at",
     "", "v_run", "", "run_id", "started_at"},
    {"laws", LAWS, "ref, law, kind, material, body, form, origin, created_at", "", "v_law", "", "created_at",
     "created_at"},
};
#define N_QUESTIONS (sizeof questions / sizeof questions[0])

/* NUMBER: sql is a column, with % for warp or weft; has: that it is known; unit may follow its value. HAVE:
 * only has. FLAG: a condition. CLOTH, BODY, EITHER: a column with its name. TEXT, DATE: a condition on "?".
 */
typedef enum how { NUMBER, HAVE, FLAG, CLOTH, BODY, EITHER, TEXT, DATE, PLACE } how;
typedef struct entry {
  unsigned of;
  const char *word;
  how how;
  const char *sql, *unit, *has;
} entry;

#define LAW(kind) "instr(',' || ifnull(laws, '') || ',', '," kind ",') > 0"
#define PART(column) "instr(lower(" column "), lower(?)) > 0"
static const entry entries[] = {
    {PULLS, "mu", NUMBER, "mu"},
    {PULLS | RUNS, "load", NUMBER, "normal_force_N", "N"},
    {PULLS | RUNS, "angle", NUMBER, "angle_deg", "deg"},
    {RUNS, "speed", NUMBER, "speed_mm_per_s", "mm/s"},
    {MATERIALS, "friction", HAVE, .has = LAW("friction")},
    {MATERIALS, "stretch", NUMBER, "stretch_%_N_per_m", "N/m", LAW("stretch")},
    {MATERIALS, "bending", NUMBER, "bending_%_uNm", "uNm", LAW("bending")},
    {MATERIALS, "shear", NUMBER, "shear_N_per_m", "N/m", "shear_N_per_m IS NOT NULL"},
    {MATERIALS, "air", NUMBER, "air_mm_per_s", "mm/s", LAW("permeability")},
    {MATERIALS, "compression", HAVE, .has = LAW("compression")},
    {MATERIALS, "elasticity", HAVE, .has = LAW("elasticity")},
    {MATERIALS, "drape", NUMBER, "drape_coefficient", "", "n_drapes > 0"},
    {MATERIALS, "runs", NUMBER, "n_runs", "", "n_runs > 0"},
    {MATERIALS, "mass", NUMBER, "areal_density_g_per_m2", "g/m2", "areal_density_g_per_m2 IS NOT NULL"},
    {MATERIALS, "thickness", NUMBER, "thickness_mm", "mm", "thickness_mm IS NOT NULL"},
    {MATERIALS, "composition", HAVE, .has = "coalesce(composition, '') <> ''"},
    {MATERIALS, "weave", HAVE, .has = "coalesce(weave, '') <> ''"},
    {MATERIALS, "named", TEXT, PART("name")},
    {PULLS | RUNS, "of", CLOTH, "cloth"},
    {LAWS, "of", EITHER, "material"},
    {PULLS | RUNS | LAWS, "on", BODY, "body"},
    {PULLS | RUNS, "at", PLACE},
    {RUNS, "lot", TEXT, PART("lot")},
    {RUNS, "specimen", TEXT, PART("specimen")},
    {RUNS, "campaign", TEXT, PART("campaign")},
    {RUNS, "operator", TEXT, PART("operator")},
    {PULLS | RUNS | LAWS, "since", DATE, " >= ?"},
    {PULLS | RUNS | LAWS, "before", DATE, " < ?"},
    {PULLS | LAWS, "kinetic", FLAG, "kind = 'kinetic'"},
    {PULLS | LAWS, "static", FLAG, "kind = 'static'"},
    {RUNS, "slides", FLAG, "kind = 'slide'"},
    {RUNS, "looks", FLAG, "kind = 'look'"},
    {RUNS, "done", FLAG, "status = 'done'"},
    {RUNS, "voided", FLAG, "status = 'voided'"},
    {RUNS, "failed", FLAG, "status IN ('failed', 'aborted', 'interrupted')"},
    {RUNS, "flagged", FLAG, "flags <> ''"},
    {LAWS, "friction", FLAG, "law = 'friction'"},
    {LAWS, "self-friction", FLAG, "law = 'self-friction'"},
    {LAWS, "stretch", FLAG, "law = 'stretch'"},
    {LAWS, "bending", FLAG, "law = 'bending'"},
    {LAWS, "air", FLAG, "law = 'permeability'"},
    {LAWS, "compression", FLAG, "law = 'compression'"},
    {LAWS, "elasticity", FLAG, "law = 'elasticity'"},
    {ALL, "measured", FLAG, "origin = 'measured'"},
    {ALL, "imported", FLAG, "origin = 'imported'"},
    {ALL, "virtual", FLAG, "origin = 'virtual'"},
    {ALL, "simulated", FLAG, "origin = 'simulated'"},
};
#define N_ENTRIES (sizeof entries / sizeof entries[0])

typedef struct reader {
  const char *at;
  char word[128]; /* the present one, without quotation marks; "" at the end */
  bool quoted;
  const struct question *question;
  const char *has; /* "(" after with, "NOT (" after without; NULL: neither was said */
  char where[1200], extra[300], order[60], limit[24], of_runs[LAB_QUERY_OF_RUNS];
  size_t next; /* number of the next value */
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

/* The text with a number behind each "?", from `first` on, so that a value can be named again. Returns the
 * number behind the last. */
static size_t number_values(const char *sql, size_t first, char *out, size_t size) {
  out[0] = '\0';
  for (; *sql; sql++)
    if (*sql == '?')
      cb_text_add(out, size, "", "?%zu", first++);
    else
      cb_text_add(out, size, "", "%c", *sql);
  return first;
}

/* What the runs of a mean have in common, as v_mu calls it, and of a run. */
#define NAMED(column) \
  column " IN (SELECT m.id FROM material_now m JOIN material_now c ON c.id = m.is_id WHERE c.name", ")"
static const char *const alike[][3] = {{"cloth", NAMED("cloth_id")},
                                       {"body", NAMED("body_id")},
                                       {"normal_force_N", "round(normal_force_N, 4)", ""},
                                       {"angle_deg", "angle_deg", ""},
                                       {"origin", "origin", ""}};

/* A text that is full is found by add_value and at the end. */
static void add_condition(reader *r, const char *before, const char *sql, const char *after) {
  char whole[300], numbered[400];
  (void)snprintf(whole, sizeof whole, "%s%s%s", before, sql, after);
  cb_text_add(r->where, sizeof r->where, "", "%s%s", r->where[0] ? " AND " : " WHERE ", whole);
  r->next = number_values(whole, r->next, numbered, sizeof numbered);
  for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++) {
    const size_t n = strcspn(whole, " ");
    if (strlen(alike[i][0]) == n && strncmp(alike[i][0], whole, n) == 0)
      cb_text_add(r->of_runs, sizeof r->of_runs, "", " AND %s%s%s", alike[i][1], numbered + n, alike[i][2]);
  }
}

static cb_status refuse_length(cb_err *err) {
  return cb_fail(err, CB_E_ARG, "the question is too long: fewer conditions were wanted");
}

static cb_status add_value(const reader *r, lab_query *q, const char *text, double number, cb_err *err) {
  const size_t n = text ? strlen(text) + 1 : 0;
  if (q->n_values == LAB_QUERY_VALUES || q->used + n > sizeof q->names ||
      strlen(r->where) > sizeof r->where - 200)
    return refuse_length(err);
  if (text) memcpy(q->names + q->used, text, n);
  q->values[q->n_values++] = (cb_query_value){text ? q->names + q->used : NULL, number};
  q->used += n;
  return CB_OK;
}

static cb_status read_number(reader *r, const char *what, double *v, cb_err *err) {
  cb_err wrong = {""};
  if (r->word[0] && cb_parse_double(r->word, what, v, &wrong) == CB_OK) return CB_OK;
  return cb_fail(err, CB_E_ARG, "%s '%s': a number was wanted", what, r->word);
}

static cb_status add_between(reader *r, lab_query *q, const char *column, double low, double high,
                             cb_err *err) {
  add_condition(r, column, " BETWEEN ? AND ?", "");
  CB_TRY(add_value(r, q, NULL, low, err));
  return add_value(r, q, NULL, high, err);
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
  return add_between(r, q, column, low, high, err);
}

/* < 0.4 */
static cb_status add_comparison(reader *r, lab_query *q, const char *column, cb_err *err) {
  static const char *const signs[] = {" < ?", " <= ?", " > ?", " >= ?", " = ?", " != ?", NULL};
  double v;
  int i = 0;
  if (is_word(r, "between")) return add_range(r, q, column, err);
  while (signs[i] && (strncmp(signs[i] + 1, r->word, strlen(r->word)) != 0 ||
                      signs[i][strlen(r->word) + 1] != ' ' || !r->word[0]))
    i++;
  if (!signs[i])
    return cb_fail(err, CB_E_ARG, "'%s' after %s: <, <=, >, >=, =, !=%s was wanted", r->word, column,
                   r->question->of == MATERIALS ? ", between or missing" : " or between");
  CB_TRY(next_word(r, err));
  CB_TRY(read_number(r, column, &v, err));
  add_condition(r, column, signs[i], "");
  return add_value(r, q, NULL, v, err);
}

/* ---- words of the table ---- */

static const entry *find_entry(const reader *r) {
  for (size_t i = 0; i < N_ENTRIES; i++)
    if ((entries[i].of & r->question->of) && is_word(r, entries[i].word)) return &entries[i];
  return NULL;
}

/* properties: only those that with and without take. */
static cb_status refuse_word(const reader *r, bool properties, cb_err *err) {
  const char *words[N_ENTRIES + 2] = {"sorted", "first"};
  char list[500] = "";
  size_t n = 2;
  for (size_t i = 0; i < N_ENTRIES; i++) {
    if (!(entries[i].of & r->question->of) || (properties && !entries[i].has)) continue;
    words[n++] = entries[i].word;
    cb_text_add(list, sizeof list, ", ", "%s", entries[i].word);
  }
  int meant = r->quoted ? -1 : cb_nearest(r->word, words, n);
  if (meant >= 0 && is_word(r, words[meant])) meant = -1; /* in a wrong place */
  if (!properties)
    cb_text_add(list, sizeof list, ", ", "%ssorted [by WORD] [down] or first K%s",
                r->question->of == MATERIALS ? "with, without, " : "",
                r->question == questions ? ", or cloths, bodies, runs or laws at the beginning" : "");
  return cb_fail(err, CB_E_ARG, "'%s' in a question of %s:%s%s%s %s was wanted", r->word, r->question->word,
                 meant >= 0 ? " did you mean '" : "", meant >= 0 ? words[meant] : "", meant >= 0 ? "'?" : "",
                 list);
}

/* The column of a number, with its direction: that along the warp, unless weft is said. It is shown. */
static cb_status read_column(reader *r, const entry *e, char column[40], cb_err *err) {
  const char *at = strchr(e->sql, '%');
  CB_TRY(next_word(r, err));
  (void)snprintf(column, 40, "%s", e->sql);
  if (at) {
    const bool weft = is_word(r, "weft");
    (void)snprintf(column, 40, "%.*s%s%s", (int)(at - e->sql), e->sql, weft ? "weft" : "warp", at + 1);
    if (weft || is_word(r, "warp")) CB_TRY(next_word(r, err));
  }
  if (r->question->of == MATERIALS && !strstr(r->question->select, column) &&
      !strstr(r->question->more, column) && !strstr(r->extra, column))
    cb_text_add(r->extra, sizeof r->extra, "", ", %s, u_%s", column, column);
  return CB_OK;
}

/* mass < 100 g/m2; bending missing; after with or without: bending */
static cb_status add_number(reader *r, lab_query *q, const entry *e, cb_err *err) {
  char column[40];
  const size_t shown = strlen(r->extra);
  CB_TRY(read_column(r, e, column, err));
  if (e->has && is_word(r, "missing")) {
    r->extra[shown] = '\0';
    add_condition(r, column, " IS NULL", "");
    return next_word(r, err);
  }
  const bool compared = is_word(r, "between") || (!r->quoted && r->word[0] && strchr("<>=!", r->word[0]));
  if (!compared && e->has && r->has) {
    if (r->has[0] == 'N') r->extra[shown] = '\0';
    add_condition(r, r->has, e->has, ")");
    return CB_OK;
  }
  CB_TRY(add_comparison(r, q, column, err));
  CB_TRY(next_word(r, err));
  return e->unit && e->unit[0] && is_word(r, e->unit) ? next_word(r, err) : CB_OK;
}

static cb_status add_name(reader *r, lab_query *q, const entry *e, cb_err *err) {
  CB_TRY(next_word(r, err));
  if (!r->word[0]) return cb_fail(err, CB_E_ARG, "%s: a name was wanted", e->sql);
  add_condition(r, e->sql, " = ?", "");
  CB_TRY(add_value(r, q, r->word, 0, err));
  q->is_cloth[q->n_values - 1] = e->how != BODY;
  q->is_body[q->n_values - 1] = e->how != CLOTH;
  return next_word(r, err);
}

static cb_status add_text(reader *r, lab_query *q, const entry *e, cb_err *err) {
  CB_TRY(next_word(r, err));
  if (!r->word[0]) return cb_fail(err, CB_E_ARG, "%s: a part of a name was wanted", e->word);
  add_condition(r, "", e->sql, "");
  CB_TRY(add_value(r, q, r->word, 0, err));
  return next_word(r, err);
}

static cb_status add_date(reader *r, lab_query *q, const entry *e, cb_err *err) {
  CB_TRY(next_word(r, err));
  if (strlen(r->word) < 4 || strspn(r->word, "0123456789-:TZ.") != strlen(r->word))
    return cb_fail(err, CB_E_ARG, "%s '%s': a date such as 2026-05-31 was wanted", e->word, r->word);
  add_condition(r, r->question->date, e->sql, "");
  CB_TRY(add_value(r, q, r->word, 0, err));
  return next_word(r, err);
}

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

/* ---- the question ---- */

static cb_status set_limit(reader *r, cb_err *err) {
  long long n;
  CB_TRY(next_word(r, err));
  if (cb_parse_int(r->word, "first", &n, NULL) != CB_OK || n < 1 || n > 1000000)
    return cb_fail(err, CB_E_ARG, "first '%s': a number from 1 was wanted", r->word);
  (void)snprintf(r->limit, sizeof r->limit, " LIMIT %lld", n);
  return next_word(r, err);
}

/* sorted, sorted by mass down */
static cb_status set_order(reader *r, cb_err *err) {
  char column[40];
  (void)snprintf(column, sizeof column, "%s", r->question->order);
  CB_TRY(next_word(r, err));
  if (is_word(r, "by")) {
    CB_TRY(next_word(r, err));
    const entry *e = find_entry(r);
    if (e && e->how == NUMBER) {
      CB_TRY(read_column(r, e, column, err));
    } else {
      const bool date = is_word(r, "date") && r->question->date[0];
      if (!date && !is_word(r, r->question->order)) return refuse_word(r, false, err);
      if (date) (void)snprintf(column, sizeof column, "%s", r->question->date);
      CB_TRY(next_word(r, err));
    }
  }
  const bool down = is_word(r, "down");
  (void)snprintf(r->order, sizeof r->order, " ORDER BY %s%s", column, down ? " DESC" : "");
  return down ? next_word(r, err) : CB_OK;
}

static cb_status add_entry(reader *r, lab_query *q, const entry *e, cb_err *err) {
  switch (e->how) {
    case NUMBER: return add_number(r, q, e, err);
    case CLOTH:
    case BODY:
    case EITHER: return add_name(r, q, e, err);
    case TEXT: return add_text(r, q, e, err);
    case DATE: return add_date(r, q, e, err);
    case PLACE: return add_place(r, q, err);
    default: break;
  }
  if (e->how == HAVE && !r->has) return refuse_word(r, false, err);
  add_condition(r, e->how == HAVE ? r->has : "", e->how == HAVE ? e->has : e->sql, e->how == HAVE ? ")" : "");
  return next_word(r, err);
}

static cb_status add_with(reader *r, lab_query *q, cb_err *err) {
  r->has = is_word(r, "with") ? "(" : "NOT (";
  CB_TRY(next_word(r, err));
  const entry *e = find_entry(r);
  if (!e || !e->has) return refuse_word(r, true, err);
  return add_entry(r, q, e, err);
}

static cb_status read_clause(reader *r, lab_query *q, cb_err *err) {
  if (r->question->of == MATERIALS && (is_word(r, "with") || is_word(r, "without")))
    return add_with(r, q, err);
  if (is_word(r, "sorted")) return set_order(r, err);
  if (is_word(r, "first")) return set_limit(r, err);
  if (is_word(r, "and")) return next_word(r, err);
  if (r->question->of == MATERIALS && is_word(r, "areal")) { /* areal density */
    CB_TRY(next_word(r, err));
    if (!is_word(r, "density"))
      return cb_fail(err, CB_E_ARG, "'%s' after areal: density was wanted", r->word);
    (void)snprintf(r->word, sizeof r->word, "mass");
  }
  const entry *e = find_entry(r);
  return e ? add_entry(r, q, e, err) : refuse_word(r, false, err);
}

static cb_status begin_question(reader *r, cb_err *err) {
  size_t i = N_QUESTIONS - 1;
  while (i > 0 && !is_word(r, questions[i].word)) i--;
  r->question = &questions[i];
  (void)snprintf(r->where, sizeof r->where, "%s", r->question->where);
  return is_word(r, r->question->word) ? next_word(r, err) : CB_OK;
}

cb_status lab_query_parse(const char *text, lab_query *out, cb_err *err) {
  reader r = {.at = text, .next = 1};
  *out = (lab_query){.n_values = 0};
  CB_TRY(next_word(&r, err));
  if (at_end(&r))
    return cb_fail(err, CB_E_ARG,
                   "a question such as 'mu < 0.4 on \"Plastic Foam\" at 1 N, sorted' was wanted");
  CB_TRY(begin_question(&r, err));
  while (!at_end(&r)) CB_TRY(read_clause(&r, out, err));
  if (strlen(r.where) + 200 > sizeof r.where || strlen(r.extra) + 1 == sizeof r.extra)
    return refuse_length(err);
  memcpy(out->of_runs, r.of_runs, sizeof r.of_runs);
  (void)snprintf(out->sql, sizeof out->sql, "SELECT %s%s%s FROM %s%s%s%s", r.question->select, r.extra,
                 r.question->more, r.question->from, r.where, r.order, r.limit);
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

/* ---- means in a large database ---- */

/* v_mu works out all runs with their corrections before it has anything to compare. Here its own text has the
 * runs that are asked for alone, and those that nobody corrected as they stand. */
static cb_status ask_means(cb_store *s, const lab_query *q, const cb_query_value *values, json_t **out,
                           cb_err *err) {
  char asked[sizeof q->sql + 2 * LAB_QUERY_VALUES], sql[12000];
  json_t *view;
  CB_TRY(cb_store_query(s,
                        "SELECT substr(sql, instr(sql, ' AS ') + 4) FROM sqlite_master WHERE name = 'v_mu'",
                        NULL, 0, &view, err));
  number_values(q->sql, 1, asked, sizeof asked);
  const int n = snprintf(
      sql, sizeof sql,
      "WITH said AS MATERIALIZED (SELECT DISTINCT run_id FROM correction), a AS MATERIALIZED (SELECT id, "
      "is_id FROM "
      "material_now), run_now AS (SELECT r.id, c.is_id AS cloth_id, b.is_id AS body_id, angle_deg, "
      "body_angle_deg, normal_force_N, origin, started_at, status FROM run r CROSS JOIN a c ON c.id = "
      "cloth_id "
      "CROSS JOIN a b "
      "ON b.id = body_id WHERE r.id NOT IN said%s UNION ALL SELECT id, cloth_id, body_id, angle_deg, "
      "body_angle_deg, "
      "normal_force_N, origin, started_at, status FROM main.run_now WHERE id IN said%s), v_mu AS (%s) %s",
      q->of_runs, q->of_runs,
      json_string_value(json_array_get(json_array_get(json_object_get(view, "rows"), 0), 0)), asked);
  json_decref(view);
  return n < (int)sizeof sql ? cb_store_query(s, sql, values, q->n_values, out, err) : refuse_length(err);
}

cb_status lab_query_ask(cb_store *s, const lab_query *q, json_t **out, cb_err *err) {
  cb_query_value values[LAB_QUERY_VALUES];
  cb_material meant[LAB_QUERY_VALUES];
  for (size_t i = 0; i < q->n_values; i++) {
    values[i] = q->values[i];
    if (!q->is_cloth[i] && !q->is_body[i]) continue;
    const char *typed = values[i].text;
    cb_status st = q->is_cloth[i] ? find_name(s, CB_CLOTH, typed, &meant[i], err) : CB_E_NOTFOUND;
    if (st == CB_E_NOTFOUND && q->is_body[i]) st = find_name(s, CB_BODY, typed, &meant[i], err);
    CB_TRY(st);
    values[i].text = meant[i].name;
  }
  return strstr(q->sql, " FROM v_mu") ? ask_means(s, q, values, out, err)
                                      : cb_store_query(s, q->sql, values, q->n_values, out, err);
}
