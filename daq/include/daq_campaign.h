/* The campaign file: which cloth on which body, at which angles, under which loads, how often.
 * docs/reference/campaign-file.md lists every key. Durations are rig time. */
#ifndef DAQ_CAMPAIGN_H
#define DAQ_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_conditions.h"
#include "cb_err.h"
#include "cb_rig.h"
#include "cb_standard.h"
#include "cb_yaml.h"

typedef enum daq_directions { DAQ_FORWARD, DAQ_BACKWARD, DAQ_BOTH } daq_directions;

/* FULL: every angle under every load. PAIRS: the first angle under the first load, the second under the
 * second ... */
typedef enum daq_grid { DAQ_GRID_FULL, DAQ_GRID_PAIRS } daq_grid;

/* In which order places (angle, angle of the body, load) are visited. RETURN: all repeats of a place, then
 * those of the next; but the last repeat of the first load of every sample is made at the end, on the way
 * back, so that what changes with time shows. PASSES: every place once, then all back again, as often as
 * there are repeats. CELLS: a place after the other, and no way back. */
typedef enum daq_order { DAQ_RETURN, DAQ_PASSES, DAQ_CELLS } daq_order;

typedef struct daq_campaign {
  char name[64];
  int kind; /* cb_campaign_kind: friction or slide */
  char cloth[64], body[64];
  char specimen[64];          /* of the cloth: name or mark (cb_store_specimen.h); "": not recorded */
  cb_numlist angles_deg;      /* cloth on the bed, 0 = warp along the pull */
  cb_numlist body_angles_deg; /* of a body that is a cloth; none: its orientation is not recorded */
  cb_numlist added_masses_kg;
  int grid; /* daq_grid */
  int repeats;
  int order;      /* daq_order; CELLS where every repeat is another specimen */
  int directions; /* daq_directions */
  double speed_m_per_s, travel_m;
  double zero_s;            /* rest before the pull, for the zero */
  char operator_name[64];   /* "": not given */
  int preset;               /* index into cb_standard_names */
  bool fresh_specimens;     /* every repeat is another specimen */
  cb_conditions conditions; /* as given by the file; daq_conditions.h asks for the rest */
  bool to_and_fro;          /* in a full grid, loads rise and fall in turn (daq_batch.h) ... */
  bool falls_first;         /* ... and fall first */
  char *text;               /* the file as read; owned */
} daq_campaign;

/* One run to be made. */
typedef struct daq_cell {
  double angle_deg, added_mass_kg;
  double body_angle_deg; /* NAN: not recorded */
  int repeat;            /* from 1 */
  int direction;         /* +1, -1 */
} daq_cell;

/* Reads a campaign file and checks it, also against its preset (cb_standard.h) and its rig: travel within the
 * limits, speed, room to back off. The caller frees *c with daq_campaign_clear, also after a failure.
 * Errors: those of cb_yaml_load and cb_yaml_bind; CB_E_PARSE or CB_E_RANGE for a broken rule, with file:line;
 * CB_E_NOMEM. */
CB_CHECKED cb_status daq_campaign_load(const char *path, const cb_rig *rig, daq_campaign *c, cb_err *err);
void daq_campaign_clear(daq_campaign *c);

/* Writes a campaign of kind friction without a preset as a file, which reads back as the same campaign.
 * remark is the file's first line, a comment. On failure the old file is unchanged.
 * Errors: CB_E_IO. */
CB_CHECKED cb_status daq_campaign_write(const char *path, const daq_campaign *c, const char *remark,
                                        cb_err *err);

/* The runs in their order: that of the cells, of repeats, and last the direction. i counts from 0. */
size_t daq_campaign_cells(const daq_campaign *c);
daq_cell daq_campaign_cell(const daq_campaign *c, size_t i);

#endif
