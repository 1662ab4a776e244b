#include "daq_interview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_date.h"
#include "cb_draft.h"
#include "cb_language.h"
#include "cb_num.h"
#include "cb_text.h"
#include "daq_calibration.h"
#include "daq_campaign_impl.h"
#include "daq_questions_parts.h"

enum { RIG, CLOTH, PIECE, BODY, PRESET, ANGLES, MASSES, WAYS, BAND, REPEATS, SPEED, TRAVEL, ZERO, OPERATOR };

static const char *const directions[] = {N_("forward"), N_("backward"), N_("both"), NULL};

static const daq_ask table[] = {
    {{"rig", CB_Y_STR, .size = 256, .required = true},
     N_("Rig file of this bench"),
     N_("The file that describes the bench; 'clothbench rig init' makes one"),
     NULL,
     "rig.yaml"},
    {{"cloth", CB_Y_STR, .size = 64, .required = true},
     N_("Cloth that is measured"),
     N_("Its name in the database, or the label of a specimen, scanned; a new name makes a new cloth"),
     NULL,
     "Wool Twill"},
    {{"specimen", CB_Y_STR, .size = 64},
     N_("Specimen of that cloth"),
     N_("Its name or its mark, typed or scanned. The runs are kept with the specimen"),
     NULL,
     "S1"},
    {{"body", CB_Y_STR, .size = 64, .required = true},
     N_("Body that slides on it"),
     N_("The material under the cart; a new name makes a new body"),
     NULL,
     "Foam"},
    {{"preset", CB_Y_ENUM, .choices = cb_standard_names},
     N_("Test standard to follow"),
     N_("A standard sets angles, loads, repeats, speed and travel, where you press Enter; custom sets "
        "nothing"),
     NULL,
     "custom"},
    {{"angles_deg", CB_Y_NUMLIST, .min = -180, .max = 180},
     N_("Directions of the pull in the cloth"),
     N_("0 is along the warp, 90 along the weft. Three directions tell whether the cloth slides alike in "
        "all"),
     "deg",
     "0, 45, 90"},
    {{"added_masses_g", CB_Y_NUMLIST, .min = 0, .max = 5e4},
     N_("Weights put on the cart, one load each"),
     N_("The load is cart and weight together, times gravity. Four loads tell how friction depends on the "
        "load"),
     "g",
     "50, 100, 200"},
    {{"directions", CB_Y_ENUM, .choices = directions},
     N_("Ways of the stage"),
     N_("forward pulls away from home, backward towards it; both together cancel what the bench does one "
        "way"),
     NULL,
     "both"},
    {{"band_percent", CB_Y_NUM, .min = 0.01, .max = 100},
     N_("How well a coefficient is to be known, +- at 95 %"),
     N_("The half width of the band around the kinetic coefficient in one direction under one load. The "
        "number "
        "of repeats follows from it"),
     "%",
     "3"},
    {{"repeats", CB_Y_INT, .min = 1, .max = 1000},
     N_("Repeats of every direction and load"),
     N_("More repeats make the band narrower, as one over the root of their number"),
     NULL,
     "3"},
    {{"speed_mm_per_s", CB_Y_NUM, .min = 1e-3, .max = 1e4},
     N_("Speed of the stage"),
     N_("How fast the cart is pulled; standards have 2.5 mm/s (150 mm/min) and near"),
     "mm/s",
     "10"},
    {{"travel_mm", CB_Y_NUM, .min = 1e-2, .max = 1e4},
     N_("Travel of one pull"),
     N_("The first millimetres take up the play of the link; the rest slides"),
     "mm",
     "30"},
    {{"zero_s", CB_Y_NUM, .min = 0.1, .max = 600},
     N_("Rest before each pull"),
     N_("In this time the zero of the force is taken, from at least ten readings"),
     "s",
     "0.5"},
    {{"operator", CB_Y_STR, .size = 64},
     N_("Who measures"),
     N_("The name that signs the campaign and what is said of its runs"),
     NULL,
     "Ada"},
};
#define N_TABLE (sizeof table / sizeof table[0])
_Static_assert(N_TABLE == OPERATOR + 1 && N_TABLE <= DAQ_QUESTIONS_MOST, "the table is in the order");

static bool is_custom(const daq_interview *v) {
  return !v->q.given[PRESET] || strcmp(v->q.answer[PRESET], "custom") == 0;
}

/* ---- the file ---- */

static void put_key(FILE *to, size_t i, const char *text) {
  const bool list = table[i].field.kind == CB_Y_NUMLIST;
  if (!text[0]) return;
  fprintf(to, "%s: ", table[i].field.key);
  if (table[i].field.kind == CB_Y_STR)
    daq_answer_put(to, text);
  else
    fprintf(to, list ? "[%s]" : "%s", text);
  fputc('\n', to);
}

static void put_name(FILE *to, const char *file) {
  char name[64];
  const char *slash = strrchr(file, '/');
  (void)snprintf(name, sizeof name, "%s", slash ? slash + 1 : file);
  char *end = strrchr(name, '.');
  if (end && end > name) *end = '\0';
  fprintf(to, "name: ");
  daq_answer_put(to, name);
  fputc('\n', to);
}

static void propose(void *context, size_t i, daq_proposal *p);

/* What was not answered yet is what is proposed. */
static cb_status render(daq_interview *v, char **text, cb_err *err) {
  cb_draft d;
  daq_proposal p;
  CB_TRY(cb_draft_begin(&d, err));
  fprintf(d.to, "# Written by 'clothbench run init'.\n");
  if (v->q.given[BAND] && v->q.answer[BAND][0])
    fprintf(d.to, "# Wanted: coefficients within +- %s %% at 95 %%.\n", v->q.answer[BAND]);
  put_name(d.to, v->file);
  fprintf(d.to, "kind: friction\n");
  for (size_t i = CLOTH; i < N_TABLE; i++) {
    p = (daq_proposal){.text = ""};
    if (i == BAND) continue;
    if (v->q.given[i])
      memcpy(p.text, v->q.answer[i], sizeof p.text);
    else if (i == REPEATS && is_custom(v)) /* what is proposed needs the campaign */
      (void)snprintf(p.text, sizeof p.text, "3");
    else
      propose(v, i, &p);
    put_key(d.to, i, p.text[0] || !table[i].field.required ? p.text : "-");
  }
  return cb_draft_end(&d, CB_OK, text, err);
}

static cb_status read_back(daq_interview *v, char **text, daq_campaign *c, cb_err *err) {
  *c = (daq_campaign){.text = NULL};
  CB_TRY(render(v, text, err));
  return daq_campaign_parse(*text, v->file, &v->rig, c, err);
}

cb_status daq_interview_end(daq_interview *v, char **text, daq_campaign *c, cb_err *err) {
  return read_back(v, text, c, err);
}

/* ---- what is proposed ---- */

static void propose_masses(const cb_rig *rig, daq_proposal *p) {
  static const double grams[] = {0, 50, 100, 200, 500, 1000, 2000, 5000};
  const cb_rig_bench *b = &rig->bench;
  /* A coefficient of 1, and a static force a quarter above. */
  const double most_kg = rig->force.overload_N / (1.25 * b->gravity_m_per_s2) - b->cart_mass_kg;
  int n = 0, last = 0;
  for (int k = 1; k < 8 && grams[k] <= 1e3 * most_kg; k++) last = k;
  for (int k = last > 3 ? last - 3 : last > 0; k <= last && last > 0; k++, n++)
    cb_text_add(p->text, sizeof p->text, ", ", "%g", grams[k]);
  if (n == 0) (void)snprintf(p->text, sizeof p->text, "0");
  (void)snprintf(p->why, sizeof p->why,
                 _("Under these loads a coefficient of 1 stays below the %g N at which the rig stops."),
                 rig->force.overload_N);
}

static void propose_travel(const daq_interview *v, daq_proposal *p) {
  const cb_rig *rig = &v->rig;
  const bool forward = v->q.given[WAYS] && strcmp(v->q.answer[WAYS], "forward") == 0;
  const double room_mm =
      1e3 * (rig->stage.limit_max_m - rig->stage.start_m - (forward ? 0 : daq_campaign_back_off_max(rig)));
  const double way_mm = fmin(30, floor(room_mm));
  if (way_mm > 2e3 * rig->bench.link_slack_m) (void)snprintf(p->text, sizeof p->text, "%g", way_mm);
}

static void propose_repeats(daq_interview *v, daq_proposal *p) {
  double band;
  char *text = NULL;
  daq_campaign c = {.text = NULL};
  (void)snprintf(p->text, sizeof p->text, "3");
  (void)snprintf(p->why, sizeof p->why, "%s", _("Three repeats tell how far repeats scatter."));
  if (!v->q.given[BAND] || !v->repeats) return;
  if (cb_parse_double(v->q.answer[BAND], "band_percent", &band, NULL) == CB_OK &&
      read_back(v, &text, &c, NULL) == CB_OK)
    (void)snprintf(p->text, sizeof p->text, "%d", v->repeats(v->context, &c, &v->rig, band, p->why));
  free(text);
  daq_campaign_clear(&c);
}

/* Whether the standard that was named sets this where it is left empty. */
static bool is_set(const daq_interview *v, size_t i) {
  const cb_standard *s = v->q.given[PRESET] ? cb_standard_find(v->q.answer[PRESET]) : NULL;
  if (!s) return false;
  if (i == ANGLES) return s->n_angles > 0;
  if (i == MASSES) return s->n_masses > 0 || s->sled_kg.max > 0;
  if (i == TRAVEL) return s->window_m > 0;
  return i != ZERO || s->zero_min_s > 0;
}

static void propose(void *context, size_t i, daq_proposal *p) {
  daq_interview *v = context;
  const cb_rig *rig = &v->rig;
  const size_t size = sizeof p->text;
  if (i == RIG) (void)snprintf(p->text, size, "%s", v->rig_file ? v->rig_file : "");
  if (i == PRESET) (void)snprintf(p->text, size, "custom");
  if (i == OPERATOR) (void)snprintf(p->text, size, "%s", v->operator_name ? v->operator_name : "");
  if (!rig->text || is_set(v, i)) return;
  if (i == ANGLES) (void)snprintf(p->text, size, "0, 45, 90");
  if (i == MASSES) propose_masses(rig, p);
  if (i == WAYS) (void)snprintf(p->text, size, "both");
  if (i == REPEATS) propose_repeats(v, p);
  if (i == SPEED) (void)snprintf(p->text, size, "%g", fmin(10, 1e3 * rig->stage.max_speed_m_per_s));
  if (i == TRAVEL) propose_travel(v, p);
  if (i == ZERO) (void)snprintf(p->text, size, "%g", fmax(0.5, ceil(100 / rig->force.rate_Hz) / 10));
}

double daq_interview_shared_u(cb_store *s, const daq_campaign *c, const cb_rig *rig) {
  char today[CB_DATE_SIZE];
  daq_calibration k;
  double least_kg = c->added_masses_kg.v[0];
  for (size_t i = 1; i < c->added_masses_kg.n; i++) least_kg = fmin(least_kg, c->added_masses_kg.v[i]);
  cb_date_today(today);
  const bool known = daq_calibration_choose(s, rig, today, true, &k, NULL) == CB_OK;
  return hypot(known ? k.row.u_rel : 0, rig->bench.u_mass_kg / (rig->bench.cart_mass_kg + least_kg));
}

/* ---- what is chosen ---- */

/* A label answers for its cloth, and for the next question. */
static cb_status choose(daq_interview *v, size_t i, cb_err *err) {
  daq_scanned what;
  memcpy(what.text, v->q.answer[i], sizeof what.text);
  CB_TRY(daq_scan_choose(v->store, i == CLOTH ? CB_CLOTH : CB_BODY, &what, err));
  memcpy(v->q.answer[i], what.text, sizeof what.text);
  if (i == CLOTH) memcpy(v->q.answer[PIECE], what.specimen, sizeof what.specimen);
  if (i == CLOTH) v->q.given[PIECE] = what.specimen[0] != '\0';
  return CB_OK;
}

/* ---- what is refused ---- */

static cb_status name_rig(daq_interview *v, cb_err *err) {
  cb_rig *rig = calloc(1, sizeof *rig); /* too large for some stacks */
  if (!rig) return cb_no_memory(err, "%s", v->q.answer[RIG]);
  const cb_status st = cb_rig_load(v->q.answer[RIG], rig, err);
  cb_rig_clear(st == CB_OK ? &v->rig : rig);
  if (st == CB_OK) v->rig = *rig;
  free(rig);
  return st;
}

static cb_status check(void *context, size_t i, cb_err *err) {
  daq_interview *v = context;
  daq_campaign c;
  cb_err wrong = {""};
  char *text = NULL;
  if (i == RIG) return name_rig(v, err);
  if (!v->rig.text) return cb_fail(err, CB_E_ARG, "the rig file comes first");
  if (i == CLOTH || i == BODY) CB_TRY(choose(v, i, err));
  cb_status st = read_back(v, &text, &c, &wrong);
  free(text);
  daq_campaign_clear(&c);
  if (st == CB_OK) return i == PIECE ? daq_specimen_find(v->store, &c, &(cb_specimen){.id = 0}, err) : CB_OK;
  const char *said = daq_said_of(wrong.msg, v->file, table[i].field.key);
  if (!said && i == PRESET) said = daq_said_of(wrong.msg, v->file, "contact_area_cm2");
  if (!said && i == PRESET) said = daq_said_of(wrong.msg, v->file, "specimen");
  if (!said && i == MASSES) said = daq_said_of(wrong.msg, v->file, "the sled, cart_mass_g");
  return said ? cb_fail(err, st, "%s", said) : CB_OK;
}

static bool has_specimens(const daq_interview *v) {
  cb_specimen *list;
  size_t n;
  if (!v->store || cb_store_specimens(v->store, &list, &n, NULL) != CB_OK) return false;
  free(list);
  return n > 0;
}

/* Who names a standard has the repeats from it. */
static bool is_wanted(void *context, size_t i) {
  if (i == PIECE) return has_specimens(context);
  return i != BAND || is_custom(context);
}

void daq_interview_begin(daq_interview *v) {
  v->q = (daq_questions){.table = table,
                         .n = N_TABLE,
                         .left = N_("nothing was written"),
                         .wanted = is_wanted,
                         .propose = propose,
                         .check = check,
                         .context = v};
}

void daq_interview_clear(daq_interview *v) { cb_rig_clear(&v->rig); }
