/* Words and units as tables have them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "fit_guess_impl.h"

/* ---- names ---- */

/* Letters beyond ASCII that tables have, as UTF-8. */
static const struct {
  const char *from, *to;
} letters[] = {{"\xc3\xa4", "ae"},
               {"\xc3\x84", "ae"},
               {"\xc3\xb6", "oe"},
               {"\xc3\x96", "oe"},
               {"\xc3\xbc", "ue"},
               {"\xc3\x9c", "ue"},
               {"\xc3\x9f", "ss"},
               {"\xc2\xb2", "2"},
               {"\xc2\xb3", "3"},
               {"\xc2\xb5", "u"},
               {"\xce\xbc", "mu"},
               {"\xce\x94", "d"},
               {"\xc2\xb0", "deg"},
               {"\xc2\xb7", " "},
               {"\xe2\x8b\x85", " "},
               {"\xe2\x82\x82", "2"},
               {"\xe2\x81\xbb\xc2\xb9", "-1"}};

static const char *letter_of(const char *at, size_t *length) {
  for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
    *length = strlen(letters[i].from);
    if (strncmp(at, letters[i].from, *length) == 0) return letters[i].to;
  }
  *length = 1;
  return NULL;
}

void guess_plain(const char *text, char *out) {
  size_t n = 0, length;
  bool blank = true;
  for (const char *at = text; *at && n + 4 < GUESS_NAME; at += length) {
    const char *to = letter_of(at, &length);
    const bool word = to ? to[0] != ' ' : isalnum((unsigned char)*at) != 0;
    if (!word && !blank) out[n++] = ' ';
    blank = !word;
    if (word && to) n += (size_t)snprintf(out + n, GUESS_NAME - n, "%s", to);
    if (word && !to) out[n++] = (char)tolower((unsigned char)*at);
  }
  while (n > 0 && out[n - 1] == ' ') n--;
  out[n] = '\0';
}

/* ---- units ---- */

/* Units that people write and a mapping does not have. Compared without blanks, dots and brackets. */
static const struct {
  const char *written, *unit;
} aliases[] = {{"cN", "0.01 N"},
               {"daN", "10 N"},
               {"g", "g"},
               {"gr", "g"},
               {"gram", "g"},
               {"grams", "g"},
               {"p", "gf"},
               {"gforce", "gf"},
               {"newton", "N"},
               {"newtons", "N"},
               {"prozent", "%"},
               {"percent", "%"},
               {"pct", "%"},
               {"grad", "deg"},
               {"degree", "deg"},
               {"degrees", "deg"},
               {"deg", "deg"},
               {"pascal", "Pa"},
               {"g/m2", "g/m2"},
               {"gm2", "g/m2"},
               {"gsm", "g/m2"},
               {"g/qm", "g/m2"},
               {"g/m^2", "g/m2"},
               {"gm-2", "g/m2"},
               {"l/m2/s", "L/m2/s"},
               {"l/m2s", "L/m2/s"},
               {"l/m^2/s", "L/m2/s"},
               {"l/dm2/min", "L/dm2/min"},
               {"l/dm2min", "L/dm2/min"},
               {"l/min", "L/min"},
               {"l/h", "L/h"},
               {"l/s", "L/s"},
               {"ml/s", "cm3/s"},
               {"ml/min", "0.001 L/min"},
               {"ccm/s", "cm3/s"},
               {"cm3/cm2s", "cm3/cm2/s"},
               {"m3/m2s", "m3/m2/s"},
               {"mm/sec", "mm/s"},
               {"cm/sec", "cm/s"},
               {"m/sec", "m/s"},
               {"sec", "s"},
               {"sek", "s"},
               {"seconds", "s"},
               {"um", "um"},
               {"inch", "in"},
               {"gfcm2/cm", "gf cm2/cm"},
               {"gfcm^2/cm", "gf cm2/cm"},
               {"gfcm/cm", "gf cm/cm"},
               {"gfcm/cm2", "gf cm/cm2"},
               {"gfcm/cm^2", "gf cm/cm2"},
               {"gf/cmdeg", "gf/cm/deg"},
               {"gf/cm*deg", "gf/cm/deg"},
               {"cN/cm", "1 N/m"},
               {"cNcm2/cm", "100 uN m"},
               {"cNcm/cm", "0.01 N"},
               {"mNm", "0.001 N m"},
               {"uNm", "uN m"},
               {"mN/m", "0.001 N/m"},
               {"cm-1", "1/cm"},
               {"1/cm", "1/cm"},
               {"m-1", "1/m"},
               {"mmWS", "mmH2O"},
               {"mmWC", "mmH2O"},
               {"Nm/m", "N m/m"},
               {"-", "1"},
               {"1", "1"},
               {"none", "1"},
               {"Pas/m", "Pa s/m"}};

/* Without blanks, dots, stars, brackets; its special letters in ASCII. */
static void squeeze(const char *text, char out[40]) {
  size_t n = 0, length;
  for (const char *at = text; *at && n + 4 < 40; at += length) {
    const char *to = letter_of(at, &length);
    if (to && to[0] != ' ') n += (size_t)snprintf(out + n, 40 - n, "%s", to);
    if (to || strchr(" .*()[]", *at)) continue;
    out[n++] = *at;
  }
  out[n] = '\0';
}

static bool same_letters(const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
  return *a == *b;
}

static cb_dim dim_of(const char *unit) {
  const char *blank = strchr(unit, ' ');
  const cb_unit *u = cb_unit_find(unit);
  if (!u && blank && isdigit((unsigned char)unit[0])) u = cb_unit_find(blank + 1);
  return u ? u->dim : CB_DIM_NONE;
}

const char *guess_unit(const char *text, cb_dim *dim) {
  char s[40];
  squeeze(text, s);
  *dim = CB_DIM_NONE;
  if (!s[0]) return NULL;
  const cb_unit *u = cb_unit_find(s);
  const char *found = u ? u->name : NULL;
  for (size_t i = 0; !found && i < sizeof aliases / sizeof aliases[0]; i++)
    if (strcmp(s, aliases[i].written) == 0) found = aliases[i].unit;
  for (size_t i = 0; !found && i < sizeof aliases / sizeof aliases[0]; i++)
    if (strlen(s) > 1 && same_letters(s, aliases[i].written)) found = aliases[i].unit;
  if (found) *dim = dim_of(found);
  return found;
}

bool guess_is_unit(const char *cell) {
  cb_dim dim;
  return guess_unit(cell, &dim) != NULL;
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
    if (guess_is_unit(p + strlen(mark))) break;
  }
  if (!at || at == cell || !guess_is_unit(at + strlen(mark))) return false;
  copy_trimmed(unit, 40, at + strlen(mark), strlen(at + strlen(mark)));
  copy_trimmed(name, GUESS_NAME, cell, (size_t)(at - cell));
  return true;
}

static bool split_brackets(const char *cell, char open, char close, char name[GUESS_NAME], char unit[40]) {
  const char *from = strrchr(cell, open), *to = strrchr(cell, close);
  char inside[40];
  if (!from || !to || to < from || from == cell) return false;
  copy_trimmed(inside, sizeof inside, from + 1, (size_t)(to - from - 1));
  if (!guess_is_unit(inside)) return false;
  (void)snprintf(unit, 40, "%s", inside);
  copy_trimmed(name, GUESS_NAME, cell, (size_t)(from - cell));
  return true;
}

/* "dp_g_m2": an underscore for a slash. */
static bool split_underscores(const char *cell, char name[GUESS_NAME], char unit[40]) {
  char slashes[GUESS_NAME];
  for (const char *at = strchr(cell, '_'); at; at = strchr(at + 1, '_')) {
    (void)snprintf(slashes, sizeof slashes, "%s", at + 1);
    if (!guess_is_unit(slashes))
      for (char *c = strchr(slashes, '_'); c; c = strchr(c, '_')) *c = '/';
    if (at == cell || !guess_is_unit(slashes)) continue;
    (void)snprintf(unit, 40, "%.39s", slashes);
    copy_trimmed(name, GUESS_NAME, cell, (size_t)(at - cell));
    return true;
  }
  return false;
}

void guess_split_unit(const char *cell, char name[GUESS_NAME], char unit[40]) {
  unit[0] = '\0';
  copy_trimmed(name, GUESS_NAME, cell, strlen(cell));
  if (split_brackets(cell, '[', ']', name, unit) || split_brackets(cell, '(', ')', name, unit)) return;
  if (split_at(cell, " in ", name, unit) || split_at(cell, ",", name, unit) ||
      split_at(cell, "/", name, unit))
    return;
  if (!split_underscores(cell, name, unit)) (void)split_at(cell, " ", name, unit);
}

/* ---- directions ---- */

const char *guess_direction(const char *text) {
  static const struct {
    const char *word, *deg;
  } words[] = {
      {"warp", "0"},     {"kette", "0"}, {"kettrichtung", "0"}, {"laengs", "0"},          {"md", "0"},
      {"wale", "0"},     {"weft", "90"}, {"fill", "90"},        {"filling", "90"},        {"schuss", "90"},
      {"quer", "90"},    {"cd", "90"},   {"course", "90"},      {"schussrichtung", "90"}, {"bias", "45"},
      {"diagonal", "45"}};
  char plain[GUESS_NAME];
  guess_plain(text, plain);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(plain, words[i].word) == 0) return words[i].deg;
  return NULL;
}
