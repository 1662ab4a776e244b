/* Words and units as tables have them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "fit_guess_impl.h"
#include "fit_cells.h"

/* ---- names ---- */

/* "NominalLoad" is two words; "pH" and "EMwarp" are one. */
static bool begins_word(const char *text, const char *at) {
  if (!isupper((unsigned char)*at)) return false;
  for (int i = 1; i <= 3; i++)
    if (at - text < i || !islower((unsigned char)at[-i])) return false;
  return true;
}

void guess_plain(const char *text, char *out) {
  size_t n = 0, length;
  bool blank = true, was_far = false;
  for (const char *at = text; *at && n + 5 < GUESS_NAME; at += length) {
    const char *to = fit_unit_letter(at, &length);
    const bool far = !to && (unsigned char)*at >= 0x80; /* a byte of a letter of another script */
    const bool word = to ? to[0] != ' ' : far || isalnum((unsigned char)*at) != 0;
    if ((!word || begins_word(text, at) || far != was_far) && !blank) out[n++] = ' ';
    blank = !word;
    was_far = far;
    if (word && to) n += (size_t)snprintf(out + n, GUESS_NAME - n, "%s", to);
    if (word && !to) out[n++] = far ? *at : (char)tolower((unsigned char)*at);
  }
  while (n > 0 && out[n - 1] == ' ') n--;
  out[n] = '\0';
}

void guess_ascii_marks(const char *text, char *out, size_t size) {
  static const struct {
    const char *from;
    char to;
  } marks[] = {{"\xef\xbc\x88", '('}, {"\xef\xbc\x89", ')'}, {"\xef\xbc\xbb", '['}, {"\xef\xbc\xbd", ']'},
               {"\xe3\x80\x90", '['}, {"\xe3\x80\x91", ']'}, {"\xef\xbc\x9a", ':'}, {"\xef\xbc\x8c", ','},
               {"\xef\xbc\x8f", '/'}, {"\xef\xbc\x9d", '='}, {"\xef\xbc\x85", '%'}};
  size_t n = 0;
  while (*text && n + 1 < size) {
    char c = *text;
    size_t length = 1;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
      if (strncmp(text, marks[i].from, 3) == 0) c = marks[i].to, length = 3;
    out[n++] = c;
    text += length;
  }
  out[n] = '\0';
}

/* ---- a name with its unit ---- */

static void copy_trimmed(char *out, size_t size, const char *from, size_t n) {
  while (n > 0 && isspace((unsigned char)from[0])) from++, n--;
  while (n > 0 && (isspace((unsigned char)from[n - 1]) || strchr(",:_", from[n - 1]))) n--;
  (void)snprintf(out, size, "%.*s", (int)n, from);
}

/* What follows the last of these marks, if it is a unit. */
static bool split_at(const char *cell, const char *mark, char name[GUESS_NAME], char unit[40]) {
  const char *at = NULL;
  for (const char *p = strstr(cell, mark); p; p = strstr(p + 1, mark)) {
    at = p;
    if (fit_unit_is(p + strlen(mark))) break;
  }
  if (!at || at == cell || !fit_unit_is(at + strlen(mark))) return false;
  copy_trimmed(unit, 40, at + strlen(mark), strlen(at + strlen(mark)));
  copy_trimmed(name, GUESS_NAME, cell, (size_t)(at - cell));
  return true;
}

static bool split_brackets(const char *cell, char open, char close, char name[GUESS_NAME], char unit[40]) {
  const char *from = strrchr(cell, open), *to = strrchr(cell, close);
  char inside[40];
  if (!from || !to || to < from || from == cell) return false;
  copy_trimmed(inside, sizeof inside, from + 1, (size_t)(to - from - 1));
  if (!fit_unit_is(inside)) return false;
  (void)snprintf(unit, 40, "%s", inside);
  copy_trimmed(name, GUESS_NAME, cell, (size_t)(from - cell));
  const size_t n = strlen(name);
  (void)snprintf(name + n, GUESS_NAME - n, "%s", to + 1); /* "(mm/s) at 100 Pa" */
  return true;
}

/* In "mu_s" and "F_s" stands an index, no second. */
static bool has_index(const char *cell) {
  static const char *const names[] = {"mu", "cof", "f", "u", "m"};
  char plain[GUESS_NAME];
  guess_plain(cell, plain);
  const size_t n = strcspn(plain, " ");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i]) == n && strncmp(plain, names[i], n) == 0) return strlen(plain) == n + 2;
  return false;
}

/* "dp_g_m2": an underscore for a slash. */
static bool split_underscores(const char *cell, char name[GUESS_NAME], char unit[40]) {
  char slashes[GUESS_NAME];
  if (has_index(cell)) return false;
  for (const char *at = strchr(cell, '_'); at; at = strchr(at + 1, '_')) {
    (void)snprintf(slashes, sizeof slashes, "%s", at + 1);
    if (!fit_unit_is(slashes))
      for (char *c = strchr(slashes, '_'); c; c = strchr(c, '_')) *c = '/';
    if (at == cell || !fit_unit_is(slashes)) continue;
    (void)snprintf(unit, 40, "%.39s", slashes);
    copy_trimmed(name, GUESS_NAME, cell, (size_t)(at - cell));
    return true;
  }
  return false;
}

void guess_split_unit(const char *text, char name[GUESS_NAME], char unit[40]) {
  char cell[2 * GUESS_NAME];
  guess_ascii_marks(text, cell, sizeof cell);
  unit[0] = '\0';
  copy_trimmed(name, GUESS_NAME, cell, strlen(cell));
  if (split_brackets(cell, '[', ']', name, unit) || split_brackets(cell, '(', ')', name, unit)) return;
  if (split_at(cell, " in ", name, unit) || split_at(cell, ",", name, unit) ||
      split_at(cell, " ", name, unit) || split_at(cell, "/", name, unit))
    return;
  (void)split_underscores(cell, name, unit);
}

/* ---- directions ---- */

/* A word for a direction. One that is `alone` stands for it as a whole cell only: "length". */
typedef struct side {
  const char *word, *deg;
  bool alone;
} side;

static const side sides[] = {{"warp", "0", false},
                             {"kette", "0", false},
                             {"kettrichtung", "0", false},
                             {"kettfaden", "0", false},
                             {"warpwise", "0", false},
                             {"warp direction", "0", true},
                             {"laengs", "0", false},
                             {"laengsrichtung", "0", false},
                             {"laufrichtung", "0", false},
                             {"md", "0", false},
                             {"wale", "0", false},
                             {"wales", "0", false},
                             {"walewise", "0", false},
                             {"wale direction", "0", true},
                             {"maschenstaebchen", "0", false},
                             {"staebchen", "0", false},
                             {"maschenstaebchenrichtung", "0", false},
                             {"machine", "0", true},
                             {"machine direction", "0", true},
                             {"lengthwise", "0", true},
                             {"length", "0", true},
                             {"maschinenrichtung", "0", false},
                             {"produktionsrichtung", "0", false},
                             {"经", "0", true},
                             {"经向", "0", false},
                             {"纵", "0", true},
                             {"纵向", "0", false},
                             {"直向", "0", false},
                             {"经纱", "0", false},
                             {"weft", "90", false},
                             {"fill", "90", true},
                             {"filling", "90", false},
                             {"weftwise", "90", false},
                             {"weft direction", "90", true},
                             {"schuss", "90", false},
                             {"schussrichtung", "90", false},
                             {"schussfaden", "90", false},
                             {"quer", "90", false},
                             {"querrichtung", "90", false},
                             {"cd", "90", false},
                             {"td", "90", true},
                             {"xd", "90", true},
                             {"cmd", "90", true},
                             {"course", "90", false},
                             {"courses", "90", false},
                             {"coursewise", "90", false},
                             {"course direction", "90", true},
                             {"maschenreihe", "90", false},
                             {"maschenreihen", "90", false},
                             {"maschenreihenrichtung", "90", false},
                             {"cross", "90", true},
                             {"cross direction", "90", true},
                             {"cross machine", "90", true},
                             {"cross machine direction", "90", true},
                             {"crosswise", "90", true},
                             {"transverse", "90", true},
                             {"width", "90", true},
                             {"widthwise", "90", true},
                             {"纬", "90", true},
                             {"纬向", "90", false},
                             {"横", "90", true},
                             {"横向", "90", false},
                             {"纬纱", "90", false},
                             {"bias", "45", false},
                             {"diagonal", "45", false},
                             {"斜向", "45", false}};
#define N_SIDES (sizeof sides / sizeof sides[0])

const char *guess_direction(const char *text) {
  char plain[GUESS_NAME];
  guess_plain(text, plain);
  for (size_t i = 0; i < N_SIDES; i++)
    if (strcmp(plain, sides[i].word) == 0) return sides[i].deg;
  return NULL;
}

/* Chinese has no blanks between words. */
static const char *find_far_side(const char *plain) {
  for (size_t i = 0; i < N_SIDES; i++)
    if ((unsigned char)sides[i].word[0] >= 0x80 && !sides[i].alone && strstr(plain, sides[i].word))
      return sides[i].deg;
  return NULL;
}

const char *guess_side(const char *plain) {
  char word[GUESS_NAME];
  for (const char *at = plain; *at; at += strspn(at, " ")) {
    const size_t n = strcspn(at, " ");
    (void)snprintf(word, sizeof word, "%.*s", (int)n, at);
    for (size_t i = 0; i < N_SIDES; i++)
      if (!sides[i].alone && strcmp(word, sides[i].word) == 0) return sides[i].deg;
    at += n;
  }
  return find_far_side(plain);
}
