/* data_folder: where a service keeps everything, DATA of contract section 7. */
#pragma once

#include "db/db.h"

/* `given`, else $BOUT_DATA, $XDG_DATA_HOME/bout or ~/.local/share/bout; to be
 * freed. It may not be there yet. */
char *data_folder(const char *given, struct err *err);
/* DATA/bout.db; to be freed. */
char *data_folder_database(const char *folder);

/* Writer. Gives the admin `user_id` a token, written to DATA/admin.token
 * (mode 0600). The file comes before the commit: if that fails, the next try
 * makes both anew. */
int data_folder_add_token(const char *folder, struct db *db, int64_t user_id,
                          struct err *err);
/* Whether DATA/admin.token is there. */
bool data_folder_has_token(const char *folder);
