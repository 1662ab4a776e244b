/* Which kind of import the columns make. */
#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "fit_guess_fields.h"
#include "fit_cells.h"

/* How well a name fits a phrase. */
enum { SCORE_NONE, SCORE_PART = 2, SCORE_WHOLE = 4, SCORE_UNIT = 2, SCORE_LISTED = 1 };

/* ---- one field ---- */

/* Whole words, or the last part of a German compound: "Messdruck" is a "druck". */
static bool has_words(const char *name, const char *phrase, size_t n) {
  for (const char *at = strstr(name, ""); (at = strstr(at, phrase)) != NULL; at++)
    if ((at == name || at[-1] == ' ' || n >= 5) && (at[n] == ' ' || !at[n])) return true;
  return false;
}

/* The best of the phrases. A phrase of one or two letters must be the whole name. So must one behind '=',
 * which is the name of other quantities, too. A phrase behind '~' is one of a column
 * of texts. A name with a word behind '!' is another quantity's. */
static int score_words(const char *plain, const char *words, bool numeric) {
  int best = SCORE_NONE;
  char phrase[GUESS_NAME];
  for (const char *at = words; *at; at += at[0] == '|') {
    const size_t n = strcspn(at, "|");
    (void)snprintf(phrase, sizeof phrase, "%.*s", (int)n, at);
    if (phrase[0] == '!' && strstr(plain, phrase + 1)) return SCORE_NONE;
    if (strcmp(plain, phrase) == 0) return SCORE_WHOLE;
    if (phrase[0] == '~' && !numeric && has_words(plain, phrase + 1, n - 1)) best = SCORE_PART;
    if (phrase[0] == '=' && strcmp(plain, phrase + 1) == 0) best = SCORE_PART;
    if (n > 2 && has_words(plain, phrase, n)) best = SCORE_PART;
    at += n;
  }
  return best;
}

/* A mass stands for the force of its weight, a percentage for a ratio. */
static bool fits_dim(const guess_field *f, const char *unit, bool *stated) {
  cb_dim dim;
  *stated = fit_unit_find(unit, &dim) != NULL;
  if (!*stated) return true;
  /* "CFM" of an air permeability is per square foot. */
  if (f->sure && f->dim == CB_DIM_SPEED && strcmp(fit_unit_find(unit, &dim), "cfm") == 0) return true;
  return dim == f->dim ||
         (f->dim == CB_DIM_FORCE && dim == CB_DIM_MASS && strcmp(f->name, "normal_force") != 0) ||
         (f->dim == CB_DIM_COUNT && dim == CB_DIM_RATIO);
}

/* A unit that air permeabilities alone have. */
static bool is_flow_per_area(const char *unit) {
  cb_dim dim;
  const char *found = fit_unit_find(unit, &dim);
  return found && (strstr(found, "L/m2/s") || strstr(found, "L/dm2/min") || strstr(found, "cm3/cm2/s") ||
                   strcmp(found, "cfm/ft2") == 0);
}

static int score(const guess_field *f, const char *name, const char *unit, bool numeric) {
  char plain[GUESS_NAME];
  bool stated;
  if (f->dim != CB_DIM_NONE && !numeric) return SCORE_NONE;
  if (f->dim == CB_DIM_NONE && unit[0]) return SCORE_NONE;
  if (!fits_dim(f, unit, &stated)) return SCORE_NONE;
  guess_plain(name, plain);
  int words = score_words(plain, f->words, numeric);
  if (!words && f->sure && is_flow_per_area(unit)) words = SCORE_PART;
  return words ? words + (stated ? SCORE_UNIT : 0) : SCORE_NONE;
}

bool guess_is_direction(const guess_field *f) {
  return strcmp(f->name, "direction") == 0 || strcmp(f->name, "angle") == 0;
}

/* "Winkel", "angle": the cut of a cloth has round angles, the angle of an instrument mostly has not. */
static bool is_other_angle(const guess_field *f, const guess_column *c) {
  char plain[GUESS_NAME];
  guess_plain(c->bare, plain);
  const bool vague = strcmp(plain, "winkel") == 0 || strcmp(plain, "angle") == 0;
  if (f->dim != CB_DIM_ANGLE || !vague || !c->numeric || strcmp(f->name, "shear_angle") == 0) return false;
  return c->round_angles != guess_is_direction(f);
}

/* Under merged cells a name may belong to its group, or stand alone. */
static int score_column(const guess_field *f, const guess_column *c) {
  const bool cut = guess_is_direction(f) && c->words[0], number = c->numeric || cut;
  if (cut && !strchr(c->words, '?')) return SCORE_WHOLE + SCORE_UNIT + SCORE_LISTED;
  if (is_other_angle(f, c)) return SCORE_NONE;
  const int whole = score(f, c->name, c->unit, number);
  return whole || strcmp(c->name, c->bare) == 0 ? whole : score(f, c->bare, c->unit, number) - SCORE_LISTED;
}

static int score_title(const guess_field *f, const guess_title *t) {
  const bool cut = guess_is_direction(f) && guess_direction(t->value);
  return score(f, t->name, t->unit, t->numeric || cut);
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
      if (!is_taken(m, GUESS_TITLE + t)) take_better(&best, GUESS_TITLE + t, score_title(f, &s->title[t]), i);
  }
  return best;
}

/* Fields of one group that say the same in two ways: an extension and a strain. A second one is left out. */
static bool is_second_way(const guess_match *m, size_t field) {
  const char group = m->kind->fields[field].group;
  for (size_t i = 0; m->kind->exclusive && group && i < m->kind->n; i++)
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

/* Whether a column meets the group; of a loose one a title, too, or what a person fills in beside a sure
 * field. */
static bool meets_group(const guess_match *m, char group) {
  const bool loose = strchr(m->kind->loose, group) != NULL;
  for (size_t i = 0; i < m->kind->n; i++) {
    const guess_field *f = &m->kind->fields[i];
    if (m->from[i] == GUESS_NOTHING) continue;
    if (f->group == group && (loose || m->from[i] < GUESS_TITLE)) return true;
    if (loose && f->sure && m->from[i] < GUESS_TITLE) return true;
  }
  return false;
}

static bool meets_groups(const guess_match *m) {
  for (const char *g = m->kind->groups; *g; g++)
    if (!meets_group(m, *g)) return false;
  return true;
}

static bool meets_some(const guess_match *m) {
  for (const char *g = m->kind->groups; *g; g++)
    if (meets_group(m, *g)) return true;
  return false;
}

/* ---- the best kind ---- */

const char *const fit_guess_kinds[] = {"friction",     "release",     "incline",    "trace",
                                       "permeability", "stretch",     "cantilever", "bending-moment",
                                       "shear",        "compression", "kes",        NULL};

static void list_columns(const guess_shape *s, char list[200]) {
  list[0] = '\0';
  for (int i = 0; i < s->n_columns; i++) cb_text_add(list, 200, ", ", "'%s'", s->column[i].header);
}

/* What the first group is that nothing meets. */
static const char *name_lack(const guess_match *m, char lack[64]) {
  const char *wants = m->kind->wants;
  for (const char *g = m->kind->groups; *g && meets_group(m, *g); g++) wants += strcspn(wants, "|") + 1;
  (void)snprintf(lack, 64, "%.*s", (int)strcspn(wants, "|"), wants);
  return lack;
}

/* near: the kind that meets some of its groups best; its kind NULL: none does. */
static cb_status fail_none(const guess_shape *s, const char *name, const char *kind, const guess_match *near,
                           cb_err *err) {
  char list[200], lack[64];
  for (int i = 0; i < s->n_columns; i++)
    if (s->column[i].odd_line)
      return cb_fail(err, CB_E_NOTFOUND,
                     "%s:%d: '%s' is no number; with it the columns are those of no import", name,
                     s->column[i].odd_line, s->column[i].odd);
  list_columns(s, list);
  if (kind)
    return cb_fail(err, CB_E_NOTFOUND, "%s: the columns %s are not those of '%s': no %s is among them", name,
                   list, kind, name_lack(near, lack));
  if (near->kind)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: the columns %s are those of no kind; for '%s' no %s is among them", name, list,
                   near->kind->name, name_lack(near, lack));
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: the columns %s are those of no kind; 'import KIND --guess' says which kind it is", name,
                 list);
}

/* The direction in a name, as in "Kraft Kette"; NULL: none. */
static const char *side_of(const guess_column *c) {
  char plain[GUESS_NAME];
  guess_plain(c->name, plain);
  return guess_side(plain);
}

/* A mapping has one column of a quantity, with a direction for each row. */
static cb_status refuse_sides(const guess_shape *s, const guess_match *m, const char *name, cb_err *err) {
  for (size_t i = 0; i < m->kind->n; i++) {
    const int from = m->from[i];
    const bool column = from != GUESS_NOTHING && from < GUESS_TITLE && m->kind->fields[i].group;
    const char *side = column ? side_of(&s->column[from]) : NULL;
    for (int c = 0; side && c < s->n_columns; c++) {
      const char *other = side_of(&s->column[c]);
      if (other && strcmp(other, side) != 0)
        return cb_fail(
            err, CB_E_RANGE,
            "%s: '%s' and '%s' are directions side by side: rows with one column for the direction, or "
            "a table for each, were wanted",
            name, s->column[from].name, s->column[c].name);
    }
  }
  return CB_OK;
}

/* Tests beside each other: a mapping would take one of them alone. */
static cb_status refuse_twins(const guess_shape *s, const guess_match *m, const char *name, cb_err *err) {
  for (size_t i = 0; i < m->kind->n; i++) {
    const int from = m->from[i];
    if (from == GUESS_NOTHING || from >= GUESS_TITLE || !m->kind->fields[i].group) continue;
    const guess_column *a = &s->column[from];
    for (int c = 0; c < s->n_columns; c++) {
      const guess_column *b = &s->column[c];
      if (!b->numeric || is_taken(m, c) || strcmp(a->bare, b->bare) != 0 || strcmp(a->unit, b->unit) != 0)
        continue;
      return cb_fail(
          err, CB_E_RANGE,
          "%s: the column '%s' stands twice: tests in rows below each other, or a table for each, were "
          "wanted",
          name, a->bare);
    }
  }
  return CB_OK;
}

cb_status guess_find_kind(const guess_shape *s, const char *name, const char *kind, guess_match *out,
                          cb_err *err) {
  const char *second = NULL, *other = NULL;
  guess_match near = {.kind = NULL};
  *out = (guess_match){.score = 0};
  for (size_t i = 0; i < guess_n_kinds; i++) {
    guess_match m = {.kind = &guess_kinds[i]};
    if (kind && strcmp(kind, m.kind->name) != 0) continue;
    match_fields(s, &m);
    if (!meets_groups(&m)) {
      if (kind || (meets_some(&m) && m.score > near.score)) near = m;
      continue;
    }
    if (m.score < out->score) {
      other = m.kind->name;
      continue;
    }
    second = m.score == out->score ? out->kind->name : NULL;
    if (out->kind) other = out->kind->name;
    *out = m;
  }
  out->other = other;
  if (!out->kind) return fail_none(s, name, kind, &near, err);
  if (second)
    return cb_fail(err, CB_E_RANGE,
                   "%s: the columns are those of '%s' and of '%s': 'import KIND --guess' says which", name,
                   second, out->kind->name);
  if (strcmp(out->kind->name, "kes") == 0) return CB_OK;
  CB_TRY(refuse_sides(s, out, name, err));
  return refuse_twins(s, out, name, err);
}
