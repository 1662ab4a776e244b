/* Private to daq/. */
#ifndef DAQ_CAMPAIGN_IMPL_H
#define DAQ_CAMPAIGN_IMPL_H

#include "cb_store_specimen.h"
#include "daq_batch.h"
#include "daq_campaign.h"

/* daq_campaign_load of a text, which is copied. `name` stands for the path in errors. */
CB_CHECKED cb_status daq_campaign_parse(const char *text, const char *name, const cb_rig *rig,
                                        daq_campaign *c, cb_err *err);

/* Returns the longest way that the stage may back off until the link is slack [m]: play + stretch at the
 * overload limit. */
double daq_campaign_back_off_max(const cb_rig *rig);

/* daq_batch_load of a text. */
CB_CHECKED cb_status daq_batch_parse(const char *text, const char *name, const cb_rig *rig, daq_batch *b,
                                     cb_err *err);

/* A cloth or a body of a batch; "" where the file has the single name, no lot or no specimen. */
typedef struct daq_pair_side {
  char name[64], lot[64], specimen[64];
} daq_pair_side;
typedef struct daq_pair {
  daq_pair_side cloth, body;
} daq_pair;

/* daq_campaign_load of one pair of a file that has lists of them (daq_batch.h). */
CB_CHECKED cb_status daq_campaign_read(const cb_yaml *doc, const char *name, const cb_rig *rig,
                                       const daq_pair *pair, daq_campaign *c, cb_err *err);

/* Completes a campaign by its preset. Refuses values that contradict the standard, in the file or on the rig
 * (cart mass, contact area), naming the standard's value. Then refuses missing keys. Without a preset only
 * the last. */
CB_CHECKED cb_status daq_preset_apply(daq_campaign *c, const cb_rig *rig, cb_ynode root, cb_err *err);

/* Finds the campaign's specimen; its id is 0 if the campaign names none. Errors: those of daq_specimen_fill.
 */
CB_CHECKED cb_status daq_specimen_find(cb_store *s, const daq_campaign *c, cb_specimen *p, cb_err *err);

/* An answer that names a cloth or body becomes its name; one that names a specimen, its cloth's. */
typedef struct daq_scanned {
  char text[512];    /* as typed; then the name */
  char specimen[64]; /* "": it is none's */
  bool known;        /* false: a new name */
} daq_scanned;
/* s may be NULL: nothing is known. Errors: CB_E_NOTFOUND for a text that is a code (a mark, eight digits or
 * more), and nothing's. */
CB_CHECKED cb_status daq_scan_choose(cb_store *s, cb_material_kind kind, daq_scanned *what, cb_err *err);

#endif
