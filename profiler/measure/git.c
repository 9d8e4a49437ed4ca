/* git: which code was measured, by libgit2, and a zip of it.
 * The status of a large tree takes a while, so it is read only where one of the
 * measures that need it is wanted. */
#include "profiler/measure/git_files_internal.h"
#include "profiler/measure/provider_internal.h"
#include "runner/base/cleanup.h"
#include "runner/base/hash.h"

#include <git2.h>
#include <string.h>

struct git {
    const struct measure_spec *spec;
    git_repository *repository; /* NULL: the folder is in none */
    bool is_started;
};

static void *git_open(const struct measure_spec *spec)
{
    struct git *git = mem_calloc(1, sizeof *git);

    git->spec = spec;
    git->is_started = git_libgit2_init() >= 0;
    if (!git->is_started ||
        git_repository_open_ext(&git->repository, spec->folder, 0, NULL) < 0) {
        const git_error *why = git_error_last();
        git->repository = NULL;
        measure_say(spec, MEASURE_INFO, "git", "%s",
                    why ? why->message : "no repository");
    }
    return git;
}

static void git_close(void *self)
{
    struct git *git = self;

    git_repository_free(git->repository);
    if (git->is_started)
        git_libgit2_shutdown();
    free(git);
}

/* ---- the commit ---------------------------------------------------------- */

struct tag_search {
    git_repository *repository;
    const git_oid *commit;
    json_t *names;
};

static int tag_visit(const char *name, git_oid *id, void *data)
{
    struct tag_search *search = data;
    git_object *object = NULL;
    git_object *commit = NULL;

    if (git_object_lookup(&object, search->repository, id, GIT_OBJECT_ANY) ==
            0 &&
        git_object_peel(&commit, object, GIT_OBJECT_COMMIT) == 0 &&
        git_oid_equal(git_object_id(commit), search->commit))
        json_array_append_new(search->names,
                              json_string(name + strlen("refs/tags/")));
    git_object_free(commit);
    git_object_free(object);
    return 0;
}

static void give_commit(const struct git *git, git_reference *head,
                        struct measure_result *result)
{
    const git_oid *id = git_reference_target(head);
    char hex[GIT_OID_HEXSZ + 1];

    if (!id)
        return;
    git_oid_tostr(hex, sizeof hex, id);
    measure_give_text(result, MEASURE_GIT_LAST_COMMIT_HASH, hex);
    struct tag_search search = {
        .repository = git->repository, .commit = id, .names = json_array()};
    git_tag_foreach(git->repository, tag_visit, &search);
    measure_give(result, MEASURE_GIT_TAGS, search.names);
}

static void give_upstream(const struct git *git, git_reference *head,
                          struct measure_result *result)
{
    git_reference *upstream = NULL;
    size_t ahead;
    size_t behind;

    if (git_branch_upstream(&upstream, head) < 0)
        return;
    measure_give_text(result, MEASURE_GIT_BRANCH_UPSTREAM,
                      git_reference_shorthand(upstream));
    if (git_graph_ahead_behind(&ahead, &behind, git->repository,
                               git_reference_target(head),
                               git_reference_target(upstream)) == 0)
        measure_give(result, MEASURE_GIT_UNPUSHED_CHANGES,
                     json_boolean(ahead > 0));
    git_reference_free(upstream);
}

static void give_head(const struct git *git, struct measure_result *result)
{
    git_reference *head = NULL;

    if (git_repository_head(&head, git->repository) < 0)
        return; /* no commit yet */
    give_commit(git, head, result);
    if (git_reference_is_branch(head)) {
        measure_give_text(result, MEASURE_GIT_BRANCH,
                          git_reference_shorthand(head));
        give_upstream(git, head, result);
    }
    git_reference_free(head);
}

static void give_remote(const struct git *git, struct measure_result *result)
{
    git_remote *remote = NULL;

    if (git_remote_lookup(&remote, git->repository, "origin") < 0)
        return;
    measure_give_text(result, MEASURE_GIT_REMOTE_ORIGIN,
                      git_remote_url(remote));
    git_remote_free(remote);
}

/* ---- the files ----------------------------------------------------------- */

static void give_files(const struct git *git, struct measure_result *result)
{
    auto_git_files struct git_files files = {0};
    const char *root = git_repository_workdir(git->repository);

    if (!root || git_files_read(git->repository, &files) < 0)
        return;
    measure_give(result, MEASURE_GIT_UNCOMMITTED_CHANGES,
                 json_boolean(files.is_changed));
    measure_give(result, MEASURE_GIT_UNCHECKED_FILES,
                 json_boolean(files.has_untracked));
    if (measure_is_wanted(git->spec, MEASURE_GIT_HASH)) {
        char hex[HASH_HEX_SIZE];
        git_files_hash(&files, root, hex);
        measure_give_text(result, MEASURE_GIT_HASH, hex);
    }
    if (measure_is_wanted(git->spec, MEASURE_GIT_ARCHIVE_PATH)) {
        auto_free char *path = git_files_archive(git->spec, &files, root);
        measure_give_text(result, MEASURE_GIT_ARCHIVE_PATH, path);
    }
}

static bool wants_files(const struct measure_spec *spec)
{
    return measure_is_wanted(spec, MEASURE_GIT_UNCOMMITTED_CHANGES) ||
           measure_is_wanted(spec, MEASURE_GIT_UNCHECKED_FILES) ||
           measure_is_wanted(spec, MEASURE_GIT_HASH) ||
           measure_is_wanted(spec, MEASURE_GIT_ARCHIVE_PATH);
}

static void git_info(void *self, struct measure_result *result)
{
    const struct git *git = self;

    measure_give(result, MEASURE_GIT_IS_REPO,
                 json_boolean(git->repository != NULL));
    if (!git->repository)
        return;
    measure_give_text(result, MEASURE_GIT_ROOT,
                      git_repository_workdir(git->repository));
    give_head(git, result);
    give_remote(git, result);
    if (wants_files(git->spec))
        give_files(git, result);
}

const struct provider_kind provider_git = {
    .facts = {"git", "libgit2 " LIBGIT2_VERSION, "which code was measured"},
    .open = git_open,
    .close = git_close,
    .info = git_info,
};
