/* lines: included before a bot that is measured natively: its standard output
 * is flushed at each line, as contestants do it elsewhere. */
#pragma once

#include <stdio.h>

__attribute__((constructor)) static void flush_lines(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}
