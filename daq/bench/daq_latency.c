#include "daq_latency.h"

#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NS 100000u
#define RESET_ON_FORK 1u

/* struct sched_attr of sched_setattr(2), version 0, which glibc 2.36 does not declare. */
typedef struct sched_attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns, deadline_ns, period_ns;
} sched_attributes;

static int set_attributes(const sched_attributes *a) { return (int)syscall(SYS_sched_setattr, 0, a, 0); }

void daq_latency_prefer(void) {
  const sched_attributes first = {
      .size = sizeof first, .policy = SCHED_FIFO, .flags = RESET_ON_FORK, .priority = 1};
  if (set_attributes(&first) == 0) return;
  const sched_attributes brief = {.size = sizeof brief,
                                  .policy = SCHED_OTHER,
                                  .flags = RESET_ON_FORK,
                                  .nice = getpriority(PRIO_PROCESS, 0),
                                  .runtime_ns = SLICE_NS};
  (void)set_attributes(&brief);
}
