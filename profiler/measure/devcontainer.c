/* devcontainer: where a folder's development containers are described.
 * Source: containers.dev, "Folder structure". */
#include "profiler/measure/provider_internal.h"
#include "runner/base/cleanup.h"

#include <glob.h>
#include <string.h>

static void *devcontainer_open(const struct measure_spec *spec)
{
    /* The spec outlives the provider, and is all that it needs. */
    return mem_dup(&spec, sizeof spec);
}

static void devcontainer_close(void *self)
{
    free(self);
}

static void devcontainer_info(void *self, struct measure_result *result)
{
    static const char *const places[] = {".devcontainer/devcontainer.json",
                                         ".devcontainer.json",
                                         ".devcontainer/*/devcontainer.json"};
    const struct measure_spec *const *spec = self;
    const char *folder = (*spec)->folder;
    json_t *paths = json_array();

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        auto_free char *pattern = mem_format("%s/%s", folder, places[i]);
        glob_t found = {0};
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t p = 0; p < found.gl_pathc; p++)
                json_array_append_new(
                    paths, json_string(found.gl_pathv[p] + strlen(folder) + 1));
        globfree(&found);
    }
    if (json_array_size(paths))
        measure_give(result, MEASURE_DEVCONTAINER_CONF_PATHS, paths);
    else
        json_decref(paths);
}

const struct provider_kind provider_devcontainer = {
    .facts = {"devcontainer", "containers.dev",
              "descriptions of development containers"},
    .open = devcontainer_open,
    .close = devcontainer_close,
    .info = devcontainer_info,
};
