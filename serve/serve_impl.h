/* Private to serve/. */
#ifndef SERVE_IMPL_H
#define SERVE_IMPL_H

#include <microhttpd.h>
#include <pthread.h>

#include "serve.h"

typedef struct serve_client {
  int fd;
  double at_s; /* of its last whole request, else of its beginning; 0: the place is free */
  bool dropped;
} serve_client;

/* Those that are dropped still have to go. */
typedef struct serve_crowd {
  serve_client client[2 * SERVE_CLIENTS];
} serve_crowd;

/* MHD_NotifyConnectionCallback; context: the crowd. */
void serve_crowd_notify(void *context, struct MHD_Connection *c, void **place,
                        enum MHD_ConnectionNotificationCode what);
/* The client of the connection has asked. */
void serve_crowd_note(struct MHD_Connection *c);

/* Those that follow something. The server's thread sends; another one wakes. */
typedef struct serve_stream serve_stream;
typedef struct serve_streams {
  pthread_mutex_t lock; /* of the list, and of who sleeps */
  serve_stream *first;
  bool closing;
} serve_streams;

/* Begins to answer q, whose first state is a. NULL: no memory. The stream ends with serve_stream_end. */
serve_stream *serve_stream_begin(serve_streams *all, serve_request *q, const serve_answer *a,
                                 struct MHD_Response **out);
void serve_stream_end(serve_stream *f); /* NULL is allowed */
void serve_streams_wake(serve_streams *all, bool closing);

/* The handler's answer to a request; a is set before, to 404. */
void serve_ask(const serve_request *q, serve_answer *a);
struct MHD_Connection *serve_connection(const serve_request *q);

/* The values of a form, as a browser sends them. */
typedef struct serve_form serve_form;

/* NULL: the request has no form, or there is no memory. */
serve_form *serve_form_make(struct MHD_Connection *c);
/* Takes n more bytes. Returns false for what is no form, or has too much in it. */
bool serve_form_add(serve_form *f, const char *data, size_t n);
const char *serve_form_value(const serve_form *f, const char *key); /* NULL: it is not there */
void serve_form_end(serve_form *f);

/* Names and hashes of passwords. */
typedef struct serve_login serve_login;

/* Reads lines NAME:HASH. Errors: CB_E_IO; CB_E_PARSE, CB_E_RANGE for what is no such file. */
CB_CHECKED cb_status serve_login_read(const char *path, serve_login **out, cb_err *err);
/* The name of whoever asks; NULL: nobody that is known. */
const char *serve_login_of(serve_login *l, struct MHD_Connection *c);
void serve_login_end(serve_login *l); /* NULL is allowed */

#endif
