/* The page, as daq/watch/page.html has it (CMakeLists.txt makes a text of C of it). */
#ifndef WATCH_PAGE_H
#define WATCH_PAGE_H

extern const char watch_page[];

#endif
