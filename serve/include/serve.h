/* A web server for people at this computer. It knows who may ask, and nothing of what is asked: whoever
 * starts it answers. Nothing that comes over it can move a rig, because nothing behind it can.
 *
 * GET and HEAD are answered for whoever reaches the address. A POST is taken from a page of this server
 * alone: it carries the secret of this start as its value `token`, and comes from no other origin. Without a
 * secret (serve_options.writes false) there is no POST.
 *
 * One thread serves all clients. A client that sends nothing for SERVE_TIMEOUT_S, or a request of more than
 * SERVE_REQUEST_BYTES, is cut off. Beyond SERVE_CLIENTS the one that asked longest ago makes room for the
 * next. A client that follows something (serve_answer.follows) waits without a thread; one that takes nothing
 * of an event for SERVE_TIMEOUT_S is cut off, and one that is slow misses states. */
#ifndef SERVE_H
#define SERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

#define SERVE_CLIENTS 100
#define SERVE_TIMEOUT_S 5
#define SERVE_REQUEST_BYTES 16384
#define SERVE_SECRET 33 /* 128 bits in hexadecimal digits, with the final 0 */

typedef struct serve serve;
typedef struct serve_request serve_request;

/* "/runs.html": the path as it was asked, without its query. */
const char *serve_path(const serve_request *q);
/* The value of a key of the query, or of the form that was sent; NULL: it is not there. It lives as long as
 * the request. */
const char *serve_value(const serve_request *q, const char *key);
/* Who has logged in; NULL: nobody has to. It lives as long as the server. */
const char *serve_person(const serve_request *q);
/* The secret of this start, for the forms of a page; "": nothing is written. It lives as long as the server.
 */
const char *serve_secret(const serve_request *q);
/* Whether a form was sent, by a page of this server. */
bool serve_is_form(const serve_request *q);

typedef struct serve_answer {
  int status;       /* 200 ...; 303: go to `text` */
  const char *type; /* "text/html; charset=utf-8" */
  const char *text; /* n bytes */
  size_t n;
  bool stays;   /* text outlives the server; else it is copied */
  bool follows; /* text is the present state of something, in one line. The client gets a server-sent event
                   with it, and another whenever it differs after serve_wake. An answer that is not 200 is no
                   state, and the client waits for one. */
} serve_answer;

/* Answers a request. a is set to 404 before. Called on the server's thread; text need live until the next
 * call. */
typedef void serve_handler(void *context, const serve_request *q, serve_answer *a);

typedef struct serve_options {
  const char *address;   /* a numeric IPv4 address */
  int port;              /* 0: a free one */
  bool writes;           /* forms are taken; without passwords only at an address of this computer alone
                            (127.0.0.0/8) */
  const char *passwords; /* a file of lines NAME:HASH (crypt(5)): who may ask at all; NULL: everyone */
  serve_handler *handler;
  void *context;
} serve_options;

/* Begins to serve. A request that names another host than the address or localhost is refused, so that a
 * foreign web page cannot read by a name of its own (DNS rebinding). The caller ends it with serve_stop.
 * Errors: CB_E_ARG for what is no address, or one that others reach with writes and without passwords;
 * CB_E_IO if the address or port cannot be had, or the computer gives no random numbers; those of the file.
 */
CB_CHECKED cb_status serve_start(const serve_options *o, serve **out, cb_err *err);
int serve_port(const serve *s);
/* Asks the handler anew for whoever follows something. Whoever started the service calls it, as often as
 * events may come; it takes no time. */
void serve_wake(serve *s);
/* Ends the service and its thread. NULL is allowed. */
void serve_stop(serve *s);

#endif
