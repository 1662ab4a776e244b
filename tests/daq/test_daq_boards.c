/* The list of Comedi boards, against a libcomedi of our own: the program's symbols win over the shared
 * library's. */
#include <comedilib.h>
#include <errno.h>

#include "cbtest.h"
#include "daq_boards.h"
#include "daq_devices_parts.h"

/* /dev/comedi0: a board with an analog input that streams, an unused subdevice and digital lines; 2: no
 * permission; else: none. */
static comedi_t *const board = (comedi_t *)(uintptr_t)0x1000;
static comedi_range volts = {-10, 10, UNIT_volt};

comedi_t *comedi_open(const char *path) {
  errno = strcmp(path, "/dev/comedi2") == 0 ? EACCES : strcmp(path, "/dev/comedi1") == 0 ? ENODEV : ENOENT;
  return strcmp(path, "/dev/comedi0") == 0 ? board : NULL;
}
static int closed;
int comedi_close(comedi_t *d) { return closed += d == board, 0; }
const char *comedi_get_driver_name(comedi_t *d) { return d == board ? "ni_pcimio" : NULL; }
const char *comedi_get_board_name(comedi_t *d) { return d == board ? "pci-6221" : NULL; }
int comedi_get_n_subdevices(comedi_t *d) { return d == board ? 3 : -1; }
int comedi_get_subdevice_type(comedi_t *d, unsigned s) {
  (void)d;
  return s == 0 ? COMEDI_SUBD_AI : s == 1 ? COMEDI_SUBD_UNUSED : COMEDI_SUBD_DIO;
}
int comedi_get_subdevice_flags(comedi_t *d, unsigned s) {
  (void)d;
  return s == 0 ? SDF_CMD | SDF_READABLE : SDF_READABLE;
}
int comedi_get_n_channels(comedi_t *d, unsigned s) {
  (void)d;
  return s == 0 ? 16 : 8;
}
lsampl_t comedi_get_maxdata(comedi_t *d, unsigned s, unsigned c) {
  (void)d, (void)c;
  return s == 0 ? 65535 : 1;
}
int comedi_get_n_ranges(comedi_t *d, unsigned s, unsigned c) {
  (void)d, (void)c;
  return s == 0 ? 4 : 1;
}
comedi_range *comedi_get_range(comedi_t *d, unsigned s, unsigned c, unsigned r) {
  (void)d, (void)s, (void)c, (void)r;
  return &volts;
}

static void boards(void **state) {
  (void)state;
  daq_board *list;
  size_t n;
  assert_ok(daq_boards_list(&list, &n, err));
  assert_int_equal(n, 2);
  assert_string_equal(list[0].path, "/dev/comedi0");
  assert_string_equal(list[0].driver, "ni_pcimio");
  assert_string_equal(list[0].board, "pci-6221");
  assert_int_equal(list[0].n, 2);
  const daq_subdevice *ai = &list[0].sub[0], *dio = &list[0].sub[1];
  assert_string_equal(ai->kind, "analog input");
  assert_int_equal(ai->channels, 16);
  assert_int_equal(ai->bits, 16);
  assert_int_equal(ai->ranges, 4);
  assert_near(ai->range_min, -10, 0);
  assert_near(ai->range_max, 10, 0);
  assert_true(ai->streams);
  assert_int_equal(dio->index, 2);
  assert_string_equal(dio->kind, "digital in/out");
  assert_int_equal(dio->bits, 1);
  assert_int_equal(dio->ranges, 0);
  assert_true(isnan(dio->range_min));
  assert_false(dio->streams);
  assert_int_equal(closed, 1);
  assert_string_equal(list[1].path, "/dev/comedi2");
  assert_non_null(strstr(list[1].trouble, "iocard"));
  assert_int_equal(list[1].n, 0);
  free(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
