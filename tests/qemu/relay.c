/* relay PTY TTY: an instrument that is a program (PTY, of `rig emulate`) gets a real serial port (TTY).
 *
 * It begins with the first byte that comes from TTY: what an instrument says before anybody listens is lost,
 * as on a wire. What the other side does not take in time is lost too. Ends when one of the two hangs up. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static int open_raw(const char *path) {
  struct termios t;
  int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || tcgetattr(fd, &t) != 0) return fprintf(stderr, "relay: %s: %s\n", path, strerror(errno)), -1;
  cfmakeraw(&t);
  t.c_cflag |= CLOCAL | CREAD;
  cfsetispeed(&t, B115200);
  cfsetospeed(&t, B115200);
  if (tcsetattr(fd, TCSANOW, &t) != 0) return fprintf(stderr, "relay: %s: %s\n", path, strerror(errno)), -1;
  (void)tcflush(fd, TCIOFLUSH);
  return fd;
}

/* Carries what is there; 0 once the side it comes from is gone. */
static int carry(int from, int to, int wanted) {
  char bytes[4096];
  ssize_t n = read(from, bytes, sizeof bytes);
  if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return 0;
  if (n > 0 && wanted) (void)!write(to, bytes, (size_t)n);
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: relay PTY TTY\n"), 2;
  struct pollfd p[2] = {{.fd = open_raw(argv[1]), .events = POLLIN},
                        {.fd = open_raw(argv[2]), .events = POLLIN}};
  int awake = 0, alive = p[0].fd >= 0 && p[1].fd >= 0;
  while (alive) {
    if (poll(p, 2, -1) < 0 && errno != EINTR) break;
    if (p[1].revents) {
      awake = 1;
      alive = carry(p[1].fd, p[0].fd, 1);
    }
    if (p[0].revents) alive = carry(p[0].fd, p[1].fd, awake) && alive;
  }
  return alive;
}
