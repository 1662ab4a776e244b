/* A page for a tablet at the bench: a web server that answers two questions and has no others. It reads
 * nothing of a request but its method, its path and its Host header, and nothing that comes over it can move
 * the rig.
 *
 *   GET /            the page
 *   GET /state.json  what the page shows
 *
 * One thread serves all clients. A client that sends nothing for WATCH_TIMEOUT_S, or a request of more than
 * WATCH_REQUEST_BYTES, is cut off. Beyond WATCH_CLIENTS the one that asked
 * longest ago makes room for the next. */
#ifndef WATCH_H
#define WATCH_H

#include "cb_err.h"

#define WATCH_CLIENTS 100
#define WATCH_TIMEOUT_S 5
#define WATCH_REQUEST_BYTES 8192
#define WATCH_AGE_S 0.15 /* an answer that is younger is given again */

typedef struct watch watch;

/* Returns the state as JSON text, malloc'd, or NULL if there is none now. Called on the server's thread, at
 * most every WATCH_AGE_S. */
typedef char *watch_state(void *context);

/* Begins to serve at a numeric IPv4 address and a port; 0: a free one, which *port receives. A request that
 * names another host than this address or localhost is refused, so that a foreign web page cannot read the
 * state by a name of its own (DNS rebinding). The caller ends it with watch_stop.
 * Errors: CB_E_ARG for what is no address; CB_E_IO if the address or port cannot be had. */
CB_CHECKED cb_status watch_start(const char *address, int *port, watch_state *state, void *context,
                                 watch **out, cb_err *err);
/* Ends the service and its thread. NULL is allowed. */
void watch_stop(watch *w);

#endif
