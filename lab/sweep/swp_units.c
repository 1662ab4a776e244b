/* Units of a plan: an option that ends in a unit gets a variable in this unit. */
#include <ctype.h>
#include <string.h>

#include "cb_num.h"
#include "swp_plan_impl.h"

#define PARTS_MAX 24

/* A name in parts: "areal_mass_g_per_m2", "areal-mass-g-m2" and "g/m2" all end in "g", "m2". */
typedef struct parts {
  char text[SWP_VALUE_BYTES];
  const char *part[PARTS_MAX];
  size_t n;
} parts;

static void split(const char *name, parts *out) {
  char *rest = NULL;
  out->n = 0;
  out->text[0] = '\0';
  strncat(out->text, name, sizeof out->text - 1);
  for (char *s = strtok_r(out->text, "-_/ ", &rest); s && out->n < PARTS_MAX;
       s = strtok_r(NULL, "-_/ ", &rest))
    if (strcmp(s, "per") != 0) out->part[out->n++] = s;
}

static bool ends_in(const parts *name, const parts *unit) {
  if (unit->n == 0 || unit->n >= name->n) return false; /* a name is more than its unit */
  for (size_t i = 0; i < unit->n; i++)
    if (strcmp(name->part[name->n - unit->n + i], unit->part[i]) != 0) return false;
  return true;
}

/* The unit that a name ends in, with the most parts; "": none. */
static const char *unit_of(const char *name, char out[SWP_VALUE_BYTES]) {
  parts n, u;
  size_t most = 0;
  char list[512], *rest = NULL;
  out[0] = '\0';
  split(name, &n);
  for (int dim = CB_DIM_NONE + 1; dim < CB_DIM_COUNT; dim++) {
    cb_unit_list((cb_dim)dim, list, sizeof list);
    for (char *unit = strtok_r(list, ",", &rest); unit; unit = strtok_r(NULL, ",", &rest)) {
      while (isspace((unsigned char)*unit)) unit++;
      split(unit, &u);
      if (u.n <= most || !ends_in(&n, &u)) continue;
      most = u.n;
      out[0] = '\0';
      strncat(out, unit, SWP_VALUE_BYTES - 1);
    }
  }
  return out;
}

static cb_status check_pair(const char *option, const char *variable, cb_err *err) {
  char wanted[SWP_VALUE_BYTES], got[SWP_VALUE_BYTES];
  parts a, b;
  unit_of(option, wanted);
  unit_of(variable, got);
  split(wanted, &a);
  split(got, &b);
  bool same = a.n == b.n;
  for (size_t i = 0; same && i < a.n; i++) same = strcmp(a.part[i], b.part[i]) == 0;
  if (same || wanted[0] == '\0' || got[0] == '\0') return CB_OK;
  return cb_fail(err, CB_E_RANGE, "command: %s {%s}: the variable is in %s, %s was wanted", option, variable,
                 got, wanted);
}

cb_status swp_units_check(const swp_plan *p, cb_err *err) {
  char name[SWP_NAME_BYTES];
  for (size_t i = 0; i + 1 < p->n_words; i++) {
    const size_t n = swp_placeholder(p->words[i + 1], name);
    if (strncmp(p->words[i], "--", 2) != 0 || n == 0 || p->words[i + 1][n] != '\0') continue;
    if (swp_variable_find(p, name) >= 0) CB_TRY(check_pair(p->words[i], name, err));
  }
  return CB_OK;
}
