#include "daq_conditions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"

#define MEMBER(m) .offset = offsetof(cb_conditions, m), .size = sizeof(((cb_conditions *)0)->m)

const cb_yfield daq_conditions_fields[DAQ_N_CONDITIONS] = {
    {"atmosphere", CB_Y_ENUM, MEMBER(atmosphere), .choices = cb_atmosphere_names},
    {"temperature_degC", CB_Y_NUM, MEMBER(temperature_degC), .min = -50, .max = 100},
    {"humidity_percent", CB_Y_NUM, MEMBER(humidity_percent), .min = 0, .max = 100},
    {"conditioning_h", CB_Y_NUM, MEMBER(conditioning_h), .min = 0, .max = 1e5},
    {"cloth_lot", CB_Y_STR, MEMBER(cloth_lot)},
    {"cloth_side", CB_Y_ENUM, MEMBER(cloth_side), .choices = cb_side_names},
    {"body_specimen", CB_Y_STR, MEMBER(body_specimen)},
    {"specimen_area_cm2", CB_Y_NUM, MEMBER(specimen_area_m2), .min = 1e-2, .max = 1e5, .scale = 1e-4},
    {"wash_state", CB_Y_STR, MEMBER(wash_state)},
    {"note", CB_Y_STR, MEMBER(note)},
};

static const char *const questions[DAQ_N_CONDITIONS] = {
    "Atmosphere that was aimed at",
    "Temperature of the air at the bench [degC]",
    "Relative humidity of the air at the bench [%]",
    "Time the specimens have hung in that atmosphere [h]",
    "Lot or roll of the cloth",
    "Side of the cloth that is rubbed",
    "Which specimen of the body",
    "Area of the cloth specimen [cm2]",
    "Washed how often, and how",
    "Anything else worth a note",
};

static const char *const meanings[DAQ_N_CONDITIONS] = {
    "The atmosphere of ISO 139 in which the specimens were to be: standard has 20 degC and 65 %, alternative "
    "has 23 "
    "degC and 50 %, none is no controlled air",
    "What the thermometer beside the bench shows now",
    "What the hygrometer beside the bench shows now",
    "Since when the specimens hang there; ISO 139 wants constant mass, for many cloths 4 h and more",
    "What the label of the roll says: runs of different lots are told apart",
    "The side that touches the body: the face is the side meant to be seen",
    "The mark of the piece of the body's material, where there are several",
    "Length x width of the piece of cloth that slides",
    "Washes change friction: such as \"3 x ISO 6330, 4N\" or \"new\"",
    "What somebody who reads the numbers in a year should know",
};

void daq_conditions_explain(size_t i, char out[400]) {
  const cb_yfield *f = &daq_conditions_fields[i];
  size_t n = (size_t)snprintf(out, 400, "%s. ", meanings[i]);
  if (f->kind == CB_Y_NUM) (void)snprintf(out + n, 400 - n, "Wanted: a number from %g to %g", f->min, f->max);
  if (f->kind == CB_Y_ENUM) (void)snprintf(out + n, 400 - n, "Wanted: one of the words in brackets");
  if (f->kind == CB_Y_STR)
    (void)snprintf(out + n, 400 - n, "Wanted: a text of at most %zu bytes", f->size - 1);
}

void daq_conditions_question(size_t i, char out[160]) {
  const cb_yfield *f = &daq_conditions_fields[i];
  size_t n = (size_t)snprintf(out, 160, "%s", questions[i]);
  for (size_t k = 0; f->kind == CB_Y_ENUM && f->choices[k]; k++)
    n += (size_t)snprintf(out + n, 160 - n, "%s%s", k ? " | " : " (", f->choices[k]);
  if (f->kind == CB_Y_ENUM) (void)snprintf(out + n, 160 - n, ")");
}

static const void *member(const cb_conditions *c, size_t i) {
  return (const char *)c + daq_conditions_fields[i].offset;
}

bool daq_conditions_known(const cb_conditions *c, size_t i) {
  const void *at = member(c, i);
  switch (daq_conditions_fields[i].kind) {
    case CB_Y_NUM: return !isnan(*(const double *)at);
    case CB_Y_ENUM: return *(const int *)at >= 0;
    default: return *(const char *)at != '\0';
  }
}

void daq_conditions_text(const cb_conditions *c, size_t i, char out[256]) {
  const cb_yfield *f = &daq_conditions_fields[i];
  const void *at = member(c, i);
  out[0] = '\0';
  if (!daq_conditions_known(c, i)) return;
  if (f->kind == CB_Y_NUM)
    (void)snprintf(out, 256, "%.10g", *(const double *)at / (f->scale != 0 ? f->scale : 1));
  else
    (void)snprintf(out, 256, "%s", f->kind == CB_Y_ENUM ? f->choices[*(const int *)at] : (const char *)at);
}

static cb_status answer_number(const cb_yfield *f, const char *text, double *out, cb_err *err) {
  double v;
  CB_TRY(cb_parse_double(text, f->key, &v, err));
  CB_TRY(cb_check_range(v, f->min, f->max, f->key, "", err));
  *out = v * (f->scale != 0 ? f->scale : 1);
  return CB_OK;
}

static cb_status answer_choice(const cb_yfield *f, size_t i, const char *text, int *out, cb_err *err) {
  char question[160];
  for (int k = 0; f->choices[k]; k++)
    if (strcmp(text, f->choices[k]) == 0) {
      *out = k;
      return CB_OK;
    }
  daq_conditions_question(i, question);
  return cb_fail(err, CB_E_PARSE, "%s = '%.60s': must be one of %s", f->key, text, strchr(question, '('));
}

cb_status daq_conditions_answer(cb_conditions *c, size_t i, const char *text, cb_err *err) {
  const cb_yfield *f = &daq_conditions_fields[i];
  char *at = (char *)c + f->offset;
  if (!text[0]) return CB_OK;
  if (f->kind == CB_Y_NUM) return answer_number(f, text, (double *)(void *)at, err);
  if (f->kind == CB_Y_ENUM) return answer_choice(f, i, text, (int *)(void *)at, err);
  if (strlen(text) >= f->size)
    return cb_fail(err, CB_E_RANGE, "%s = '%.40s...': must be shorter than %zu bytes", f->key, text, f->size);
  strcpy(at, text);
  return CB_OK;
}
