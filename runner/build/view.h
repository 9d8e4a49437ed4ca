/* view: what the compiler sees of the world, and how that is shown to people.
 *
 * clang runs in the folder of the upload's files. Our headers are bound there
 * as VIEW_HEADERS. An overlay file system without fall-through leaves it
 * nothing else, so neither #include nor #embed nor __has_include can tell one
 * host from another or read the compiler's own files. Source: clang
 * -ivfsoverlay, llvm/Support/VirtualFileSystem.h (RedirectingFileSystem).
 */
#pragma once

/* Uploads may not use names that begin like this. */
#define VIEW_RESERVED ".bout"
#define VIEW_HEADERS ".bout"
#define VIEW_OVERLAY ".bout-view.yaml"

/* The overlay's text: everything is found below the current folder. */
#define VIEW_OVERLAY_TEXT                                                      \
    "{\"version\": 0, \"redirecting-with\": \"redirect-only\",\n"              \
    " \"use-external-names\": false, \"case-sensitive\": true,\n"              \
    " \"root-relative\": \"cwd\", \"roots\": [{\"type\": \"directory-remap\"," \
    "\n  \"name\": \".\", \"external-contents\": \".\"}]}\n"

/* "./a.h" is "a.h", ".bout/stdio.h" is "<libc>/include/stdio.h",
 * ".bout/c++/v1/map" is "<libc++>/map"; an absolute
 * path is kept out of sight as its last part. To be freed. */
char *view_name(const char *inside);
