/* hidden: the hidden page of a bot under Windows, found in place of the file of
 * this name in instrument/bot: at a fixed address (meter/windows.h). */
#pragma once

#include "instrument/bot/page.h"
#include "instrument/meter/windows.h"

#include <stdint.h>

#define HIDDEN
#define bot_hidden (*(volatile struct page_hidden *)WINDOWS_HIDDEN_ADDRESS)

static inline volatile void *bot_hidden_at(uint64_t offset)
{
    return (volatile uint8_t *)WINDOWS_HIDDEN_ADDRESS + offset;
}

/* The I/O page's own address belongs to Windows; nothing of the bot's is in it.
 */
#undef PAGE_IO_ADDRESS
#define PAGE_IO_ADDRESS 0x6fff0000u
