/* Who measures a campaign now: a lock that lives exactly as long as its process, however that ends.
 *
 * The file DATABASE-running lies beside the database, with the database's permissions. Its record at the
 * number of a campaign is locked (fcntl, open file description) by the process that measures it and says who
 * that is. The kernel gives the lock back when the process ends, also by SIGKILL or a loss of power. A file
 * that was left behind locks nothing; the last process to release its claim removes it.
 *
 * Other users of the computer see the lock. Other computers see it where the file system carries locks, which
 * a database of SQLite needs there as well. */
#ifndef CB_CLAIM_H
#define CB_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "cb_err.h"

typedef struct cb_claim {
  int64_t campaign_id; /* 0: nothing is claimed */
  int fd;
  char path[512];
} cb_claim;

/* Claims a campaign of a database. The caller releases it with cb_claim_release, which accepts a zeroed one.
 * Errors: CB_E_DB if a living process has claimed it; the sentence names that process. CB_E_IO: the file
 * cannot be made or locked. */
CB_CHECKED cb_status cb_claim_take(const char *database, int64_t campaign_id, cb_claim *out, cb_err *err);
void cb_claim_release(cb_claim *claim);

/* Returns whether a living process measures the campaign. who receives "process 4711 of ada on bench2, since
 * 2026-11-21T09:12:33Z". */
#define CB_CLAIM_WHO 128
bool cb_claim_holder(const char *database, int64_t campaign_id, char who[CB_CLAIM_WHO]);

#endif
