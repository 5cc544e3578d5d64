#include <sqlite3.h>

// The macro is a cast that Swift does not import.
static inline sqlite3_destructor_type goldwire_sqlite_copies(void) { return SQLITE_TRANSIENT; }
