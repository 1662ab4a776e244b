/* The program's version, e.g. "0.1.0"; stored with everything derived. */
#ifndef CB_VERSION_H
#define CB_VERSION_H

const char *cb_version(void);

#endif
