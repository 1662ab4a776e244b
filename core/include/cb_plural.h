/* Words that follow a count: "1 run", "2 runs", "0 runs"; "1 body is", "2 bodies are".
 *
 *   printf("%zu run%s", n, CB_S(n));
 *   printf("%zu %s", n, CB_PLURAL(n, "body", "bodies"));
 *
 * They are macros because counts have many types. tests/plurals finds formats that always say the plural. */
#ifndef CB_PLURAL_H
#define CB_PLURAL_H

#define CB_PLURAL(n, one, many) ((n) == 1 ? (one) : (many))
#define CB_S(n) CB_PLURAL(n, "", "s")
#define CB_ARE(n) CB_PLURAL(n, "is", "are")
#define CB_WERE(n) CB_PLURAL(n, "was", "were")

#endif
