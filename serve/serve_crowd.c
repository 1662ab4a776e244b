/* Who is connected, and who has to go for whom. All on the server's only thread. */
#include <stdint.h>
#include <sys/socket.h>

#include "cb_time.h"
#include "serve_impl.h"

/* Who asks every second is never the one that asked longest ago: half a request, or a stalled reader, makes
 * room for whoever comes. */
static void make_room(serve_crowd *crowd) {
  serve_client *oldest = NULL;
  int n = 0;
  for (int i = 0; i < 2 * SERVE_CLIENTS; i++) {
    serve_client *c = &crowd->client[i];
    if (c->at_s == 0 || c->dropped) continue;
    n++;
    if (!oldest || c->at_s < oldest->at_s) oldest = c;
  }
  if (n <= SERVE_CLIENTS) return;
  oldest->dropped = true;
  (void)shutdown(oldest->fd, SHUT_RDWR);
}

void serve_crowd_notify(void *context, struct MHD_Connection *connection, void **place,
                        enum MHD_ConnectionNotificationCode what) {
  serve_crowd *crowd = context;
  if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
    if (*place) *(serve_client *)*place = (serve_client){.fd = -1};
    return;
  }
  *place = NULL;
  for (int i = 0; i < 2 * SERVE_CLIENTS && !*place; i++)
    if (crowd->client[i].at_s == 0) *place = &crowd->client[i];
  if (!*place) return;
  *(serve_client *)*place =
      (serve_client){MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                     cb_now_monotonic_s(), false};
  make_room(crowd);
}

void serve_crowd_note(struct MHD_Connection *connection) {
  serve_client *c = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
  if (c) c->at_s = cb_now_monotonic_s();
}
