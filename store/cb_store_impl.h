/* Private to store/: the handle and the few helpers every statement goes through. */
#ifndef CB_STORE_IMPL_H
#define CB_STORE_IMPL_H

#include <sqlite3.h>
#include <stdint.h>
#include <sys/stat.h>

#include "cb_store.h"

typedef struct cbs_table cbs_table; /* cb_seal.h */

#define CBS_RULES 128 /* columns of a statement at most */
#define CBS_IDLE 16   /* a row of a run and its point take five statements */

struct cb_store {
  sqlite3 *db;
  char *path;
  cb_store_mode mode;
  bool reference;
  bool alone;          /* reads without locks, as nothing may be written there */
  struct stat read_as; /* the file when such a reader opened it */
  bool marked;         /* the mark stands in the log, too */
  bool marking;        /* cbs_mark_begin is at work */
  bool trusts_names;
  cb_name_doubt *doubts, *trusted; /* owned; names of this transaction; names that a person said are new */
  size_t n_doubts, n_trusted;
  cb_name_question *ask;
  void *ask_context;
  cbs_table *tables; /* owned; those of the file, by name */
  int n_tables;
  bool checks_rows; /* cb_row refuses a row that cannot be */
  cb_err refused;   /* why a row was refused, for cbs_fail; "" */
  uint64_t steps;   /* of SQLite's machine, in thousands, since no statement was at work */
  char stamp[32];   /* cb_store_stamp; "": none */
  uint64_t source;  /* of the last uuid: its hash, and how many of it came before */
  uint64_t of_source;
  sqlite3_stmt *idle[CBS_IDLE];             /* owned; run to their end, for the next time */
  unsigned put;                             /* how many were put there so far */
  const sqlite3_stmt *ruled;                /* the statement whose columns have */
  const struct cb_column *rules[CBS_RULES]; /* NULL: any number */
  uint64_t max_steps; /* of a statement: more than any sound file of this size needs; 0: not looked up yet */
};

/* Checks that the file's schema is exactly that of its version. Called before any other statement, as tables,
 * views and triggers of a foreign file could do anything. */
CB_CHECKED cb_status cbs_schema_compare(cb_store *s, int version, cb_err *err);
CB_CHECKED cb_status cbs_schema_hash(cb_store *s, uint64_t *hash, cb_err *err);

/* Returns true if SQLite's extended code means lack of memory, also while reading a file. */
bool cbs_no_memory(int code);
/* "PATH: what SQLite says (doing: SQL)"; a full disk, a read-only place and lack of memory (CB_E_NOMEM) get
 * their own words. */
cb_status cbs_fail(cb_store *s, const char *sql, cb_err *err);
CB_CHECKED cb_status cbs_exec(cb_store *s, const char *sql, cb_err *err);

/* Prepares and binds. One letter per value in fmt:
 *   i int64_t   n int64_t, 0 becomes NULL   d double, NAN becomes NULL   p double, <= 0 becomes NULL   t
 *               const char*, "" kept
 *   o const char*, "" becomes NULL   b const void*, size_t (BLOB) */
CB_CHECKED cb_status cbs_prepare(cb_store *s, sqlite3_stmt **stmt, cb_err *err, const char *sql,
                                 const char *fmt, ...);
/* CB_OK with *row; finalizes the statement when there is no further row and on errors (*stmt = NULL). */
CB_CHECKED cb_status cbs_step(cb_store *s, sqlite3_stmt **stmt, bool *row, cb_err *err);
/* Closes the handle, which no statement uses any more. Returns SQLite's code. */
int cbs_close(cb_store *s);
/* prepare + bind + step to the end; *id (may be NULL) receives last_insert_rowid. */
CB_CHECKED cb_status cbs_run(cb_store *s, int64_t *id, cb_err *err, const char *sql, const char *fmt, ...);

/* After SAVEPOINT name: RELEASE it where st is CB_OK, else roll back to it. Returns st, or the error of
 * RELEASE. */
CB_CHECKED cb_status cbs_end_savepoint(cb_store *s, const char *name, cb_status st, cb_err *err);

/* Columns of the present row. Text is one line as cb_text_show makes it, cut to size; NULL gives "" or NAN or
 * 0. */
void cbs_text(sqlite3_stmt *stmt, int column, char *out, size_t size);
double cbs_real(sqlite3_stmt *stmt, int column);
char *cbs_text_dup(sqlite3_stmt *stmt, int column);
/* Index of a name in a NULL-terminated list; the schema's CHECKs make sure that it is there. */
int cbs_enum(sqlite3_stmt *stmt, int column, const char *const *names);

typedef void cbs_reader(sqlite3_stmt *row, void *item);
void cbs_read_id(sqlite3_stmt *row, void *item);    /* int64_t */
void cbs_read_count(sqlite3_stmt *row, void *item); /* size_t */
/* Prepare and bind as cbs_prepare. cbs_list: all rows as a malloc'd array of zeroed items filled by read;
 * *list is NULL on failure. cbs_one: the first row into *item; *found says whether there was one. */
CB_CHECKED cb_status cbs_list(cb_store *s, cbs_reader *read, size_t item_size, void **list, size_t *n,
                              cb_err *err, const char *sql, const char *fmt, ...);
CB_CHECKED cb_status cbs_one(cb_store *s, cbs_reader *read, void *item, bool *found, cb_err *err,
                             const char *sql, const char *fmt, ...);

/* Checks every friction law of the file, old ones included (cb_friction_law_check). */
CB_CHECKED cb_status cbs_laws_check(cb_store *s, cb_err *err);

/* CB_E_DB "PATH: WHAT: TEXT" where sql has a row; TEXT is the row's first column. */
CB_CHECKED cb_status cbs_expect_none(cb_store *s, const char *sql, const char *what, cb_err *err);

/* A new name is near to a known one. Within a transaction it is noted, for cbs_names_check; else refused. */
CB_CHECKED cb_status cbs_names_doubt(cb_store *s, const cb_name_doubt *d, cb_err *err);
/* True if a person said that the name is new, or it is in doubt already. */
bool cbs_names_noted(const cb_store *s, cb_material_kind kind, const char *name);
/* Refuses the transaction's names that are in doubt. */
CB_CHECKED cb_status cbs_names_check(const cb_store *s, cb_err *err);

/* cb_store_place.c. Opens s->db for reading, also where nothing may be written. Returns SQLite's code. */
int cbs_open_to_read(cb_store *s);
/* True if the last call failed because it had to write something, and cbs_reopen_alone may do without. */
bool cbs_wants_to_be_alone(const cb_store *s);
int cbs_reopen_alone(cb_store *s);
/* Refuses what was read without locks while another program wrote to the file. */
CB_CHECKED cb_status cbs_check_unchanged(const cb_store *s, cb_err *err);
/* True if there is a log with content beside the file. */
bool cbs_has_log(const cb_store *s);
/* Marks the file as one that is in use, until the log goes into it for the last time. */
CB_CHECKED cb_status cbs_mark_begin(cb_store *s, cb_err *err);
/* Takes back a mark that could not be taken back when it was set. */
void cbs_mark_end(cb_store *s);
/* Since when the file says that it is in use; "": it does not. */
CB_CHECKED cb_status cbs_mark_read(cb_store *s, char since[32], cb_err *err);
/* Refuses a copy that lacks its log. had_log: cbs_has_log before this handle was opened. */
CB_CHECKED cb_status cbs_mark_check(cb_store *s, bool had_log, cb_err *err);

/* Removes a new file that could not be filled, with its log and journal. */
void cbs_remove_files(const char *path);
/* Random; of a file with a stamp, from the text `source` and from how many rows of that source came just
 * before: two files that are built of the same text have the same uuids. */
void cbs_uuid(cb_store *s, const char *source, char out[37]);

/* SQL: the material that goes by the name now; else the one that did once, or has it as an alias. */
#define CBS_NAMED(kind, name)                                                          \
  "SELECT mk.is_id FROM material_now mk WHERE mk.kind = " kind " AND (mk.name = " name \
  " OR mk.first_name = " name                                                          \
  " OR EXISTS(SELECT 1 FROM material_name ma WHERE ma.material_id = mk.id AND "        \
  "ma.name = " name ")) ORDER BY mk.name = " name " DESC LIMIT 1"
/* SQL: the material that this one is now; every material that is that one (material_now). */
#define CBS_IS(column) "(SELECT mn.is_id FROM material_now mn WHERE mn.id = " column ")"
#define CBS_ALL_OF(material) "SELECT mn.id FROM material_now mn WHERE mn.is_id = " material

/* The schema as a list of steps; step i takes a database from user_version i to i + 1. A new file runs all of
 * them. */

#define CB_APPLICATION_ID 0x636c7462 /* "cltb" */

extern const char *const cb_schema_steps[];
extern const int cb_schema_version; /* number of steps */
/* XXH3 of the whole schema of this version as SQLite 3.40 writes it down (cbs_schema_hash): saves making it
 * anew at every opening. With another hash the schemas themselves are compared. */
extern const uint64_t cb_schema_hash;

#endif
