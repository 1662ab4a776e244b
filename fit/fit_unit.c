#include "fit_cells.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
               {"\xe2\x81\xbb\xc2\xb9", "-1"},
               {"\xe2\x84\x83", "degC"},
               {"\xe3\x8e\xa1", "m2"},
               {"\xe2\x80\x90", " "},
               {"\xe2\x80\x93", " "},
               {"\xe2\x80\x94", " "},
               {"\xe3\x80\x80", " "},
               {"\xef\xbc\x88", " "},
               {"\xef\xbc\x89", " "},
               {"\xef\xbc\x9a", " "},
               {"\xc2\xa0", " "},
               {"\xe3\x80\x81", " "}};

const char *fit_unit_letter(const char *at, size_t *length) {
  for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
    *length = strlen(letters[i].from);
    if (strncmp(at, letters[i].from, *length) == 0) return letters[i].to;
  }
  *length = 1;
  return NULL;
}

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
               {"Pas/m", "Pa s/m"},
               {"gF", "gf"},
               {"kgF", "kgf"},
               {"lbF", "lbf"},
               {"lbs", "lbf"},
               {"ozF", "ozf"},
               {"bar", "100000 Pa"},
               {"psi", "6894.757293 Pa"},
               {"mmHg", "133.322387 Pa"},
               {"inches", "in"},
               {"\"", "in"},
               {"mm/minute", "mm/min"},
               {"cm/min", "10 mm/min"},
               {"in/min", "25.4 mm/min"},
               {"ipm", "25.4 mm/min"},
               {"m/min", "1000 mm/min"},
               {"dm3/m2/s", "L/m2/s"},
               {"lm-2s-1", "L/m2/s"},
               {"l/m2sec", "L/m2/s"},
               {"l/sm2", "L/m2/s"},
               {"l/s/m2", "L/m2/s"},
               {"l/m2/h", "0.000277777777778 L/m2/s"},
               {"l/m2/min", "0.0166666666667 L/m2/s"},
               {"m3/m2/min", "16.6666666667 L/m2/s"},
               {"m3/m2min", "16.6666666667 L/m2/s"},
               {"m3/m2/h", "0.277777777778 L/m2/s"},
               {"m3/m2h", "0.277777777778 L/m2/s"},
               {"cm3/s/cm2", "cm3/cm2/s"},
               {"cm3cm-2s-1", "cm3/cm2/s"},
               {"cc/cm2/s", "cm3/cm2/s"},
               {"ccm/cm2/s", "cm3/cm2/s"},
               {"ml/cm2/s", "cm3/cm2/s"},
               {"ml/s/cm2", "cm3/cm2/s"},
               {"mms-1", "mm/s"},
               {"ft3/ft2/min", "cfm/ft2"},
               {"ft3/min/ft2", "cfm/ft2"},
               {"ft3/minft2", "cfm/ft2"},
               {"ft/min", "cfm/ft2"},
               {"cfm/sqft", "cfm/ft2"},
               {"cuft/min/sqft", "cfm/ft2"},
               {"cfm", "cfm"},
               {"mgcm", "mg cm"},
               {"mNcm", "mN cm"},
               {"mNmm", "mN mm"},
               {"cNcm", "100 uN m"},
               {"umN", "uN m"},
               {"\xe7\x89\x9b", "N"},
               {"\xe6\xaf\xab\xe7\xb1\xb3", "mm"},
               {"\xe5\x8e\x98\xe7\xb1\xb3", "cm"},
               {"\xe5\xb8\x95", "Pa"},
               {"\xe5\x85\x8b", "g"},
               {"\xe7\xa7\x92", "s"},
               {"\xe5\xba\xa6", "deg"}};

/* Without blanks, dots, stars, brackets; its special letters in ASCII. */
static void squeeze(const char *text, char out[40]) {
  size_t n = 0, length;
  for (const char *at = text; *at && n + 4 < 40; at += length) {
    const char *to = fit_unit_letter(at, &length);
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

const char *fit_unit_find(const char *text, cb_dim *dim) {
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

bool fit_unit_is(const char *text) {
  cb_dim dim;
  return fit_unit_find(text, &dim) != NULL;
}
