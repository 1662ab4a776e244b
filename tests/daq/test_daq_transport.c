/* Bytes over a tty: what arrives, what does not, who else wants the port, and a cable that is pulled. */
#include "daqtest.h"

#include <sys/resource.h>

#include "cb_time.h"
#include "daq_ports.h"
#include "daq_transport.h"

static void both_ways(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *t;
  char buffer[64];
  size_t n;
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 115200, &t, err));
  assert_string_equal(daq_transport_path(t), pty.name);
  /* Raw: control characters, CR and 8-bit bytes pass as they are, nothing is echoed. */
  assert_int_equal(write(pty.master, "a\r\n\x03\x11\xff", 6), 6);
  assert_ok(daq_transport_read(t, buffer, sizeof buffer, 1, &n, err));
  assert_int_equal(n, 6);
  assert_memory_equal(buffer, "a\r\n\x03\x11\xff", 6);
  assert_ok(daq_transport_write(t, "x\ny\r\x04", 5, 1, err));
  assert_int_equal(read(pty.master, buffer, sizeof buffer), 5);
  assert_memory_equal(buffer, "x\ny\r\x04", 5);
  daq_transport_close(t);
  dt_pty_close(&pty);
}

static void nothing_in_time(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *t;
  char c;
  size_t n = 7;
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 9600, &t, err));
  double began = cb_now_monotonic_s();
  assert_ok(daq_transport_read(t, &c, 1, 0.1, &n, err));
  double waited = cb_now_monotonic_s() - began;
  assert_int_equal(n, 0);
  /* Never early; late by what a busy machine needs to wake us. */
  assert_true(waited >= 0.1 && waited < 1 * cbt_patience());
  began = cb_now_monotonic_s();
  assert_ok(daq_transport_read(t, &c, 1, 0, &n, err));
  assert_true(cb_now_monotonic_s() - began < 0.05 * cbt_patience());
  daq_transport_close(t);
  dt_pty_close(&pty);
}

static void old_bytes_are_dropped(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *t;
  char buffer[16];
  size_t n;
  dt_pty_open(&pty);
  dt_send(&pty, "from before");
  assert_ok(daq_transport_open(pty.name, 115200, &t, err));
  dt_send(&pty, "1");
  assert_ok(daq_transport_read(t, buffer, sizeof buffer, 1, &n, err));
  assert_int_equal(n, 1);
  dt_send(&pty, "old");
  cb_sleep_s(0.02);
  daq_transport_discard(t);
  assert_ok(daq_transport_read(t, buffer, sizeof buffer, 0, &n, err));
  assert_int_equal(n, 0);
  daq_transport_close(t);
  dt_pty_close(&pty);
}

static double cpu_s(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void *unplug_later(void *pty) {
  cb_sleep_s(0.1);
  dt_pty_unplug(pty);
  return NULL;
}

static void unplugged(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *t;
  char buffer[16];
  size_t n;
  pthread_t thread;
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 115200, &t, err));
  assert_int_equal(pthread_create(&thread, NULL, unplug_later, &pty), 0);
  double began = cb_now_monotonic_s(), cpu = cpu_s();
  assert_fails(CB_E_DEVICE, "the device was disconnected",
               daq_transport_read(t, buffer, sizeof buffer, 5, &n, err));
  /* At once, not at the deadline, and asleep until then. */
  assert_true(cb_now_monotonic_s() - began < 2 * cbt_patience());
  assert_true(cpu_s() - cpu < 0.05);
  pthread_join(thread, NULL);
  assert_fails(CB_E_DEVICE, "the device was disconnected",
               daq_transport_read(t, buffer, sizeof buffer, 0, &n, err));
  assert_fails(CB_E_DEVICE, "the device was disconnected", daq_transport_write(t, "stop", 4, 1, err));
  daq_transport_close(t);
  dt_pty_close(&pty);
}

static void device_takes_no_data(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *t;
  static char much[1 << 20];
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 115200, &t, err));
  assert_fails(CB_E_TIMEOUT, "takes no data", daq_transport_write(t, much, sizeof much, 0.1, err));
  daq_transport_close(t);
  dt_pty_close(&pty);
}

/* With XON/XOFF a byte of noise, 0x13, holds everything back but the stop. */
static void a_stray_xoff(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *t;
  char got[8] = "";
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 115200, &t, err));
  assert_ok(daq_transport_use_flow(t, CB_FLOW_XON_XOFF, err));
  dt_send(&pty, "\x13");
  assert_fails(CB_E_TIMEOUT, "takes no data", daq_transport_write(t, "1TS", 3, 0.1, err));
  daq_transport_shout(t, "1ST");
  struct pollfd p = {.fd = pty.master, .events = POLLIN};
  assert_int_equal(poll(&p, 1, 1000 * CBT_HANG_S), 1);
  assert_int_equal(read(pty.master, got, sizeof got - 1), 3);
  assert_string_equal(got, "1ST");
  assert_ok(daq_transport_write(t, "1TS", 3, 0.1, err));
  daq_transport_close(t);
  dt_pty_close(&pty);
}

static void one_program_at_a_time(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *first, *second;
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 115200, &first, err));
  assert_fails(CB_E_DEVICE, "in use", daq_transport_open(pty.name, 115200, &second, err));
  assert_null(second);
  /* The refused one did not break the first one's hold. */
  assert_fails(CB_E_DEVICE, "in use", daq_transport_open(pty.name, 115200, &second, err));
  daq_transport_close(first);
  assert_ok(daq_transport_open(pty.name, 115200, &second, err));
  daq_transport_close(second);
  dt_pty_close(&pty);
}

static void not_inherited(void **state) {
  (void)state;
  dt_pty pty;
  daq_transport *t;
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 115200, &t, err));
  assert_true(fcntl(daq_transport_fd(t), F_GETFD) & FD_CLOEXEC);
  daq_transport_close(t);
  dt_pty_close(&pty);
}

static void wrong_ports(void **state) {
  (void)state;
  char path[400];
  dt_pty pty;
  daq_transport *t;
  daq_port *ports;
  size_t n;
  assert_fails(CB_E_DEVICE, "port /dev/ttyUSB77: there is no such port",
               daq_transport_open("/dev/ttyUSB77", 115200, &t, err));
  assert_ok(daq_ports_list(&ports, &n, err));
  /* What there is stands in the sentence. */
  assert_fails(CB_E_DEVICE, n ? ports[0].path : "no other serial port",
               daq_transport_open("/dev/ttyUSB77", 115200, &t, err));
  for (size_t i = 1; i < n; i++) assert_true(strcmp(ports[i - 1].path, ports[i].path) < 0);
  free(ports);
  cbt_write(cbt_path("file", path), "0.1\n");
  assert_fails(CB_E_DEVICE, "is not a serial port or terminal", daq_transport_open(path, 115200, &t, err));
  assert_fails(CB_E_DEVICE, "cannot be opened", daq_transport_open(cbt_folder, 115200, &t, err));
  dt_pty_open(&pty);
  assert_fails(CB_E_RANGE, "baud = 12345", daq_transport_open(pty.name, 12345, &t, err));
  dt_pty_close(&pty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways),
      cmocka_unit_test(nothing_in_time),
      cmocka_unit_test(old_bytes_are_dropped),
      cmocka_unit_test(unplugged),
      cmocka_unit_test(device_takes_no_data),
      cmocka_unit_test(a_stray_xoff),
      cmocka_unit_test(one_program_at_a_time),
      cmocka_unit_test(not_inherited),
      cmocka_unit_test(wrong_ports),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
