#include "daq_extend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_text.h"
#include "daq_questions_parts.h"

#define KIND "extend"

static const daq_ask parts[] = {
    {{"repeats", CB_Y_INT, .min = 1, .max = 1000}, "", "", NULL, "8"},
    {{"angles_deg", CB_Y_NUMLIST, .min = -180, .max = 180}, "", "", "deg", "0, 45"},
    {{"added_masses_g", CB_Y_NUMLIST, .min = 0, .max = 5e4}, "", "", "g", "50, 100"},
};

/* ---- one change ---- */

static cb_status add_number(cb_numlist *l, double v, const char *key, cb_err *err) {
  for (size_t i = 0; i < l->n; i++)
    if (l->v[i] == v) return CB_OK;
  if (l->n == CB_NUMLIST_MAX)
    return cb_fail(err, CB_E_RANGE, "%s: more than %d numbers", key, CB_NUMLIST_MAX);
  l->v[l->n++] = v;
  return CB_OK;
}

static cb_status add_list(const daq_ask *of, const char *typed, double scale, cb_numlist *l, cb_err *err) {
  char read[DAQ_ANSWER], *at = read;
  double v;
  CB_TRY(daq_ask_read(of, typed, read, err));
  for (char *item; (item = strsep(&at, ","));) {
    CB_TRY(cb_parse_double(item + strspn(item, " "), of->field.key, &v, err));
    CB_TRY(add_number(l, v * scale, of->field.key, err));
  }
  return CB_OK;
}

static cb_status apply(daq_campaign *c, const daq_extension *e, cb_err *err) {
  char read[DAQ_ANSWER];
  long long repeats;
  if (e->repeats) {
    CB_TRY(daq_ask_read(&parts[0], e->repeats, read, err));
    CB_TRY(cb_parse_int(read, "repeats", &repeats, err));
    if (repeats < c->repeats)
      return cb_fail(err, CB_E_RANGE, "repeats = %lld: the campaign has %d already, and keeps them", repeats,
                     c->repeats);
    c->repeats = (int)repeats;
  }
  if (e->angles_deg) CB_TRY(add_list(&parts[1], e->angles_deg, 1, &c->angles_deg, err));
  return e->added_masses_g ? add_list(&parts[2], e->added_masses_g, 1e-3, &c->added_masses_kg, err) : CB_OK;
}

/* ---- the event ---- */

static void put_list(char *out, size_t size, const char *key, const cb_numlist *l, double scale) {
  char number[32];
  cb_text_add(out, size, "; ", "%s:", key);
  for (size_t i = 0; i < l->n; i++)
    cb_text_add(out, size, i ? ", " : " ", "%s", cb_shortest(cb_round_decimals(scale * l->v[i], 9), number));
}

/* "repeats: 8; angles_deg: 0, 45; added_masses_g: 50, 100; by Ada" */
static void put_text(const daq_campaign *c, const char *person, char *out, size_t size) {
  (void)snprintf(out, size, "repeats: %d", c->repeats);
  put_list(out, size, parts[1].field.key, &c->angles_deg, 1);
  put_list(out, size, parts[2].field.key, &c->added_masses_kg, 1e3);
  cb_text_add(out, size, "; ", "by %s", person);
}

static cb_status apply_text(daq_campaign *c, char *text, cb_err *err) {
  daq_extension e = {NULL};
  const char **values[] = {&e.repeats, &e.angles_deg, &e.added_masses_g};
  for (char *part; (part = strsep(&text, ";"));) {
    part += strspn(part, " ");
    if (strncmp(part, "by ", 3) == 0) break; /* a name may have any sign */
    for (size_t i = 0; i < 3; i++) {
      const char *key = parts[i].field.key;
      if (strncmp(part, key, strlen(key)) == 0 && part[strlen(key)] == ':')
        *values[i] = part + strlen(key) + 1;
    }
  }
  for (size_t i = 0; i < 3; i++)
    if (*values[i]) *values[i] += strspn(*values[i], " ");
  return apply(c, &e, err);
}

/* The last extension has the whole plan. */
static cb_status apply_last(cb_store *s, daq_campaign *c, int64_t id, bool *extended, cb_err *err) {
  cb_event *list;
  size_t n;
  CB_TRY(cb_store_events(s, id, &list, &n, err));
  while (n > 0 && strcmp(list[n - 1].kind, KIND) != 0) n--;
  *extended = n > 0;
  const cb_status st = n > 0 ? apply_text(c, list[n - 1].text, err) : CB_OK;
  free(list);
  return st;
}

cb_status daq_extend_again(cb_store *s, daq_campaign *c, int64_t *campaign_id, cb_err *err) {
  cb_campaign found;
  bool extended;
  *campaign_id = 0;
  const cb_status st = cb_store_campaign_newest(s, c->name, c->text, &found, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  CB_TRY(st);
  CB_TRY(apply_last(s, c, found.id, &extended, err));
  if (extended) *campaign_id = found.id;
  return CB_OK;
}

static cb_status check_kind(const daq_campaign *c, cb_err *err) {
  if (c->preset != 0)
    return cb_fail(err, CB_E_RANGE, "%s sets how often: its campaigns are not extended",
                   cb_standard_names[c->preset]);
  if (c->grid != DAQ_GRID_FULL)
    return cb_fail(err, CB_E_RANGE, "grid = pairs: every angle under every load (grid: full) was wanted");
  return CB_OK;
}

/* Until the last of its cells is made, the campaign is unfinished, and is listed so. */
static cb_status put_extension(cb_store *s, int64_t id, const char *text, cb_err *err) {
  CB_TRY(cb_store_begin(s, err));
  cb_status st = cb_store_event_put(s, id, 0, 0, KIND, text, err);
  if (st == CB_OK) st = cb_store_campaign_reopen(s, id, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  return st;
}

cb_status daq_extend(cb_store *s, daq_campaign *c, const daq_extension *e, const char *person,
                     int64_t *campaign_id, cb_err *err) {
  cb_campaign found;
  char text[2048];
  bool extended;
  CB_TRY(check_kind(c, err));
  CB_TRY(cb_store_campaign_newest(s, c->name, c->text, &found, err));
  if (!found.finished_at[0])
    return cb_fail(err, CB_E_ARG, "campaign %lld '%s' is unfinished: --resume goes on with it",
                   (long long)found.id, found.name);
  CB_TRY(apply_last(s, c, found.id, &extended, err));
  const size_t before = daq_campaign_cells(c);
  CB_TRY(apply(c, e, err));
  if (daq_campaign_cells(c) == before)
    return cb_fail(err, CB_E_ARG,
                   "campaign %lld '%s' has all of that: more repeats, angles or loads were wanted",
                   (long long)found.id, found.name);
  put_text(c, person, text, sizeof text);
  if (strlen(text) >= sizeof((cb_event *)NULL)->text)
    return cb_fail(err, CB_E_RANGE,
                   "the extension takes %zu bytes, at most %zu are kept: fewer angles and loads",
                   strlen(text), sizeof((cb_event *)NULL)->text - 1);
  *campaign_id = found.id;
  return put_extension(s, found.id, text, err);
}
