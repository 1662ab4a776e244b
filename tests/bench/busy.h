/* A busy computer: threads that only compute, and a disk that is written and synced all the time. */
#ifndef BUSY_H
#define BUSY_H

#include <pthread.h>
#include <stdatomic.h>

#define BUSY_SPINNERS_MAX 64

typedef struct busy {
  pthread_t thread[BUSY_SPINNERS_MAX + 1];
  int n;
  const char *disk_path; /* borrowed */
  atomic_bool over;
} busy;

/* disk_path: the file that is written, 256 MiB, until busy_end removes it. */
void busy_begin(busy *b, int spinners, const char *disk_path);
void busy_end(busy *b);

#endif
