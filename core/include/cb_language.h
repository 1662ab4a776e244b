/* What the program says to people, in their language: GNU gettext. The texts of the code are English; po/ has
 * the others (docs/guide/languages.md). Files, JSON, logs and errors stay English, and numbers keep their
 * point: of the locale only LC_MESSAGES is ever set. Texts are UTF-8.
 *
 *   puts(_("Turn the sample."));                                  a text
 *   {"forward", N_("forward")}                                    a text of a table, for _() where it is
 * shown printf(cb_tr_count("%zu run", "%zu runs", n), n);             a text with a count */
#ifndef CB_LANGUAGE_H
#define CB_LANGUAGE_H

#define _(text) cb_tr(text)
#define N_(text) text

/* Chooses the language by LANGUAGE, LC_ALL, LC_MESSAGES and LANG, also where the system has no such locale.
 * folder: with LANGUAGE/LC_MESSAGES/clothbench.mo in it. Before any thread. What was never begun speaks
 * English. */
void cb_language_begin(const char *folder);

/* Return the text in the language, or as it is. It lives as long as the program. */
const char *cb_tr(const char *text) __attribute__((format_arg(1)));
const char *cb_tr_count(const char *one, const char *many, unsigned long n)
    __attribute__((format_arg(1), format_arg(2)));

/* Writes the decimal sign of the language into every number of the text: "0,25". For paper alone. */
void cb_language_decimals(char *text);

#endif
