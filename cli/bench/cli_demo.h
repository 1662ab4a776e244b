/* The parts of `clothbench demo`. */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H

#include "cli.h"
#include "cli_share.h"
#include "vlab.h"

#define CLI_DEMO_CLOTH "Demo Twill"
#define CLI_DEMO_BODY "Demo Foam"

typedef enum cli_demo_property {
  CLI_DEMO_FRICTION,
  CLI_DEMO_STRETCH,
  CLI_DEMO_BENDING,
  CLI_DEMO_AIR,
  CLI_DEMO_WEIGHED,
  CLI_DEMO_PROPERTIES
} cli_demo_property;

typedef struct cli_demo {
  char folder[256], db[300], instruments[300];
  /* judged_rig: the rig of the slides */
  char rig[CLI_SHARE_PATH_BYTES], judged_rig[CLI_SHARE_PATH_BYTES];
  vlab lab, judged;                      /* judged: the laboratory that makes the judged measurements */
  vlab_tally tally[CLI_DEMO_PROPERTIES]; /* hidden truth against fitted laws */
  pid_t drapes;                          /* vlab_drapes_begin */
  bool friction_wrong;                   /* its law misses the truth */
} cli_demo;

/* Runs one command as a person would type it: says what it does and the command itself first. A negative
 * verdict is CLI_DONE: the summary counts. */
int cli_demo_command(const char *title, int (*command)(int, char **), const char *const words[]);

/* Each measures, fits, checks the truth and lets the program judge; returns an exit code. */
int cli_demo_friction(cli_demo *d); /* the rig */
int cli_demo_cloth(cli_demo *d);    /* the other instruments */

/* Judges every finished level slide of the database; layers NULL: by a rigid sled. One that a busy computer
 * spoilt has no verdict: the summary says how many have one. */
int cli_demo_judge_slides(const cli_demo *d, const char *layers);

/* Prints how often the hidden truth was inside the bands, and the verdicts. Returns CLI_NEGATIVE if a law is
 * wrong, or more than one verdict in five of a kind fails. */
int cli_demo_summary(const cli_demo *d);

#endif
