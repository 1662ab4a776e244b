/* The forecast of a campaign, as `run` and `plan` say it. */
#ifndef CLI_FORECAST_H
#define CLI_FORECAST_H

#include "cli.h"
#include "daq_campaign.h"
#include "lab_forecast.h"

#define CLI_ANYWAY_HELP "go on with pulls that the forecast says cannot work"

typedef struct cli_forecast {
  lab_forecast f;
  size_t n_pulls;           /* of every cell */
  lab_forecast_cell *cells; /* owned */
} cli_forecast;

/* Forecasts all places of a campaign, which must live as long. s may be NULL. known: of the
 * same database. calibrated_N: the largest
 * calibrated force; 0: not known. The caller calls cli_forecast_clear, also after a failure. */
CB_CHECKED cb_status cli_forecast_make(cb_store *s, const lab_known_laws *known, const cb_rig *rig,
                                       const daq_campaign *c, double calibrated_N, cli_forecast *out,
                                       cb_err *err);
void cli_forecast_clear(cli_forecast *out);

/* Says on stderr one sentence for each kind of trouble. Error: CB_E_RANGE with the first sentence on cells
 * that are certain to fail; `anyway` says that one, too. */
CB_CHECKED cb_status cli_forecast_say(const char *command, const cli_forecast *f, bool anyway, cb_err *err);

/* Prints on stdout a row for each cell. */
void cli_forecast_print(const cli_forecast *f);

/* Time of the rig for one pull: two zeros, the way, and the way back where all pulls go in one direction. */
double cli_forecast_pull_s(const daq_campaign *c);

#endif
