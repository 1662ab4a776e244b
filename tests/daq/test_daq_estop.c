/* The e-stop contact: every line, both senses, shared and own ports. The modem lines are played here; that
 * the kernel's are read right needs a UART, real or emulated (a pseudo-terminal has none, and says so). */
#include "daqtest.h"

#include <sys/ioctl.h>

#include "daq_estop.h"

static int lines_now, asked_fd;

static int play_lines(int fd, int *lines) {
  asked_fd = fd;
  *lines = lines_now;
  errno = EIO;
  return lines_now < 0 ? -1 : 0;
}

static cb_rig a_rig(const char *port, int line, bool stop_if_set) {
  cb_rig rig = {.estop = {.present = true, .line = line, .stop_if_set = stop_if_set}};
  (void)snprintf(rig.estop.port, sizeof rig.estop.port, "%s", port);
  return rig;
}

static void none(void **state) {
  (void)state;
  cb_rig rig = {0};
  daq_estop e;
  lines_now = -1;
  assert_ok(daq_estop_open(&e, &rig, NULL, 0, play_lines, err));
  assert_ok(daq_estop_check(&e, err));
  daq_estop_close(&e);
}

/* Each line is its own bit, and no other one. */
static void lines(void **state) {
  (void)state;
  static const int bits[] = {TIOCM_CTS, TIOCM_DSR, TIOCM_CD, TIOCM_RI};
  static const char *const names[] = {"CTS", "DSR", "DCD", "RI"};
  dt_pty pty;
  dt_pty_open(&pty);
  for (int line = 0; line < 4; line++)
    for (int stop_if_set = 0; stop_if_set < 2; stop_if_set++) {
      cb_rig rig = a_rig(pty.name, line, stop_if_set);
      daq_estop e;
      char wanted[160];
      int others = TIOCM_CTS | TIOCM_DSR | TIOCM_CD | TIOCM_RI | TIOCM_RTS | TIOCM_DTR;
      others &= ~bits[line];
      int good = stop_if_set ? others : bits[line], bad = stop_if_set ? bits[line] : others;
      lines_now = good;
      assert_ok(daq_estop_open(&e, &rig, NULL, 0, play_lines, err));
      assert_ok(daq_estop_check(&e, err));
      lines_now = bad;
      (void)snprintf(wanted, sizeof wanted, "e-stop: line %s of port %s is %s", names[line], pty.name,
                     stop_if_set ? "set" : "off");
      assert_fails(CB_E_SAFETY, wanted, daq_estop_check(&e, err));
      lines_now = -1;
      assert_fails(CB_E_SAFETY, "tells nothing about its line", daq_estop_check(&e, err));
      daq_estop_close(&e);
      /* Pressed when the program starts. */
      lines_now = bad;
      assert_fails(CB_E_SAFETY, "release the emergency stop first: e-stop: line",
                   daq_estop_open(&e, &rig, NULL, 0, play_lines, err));
      daq_estop_close(&e);
    }
  dt_pty_close(&pty);
}

/* On a spare line of the stage's own port, under another name: the open descriptor is used, and left open. */
static void shared(void **state) {
  (void)state;
  dt_pty stage, force;
  char link_path[400];
  daq_transport *s, *f;
  daq_estop e;
  dt_pty_open(&stage);
  dt_pty_open(&force);
  (void)cbt_path("by-id", link_path);
  assert_int_equal(symlink(stage.name, link_path), 0);
  assert_ok(daq_transport_open(stage.name, 115200, &s, err));
  assert_ok(daq_transport_open(force.name, 115200, &f, err));
  const int fds[] = {daq_transport_fd(f), daq_transport_fd(s)};
  cb_rig rig = a_rig(link_path, CB_LINE_DSR, false);
  lines_now = TIOCM_DSR;
  assert_ok(daq_estop_open(&e, &rig, fds, 2, play_lines, err));
  assert_int_equal(asked_fd, daq_transport_fd(s));
  daq_estop_close(&e);
  assert_ok(daq_transport_write(s, "x", 1, 1, err));
  daq_transport_close(s);
  daq_transport_close(f);
  dt_pty_close(&stage);
  dt_pty_close(&force);
}

static void bad_ports(void **state) {
  (void)state;
  dt_pty pty;
  daq_estop e;
  dt_pty_open(&pty);
  cb_rig rig = a_rig(pty.name, CB_LINE_CTS, false);
  assert_fails(CB_E_DEVICE, "has no modem lines",
               daq_estop_open(&e, &rig, NULL, 0, daq_modem_lines_read, err));
  daq_estop_close(&e);
  rig = a_rig("/dev/no-such-port", CB_LINE_CTS, false);
  assert_fails(CB_E_DEVICE, "there is no such port", daq_estop_open(&e, &rig, NULL, 0, play_lines, err));
  daq_estop_close(&e);
  dt_pty_close(&pty);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(none), cmocka_unit_test(lines),
                                     cmocka_unit_test(shared), cmocka_unit_test(bad_ports)};
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
