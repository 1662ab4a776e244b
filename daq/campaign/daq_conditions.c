#include "daq_conditions.h"
#include "daq_questions_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_language.h"
#include "cb_num.h"

#define MEMBER(m) .offset = offsetof(cb_conditions, m), .size = sizeof(((cb_conditions *)0)->m)

const daq_ask daq_conditions_questions[DAQ_N_CONDITIONS] = {
    {{"temperature_degC", CB_Y_NUM, MEMBER(temperature_degC), .min = -50, .max = 100},
     N_("Temperature of the air at the bench"),
     N_("What the thermometer beside the bench shows now"),
     "degC",
     "20.5"},
    {{"humidity_percent", CB_Y_NUM, MEMBER(humidity_percent), .min = 0, .max = 100},
     N_("Relative humidity of the air at the bench"),
     N_("What the hygrometer beside the bench shows now"),
     "%",
     "65"},
    {{"atmosphere", CB_Y_ENUM, MEMBER(atmosphere), .choices = cb_atmosphere_names},
     N_("Atmosphere that was aimed at"),
     N_("The atmosphere of ISO 139 in which the specimens were to be: standard has 20 degC and 65 %, "
        "alternative has 23 degC and 50 %, none is no controlled air"),
     NULL,
     "iso139-standard"},
    {{"conditioning_h", CB_Y_NUM, MEMBER(conditioning_h), .min = 0, .max = 1e5},
     N_("Time the specimens have hung in that atmosphere"),
     N_("Since when the specimens hang there; ISO 139 wants constant mass, for many cloths 4 h and more"),
     "h",
     "24"},
    {{"cloth_lot", CB_Y_STR, MEMBER(cloth_lot)},
     N_("Lot or roll of the cloth"),
     N_("What the label of the roll says: runs of different lots are told apart"),
     NULL,
     "roll 7"},
    {{"cloth_side", CB_Y_ENUM, MEMBER(cloth_side), .choices = cb_side_names},
     N_("Side of the cloth that is rubbed"),
     N_("The side that touches the body: the face is the side meant to be seen"),
     NULL,
     "face"},
    {{"body_specimen", CB_Y_STR, MEMBER(body_specimen)},
     N_("Which specimen of the body"),
     N_("The mark of the piece of the body's material, where there are several"),
     NULL,
     "F2"},
    {{"specimen_area_cm2", CB_Y_NUM, MEMBER(specimen_area_m2), .min = 1e-2, .max = 1e5, .scale = 1e-4},
     N_("Area of the cloth specimen"),
     N_("Length x width of the piece of cloth that slides"),
     "cm2",
     "80"},
    {{"wash_state", CB_Y_STR, MEMBER(wash_state)},
     N_("Washed how often, and how"),
     N_("Washes change friction"),
     NULL,
     "3 x ISO 6330, 4N"},
    {{"note", CB_Y_STR, MEMBER(note)},
     N_("Anything else worth a note"),
     N_("What somebody who reads the numbers in a year should know"),
     NULL,
     "the roll was wet"},
};

static const void *member(const cb_conditions *c, size_t i) {
  return (const char *)c + daq_conditions_questions[i].field.offset;
}

bool daq_conditions_known(const cb_conditions *c, size_t i) {
  const void *at = member(c, i);
  switch (daq_conditions_questions[i].field.kind) {
    case CB_Y_NUM: return !isnan(*(const double *)at);
    case CB_Y_ENUM: return *(const int *)at >= 0;
    default: return *(const char *)at != '\0';
  }
}

cb_status daq_conditions_answer(cb_conditions *c, size_t i, const char *text, cb_err *err) {
  const cb_yfield *f = &daq_conditions_questions[i].field;
  char *at = (char *)c + f->offset, read[DAQ_ANSWER];
  double v;
  if (!text[0]) return CB_OK;
  CB_TRY(daq_ask_read(&daq_conditions_questions[i], text, read, err));
  if (f->kind == CB_Y_STR) (void)snprintf(at, f->size, "%s", read);
  for (int k = 0; f->kind == CB_Y_ENUM && f->choices[k]; k++)
    if (strcmp(read, f->choices[k]) == 0) *(int *)(void *)at = k;
  if (f->kind != CB_Y_NUM) return CB_OK;
  CB_TRY(cb_parse_double(read, f->key, &v, err));
  *(double *)(void *)at = v * (f->scale != 0 ? f->scale : 1);
  return CB_OK;
}
