/* What `run` says of the pulls that it has just made: whether they are pulls of sliding cloth. */
#ifndef CLI_RUN_VALIDITY_H
#define CLI_RUN_VALIDITY_H

#include "lab_validity.h"
#include "live.h"

/* Judges the pulls of the campaign that were not judged yet; best effort. */
void cli_run_judge_new(cb_store *s, int64_t campaign_id, lab_verdicts *v);

/* Says what went wrong in a run, one sentence for each fault; nothing of a valid one, nor of one that was not
 * judged. again: offer to make it again. */
void cli_run_judge(const lab_verdicts *v, int64_t run_id, bool again);

/* Says how many pulls of a campaign are invalid and doubtful, and by what. */
void cli_run_judge_campaign(const lab_verdicts *v);

/* Says which pulls of a campaign the other pulls of the pair contradict; best effort. */
void cli_run_judge_between(cb_store *s, const lab_verdicts *v);

/* Shows the verdict of the last run, and the count. */
void cli_run_show(live *view, const lab_verdicts *v, int64_t run_id);

#endif
