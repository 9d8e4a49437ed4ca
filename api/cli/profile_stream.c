/* profile_stream: bout profile --stream FILE, the tree of a profile's stream.
 * The file may be a pipe or a socket that somebody writes into: it is read to
 * its end. */
#include "api/cli/profile_stream.h"

#include "api/cli/cli.h"
#include "profiler/decode.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int read_stream(int fd, struct decoder *decoder, const char *path,
                       struct err *err)
{
    char bytes[65536];

    for (;;) {
        ssize_t size = read(fd, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return err_sys(err, errno, "%s: read", path);
        if (size == 0)
            break;
        decoder_feed(decoder, bytes, (size_t)size);
    }
    decoder_end(decoder);
    if (!decoder->identifier)
        return err_set(err, ERR_INPUT, "%s: no profile stream: it has no head",
                       path);
    return 0;
}

int cli_profile_stream(const char *path, const char *out_path)
{
    bool is_pipe = !strcmp(path, "-");
    struct err err = {0};
    auto_fd int opened = is_pipe ? -1 : io_open(path, &err);
    auto_buf struct buf out = {0};
    struct decoder decoder;

    if (!is_pipe && opened < 0)
        return cli_fail("profile", &err);
    struct decode_tree *tree = decode_tree_new();
    decoder_init(&decoder, decode_tree_take, tree);
    int result = read_stream(is_pipe ? STDIN_FILENO : opened, &decoder,
                             is_pipe ? "standard input" : path, &err);
    if (result == 0) {
        decode_tree_format(tree, &decoder, &out);
        if (out_path)
            result = io_write_file(out_path, out.data, out.size, 0644, &err);
        else
            cli_print_foreign(stdout, out.data, out.size);
    }
    decoder_release(&decoder);
    decode_tree_free(tree);
    return result < 0 ? cli_fail("profile", &err) : cli_finish("profile");
}
