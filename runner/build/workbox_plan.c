/* workbox_plan: everything that the child will need, as plain data. */
#include "runner/build/workbox_internal.h"

#include "runner/base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the tools' dynamic linker needs of the host; headers are not among it.
 * A symbolic link is copied as one. */
const char *const workbox_system_paths[] = {
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache", NULL,
};

void workbox_plan_release(struct workbox_plan *plan)
{
    for (size_t i = 0; i < plan->mount_count; i++) {
        free(plan->mount[i].from);
        free(plan->mount[i].to);
    }
    for (size_t i = 0; i < plan->link_count; i++) {
        free(plan->link[i].target);
        free(plan->link[i].path);
    }
    for (size_t i = 0; i < plan->folder_count; i++)
        free(plan->folder[i]);
    free(plan->mount);
    free(plan->link);
    free(plan->folder);
    free(plan->filter.filter);
    fd_close(&plan->null_fd);
    fd_close(&plan->out_fd);
    fd_close(&plan->log_fd);
    fd_close(&plan->send_fd);
}

static void add_folder(struct workbox_plan *plan, const char *path, size_t size)
{
    for (size_t i = 0; i < plan->folder_count; i++) {
        if (strlen(plan->folder[i]) == size &&
            !memcmp(plan->folder[i], path, size))
            return;
    }
    plan->folder = mem_realloc(plan->folder,
                               (plan->folder_count + 1) * sizeof *plan->folder);
    plan->folder[plan->folder_count++] = mem_dup(path, size);
}

/* All folders on the way to `path`, which is relative. */
static void add_parents(struct workbox_plan *plan, const char *path)
{
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++)
        add_folder(plan, path, (size_t)(slash - path));
}

static void add_link(struct workbox_plan *plan, const char *target,
                     const char *path)
{
    add_parents(plan, path);
    plan->link =
        mem_realloc(plan->link, (plan->link_count + 1) * sizeof *plan->link);
    plan->link[plan->link_count++] = (struct plan_link){
        .target = mem_dup_str(target),
        .path = mem_dup_str(path),
    };
}

static void add_mount(struct workbox_plan *plan, const char *host,
                      const char *path, bool is_file)
{
    add_parents(plan, path);
    if (!is_file)
        add_folder(plan, path, strlen(path));
    plan->mount =
        mem_realloc(plan->mount, (plan->mount_count + 1) * sizeof *plan->mount);
    plan->mount[plan->mount_count++] = (struct plan_mount){
        .from = mem_format("/old%s", host),
        .to = mem_format("/%s", path),
        .is_file = is_file,
    };
}

static void plan_system(struct workbox_plan *plan)
{
    for (size_t i = 0; workbox_system_paths[i]; i++) {
        const char *path = workbox_system_paths[i];
        struct stat status;
        char target[256];

        if (lstat(path, &status) < 0)
            continue;
        if (!S_ISLNK(status.st_mode)) {
            add_mount(plan, path, path + 1, S_ISREG(status.st_mode));
            continue;
        }
        ssize_t size = readlink(path, target, sizeof target - 1);
        if (size < 0)
            continue;
        target[size] = '\0';
        add_link(plan, target, path + 1);
    }
}

static int plan_mounts(struct workbox_plan *plan, struct err *err)
{
    const struct workbox_spec *spec = plan->spec;

    for (size_t i = 0; i < spec->mount_count; i++) {
        const struct workbox_mount *mount = &spec->mount[i];
        struct stat status;

        if (stat(mount->host, &status) < 0)
            return err_sys(err, errno, "%s: %s", spec->name, mount->host);
        if (plan->namespaces)
            add_mount(plan, mount->host, mount->name, S_ISREG(status.st_mode));
        else
            add_link(plan, mount->host, mount->name);
    }
    return 0;
}

static int plan_streams(struct workbox_plan *plan, struct err *err)
{
    const char *name = plan->spec->name;

    plan->null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (plan->null_fd < 0)
        return err_sys(err, errno, "%s: /dev/null", name);
    plan->out_fd = memfd_create("stdout", MFD_CLOEXEC);
    plan->log_fd = memfd_create("stderr", MFD_CLOEXEC);
    if (plan->out_fd < 0 || plan->log_fd < 0)
        return err_sys(err, errno, "%s: memfd_create", name);
    return 0;
}

int workbox_plan_make(struct workbox_plan *plan, struct err *err)
{
    const struct workbox_spec *spec = plan->spec;

    add_folder(plan, "src", 3);
    add_folder(plan, "out", 3);
    for (size_t i = 0; i < spec->input_count; i++) {
        auto_free char *path = mem_format("src/%s", spec->input[i].path);
        add_parents(plan, path);
    }
    if (plan->namespaces)
        plan_system(plan);
    snprintf(plan->tmpfs_options, sizeof plan->tmpfs_options,
             "mode=0755,size=%llu,nr_inodes=8192",
             (unsigned long long)spec->work_bytes);
    snprintf(plan->uid_map, sizeof plan->uid_map, "65534 %u 1", geteuid());
    snprintf(plan->gid_map, sizeof plan->gid_map, "65534 %u 1", getegid());
    if (plan_mounts(plan, err) < 0 || plan_streams(plan, err) < 0)
        return -1;
    return workbox_filter_make(&plan->filter, err);
}
