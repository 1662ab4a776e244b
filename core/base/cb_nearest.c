#include "cb_nearest.h"

#include <ctype.h>
#include <string.h>

#define MOST 64

static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static int letter(char c) { return tolower((unsigned char)c); }

size_t cb_edit_distance(const char *a, const char *b) {
  const size_t n = strnlen(a, MOST), m = strnlen(b, MOST);
  size_t d[3][MOST + 1] = {{0}}; /* rows i - 2, i - 1, i of the table */
  for (size_t j = 0; j <= m; j++) d[1][j] = j;
  for (size_t i = 1; i <= n; i++) {
    d[2][0] = i;
    for (size_t j = 1; j <= m; j++) {
      const size_t differs = letter(a[i - 1]) != letter(b[j - 1]);
      d[2][j] = least(least(d[1][j], d[2][j - 1]) + 1, d[1][j - 1] + differs);
      if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) && letter(a[i - 2]) == letter(b[j - 1]))
        d[2][j] = least(d[2][j], d[0][j - 2] + 1);
    }
    memcpy(d[0], d[1], sizeof d[0]);
    memcpy(d[1], d[2], sizeof d[1]);
  }
  return d[1][m];
}

/* A word that was broken off is nearer than any other. */
static bool begins(const char *word, const char *whole) {
  const size_t n = strlen(word);
  return n > 1 && strncmp(word, whole, n) == 0;
}

int cb_nearest(const char *word, const char *const *words, size_t n) {
  size_t best = strlen(word) / 3 + 1;
  int found = -1;
  for (size_t i = 0; i < n; i++) {
    const size_t distance = begins(word, words[i]) ? 0 : cb_edit_distance(word, words[i]);
    if (distance >= best) continue;
    best = distance;
    found = (int)i;
  }
  return found;
}

/* ---- names ---- */

typedef struct name_parts {
  char letters[MOST + 1]; /* small ones, and bytes of other scripts */
  char marks[MOST + 1];   /* numbers and single letters, each with a blank before it */
} name_parts;

static bool in_word(char c) { return isalnum((unsigned char)c) || (unsigned char)c >= 0x80; }

static void take_word(name_parts *p, const char *word, size_t n) {
  const bool mark = n == 1 || isdigit((unsigned char)word[0]);
  char *to = mark ? p->marks : p->letters;
  if (mark && strlen(to) < MOST) strcat(to, " ");
  for (size_t i = 0; i < n && strlen(to) < MOST; i++) to[strlen(to)] = (char)letter(word[i]);
}

/* "Nr.7" has the words Nr and 7: digits and letters make words of their own. */
static void split_name(const char *name, name_parts *p) {
  *p = (name_parts){.letters = ""};
  for (size_t i = 0, n; i < strnlen(name, MOST); i += n) {
    for (n = 0; !in_word(name[i + n]) && name[i + n]; n++) {
    }
    if (n > 0) continue;
    const bool digits = isdigit((unsigned char)name[i]);
    while (in_word(name[i + n]) && (isdigit((unsigned char)name[i + n]) != 0) == digits) n++;
    take_word(p, name + i, n);
  }
}

bool cb_names_alike(const char *a, const char *b) {
  name_parts p, q;
  split_name(a, &p);
  split_name(b, &q);
  if (strcmp(p.marks, q.marks) != 0) return false;
  return cb_edit_distance(p.letters, q.letters) <= (strlen(p.letters) >= 6 ? 1 : 0);
}
