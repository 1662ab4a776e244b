#include "busy.h"

#include <fcntl.h>

#include "bench_lab.h"

#define DISK_BLOCK (1 << 20)
#define DISK_BLOCKS 256

static void *spin(void *context) {
  busy *b = context;
  while (!atomic_load(&b->over)) continue;
  return NULL;
}

static void *load_disk(void *context) {
  static char block[DISK_BLOCK];
  busy *b = context;
  while (!atomic_load(&b->over)) {
    int fd = open(b->disk_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) lab_die("cannot write the disk's load");
    for (int i = 0; i < DISK_BLOCKS && !atomic_load(&b->over); i++) {
      memset(block, i, sizeof block);
      if (write(fd, block, sizeof block) < 0 || (i % 16 == 15 && fsync(fd) != 0))
        lab_die("cannot write the disk's load");
    }
    (void)close(fd);
  }
  (void)unlink(b->disk_path);
  return NULL;
}

static void begin_thread(busy *b, void *(*load)(void *)) {
  if (pthread_create(&b->thread[b->n++], NULL, load, b) != 0) lab_die("no thread");
}

void busy_begin(busy *b, int spinners, const char *disk_path) {
  b->n = 0;
  b->disk_path = disk_path;
  atomic_store(&b->over, false);
  for (int i = 0; i < spinners; i++) begin_thread(b, spin);
  begin_thread(b, load_disk);
}

void busy_end(busy *b) {
  atomic_store(&b->over, true);
  for (int i = 0; i < b->n; i++) (void)pthread_join(b->thread[i], NULL);
}
