/* Which kind of import the columns make. */
#include <stdio.h>
#include <string.h>

#include "fit_guess_fields.h"

/* How well a name fits a phrase. */
enum { SCORE_NONE, SCORE_PART = 2, SCORE_WHOLE = 4, SCORE_UNIT = 2, SCORE_LISTED = 1 };

/* ---- one field ---- */

/* Whole words, or the last part of a German compound: "Messdruck" is a "druck". */
static bool has_words(const char *name, const char *phrase, size_t n) {
  for (const char *at = strstr(name, ""); (at = strstr(at, phrase)) != NULL; at++)
    if ((at == name || at[-1] == ' ' || n >= 5) && (at[n] == ' ' || !at[n])) return true;
  return false;
}

/* The best of the phrases. A phrase of one or two letters must be the whole name. A name with a word behind
 * '!' is another quantity's. */
static int score_words(const char *plain, const char *words) {
  int best = SCORE_NONE;
  char phrase[GUESS_NAME];
  for (const char *at = words; *at; at += at[0] == '|') {
    const size_t n = strcspn(at, "|");
    (void)snprintf(phrase, sizeof phrase, "%.*s", (int)n, at);
    if (phrase[0] == '!' && strstr(plain, phrase + 1)) return SCORE_NONE;
    if (strcmp(plain, phrase) == 0) return SCORE_WHOLE;
    if (n > 2 && has_words(plain, phrase, n)) best = SCORE_PART;
    at += n;
  }
  return best;
}

/* A mass stands for the force of its weight, a percentage for a ratio. */
static bool fits_dim(const guess_field *f, const char *unit, bool *stated) {
  cb_dim dim;
  *stated = guess_unit(unit, &dim) != NULL;
  if (!*stated) return true;
  return dim == f->dim ||
         (f->dim == CB_DIM_FORCE && dim == CB_DIM_MASS && strcmp(f->name, "normal_force") != 0) ||
         (f->dim == CB_DIM_COUNT && dim == CB_DIM_RATIO);
}

static int score(const guess_field *f, const char *name, const char *unit, bool numeric) {
  char plain[GUESS_NAME];
  bool stated;
  if (f->dim != CB_DIM_NONE && !numeric) return SCORE_NONE;
  if (f->dim == CB_DIM_NONE && unit[0]) return SCORE_NONE;
  if (!fits_dim(f, unit, &stated)) return SCORE_NONE;
  guess_plain(name, plain);
  const int words = score_words(plain, f->words);
  return words ? words + (stated ? SCORE_UNIT : 0) : SCORE_NONE;
}

/* Under merged cells a name may belong to its group, or stand alone. */
static int score_column(const guess_field *f, const guess_column *c) {
  const bool number = c->numeric || (f->dim == CB_DIM_ANGLE && c->words[0]);
  const int whole = score(f, c->name, c->unit, number);
  return whole || strcmp(c->name, c->bare) == 0 ? whole : score(f, c->bare, c->unit, number) - SCORE_LISTED;
}

/* ---- one kind ---- */

typedef struct source {
  int from, score;
  size_t field;
} source;

static void take_better(source *best, int from, int s, size_t field) {
  if (s > best->score) *best = (source){from, s, field};
}

static bool is_taken(const guess_match *m, int from) {
  for (size_t i = 0; i < m->kind->n; i++)
    if (m->from[i] == from) return true;
  return false;
}

/* The surest pair of a field and a column or title that are both free. Columns go before titles. */
static source find_surest(const guess_shape *s, const guess_match *m) {
  source best = {GUESS_NOTHING, 0, 0};
  for (size_t i = 0; i < m->kind->n; i++) {
    const guess_field *f = &m->kind->fields[i];
    if (m->from[i] != GUESS_NOTHING) continue;
    for (int c = 0; c < s->n_columns; c++)
      if (!is_taken(m, c)) take_better(&best, c, 2 * score_column(f, &s->column[c]), i);
    for (int t = 0; t < s->n_titles; t++)
      if (!is_taken(m, GUESS_TITLE + t))
        take_better(&best, GUESS_TITLE + t, score(f, s->title[t].name, s->title[t].unit, s->title[t].numeric),
                    i);
  }
  return best;
}

/* Fields of one group that say the same in two ways: an extension and a strain. A second one is left out. */
static bool is_second_way(const guess_match *m, size_t field) {
  const char group = m->kind->fields[field].group;
  const bool exclusive = strcmp(m->kind->name, "stretch") == 0 || strcmp(m->kind->name, "permeability") == 0;
  for (size_t i = 0; exclusive && group && i < m->kind->n; i++)
    if (i != field && m->kind->fields[i].group == group && m->from[i] != GUESS_NOTHING) return true;
  return false;
}

static void match_fields(const guess_shape *s, guess_match *m) {
  for (size_t i = 0; i < m->kind->n; i++) m->from[i] = GUESS_NOTHING;
  bool left_out[GUESS_FIELDS] = {false};
  for (source best = find_surest(s, m); best.score > 0; best = find_surest(s, m)) {
    left_out[best.field] = is_second_way(m, best.field);
    m->from[best.field] = left_out[best.field] ? GUESS_TITLE + GUESS_TITLES : best.from;
    if (!left_out[best.field]) m->score += best.score;
  }
  for (size_t i = 0; i < m->kind->n; i++)
    if (left_out[i]) m->from[i] = GUESS_NOTHING;
}

/* Whether a column, not a title alone, meets each group. */
static bool meets_groups(const guess_match *m) {
  for (const char *g = m->kind->groups; *g; g++) {
    bool met = false;
    for (size_t i = 0; i < m->kind->n; i++)
      met =
          met || (m->kind->fields[i].group == *g && m->from[i] != GUESS_NOTHING && m->from[i] < GUESS_TITLE);
    if (!met) return false;
  }
  return true;
}

/* ---- the best kind ---- */

const char *const fit_guess_kinds[] = {"friction",     "release",     "incline",    "trace",
                                       "permeability", "stretch",     "cantilever", "bending-moment",
                                       "shear",        "compression", "kes",        NULL};

static void list_columns(const guess_shape *s, char list[200]) {
  list[0] = '\0';
  for (int i = 0; i < s->n_columns; i++)
    if (strlen(list) + strlen(s->column[i].header) + 8 < 200)
      (void)snprintf(list + strlen(list), 200 - strlen(list), "%s'%s'", i ? ", " : "", s->column[i].header);
}

static cb_status fail_none(const guess_shape *s, const char *name, const char *kind, cb_err *err) {
  char list[200];
  for (int i = 0; i < s->n_columns; i++)
    if (s->column[i].odd_line)
      return cb_fail(err, CB_E_NOTFOUND,
                     "%s:%d: '%s' is no number; with it the columns are those of no import", name,
                     s->column[i].odd_line, s->column[i].odd);
  list_columns(s, list);
  if (kind)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: the columns %s are not those of '%s'; docs/guide/import.md lists them", name, list,
                   kind);
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: the columns %s are those of no kind; 'import KIND --guess' says which kind it is", name,
                 list);
}

cb_status guess_find_kind(const guess_shape *s, const char *name, const char *kind, guess_match *out,
                          cb_err *err) {
  const char *second = NULL;
  *out = (guess_match){.score = 0};
  for (size_t i = 0; i < guess_n_kinds; i++) {
    guess_match m = {.kind = &guess_kinds[i]};
    if (kind && strcmp(kind, m.kind->name) != 0) continue;
    match_fields(s, &m);
    if (!meets_groups(&m) || m.score < out->score) continue;
    second = m.score == out->score ? out->kind->name : NULL;
    *out = m;
  }
  if (!out->kind) return fail_none(s, name, kind, err);
  if (second)
    return cb_fail(err, CB_E_RANGE,
                   "%s: the columns are those of '%s' and of '%s': 'import KIND --guess' says which", name,
                   second, out->kind->name);
  return CB_OK;
}
