/* The command of a plan: words with {names}, and what they become in a case. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_nearest.h"
#include "swp_plan_impl.h"

static const char *const own_names[] = {"case", "seed", "folder", "scene"};
#define N_OWN (sizeof own_names / sizeof own_names[0])

size_t swp_placeholder(const char *text, char out[SWP_NAME_BYTES]) {
  size_t n = 0;
  if (text[0] != '{') return 0;
  for (const char *s = text + 1; isalnum((unsigned char)*s) || *s == '_'; s++) n++;
  if (n == 0 || n >= SWP_NAME_BYTES || text[1 + n] != '}') return 0;
  memcpy(out, text + 1, n);
  out[n] = '\0';
  return n + 2;
}

/* ---- splitting ---- */

static cb_status add_word(const char *from, size_t n, swp_plan *p, cb_err *err) {
  if (p->n_words == SWP_WORDS_MAX)
    return cb_fail(err, CB_E_RANGE, "command: more than %d words", SWP_WORDS_MAX);
  if (!(p->words[p->n_words] = strndup(from, n))) return cb_no_memory(err, "a command");
  p->n_words++;
  return CB_OK;
}

cb_status swp_words_split(const char *text, swp_plan *p, cb_err *err) {
  for (const char *s = text; *s;) {
    const char *end;
    s += strspn(s, " \t\n");
    if (!*s) break;
    if (*s == '"') {
      end = strchr(++s, '"');
      if (!end) return cb_fail(err, CB_E_PARSE, "command: a \" was wanted where the quoted word ends");
    } else {
      end = s + strcspn(s, " \t\n");
    }
    CB_TRY(add_word(s, (size_t)(end - s), p, err));
    s = *end == '"' ? end + 1 : end;
  }
  return p->n_words > 0 ? CB_OK : cb_fail(err, CB_E_PARSE, "command: a command of clothbench was wanted");
}

/* ---- checks ---- */

static bool is_own(const char *name) {
  for (size_t i = 0; i < N_OWN; i++)
    if (strcmp(own_names[i], name) == 0) return true;
  return false;
}

static cb_status refuse_name(const swp_plan *p, const char *name, cb_err *err) {
  const char *names[SWP_VARIABLES_MAX + N_OWN];
  size_t n = 0;
  for (size_t i = 0; i < p->n_variables; i++) names[n++] = p->variable[i].name;
  for (size_t i = 0; i < N_OWN; i++) names[n++] = own_names[i];
  const int meant = cb_nearest(name, names, n);
  return cb_fail(err, CB_E_NOTFOUND,
                 "command: {%s}: a variable of the plan, or case, seed, folder or scene, was wanted%s%s%s",
                 name, meant >= 0 ? "; did you mean {" : "", meant >= 0 ? names[meant] : "",
                 meant >= 0 ? "}?" : "");
}

/* Marks the variables that a text uses. In a scene, other words in braces are YAML. */
static cb_status mark_used(const swp_plan *p, const char *text, bool scene, bool used[], cb_err *err) {
  char name[SWP_NAME_BYTES];
  for (const char *s = text; *s; s++) {
    if (swp_placeholder(s, name) == 0) continue;
    const int i = swp_variable_find(p, name);
    if (i >= 0) used[i] = true;
    if (i < 0 && !scene && !is_own(name)) return refuse_name(p, name, err);
    if (!scene && strcmp(name, "scene") == 0 && !p->scene)
      return cb_fail(err, CB_E_RANGE, "command: {scene}: the key 'scene' was wanted, the file it is made of");
  }
  return CB_OK;
}

bool swp_words_have(const swp_plan *p, const char *part) {
  for (size_t i = 0; i < p->n_words; i++)
    if (strstr(p->words[i], part)) return true;
  return false;
}

cb_status swp_words_check(const swp_plan *p, cb_err *err) {
  bool used[SWP_VARIABLES_MAX] = {false};
  for (size_t i = 0; i < p->n_words; i++) CB_TRY(mark_used(p, p->words[i], false, used, err));
  if (p->scene) CB_TRY(mark_used(p, p->scene, true, used, err));
  for (size_t i = 0; i < p->n_variables; i++)
    if (!used[i] && p->design != SWP_LIST)
      return cb_fail(err, CB_E_RANGE, "vary: %s: neither the command nor the scene has {%s}",
                     p->variable[i].name, p->variable[i].name);
  if (p->scene && !swp_words_have(p, "{scene}"))
    return cb_fail(err, CB_E_RANGE, "scene: the command was wanted to have {scene}");
  if (strcmp(p->words[0], "sim") == 0 && !swp_words_have(p, "{folder}"))
    return cb_fail(err, CB_E_RANGE, "command: sim writes files: --out {folder} was wanted");
  return CB_OK;
}

/* ---- filling in ---- */

typedef struct filling {
  const swp_plan *plan;
  int index;
  const char *folder;
  char (*value)[SWP_VALUE_BYTES];
} filling;

static void put_name(const filling *f, const char *name, FILE *to) {
  const int i = swp_variable_find(f->plan, name);
  if (i >= 0)
    fputs(f->value[i], to);
  else if (strcmp(name, "case") == 0)
    fprintf(to, "%d", f->index);
  else if (strcmp(name, "seed") == 0)
    fprintf(to, "%d", swp_case_seed(f->plan, f->index));
  else if (strcmp(name, "folder") == 0)
    fputs(f->folder, to);
  else if (strcmp(name, "scene") == 0)
    fprintf(to, "%s/scene.yaml", f->folder);
  else
    fprintf(to, "{%s}", name);
}

static char *fill_in(const filling *f, const char *text) {
  char name[SWP_NAME_BYTES], *out;
  size_t n;
  cb_draft d;
  if (cb_draft_begin(&d, NULL) != CB_OK) return NULL;
  for (const char *s = text; *s; s += n) {
    n = swp_placeholder(s, name);
    if (n > 0)
      put_name(f, name, d.to);
    else
      fputc(s[0], d.to), n = 1;
  }
  return cb_draft_end(&d, CB_OK, &out, NULL) == CB_OK ? out : NULL;
}

cb_status swp_command_make(const swp_plan *p, int index, const char *folder, swp_command *out, cb_err *err) {
  char value[SWP_VARIABLES_MAX][SWP_VALUE_BYTES];
  const filling f = {p, index, folder, value};
  *out = (swp_command){.argc = 0};
  swp_case_values(p, index, value);
  for (size_t i = 0; i <= p->n_words; i++) {
    out->argv[i] = out->word[i] = i < p->n_words ? fill_in(&f, p->words[i]) : strdup("--json");
    if (!out->word[i]) {
      swp_command_clear(out);
      return cb_no_memory(err, "a command");
    }
    out->argc++;
  }
  return CB_OK;
}

void swp_command_clear(swp_command *c) {
  for (int i = 0; i < c->argc; i++) free(c->word[i]);
  *c = (swp_command){.argc = 0};
}

char *swp_case_scene(const swp_plan *p, int index) {
  char value[SWP_VARIABLES_MAX][SWP_VALUE_BYTES];
  const filling f = {p, index, "", value};
  if (!p->scene) return NULL;
  swp_case_values(p, index, value);
  return fill_in(&f, p->scene);
}

void swp_case_say(const swp_plan *p, int index, char *out, size_t size) {
  char value[SWP_VARIABLES_MAX][SWP_VALUE_BYTES];
  swp_case_values(p, index, value);
  int n = snprintf(out, size, "case %d", index);
  for (size_t i = 0; i < p->n_variables && n >= 0 && (size_t)n < size; i++)
    n += snprintf(out + n, size - (size_t)n, "%s%s = %s%s", i == 0 ? " (" : ", ", p->variable[i].name,
                  value[i], i + 1 == p->n_variables ? ")" : "");
}
