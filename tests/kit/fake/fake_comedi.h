/* A Comedi board that plays a script: the functions of libcomedi that daq uses, linked before the real
 * library. What the board is and grants stands in fake_board; what read() on its file returns, in a list of
 * steps. */
#ifndef FAKE_COMEDI_H
#define FAKE_COMEDI_H

#include <comedilib.h>
#include <stdbool.h>
#include <stddef.h>

#define FAKE_TESTS_MAX 8

typedef struct fake_step {
  int error;         /* errno of this read(); 0: bytes */
  const void *bytes; /* NULL with n = 0: end of file */
  size_t n;
} fake_step;

typedef struct fake_board {
  /* what it is */
  int open_error, lock_error, command_error, data_error; /* errno; 0: works */
  int type;                                              /* of subdevice 0; subdevice 1 is digital */
  int flags;
  int n_channels, n_ranges;
  lsampl_t maxdata;
  comedi_range range;
  unsigned scan_begin_src, convert_src, stop_src; /* what its driver can */
  unsigned step_ns;                               /* its timing is a multiple of this */
  int answers[FAKE_TESTS_MAX];                    /* of comedi_command_test, then 0 for ever */
  int buffer, buffer_max;
  int read_subdevice;
  const char *calibration_path;
  bool soft_calibration; /* a file at any path is one: value = 1 + 2 (raw - 100) + 3 (raw - 100)^2 */
  double data_s;         /* a single read takes so long */
  const fake_step *steps;
  size_t n_steps;
  /* what was done to it */
  comedi_cmd command;
  size_t n_tests, n_commands, n_cancels, n_closes, n_locks, next_step;
  unsigned list[16];
  lsampl_t next_data;
} fake_board;

extern fake_board fake;

/* A healthy board of 16 bits at +-10 V, 8 channels, multiplexed, timing in microseconds. */
void fake_reset(void);

#endif
