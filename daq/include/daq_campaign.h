/* The campaign file: which cloth on which body, at which angles, under which loads, how often. docs/campaign-file.md lists every
 * key. Durations are rig time. */
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

/* Every angle under every load; or the first angle under the first load, the second under the second ... */
typedef enum daq_grid { DAQ_GRID_FULL, DAQ_GRID_PAIRS } daq_grid;

typedef struct daq_campaign {
  char name[64];
  int kind; /* cb_campaign_kind: friction or slide */
  char cloth[64], body[64];
  cb_numlist angles_deg;      /* cloth on the bed, 0 = warp along the pull */
  cb_numlist body_angles_deg; /* of a body that is a cloth itself; none: nobody looks at how the body lies */
  cb_numlist added_masses_kg;
  int grid; /* daq_grid */
  int repeats;
  int directions; /* daq_directions */
  double speed_m_per_s, travel_m;
  double zero_s;            /* rest before the pull, in which the zero is taken */
  char operator_name[64];   /* "": not said */
  int preset;               /* index into cb_standard_names */
  bool fresh_specimens;     /* every repeat is another specimen */
  cb_conditions conditions; /* what the file says of air and specimen; daq_conditions.h asks for the rest */
  char *text;               /* the file as read; owned */
} daq_campaign;

typedef struct daq_cell { /* one run to be made */
  double angle_deg, added_mass_kg;
  double body_angle_deg; /* NAN: nobody looks at it */
  int repeat;            /* from 1 */
  int direction;         /* +1, -1 */
} daq_cell;

/* Reads and checks a campaign file, also against the rig it is to run on (travel inside the limits, speed, room to back off).
 * Caller frees with daq_campaign_clear, also after a failure. */
CB_CHECKED cb_status daq_campaign_load(const char *path, const cb_rig *rig, daq_campaign *c, cb_err *err);
/* The same from a text; name stands for the path in errors. */
CB_CHECKED cb_status daq_campaign_parse(const char *text, const char *name, const cb_rig *rig, daq_campaign *c, cb_err *err);
void daq_campaign_clear(daq_campaign *c);

/* Writes a campaign of kind friction, without a preset, as a file that reads back as it. remark: its first line. Whole or not at all. */
CB_CHECKED cb_status daq_campaign_write(const char *path, const daq_campaign *c, const char *remark, cb_err *err);

/* Runs in order: angle, angle of the body, load, repeat, direction. */
size_t daq_campaign_cells(const daq_campaign *c);
daq_cell daq_campaign_cell(const daq_campaign *c, size_t i);

/* How far the stage may have to back off until the link is slack: play + stretch at the overload limit [m]. */
double daq_campaign_back_off_max(const cb_rig *rig);

#endif
