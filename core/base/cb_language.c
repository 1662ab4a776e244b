#include "cb_language.h"

#include <ctype.h>
#include <libintl.h>
#include <locale.h>
#include <stdlib.h>

#define DOMAIN "clothbench"

static const char *wanted_locale(void) {
  const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *value = getenv(names[i]);
    if (value && value[0]) return value;
  }
  return "C";
}

void cb_language_begin(const char *folder) {
  const char *list = getenv("LANGUAGE");
  /* A locale that is not installed is only a name; C.UTF-8 always is there, and heeds LANGUAGE. */
  if (!setlocale(LC_MESSAGES, "") && setlocale(LC_MESSAGES, "C.UTF-8") && (!list || !list[0]))
    (void)setenv("LANGUAGE", wanted_locale(), 1);
  (void)bindtextdomain(DOMAIN, folder);
  (void)bind_textdomain_codeset(DOMAIN, "UTF-8");
  (void)bindtextdomain("libc", folder); /* it has none of libc's texts: errors stay English */
}

/* The translation of "" is the head of the catalogue. */
const char *cb_tr(const char *text) { return text[0] ? dgettext(DOMAIN, text) : text; }

const char *cb_tr_count(const char *one, const char *many, unsigned long n) {
  return dngettext(DOMAIN, one, many, n);
}

void cb_language_decimals(char *text) {
  /* One half, as numbers are written on paper. */
  const char sign = _("0.5")[1];
  for (char *c = text; *c; c++)
    if (*c == '.' && c > text && isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1])) *c = sign;
}
