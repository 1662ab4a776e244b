/* contact PORT HOLD_s: presses the emergency-stop contact on line RI of a real 16550 and releases it after
 * HOLD_s, or at SIGTERM. What presses is the chip's own loop (bit 4 of its modem control register; data sheet
 * TI PC16550D, 8.6.7): in the loop RI follows OUT1, which nothing else touches (opening a port sets RTS and
 * DTR, so that CTS and DSR would not do). A serial line of QEMU's carries no modem lines. Says when it
 * pressed, in UTC with milliseconds, as the database writes times. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Linux, asm-generic/termios.h, which does not go with sys/ioctl.h. */
#ifndef TIOCM_LOOP
#define TIOCM_OUT1 0x2000
#define TIOCM_LOOP 0x8000
#endif

static void sleep_s(double s) {
  struct timespec t = {.tv_sec = (time_t)s, .tv_nsec = (long)((s - (double)(time_t)s) * 1e9)};
  (void)nanosleep(&t, NULL);
}

static int press(int fd, int pressed) {
  int lines = TIOCM_LOOP | TIOCM_OUT1;
  return ioctl(fd, pressed ? TIOCMBIS : TIOCMBIC, &lines);
}

static void say_when(void) {
  char text[32];
  struct timespec now;
  struct tm utc;
  clock_gettime(CLOCK_REALTIME, &now);
  (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now.tv_sec, &utc));
  printf("%s.%03ldZ\n", text, now.tv_nsec / 1000000);
  (void)fflush(stdout);
}

/* For nanosleep() to be cut short. */
static void wake(int signal_number) { (void)signal_number; }

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: contact PORT HOLD_s\n"), 2;
  int fd = open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return fprintf(stderr, "contact: %s: %s\n", argv[1], strerror(errno)), 1;
  (void)signal(SIGTERM, wake);
  int failed = press(fd, 1);
  say_when();
  sleep_s(atof(argv[2]));
  if (failed || press(fd, 0)) return fprintf(stderr, "contact: %s: %s\n", argv[1], strerror(errno)), 1;
  return 0;
}
