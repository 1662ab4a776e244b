/* What the parts of a cloth carry from step to step, saved and loaded (sim_archive.h). Reading leaves the
 * part as it was where it fails: with a sentence for what belongs to another cloth and for memory, else with
 * what is `wrong`. */
#ifndef SIM_CLOTH_ARCHIVE_H
#define SIM_CLOTH_ARCHIVE_H

#include "sim_archive.h"
#include "sim_three.h"

struct sim_self;
struct sim_buffer;

/* Near places that were found last, in the order in which they were found: sums over them depend on it. */
CB_CHECKED cb_status sim_self_archive(struct sim_self *self, sim_archive *a, cb_err *err);

/* The checkpoint of sim_checkpoint.h, its length before it. */
CB_CHECKED cb_status sim_cloth_archive(sim_cloth *cloth, sim_archive *a, cb_err *err);

/* Who presses and rubs on whom. */
void sim_buffer_archive(struct sim_buffer *buffer, sim_archive *a);

/* What layers carry beside their cloth. Reading changes what it comes to before it fails. */
CB_CHECKED cb_status sim_three_archive(sim_three *three, sim_archive *a, cb_err *err);

#endif
