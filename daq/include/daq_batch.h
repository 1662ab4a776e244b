/* Many cloths, lots and bodies in one file: a campaign for each pair, ordered so that hands have little to
 * do.
 *
 * The file is a campaign file with a list `cloths` in place of `cloth`, or `bodies` in place of `body`, or
 * both. An entry of `cloths` is a name, or {name: NAME, lot: LOT, specimen:
 * SPECIMEN}, where lot and specimen may be missing. */
#ifndef DAQ_BATCH_H
#define DAQ_BATCH_H

#include "daq_campaign.h"

#define DAQ_BATCH_MOST 2000 /* pairs */

typedef struct daq_batch {
  size_t n;                /* 1 for a file of one pair */
  daq_campaign *campaigns; /* owned; in the order in which they are to be run */
} daq_batch;

/* Reads a campaign file, or one of many pairs. The pairs come to and fro: from one campaign to the next, only
 * the cloth or only the body changes. So do the loads of a full grid: the next sample begins with the weights
 * of the last. The text of each of several campaigns is the file's, after a comment that names the pair.
 * Errors: those of daq_campaign_load; CB_E_PARSE for an empty list, or a list beside its single name;
 * CB_E_RANGE for an entry that stands twice, or too many. The caller frees *b with daq_batch_clear, also
 * after a failure. */
CB_CHECKED cb_status daq_batch_load(const char *path, const cb_rig *rig, daq_batch *b, cb_err *err);
void daq_batch_clear(daq_batch *b);

/* The air of a campaign is that of the campaign before, where nobody said otherwise. */
void daq_batch_keep_air(daq_batch *b, size_t at);

/* How often somebody must do something, the first time included. */
typedef struct daq_handling {
  size_t runs;
  size_t bodies, cloths; /* laid down */
  size_t turns;          /* of a cloth or body that lies already */
  size_t weights;        /* put on or taken off */
} daq_handling;
/* Counts for the order of the batch, and for the file's: every cloth on the first body, then on the second,
 * all loads rising. */
void daq_batch_handling(const daq_batch *b, daq_handling *ordered, daq_handling *as_written);

#endif
