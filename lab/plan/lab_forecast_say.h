/* Cells in words. Private to lab/. */
#ifndef LAB_FORECAST_SAY_H
#define LAB_FORECAST_SAY_H

#include "lab_forecast.h"

/* The gravest grade of a trouble, and how many cells have this or any grade of it. */
typedef struct lab_troubled {
  lab_grade grade;
  size_t n_gravest, n_all;
} lab_troubled;

#endif
