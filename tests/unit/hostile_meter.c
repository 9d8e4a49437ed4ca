/* A bout-meter that does its work and then spoils one of its outputs: what a
 * taken-over stage would hand on. Built from the real one, whose main is called
 * meter_main here (Makefile). In its box it has neither environment nor
 * arguments of ours, so what to do stands behind the end of its own file:
 * "\nSPOIL step file how\n". Used by test_stages.c. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int meter_main(int argc, char **argv);

static void put(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "we");

    if (!file)
        return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static void put_random(const char *path)
{
    char bytes[4096];
    unsigned state = 1;

    for (size_t i = 0; i < sizeof bytes; i++) {
        state = state * 1103515245u + 12345u;
        bytes[i] = (char)(state >> 16);
    }
    put(path, bytes, sizeof bytes);
}

static void put_executable(const char *path)
{
    char bytes[65536];
    FILE *self = fopen("../meter", "re");

    if (!self)
        return;
    size_t size = fread(bytes, 1, sizeof bytes, self);
    fclose(self);
    put(path, bytes, size);
}

static void spoil(const char *path, const char *how)
{
    struct stat status = {0};

    if (stat(path, &status) < 0)
        return;
    if (!strcmp(how, "half")) {
        if (truncate(path, status.st_size / 2) < 0)
            return;
    } else if (!strcmp(how, "huge")) {
        if (truncate(path, 200 << 20) < 0)
            return;
    } else {
        unlink(path);
    }
    if (!strcmp(how, "empty"))
        put(path, "", 0);
    else if (!strcmp(how, "random"))
        put_random(path);
    else if (!strcmp(how, "other"))
        put_executable(path);
    else if (!strcmp(how, "json"))
        put(path, "[1,{}]", 6);
    else if (!strcmp(how, "link") && symlink("/etc/passwd", path) < 0)
        return;
    else if (!strcmp(how, "folder"))
        mkdir(path, 0755);
    else if (!strcmp(how, "pipe"))
        mkfifo(path, 0644);
}

int main(int argc, char **argv)
{
    char tail[129] = "", step[16], file[64], how[16], path[80];
    FILE *self = fopen("../meter", "re");
    int code = meter_main(argc, argv);

    if (!self || argc < 2)
        return code;
    if (fseek(self, -128, SEEK_END) == 0)
        tail[fread(tail, 1, 128, self)] = '\0';
    fclose(self);
    for (size_t i = 0; i < 120; i++)
        if (!memcmp(tail + i, "\nSPOIL ", 7) &&
            sscanf(tail + i, "\nSPOIL %15s %63s %15s", step, file, how) == 3 &&
            !strcmp(step, argv[1])) {
            snprintf(path, sizeof path, "../out/%s", file);
            spoil(path, how);
        }
    return code;
}
