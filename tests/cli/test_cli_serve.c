/* clothbench serve: the pages, what they may write, and what a client cannot do. */
#include "daqtest.h"
#include "bench_fixture.h"
#include "jsonpage.h"
#include "progtest.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <signal.h>
#include <sys/socket.h>

#include "cb_store.h"

#define VIRTUAL "--rig '" CB_SOURCE_DIR "/rigs/virtual.yaml'"
#define SMALL "run '" CB_SOURCE_DIR "/rigs/campaign-small.yaml' "
#define STALLED 50
#define CROWD 600

typedef struct page {
  pid_t pid;
  int port;
} page;

/* The program prints its address once it serves. */
static page start_with(const char *db, const char *option, const char *option2) {
  const char *const words[] = {"serve", "--db", db, "--port", "0", option, option2, NULL};
  int ends[2];
  char line[100] = "";
  assert_int_equal(pipe(ends), 0);
  page p = {.pid = prog_start_to(words, -1, ends[1], -1)};
  close(ends[1]);
  for (size_t n = 0; n + 1 < sizeof line && read(ends[0], line + n, 1) == 1 && line[n] != '\n'; n++) {
  }
  close(ends[0]);
  if (sscanf(line, "http://%*[a-z0-9.]:%d/", &p.port) != 1) fail_msg("'%s', %s", line, prog_words());
  return p;
}

static page start_page(const char *db) { return start_with(db, NULL, NULL); }

static void end_page(const page *p) {
  assert_int_equal(kill(p->pid, SIGINT), 0);
  assert_int_equal(prog_end(p->pid), 0);
}

static int connect_to(const page *p) {
  const struct sockaddr_in at = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)p->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const struct timeval patience = {.tv_sec = 20};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_true(fd >= 0);
  assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
  assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof at), 0);
  return fd;
}

/* The whole answer. */
static const char *ask(const page *p, const char *request) {
  static char reply[1 << 20];
  size_t n = 0;
  ssize_t got;
  int fd = connect_to(p);
  (void)!send(fd, request, strlen(request), MSG_NOSIGNAL);
  while (n + 1 < sizeof reply && (got = recv(fd, reply + n, sizeof reply - 1 - n, 0)) > 0) n += (size_t)got;
  reply[n] = '\0';
  close(fd);
  return reply;
}

#define REQUEST(method, path, host) method " " path " HTTP/1.1\r\nHost: " host "\r\nConnection: close\r\n\r\n"

static json_t *state_of(const page *p) {
  const char *reply = ask(p, REQUEST("GET", "/state.json", "localhost")), *body = strstr(reply, "\r\n\r\n");
  if (!body || strncmp(reply, "HTTP/1.1 200", 12) != 0) fail_msg("%s", reply);
  return jp_document(body + 4);
}

static void a_campaign_is_shown(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db a.db");
  assert_int_equal(r.code, 0);
  const page p = start_page("a.db");
  json_t *doc = state_of(&p);
  /* A run that was made again beside a busy program is judged with the next document. */
  for (int i = 0; i < 20 && !strstr(json_string_value(json_object_get(doc, "verdicts")), "8 pulls "); i++) {
    json_decref(doc);
    (void)nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    doc = state_of(&p);
  }
  jp_expect("serve", doc);
  const json_t *campaign = json_object_get(doc, "campaign"), *run = json_object_get(doc, "run");
  assert_int_equal(json_integer_value(json_object_get(campaign, "runs_done")), 8);
  assert_int_equal(json_integer_value(json_object_get(campaign, "runs_planned")), 8);
  assert_true(json_is_true(json_object_get(campaign, "finished")));
  assert_true(json_is_null(json_object_get(doc, "instruction")));
  assert_non_null(strstr(json_string_value(json_object_get(doc, "verdicts")), "8 pulls "));
  assert_int_equal(json_integer_value(json_object_get(json_object_get(doc, "verdict"), "run_id")),
                   json_integer_value(json_object_get(run, "run_id")));
  const json_t *samples = json_object_get(run, "samples");
  assert_true(json_array_size(samples) > 50 && json_array_size(samples) <= 401);
  /* The largest force of the curve is the run's static peak above its zero. */
  cb_store *s;
  cb_run last;
  cb_trace trace;
  char path[400];
  double peak = 0, shown = 0;
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_run_get(s, json_integer_value(json_object_get(run, "run_id")), &last, err));
  assert_ok(cb_store_trace(s, &last, &trace, err));
  for (size_t i = 0; i < trace.force_N.n; i++)
    peak = fmax(peak, fabs(trace.force_N.v[i] - trace.force_N.v[0]));
  for (size_t i = 0; i < json_array_size(samples); i++)
    shown = fmax(shown, fabs(json_number_value(json_array_get(json_array_get(samples, i), 1))));
  assert_near(shown, peak, 0.03 * peak);
  cb_trace_clear(&trace);
  assert_ok(cb_store_close(s, err));
  json_decref(doc);
  end_page(&p);
}

static void an_empty_database_has_a_page(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, "db init --db empty.db");
  const page p = start_page("empty.db");
  json_t *doc = state_of(&p);
  assert_true(json_is_null(json_object_get(doc, "campaign")));
  json_decref(doc);
  static const char *const paths[] = {REQUEST("GET", "/", "127.0.0.1:80"),
                                      REQUEST("GET", "/live.html", "127.0.0.1:80"),
                                      REQUEST("GET", "/cloths.html", "localhost:80"),
                                      REQUEST("GET", "/matrix.html?load=x&angle=1e99", "localhost"),
                                      REQUEST("GET", "/query.html?q=nonsense", "localhost")};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    const char *html = ask(&p, paths[i]);
    if (strncmp(html, "HTTP/1.1 200", 12) != 0) fail_msg("%s: %s", paths[i], html);
    assert_non_null(strstr(html, "<html lang=\"en\">"));
    assert_non_null(
        strstr(html, "Content-Security-Policy: default-src 'none'; style-src 'self'; script-src 'self'"));
    assert_null(strstr(html, "http://")); /* nothing from elsewhere */
    assert_null(strstr(html, "style="));
    assert_null(strstr(html, "<script>"));
  }
  end_page(&p);
}

static void what_is_not_a_question_is_refused(void **state) {
  (void)state;
  static cbt_result r;
  static const char *const wrong[][2] = {
      {REQUEST("POST", "/", "localhost"), "HTTP/1.1 4"},
      {REQUEST("DELETE", "/state.json", "localhost"), "HTTP/1.1 405"},
      {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\nmove!",
       "HTTP/1.1 400"},
      {REQUEST("GET", "/stop", "localhost"), "HTTP/1.1 404"},
      {REQUEST("GET", "/../a.db", "localhost"), "HTTP/1.1 404"},
      {REQUEST("GET", "/run-1.html", "localhost"), "HTTP/1.1 404"},
      {REQUEST("GET", "/run-99999999999999999999.html", "localhost"), "HTTP/1.1 404"},
      {REQUEST("GET", "/pair-1.html", "localhost"), "HTTP/1.1 404"},
      {REQUEST("GET", "/state.json", "evil.example"), "HTTP/1.1 403"},
      {REQUEST("GET", "/state.json", "localhost.evil.example"), "HTTP/1.1 403"},
      {"GET /state.json HTTP/1.0\r\n\r\n", "403"},
      {"\x16\x03\x01\x02\r\n\r\n", ""},
  };
  cbt_run(&r, cbt_folder, "db init --db empty.db");
  const page p = start_page("empty.db");
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const char *reply = ask(&p, wrong[i][0]);
    if (!strstr(reply, wrong[i][1])) fail_msg("%s: %s was wanted, got %s", wrong[i][0], wrong[i][1], reply);
  }
  char *huge = malloc(100000);
  memset(huge, 'a', 99999);
  memcpy(huge, "GET /", 5);
  huge[99999] = '\0';
  assert_null(strstr(ask(&p, huge), " 200 "));
  free(huge);
  json_decref(state_of(&p)); /* and it still answers */
  end_page(&p);
}

/* Half a request and no more: the others are answered, and a run beside them stays whole. */
static void stalled_clients_stop_nobody(void **state) {
  (void)state;
  static cbt_result r;
  int fd[STALLED];
  cbt_run(&r, cbt_folder, "db init --db a.db");
  const page p = start_page("a.db");
  double begin_s = cb_now_monotonic_s();
  json_decref(state_of(&p));
  const double alone_s = cb_now_monotonic_s() - begin_s; /* on this machine, under its present load */
  for (int i = 0; i < STALLED; i++) {
    fd[i] = connect_to(&p);
    assert_true(send(fd[i], "GET /state.js", 13, MSG_NOSIGNAL) == 13);
  }
  begin_s = cb_now_monotonic_s();
  json_decref(state_of(&p));
  assert_true(cb_now_monotonic_s() - begin_s < 4 + 20 * alone_s); /* before any of them is cut off */
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db a.db");
  if (r.code != 0) fail_msg("%s", r.err);
  json_t *doc = state_of(&p);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(doc, "campaign"), "runs_done")), 8);
  json_decref(doc);
  for (int i = 0; i < STALLED; i++) close(fd[i]);
  end_page(&p);
}

/* More than the server takes, from one computer, half a request each; and then whole requests whose
 * connections stay. Each newcomer is answered. */
static void a_crowd_shuts_nobody_out(void **state) {
  (void)state;
  static cbt_result r;
  static const char *const requests[] = {"GET /state.js", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"};
  static int fd[CROWD];
  cbt_run(&r, cbt_folder, "db init --db a.db");
  const page p = start_page("a.db");
  for (size_t k = 0; k < sizeof requests / sizeof requests[0]; k++) {
    for (int i = 0; i < CROWD; i++) {
      fd[i] = connect_to(&p);
      (void)!send(fd[i], requests[k], strlen(requests[k]), MSG_NOSIGNAL);
      if (i % 100 == 99) json_decref(state_of(&p));
    }
    json_decref(state_of(&p));
    for (int i = 0; i < CROWD; i++) close(fd[i]);
  }
  json_decref(state_of(&p));
  end_page(&p);
}

/* ---- what pages write ---- */

#define PAIR "/pair-1-2.html"

/* The value of the field `token` of the page of run 1. */
static void read_token(const page *p, char token[40]) {
  const char *html = ask(p, REQUEST("GET", "/run-1.html", "localhost")),
             *at = strstr(html, "name=\"token\" value=\"");
  if (!at || sscanf(at, "name=\"token\" value=\"%32[0-9a-f]\"", token) != 1)
    fail_msg("no token: %.200s", html);
}

static const char *post(const page *p, const char *origin, const char *token, const char *rest) {
  static char request[6000];
  char form[5000];
  const int n = snprintf(form, sizeof form, "token=%s&run=1&%s", token, rest);
  (void)snprintf(request, sizeof request,
                 "POST /correct HTTP/1.1\r\nHost: localhost:%d\r\nOrigin: http://%s:%d\r\nContent-Type: "
                 "application/x-www-form-urlencoded\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
                 p->port, origin, p->port, n, form);
  return ask(p, request);
}

static void expect_answer(const char *reply, const char *status, const char *words) {
  if (strncmp(reply, status, strlen(status)) != 0 || !strstr(reply, words))
    fail_msg("%s and '%s' were wanted, got %.600s", status, words, reply);
}

static cb_run run_1(void) {
  cb_store *s;
  cb_run r;
  char path[400];
  assert_ok(cb_store_open(cbt_path("a.db", path), CB_STORE_READ, &s, err));
  assert_ok(cb_store_run_get(s, 1, &r, err));
  assert_ok(cb_store_close(s, err));
  return r;
}

/* So many campaigns of 8 pulls, without the wires of a rig, whose pace a busy machine may not keep. */
static void make_campaigns(int n) {
  bench b;
  char path[400];
  bench_open(&b, cbt_path("a.db", path), "Demo Twill", "Demo Foam", 5);
  for (int i = 0; i < n; i++) {
    bench_campaign(&b, CB_CAMPAIGN_FRICTION, "small");
    for (int k = 0; k < 8; k++)
      (void)bench_pull(&b, CB_RUN_PULL, k < 4 ? 0 : 90, k / 2 % 2 ? 0.2 : 0.05, 1, k % 2 ? -1 : 1, 1);
    assert_ok(cb_store_campaign_finish(b.store, b.like.campaign_id, err));
  }
  bench_close(&b);
}

static void make_campaign(void) { make_campaigns(1); }

static void a_run_is_corrected(void **state) {
  (void)state;
  char token[40], foreign[40], *long_reason = malloc(3000);
  static char rest[4000];
  make_campaign();
  const page p = start_page("a.db");
  read_token(&p, token);
  memcpy(foreign, token, sizeof token);
  foreign[0] = token[0] == '0' ? '1' : '0';
  expect_answer(post(&p, "localhost", foreign, "kind=void&reason=no&by=me"), "HTTP/1.1 403",
                "only a page of");
  expect_answer(post(&p, "localhost", "", "kind=void&reason=no&by=me"), "HTTP/1.1 403", "only a page of");
  expect_answer(post(&p, "evil.example", token, "kind=void&reason=no&by=me"), "HTTP/1.1 403",
                "only a page of");
  expect_answer(post(&p, "localhost", token, "kind=void&reason=&by=me"), "HTTP/1.1 400", "were wanted");
  expect_answer(post(&p, "localhost", token, "kind=move&reason=no&by=me"), "HTTP/1.1 400",
                "void, unvoid, note");
  expect_answer(post(&p, "localhost", token, "kind=unvoid&reason=no&by=me"), "HTTP/1.1 400", "run 1");
  memset(long_reason, 'a', 2999);
  long_reason[2999] = '\0';
  (void)snprintf(rest, sizeof rest, "kind=note&by=me&reason=%s", long_reason);
  expect_answer(post(&p, "localhost", token, rest), "HTTP/1.1 400", "no form");
  assert_int_equal(run_1().status, CB_RUN_DONE);
  expect_answer(post(&p, "localhost", token, "kind=void&reason=the+%3Cb%3Eweight+slipped&by=me"),
                "HTTP/1.1 303", "Location: run-1.html");
  assert_int_equal(run_1().status, CB_RUN_VOIDED);
  const char *html = ask(&p, REQUEST("GET", "/run-1.html", "localhost"));
  assert_non_null(strstr(html, "the &lt;b&gt;weight slipped"));
  assert_non_null(strstr(html, "take it back into use"));
  expect_answer(post(&p, "localhost", token, "kind=unvoid&reason=it+did+not&by=me"), "HTTP/1.1 303",
                "Location");
  expect_answer(post(&p, "localhost", token, "kind=amend&field=angle_deg&value=45&reason=turned&by=me"),
                "HTTP/1.1 303", "Location");
  assert_near(run_1().angle_deg, 45, 0);
  free(long_reason);
  end_page(&p);
}

static void nothing_is_written_where_others_read(void **state) {
  (void)state;
  static const char *const options[] = {"--read-only", "--listen=0.0.0.0"};
  make_campaign();
  for (size_t i = 0; i < 2; i++) {
    const page p = start_with("a.db", options[i], NULL);
    assert_null(strstr(ask(&p, REQUEST("GET", "/run-1.html", "localhost")), "<form method"));
    expect_answer(post(&p, "localhost", "", "kind=void&reason=no&by=me"), "HTTP/1.1 405", "can be read");
    end_page(&p);
  }
  assert_int_equal(run_1().status, CB_RUN_DONE);
}

/* A pair's points know their runs, and a run has all of its readings. */
static void pages_of_a_campaign(void **state) {
  (void)state;
  static cbt_result r;
  make_campaign();
  cbt_run(&r, cbt_folder, "fit friction --db a.db");
  assert_int_equal(r.code, 0);
  const page p = start_page("a.db");
  const char *html = ask(&p, REQUEST("GET", PAIR, "localhost"));
  assert_non_null(strstr(html, "\"run\":[1,"));
  assert_non_null(strstr(html, "Demo Twill on Demo Foam: kinetic coefficient of friction"));
  html = ask(&p, REQUEST("GET", "/campaign-1.html", "localhost"));
  assert_non_null(strstr(html, "<a href=\"run-8.html\">8</a>"));
  html = ask(&p, REQUEST("GET", "/run-3.html?with=4&x=time", "localhost"));
  assert_non_null(strstr(html, "\"name\":\"run 3\""));
  assert_non_null(strstr(html, "\"name\":\"run 4\""));
  html = ask(&p, REQUEST("GET", "/", "localhost"));
  assert_null(strstr(html, "older than their runs"));
  cbt_run(&r, cbt_folder, "db void 2 --reason 'it slipped' --db a.db");
  assert_int_equal(r.code, 0);
  assert_non_null(strstr(ask(&p, REQUEST("GET", "/", "localhost")), "older than their runs"));
  assert_non_null(
      strstr(ask(&p, REQUEST("GET", PAIR, "localhost")), "<b>VIRTUAL DATA.</b> Nothing on this page"));
  cbt_run(&r, cbt_folder,
          "material set 'Demo Twill' --on 'Demo Foam' --mu 0.5 --normal-force-N 1 --source sheet --db a.db");
  assert_int_equal(r.code, 0);
  assert_non_null(
      strstr(ask(&p, REQUEST("GET", PAIR, "localhost")), "<b>PARTLY VIRTUAL.</b> Some of this page"));
  html = ask(&p, REQUEST("GET", "/query.html?q=cloths+without+bending", "localhost"));
  assert_non_null(strstr(html, "Demo Twill"));
  end_page(&p);
}

/* Of one cloth two thicknesses: 0.42 +- 0.01 and 0.47 +- 0.02 mm, of unknown degrees of freedom, so that
 * E_n = -0.05 / (1.96 hypot(0.01, 0.02)). The pulls are the same, and agree. */
static void another_database_stands_beside(void **state) {
  (void)state;
  static cbt_result r;
  static const char *const commands[] = {
      "db backup b.db --db a.db",
      "material set 'Demo Twill' --thickness-mm 0.42 --u-thickness-mm 0.01 --source a --db a.db",
      "material set 'Demo Twill' --thickness-mm 0.47 --u-thickness-mm 0.02 --source b --db b.db"};
  make_campaign();
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    cbt_run(&r, cbt_folder, commands[i]);
    if (r.code != 0) fail_msg("%s", r.err);
  }
  const page p = start_with("a.db", "--with", "b.db");
  const char *html = ask(&p, REQUEST("GET", "/cloth-1.html", "localhost"));
  assert_non_null(
      strstr(html,
             "<td>0.420\u2009\u00b1\u20090.010</td><td>0.470\u2009\u00b1\u20090.020</td><td>-2.236</td>"
             "<td>-1.141</td><td class=\"t\"><a href=\"1/cloth-1.html\">b.db</a></td>"));
  html = ask(&p, REQUEST("GET", PAIR, "localhost"));
  assert_non_null(strstr(html, "href=\"1/pair-1-2.html\">b.db</a>"));
  assert_non_null(strstr(html, "they agree"));
  expect_answer(ask(&p, REQUEST("GET", "/compare.html?cloth=1&body=2&A=0&B=1", "localhost")), "HTTP/1.1 200",
                "<b class=\"good\">they agree</b>");
  expect_answer(ask(&p, REQUEST("GET", "/compare.html?cloth=1&body=2&A=c1&B=1c1", "localhost")),
                "HTTP/1.1 200", "<b class=\"good\">they agree</b>");
  expect_answer(ask(&p, REQUEST("GET", "/compare.html?cloth=1&body=2&A=0&B=2", "localhost")), "HTTP/1.1 200",
                "B: there is no database 2");
  expect_answer(ask(&p, REQUEST("GET", "/compare.html?cloth=1", "localhost")), "HTTP/1.1 200", "they agree");
  expect_answer(ask(&p, REQUEST("GET", "/compare.html", "localhost")), "HTTP/1.1 200",
                "<a href=\"compare.html?cloth=1\">Demo Twill</a>");
  expect_answer(ask(&p, REQUEST("GET", "/1/cloth-1.html", "localhost")), "HTTP/1.1 200",
                "0.470\u2009\u00b1\u20090.039 mm");
  html = ask(&p, REQUEST("GET", "/1/run-1.html", "localhost"));
  assert_non_null(strstr(html, "\"name\":\"run 1\""));
  assert_null(strstr(html, "<form method"));
  expect_answer(ask(&p, REQUEST("GET", "/1/plot.js", "localhost")), "HTTP/1.1 200", "class Plot");
  expect_answer(ask(&p, REQUEST("GET", "/2/index.html", "localhost")), "HTTP/1.1 404", "no page");
  expect_answer(ask(&p, REQUEST("GET", "/1/1/index.html", "localhost")), "HTTP/1.1 404", "no page");
  end_page(&p);
}

/* ---- events ---- */

#define FOLLOWERS 20
#define FOLLOW "GET /state.events HTTP/1.1\r\nHost: localhost\r\n\r\n"

/* room: bytes that the computer keeps of what this client does not read; 0: as many as usual. */
static int follow(const page *p, int room) {
  const int fd = connect_to(p);
  const struct timeval patience = {.tv_sec = 120};
  assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
  if (room > 0) assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
  assert_true(send(fd, FOLLOW, sizeof FOLLOW - 1, MSG_NOSIGNAL) == sizeof FOLLOW - 1);
  return fd;
}

/* What came, and how far it was read. */
typedef struct events {
  int fd;
  size_t n, at;
  char text[4 << 20];
} events;

/* Reads on, to a text that it must have. One answer of the computer may have several of them. */
static void read_until(events *e, const char *wanted) {
  for (;;) {
    e->text[e->n] = '\0';
    const char *found = strstr(e->text + e->at, wanted);
    if (found) e->at = (size_t)(found - e->text) + strlen(wanted);
    if (found) return;
    const ssize_t got = recv(e->fd, e->text + e->n, sizeof e->text - 1 - e->n, 0);
    if (got <= 0) fail_msg("'%s' did not come: %.600s", wanted, e->n > e->at ? e->text + e->at : "nothing");
    e->n += (size_t)got;
  }
}

static void events_tell_what_changed(void **state) {
  (void)state;
  static cbt_result r;
  cbt_run(&r, cbt_folder, "db init --db a.db");
  page p = start_page("a.db");
  static events e;
  e = (events){.fd = follow(&p, 0)};
  read_until(&e, "Content-Type: text/event-stream");
  read_until(&e, "event: beat\n"); /* nothing has changed */
  make_campaign();
  read_until(&e, "\ndata: {\"database\":\"a.db\",\"campaign\":{\"campaign_id\":1,");
  read_until(&e, "\"runs_done\":8,");
  read_until(&e, "event: beat\n");
  cbt_run(&r, cbt_folder, "db void 8 --reason 'it slipped' --db a.db");
  read_until(&e, "\"runs_done\":7,");
  end_page(&p); /* which ends the events, too */
  while (recv(e.fd, r.out, sizeof r.out, 0) > 0) {
  }
  close(e.fd);
  /* No form, and nobody elsewhere, follows anything. */
  p = start_page("a.db");
  expect_answer(ask(&p, REQUEST("GET", "/state.events", "evil.example")), "HTTP/1.1 403", "another host");
  expect_answer(ask(&p, REQUEST("POST", "/state.events", "localhost")), "HTTP/1.1 4", "");
  end_page(&p);
}

/* The longest that a reading of the file's finished runs was waited for, by its stamp of arrival. Counts the
 * runs, each of which must have every reading. */
static double longest_wait_s(const char *db, size_t *done) {
  cb_store *s;
  cb_run *runs;
  size_t n;
  char path[400];
  double longest_s = 0;
  assert_ok(cb_store_open(cbt_path(db, path), CB_STORE_READ, &s, err));
  const cb_run_filter all = cb_run_filter_all();
  assert_ok(cb_store_runs(s, &all, &runs, &n, err));
  *done = 0;
  for (size_t i = 0; i < n; i++) {
    cb_series came;
    cb_trace t;
    if (runs[i].status != CB_RUN_DONE) continue;
    ++*done;
    assert_ok(cb_store_samples(s, runs[i].id, CB_CHANNEL_FORCE, &came, err));
    for (size_t k = 1; k < came.n; k++) longest_s = fmax(longest_s, came.t_s[k] - came.t_s[k - 1]);
    cb_series_clear(&came);
    /* A reading that was lost leaves a gap in the clock of the read-out. */
    assert_ok(cb_store_trace(s, &runs[i], &t, err));
    const cb_series *f = &t.force_N;
    assert_true(f->n > 100);
    for (size_t k = 1; k < f->n; k++)
      assert_near((f->t_s[k] - f->t_s[k - 1]) * (double)(f->n - 1) / (f->t_s[f->n - 1] - f->t_s[0]), 1, 0.4);
    cb_trace_clear(&t);
  }
  free(runs);
  assert_ok(cb_store_close(s, err));
  return longest_s;
}

/* Clients that take nothing of their events, and one that reads: this one learns of every run, and no run
 * beside them lacks a reading. A run is made again where the whole computer was too busy for it. */
static void slow_followers_delay_no_sample(void **state) {
  (void)state;
  static cbt_result r;
  int fd[FOLLOWERS];
  size_t done;
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db alone.db");
  if (r.code != 0) fail_msg("%s", r.err);
  const double alone_s = longest_wait_s("alone.db", &done);
  cbt_run(&r, cbt_folder, "db init --db a.db");
  const page p = start_page("a.db");
  for (int i = 0; i < FOLLOWERS; i++) fd[i] = follow(&p, 2048);
  static events reader;
  reader = (events){.fd = follow(&p, 0)};
  cbt_run(&r, cbt_folder, SMALL VIRTUAL " --db a.db");
  if (r.code != 0) fail_msg("%s", r.err);
  read_until(&reader, "\"finished\":true");
  const double beside_s = longest_wait_s("a.db", &done);
  assert_int_equal(done, 8);
  print_message("longest wait for a reading: %.1f ms alone, %.1f ms beside %d slow followers\n",
                1e3 * alone_s, 1e3 * beside_s, FOLLOWERS);
  for (int i = 0; i < FOLLOWERS; i++) close(fd[i]);
  close(reader.fd);
  end_page(&p);
}

/* Whoever is in the file signs with that name, and nobody else reads. */
#define LOGIN(word)                                                           \
  "GET /run-1.html HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic " word \
  "\r\nConnection: "                                                          \
  "close\r\n\r\n"
#define ANN "YW5uOnNlY3JldA==" /* ann:secret */
#define WRONG "YW5uOndyb25n"   /* ann:wrong */

static void people_log_in(void **state) {
  (void)state;
  static cbt_result r;
  char request[2000], token[40], path[400];
  make_campaign();
  cbt_write(cbt_path("people", path), "# a lab\nann:$5$cloth$15MN4/6tQoix9TJCocnmSxOIT1EtX17MuLA7h7.V.60\n");
  const page p = start_with("a.db", "--listen=0.0.0.0", "--passwords=people");
  expect_answer(ask(&p, REQUEST("GET", "/run-1.html", "localhost")), "HTTP/1.1 401",
                "WWW-Authenticate: Basic");
  expect_answer(ask(&p, LOGIN(WRONG)), "HTTP/1.1 401", "a name and a password");
  for (int again = 0; again < 2; again++)
    expect_answer(ask(&p, LOGIN(ANN)), "HTTP/1.1 200", "name=\"token\"");
  const char *at = strstr(ask(&p, LOGIN(ANN)), "name=\"token\" value=\"");
  if (!at || sscanf(at, "name=\"token\" value=\"%32[0-9a-f]\"", token) != 1) fail_msg("no token");
  const char *form = "run=1&kind=void&reason=slipped&by=bob";
  (void)snprintf(
      request, sizeof request,
      "POST /correct HTTP/1.1\r\nHost: lab:%d\r\nOrigin: http://lab:%d\r\nAuthorization: Basic " ANN
      "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %zu\r\nConnection: "
      "close\r\n\r\n%s&token=%s",
      p.port, p.port, strlen(form) + strlen(token) + 7, form, token);
  expect_answer(ask(&p, request), "HTTP/1.1 303", "Location: run-1.html");
  end_page(&p);
  cbt_run(&r, cbt_folder, "db corrections --db a.db");
  assert_non_null(strstr(r.out, "slipped (ann)"));
  cbt_write(cbt_path("nobody", path), "# a lab\n");
  cbt_write(cbt_path("plain", path), "ann:secret\n");
  cbt_run(&r, cbt_folder, "serve --db a.db --port 0 --passwords nobody");
  assert_true(r.code == 1 && strstr(r.err, "nobody: there is nobody in it"));
  cbt_run(&r, cbt_folder, "serve --db a.db --port 0 --passwords plain");
  assert_true(r.code == 1 && strstr(r.err, "plain:1: NAME:HASH was wanted"));
}

static void properties_are_typed(void **state) {
  (void)state;
  static cbt_result r;
  char token[40];
  make_campaign();
  const page p = start_page("a.db");
  read_token(&p, token);
  assert_non_null(strstr(ask(&p, REQUEST("GET", "/type.html?kind=cloth&name=x", "localhost")), token));
  static char request[2000];
  static const struct {
    const char *form, *status, *says;
  } asked[] = {
      {"kind=cloth&name=Demo+Twill&thickness=0.4&u_thickness=0.01&source=data+sheet", "HTTP/1.1 303",
       "Location: cloth-"},
      {"kind=cloth&name=Demo+Twill&thickness=0.9&source=data+sheet", "HTTP/1.1 400", "thickness"},
      {"kind=cloth&name=Demo+Twill&thickness=thin&source=data+sheet", "HTTP/1.1 400", "thickness [mm]"},
      {"kind=cloth&name=Demo+Twill&thickness=0.4", "HTTP/1.1 400", "source"}};
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    (void)snprintf(
        request, sizeof request,
        "POST /type HTTP/1.1\r\nHost: localhost:%d\r\nOrigin: http://localhost:%d\r\nContent-Type: "
        "application/x-www-form-urlencoded\r\nContent-Length: %zu\r\nConnection: "
        "close\r\n\r\ntoken=%s&%s",
        p.port, p.port, strlen(asked[i].form) + strlen(token) + 7, token, asked[i].form);
    expect_answer(ask(&p, request), asked[i].status, asked[i].says);
  }
  assert_non_null(strstr(ask(&p, REQUEST("GET", "/cloths.html", "localhost")), "0.400"));
  cbt_run(&r, cbt_folder, "db query 'cloths thickness between 0.39 and 0.41' --db a.db");
  assert_non_null(strstr(r.out, "Demo Twill"));
  end_page(&p);
}

static void two_campaigns_are_compared(void **state) {
  (void)state;
  make_campaigns(2);
  const page p = start_page("a.db");
  static const char *const asked[][2] = {
      {REQUEST("GET", "/compare.html?cloth=1&body=2", "localhost"), "campaign 2 small (8 runs)"},
      {REQUEST("GET", "/compare.html?cloth=1&body=2&A=c1&B=c2", "localhost"), "they agree"},
      {REQUEST("GET", "/compare.html?cloth=1&body=2&A=c1&B=c1", "localhost"), "are the same"},
      {REQUEST("GET", "/compare.html?cloth=1&body=2&A=c1&B=lX", "localhost"), "role=\"alert\""},
      {REQUEST("GET", "/body-2.html", "localhost"), "<a href=\"cloth-1.html\">Demo Twill</a>"}};
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
    expect_answer(ask(&p, asked[i][0]), "HTTP/1.1 200", asked[i][1]);
  expect_answer(ask(&p, REQUEST("GET", "/compare.html?cloth=9&body=2", "localhost")), "HTTP/1.1 404",
                "no cloth 9");
  end_page(&p);
}

/* The knit's stiffness rests on few strips: 66 +- 24 N/m at 95 %. A table that knows no degrees of freedom
 * gives the standard uncertainty, and says so. */
static void tables_say_what_their_bands_are(void **state) {
  (void)state;
  const page p = start_page(CB_SOURCE_DIR "/materials.db");
  const char *html = ask(&p, REQUEST("GET", "/cloths.html", "localhost"));
  assert_non_null(strstr(html, "Acrylic rib"));
  assert_non_null(strstr(html, "66.2\u2009\u00b1\u20098.0<"));
  assert_non_null(strstr(html, "\u00b1: standard uncertainty"));
  assert_null(strstr(html, "95 %"));
  end_page(&p);
}

static void wrong_usage(void **state) {
  (void)state;
  static const struct {
    const char *words, *says;
    int code;
  } wrong[] = {{"serve --db nowhere.db", "nowhere.db: no such database", 1},
               {"serve --db empty.db --listen here", "a numeric one such as 127.0.0.1", 2},
               {"serve --db empty.db --port 70000", "--port", 2},
               {"serve --db empty.db --listen 192.0.2.1", "192.0.2.1:8770 cannot be served", 1}};
  static cbt_result r;
  cbt_run(&r, cbt_folder, "db init --db empty.db");
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    cbt_run(&r, cbt_folder, wrong[i].words);
    if (r.code != wrong[i].code || !strstr(r.err, wrong[i].says))
      fail_msg("%s: %d %s", wrong[i].words, r.code, r.err);
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, cbt_folder_set_up, cbt_folder_tear_down)
  const struct CMUnitTest tests[] = {T(a_campaign_is_shown),
                                     T(an_empty_database_has_a_page),
                                     T(what_is_not_a_question_is_refused),
                                     T(stalled_clients_stop_nobody),
                                     T(a_crowd_shuts_nobody_out),
                                     T(events_tell_what_changed),
                                     T(slow_followers_delay_no_sample),
                                     T(wrong_usage),
                                     T(a_run_is_corrected),
                                     T(nothing_is_written_where_others_read),
                                     T(pages_of_a_campaign),
                                     T(another_database_stands_beside),
                                     T(properties_are_typed),
                                     T(tables_say_what_their_bands_are),
                                     T(people_log_in),
                                     T(two_campaigns_are_compared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
