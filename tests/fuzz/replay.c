/* Replays a corpus folder through a fuzz target: what a fuzzer once found stays fixed. Fails on an empty
 * folder. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  DIR *folder = opendir(argv[1]);
  int n = 0;
  if (!folder) return perror(argv[1]), 1;
  for (struct dirent *e; (e = readdir(folder));) {
    char path[4096], *text;
    size_t size;
    cb_err err;
    if (e->d_name[0] == '.') continue;
    (void)snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
    if (cb_file_read(path, (size_t)1 << 24, &text, &size, &err) != CB_OK)
      return fprintf(stderr, "%s\n", err.msg), 1;
    (void)LLVMFuzzerTestOneInput((const uint8_t *)text, size);
    free(text);
    n++;
  }
  closedir(folder);
  printf("%d inputs replayed\n", n);
  return n > 0 ? 0 : 1;
}
