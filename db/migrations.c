#include "db/migrations.h"

/* The assembler reads the file and adds the NUL; paths start at the root of the
 * tree, where make runs. Source: GNU as manual, .incbin. */
// NOLINTBEGIN(bugprone-macro-parentheses): `path` is a piece of a string
#define EMBED(symbol, path)              \
    __asm__(".section .rodata\n"         \
            ".balign 16\n" #symbol ":\n" \
            ".incbin \"" path "\"\n"     \
            ".byte 0\n"                  \
            ".previous\n");              \
    extern const char symbol[] __attribute__((visibility("hidden")))
// NOLINTEND(bugprone-macro-parentheses)

EMBED(migration_001_start, "db/migrations/001_start.sql");
EMBED(migration_002_measures, "db/migrations/002_measures.sql");
EMBED(migration_003_rights, "db/migrations/003_rights.sql");
EMBED(migration_004_service, "db/migrations/004_service.sql");
EMBED(migration_005_webhooks, "db/migrations/005_webhooks.sql");
EMBED(migration_006_kept, "db/migrations/006_kept.sql");
EMBED(migration_007_retention, "db/migrations/007_retention.sql");
EMBED(migration_008_deliveries, "db/migrations/008_deliveries.sql");
EMBED(migration_009_standings, "db/migrations/009_standings.sql");

const struct migration migrations[] = {
    {"001_start", migration_001_start},
    {"002_measures", migration_002_measures},
    {"003_rights", migration_003_rights},
    {"004_service", migration_004_service},
    {"005_webhooks", migration_005_webhooks},
    {"006_kept", migration_006_kept},
    {"007_retention", migration_007_retention},
    {"008_deliveries", migration_008_deliveries},
    {"009_standings", migration_009_standings},
};

const int migration_count = sizeof migrations / sizeof migrations[0];
