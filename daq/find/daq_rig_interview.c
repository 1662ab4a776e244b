#include "daq_rig_interview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_language.h"
#include "cb_rig.h"
#include "cb_text.h"
#include "daq_questions_parts.h"
#include "daq_rig_template.h"

static const char *const kinds[] = {N_("real"), N_("virtual"), NULL};

#define DRIVER(key, names, what, help, example) \
  { {key, CB_Y_ENUM, .choices = names, .required = true}, what, help, NULL, example }
#define PORT(key, what)                                                                                 \
  {                                                                                                     \
    {key, CB_Y_STR, .size = 128, .required = true}, what,                                               \
        N_("The name of the port; 'clothbench devices' lists what is plugged in"), NULL, "/dev/ttyUSB0" \
  }
#define NUMBER(key, low, high, unit, what, help, example) \
  { {key, CB_Y_NUM, .min = (low), .max = (high), .required = true}, what, help, unit, example }

/* From DAQ_RIG_KNOWN on a question's key is one of the template's, in the section of `sections`. */
static const daq_ask table[] = {
    {{"kind", CB_Y_ENUM, .choices = kinds},
     N_("Is the bench real, or virtual for practice"),
     N_("A virtual bench is played by this program: stage, load cell, cart and cloth"),
     NULL,
     "real"},
    DRIVER("stage", cb_stage_driver_names, N_("Driver of the stage"),
           N_("Which language the controller of the stage speaks; 'clothbench devices --ask' finds out"),
           "grbl"),
    PORT("stage_port", N_("Port of the stage")),
    DRIVER("force", cb_force_driver_names, N_("Driver of the read-out"),
           N_("Which language the read-out of the load cell speaks; line is a line of text with a number"),
           "line"),
    PORT("force_port", N_("Port of the read-out")),
    NUMBER("microstep_um", 1e-4, 1000, "um", N_("Smallest step of the stage"),
           N_("The data sheet has it. A wrong one moves too far"), "0.1984375"),
    NUMBER("limit_min_mm", -1e4, 1e4, "mm", N_("Lower limit of the travel"),
           N_("The stage never goes below it, in its own co-ordinate"), "0"),
    NUMBER("limit_max_mm", -1e4, 1e4, "mm", N_("Upper limit of the travel"),
           N_("The stage never goes beyond it, in its own co-ordinate"), "100"),
    NUMBER("max_speed_mm_per_s", 1e-3, 1e4, "mm/s", N_("Highest speed of the stage"),
           N_("No campaign may pull faster"), "50"),
    NUMBER("start_mm", -1e4, 1e4, "mm", N_("Start of every forward pull"),
           N_("Between the limits, with room to back off below it"), "20"),
    {{"unit", CB_Y_STR, .size = 16, .required = true},
     N_("Unit of the reading"),
     N_("What the read-out sends: N, mN, gf, g, mV/V and so on"),
     NULL,
     "N"},
    NUMBER("rate_Hz", 0.1, 1e6, "Hz", N_("Readings per second"), N_("As the read-out is set"), "80"),
    NUMBER("overload_N", 1e-3, 1e5, "N", N_("Force at which the stage stops"),
           N_("Above what friction needs, and below what the load cell bears"), "8"),
    {{"cell", CB_Y_STR, .size = 64},
     N_("Serial number of the load cell"),
     N_("Calibrations belong to it"),
     NULL,
     "LC-1"},
    NUMBER("cart_mass_g", 0.01, 5e4, "g", N_("Mass of the cart"),
           N_("Weigh the cart with the body sample under it, as it is pulled"), "13"),
    NUMBER("u_mass_g", 0, 1e3, "g", N_("Standard uncertainty of cart and weights"),
           N_("What the balance and the weights are good to, together"), "0.05"),
    NUMBER("contact_area_cm2", 1e-3, 1e5, "cm2", N_("Contact area of body and cloth"),
           N_("Length times width of the body sample"), "50"),
    NUMBER("link_stiffness_N_per_m", 1, 1e8, "N/m", N_("Stiffness of load cell and link"),
           N_("A force over the stretch that it makes; 'clothbench rig check' measures it"), "500"),
    NUMBER("link_slack_mm", 1e-3, 100, "mm", N_("Play of the link to either side"),
           N_("How far the cart moves from the middle until the link pulls; zero force is measured there"),
           "2"),
    NUMBER("gravity_m_per_s2", 9.7, 9.9, "m/s2", N_("Gravity at the bench"), N_("The local value"),
           "9.80665"),
    NUMBER("u_angle_deg", 0, 90, "deg", N_("Standard uncertainty of the sample's orientation"),
           N_("How well the warp is laid along the pull"), "0.5"),
};
#define N_TABLE (sizeof table / sizeof table[0])
_Static_assert(N_TABLE <= DAQ_QUESTIONS_MOST, "a list has room for all");

static const char *section_of(size_t i) {
  const char *key = table[i].field.key;
  if (strcmp(key, "unit") == 0 || strcmp(key, "rate_Hz") == 0 || strcmp(key, "overload_N") == 0 ||
      strcmp(key, "cell") == 0)
    return "\nforce:\n";
  return i < 10 ? "\nstage:\n" : "\nbench:\n";
}

/* ---- keys of the template ---- */

/* Where the line of a key begins, also of one that is a comment; NULL: this driver has no such key. */
static char *line_of(char *text, size_t i) {
  const char *section = section_of(i);
  char wanted[2][60];
  char *at = strstr(text, section);
  (void)snprintf(wanted[0], sizeof wanted[0], "  %s: ", table[i].field.key);
  (void)snprintf(wanted[1], sizeof wanted[1], "  # %s: ", table[i].field.key);
  for (at = at ? at + strlen(section) : NULL; at && *at == ' '; at = strchr(at, '\n') + 1)
    for (int k = 0; k < 2; k++)
      if (strncmp(at, wanted[k], strlen(wanted[k])) == 0) return at;
  return NULL;
}

/* The value of a line up to its comment. */
static void read_value(const char *line, char out[DAQ_ANSWER]) {
  const char *from = strchr(line, ':') + 2;
  (void)snprintf(out, DAQ_ANSWER, "%.*s", (int)strcspn(from, " \n"), from);
}

/* Prints the text with another value in that line. */
static cb_status set_value(char **text, char *line, size_t i, const char *value, cb_err *err) {
  cb_draft d;
  char *out;
  CB_TRY(cb_draft_begin(&d, err));
  fprintf(d.to, "%.*s  %s: ", (int)(line - *text), *text, table[i].field.key);
  if (table[i].field.kind == CB_Y_STR)
    daq_answer_put(d.to, value);
  else
    fprintf(d.to, "%s", value);
  const char *end = strchr(line, '\n'), *comment = strstr(strchr(line, ':'), " #");
  fprintf(d.to, "%s", comment && comment < end ? comment : end);
  CB_TRY(cb_draft_end(&d, CB_OK, &out, err));
  free(*text);
  *text = out;
  return CB_OK;
}

/* ---- the file ---- */

static void propose(void *context, size_t i, daq_proposal *p);

static void answer_or_proposal(daq_rig_interview *v, size_t i, daq_proposal *p) {
  *p = (daq_proposal){.text = ""};
  if (v->q.answer[i][0])
    memcpy(p->text, v->q.answer[i], sizeof p->text);
  else
    propose(v, i, p);
}

static int number_of(const char *const *names, const char *name) {
  int k = 0;
  while (names[k] && strcmp(names[k], name) != 0) k++;
  return names[k] ? k : 0;
}

/* By the drivers and ports so far. */
static cb_status make_template(daq_rig_interview *v, char **text, cb_err *err) {
  daq_proposal stage, force;
  answer_or_proposal(v, DAQ_RIG_STAGE_PORT, &stage);
  answer_or_proposal(v, DAQ_RIG_FORCE_PORT, &force);
  const daq_rig_parts parts = {.name = "bench",
                               .stage = number_of(cb_stage_driver_names, v->q.answer[DAQ_RIG_STAGE]),
                               .force = number_of(cb_force_driver_names, v->q.answer[DAQ_RIG_FORCE]),
                               .stage_port = stage.text,
                               .force_port = force.text};
  return daq_rig_template(&parts, text, err);
}

static cb_status make_text(daq_rig_interview *v, char **text, cb_err *err) {
  char now[DAQ_ANSWER];
  CB_TRY(make_template(v, text, err));
  for (size_t i = DAQ_RIG_KNOWN; i < N_TABLE; i++) {
    char *line = line_of(*text, i);
    if (!line || !v->q.answer[i][0]) continue;
    read_value(line, now);
    if (strcmp(now, v->q.answer[i]) != 0) CB_TRY(set_value(text, line, i, v->q.answer[i], err));
  }
  return CB_OK;
}

cb_status daq_rig_interview_end(daq_rig_interview *v, char **text, cb_err *err) {
  cb_rig *rig = calloc(1, sizeof *rig); /* too large for some stacks */
  *text = NULL;
  cb_status st = rig ? make_text(v, text, err) : cb_no_memory(err, "%s", v->file);
  if (st == CB_OK) st = cb_rig_parse(*text, v->file, rig, err);
  if (rig) cb_rig_clear(rig);
  free(rig);
  return st;
}

/* ---- what is proposed ---- */

static const char *name_of(const daq_port *p) { return p->by_id[0] ? p->by_id : p->path; }

static void propose_port(daq_rig_interview *v, size_t i, daq_proposal *p) {
  const char *force = v->q.answer[DAQ_RIG_FORCE], *second = "/dev/ttyUSB1";
  daq_proposal stage;
  if (v->n_ports > 1) second = name_of(&v->ports[1]);
  if (strcmp(force, cb_force_driver_names[CB_FORCE_COMEDI]) == 0) second = "/dev/comedi0";
  if (i == DAQ_RIG_STAGE_PORT) second = v->n_ports > 0 ? name_of(&v->ports[0]) : "/dev/ttyUSB0";
  (void)snprintf(p->text, sizeof p->text, "%s", second);
  if (i == DAQ_RIG_FORCE_PORT && strcmp(force, cb_force_driver_names[CB_FORCE_MARK10_ESM]) == 0) {
    answer_or_proposal(v, DAQ_RIG_STAGE_PORT, &stage);
    memcpy(p->text, stage.text, sizeof p->text);
  }
  cb_text_add(p->why, sizeof p->why, "", v->n_ports ? _("Plugged in:") : _("No serial port is plugged in."));
  for (size_t k = 0; k < v->n_ports; k++)
    cb_text_add(p->why, sizeof p->why, " ", "%s", name_of(&v->ports[k]));
}

static void propose(void *context, size_t i, daq_proposal *p) {
  daq_rig_interview *v = context;
  char *text = NULL;
  if (i == DAQ_RIG_KIND) (void)snprintf(p->text, sizeof p->text, "real");
  if (i == DAQ_RIG_STAGE_PORT || i == DAQ_RIG_FORCE_PORT) propose_port(v, i, p);
  if (i < DAQ_RIG_KNOWN || make_template(v, &text, NULL) != CB_OK) return;
  const char *line = line_of(text, i);
  if (line && line[2] != '#') read_value(line, p->text);
  free(text);
}

/* ---- what is refused ---- */

static cb_status check(void *context, size_t i, cb_err *err) {
  daq_rig_interview *v = context;
  cb_err wrong = {""};
  char *text = NULL;
  if (i < DAQ_RIG_FORCE) return CB_OK;
  const cb_status st = daq_rig_interview_end(v, &text, &wrong);
  free(text);
  const char *said = daq_said_of(wrong.msg, v->file, table[i].field.key);
  if (st == CB_E_ARG && (i == DAQ_RIG_FORCE || i == DAQ_RIG_FORCE_PORT)) said = wrong.msg;
  return st != CB_OK && said ? cb_fail(err, st, "%s", said) : CB_OK;
}

static bool is_wanted(void *context, size_t i) {
  daq_rig_interview *v = context;
  char *text = NULL;
  if (i > DAQ_RIG_KIND && daq_rig_interview_virtual(v)) return false;
  if (i < DAQ_RIG_KNOWN) return !v->fixed[i];
  const bool has = make_template(v, &text, NULL) != CB_OK || line_of(text, i);
  free(text);
  return has;
}

bool daq_rig_interview_virtual(const daq_rig_interview *v) {
  return strcmp(v->q.answer[DAQ_RIG_KIND], "virtual") == 0;
}

cb_status daq_rig_interview_begin(daq_rig_interview *v, cb_err *err) {
  int k;
  v->q = (daq_questions){.table = table,
                         .n = N_TABLE,
                         .left = N_("nothing was written"),
                         .wanted = is_wanted,
                         .propose = propose,
                         .check = check,
                         .context = v};
  for (size_t i = 0; i < DAQ_RIG_KNOWN; i++) {
    const daq_ask *it = &table[i];
    char what[20];
    (void)snprintf(what, sizeof what, "--%s", it->field.key);
    if (!v->fixed[i]) continue;
    if (it->field.choices) CB_TRY(daq_rig_driver(what, v->fixed[i], it->field.choices, &k, err));
    (void)snprintf(v->q.answer[i], sizeof v->q.answer[i], "%s", v->fixed[i]);
    v->q.given[i] = true;
  }
  return CB_OK;
}

cb_status daq_rig_interview_skip(daq_rig_interview *v, cb_err *err) {
  char list[300];
  for (size_t i = 0; i < DAQ_RIG_KNOWN; i++) {
    if (v->q.given[i]) continue;
    daq_rig_drivers(table[i].field.choices ? table[i].field.choices : kinds, list);
    if (table[i].field.choices && i != DAQ_RIG_KIND)
      return cb_fail(err, CB_E_ARG, "--%s: one of %s was wanted", table[i].field.key, list);
    daq_proposal p = {.text = ""};
    propose(v, i, &p);
    memcpy(v->q.answer[i], p.text, sizeof p.text);
    v->q.given[i] = true;
  }
  return CB_OK;
}
