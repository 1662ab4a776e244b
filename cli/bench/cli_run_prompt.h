/* The prompts of `clothbench run`: Enter goes on, and a few keys do something else. */
#ifndef CLI_RUN_PROMPT_H
#define CLI_RUN_PROMPT_H

#include "daq_engine.h"

typedef struct cli_run_prompt {
  cb_store *store;
  const daq_campaign *campaign;
  const char *person; /* who signs corrections */
} cli_run_prompt;

/* Asks; the answer is that of daq_engine_job.prompt. */
CB_CHECKED cb_status cli_run_ask(const cli_run_prompt *p, const daq_asked *q, daq_answer *answer,
                                 cb_err *err);
#define CLI_RUN_INIT_USAGE "run init [CAMPAIGN.yaml] [--rig RIG.yaml] [--db FILE]"
/* Questions in place of a campaign file. argv[0] is "run"; the word "init" is removed. Returns a cli_exit. */
int cli_run_init(int argc, char **argv);

#endif
