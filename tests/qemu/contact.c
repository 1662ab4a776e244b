/* contact PORT DELAY_s HOLD_s: the emergency-stop contact on the line CTS of a real 16550, by the chip's own loop (bit 4 of its modem
 * control register; data sheet TI PC16550D, 8.6.7): in the loop CTS follows RTS, outside it is what the other end says - in QEMU:
 * on. So the loop with RTS off is the contact pressed. Says when it did that, in UTC with milliseconds, as the database writes times.
 *
 * Ends with the contact released. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#ifndef TIOCM_LOOP
#define TIOCM_LOOP 0x8000 /* Linux, asm-generic/termios.h, which does not go with sys/ioctl.h */
#endif

static void sleep_s(double s) {
  struct timespec t = {.tv_sec = (time_t)s, .tv_nsec = (long)((s - (double)(time_t)s) * 1e9)};
  (void)nanosleep(&t, NULL);
}

static int press(int fd, int pressed) {
  int loop = TIOCM_LOOP, rts = TIOCM_RTS;
  if (ioctl(fd, pressed ? TIOCMBIC : TIOCMBIS, &rts) != 0) return -1;
  return ioctl(fd, pressed ? TIOCMBIS : TIOCMBIC, &loop);
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

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: contact PORT DELAY_s HOLD_s\n"), 2;
  int fd = open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return fprintf(stderr, "contact: %s: %s\n", argv[1], strerror(errno)), 1;
  sleep_s(atof(argv[2]));
  int failed = press(fd, 1);
  say_when();
  sleep_s(atof(argv[3]));
  if (failed || press(fd, 0)) return fprintf(stderr, "contact: %s: %s\n", argv[1], strerror(errno)), 1;
  return 0;
}
