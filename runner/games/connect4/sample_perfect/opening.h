/* opening: the moves that the search would not find in its nodes. */
#pragma once

#include "solve.h"

static const uint64_t book[] = {
#include "book.inc"
};

/* The move in a canonical position; 0: it is not in the book. */
static uint64_t book_move(struct board board)
{
    uint64_t key = board_key(board);
    size_t low = 0;
    size_t high = sizeof book / sizeof *book;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (book[middle] >> 3 < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == sizeof book / sizeof *book || book[low] >> 3 != key)
        return 0;
    return playable(board.mine | board.theirs) &
           column_mask((int)(book[low] & 7));
}
