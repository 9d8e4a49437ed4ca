// Your first bot for Connect Four. It wins when it can, stops the other from
// winning when it must, and else plays near the middle. rules.md says what is
// read and printed; read this file from top to bottom, then change choose().
//
// 1. A bot is an ordinary program: read the game with cin, print your move with
//    cout. No flush is needed. main() loops until the match is over: the
//    program is simply ended while it waits.
// 2. A turn is what runs from one wait for input to the next. Its limit is a
//    number of executed instructions, never time: `bout test` shows how near
//    you are to it. The same input always costs the same.
// 3. Read exactly what the view holds. A read that wants more, such as a loop
//    `while (cin >> x)` over all of it, ends your turn before you printed.
// 4. Whatever you print to cerr is yours: it is kept with the match.
#include <iostream>
#include <string>
#include <vector>

using Board = std::vector<std::string>; // board[0] is the top row

// The row where a disc in this column comes to rest; -1: the column is full.
static int landing_row(const Board &board, int column)
{
    for (int row = (int)board.size() - 1; row >= 0; row--)
        if (board[row][column] == '.')
            return row;
    return -1;
}

// How many discs of this kind lie in a line from here, not counting here.
static int count(const Board &board, int row, int column, int down, int right,
                 char disc)
{
    int found = 0;
    int rows = (int)board.size();
    int columns = (int)board[0].size();

    for (;;) {
        row += down;
        column += right;
        if (row < 0 || row >= rows || column < 0 || column >= columns)
            return found;
        if (board[row][column] != disc)
            return found;
        found++;
    }
}

// Would a disc of this kind in this column make four in a line?
static bool wins(const Board &board, int column, char disc)
{
    int row = landing_row(board, column);
    if (row < 0)
        return false;
    const int lines[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (auto &[down, right] : lines)
        if (count(board, row, column, down, right, disc) +
                count(board, row, column, -down, -right, disc) >=
            3)
            return true;
    return false;
}

// This is the part to make better: look further ahead than one disc. The
// sample sample_search.c shows one way (seven discs, as bit boards).
static int choose(const Board &board, int you)
{
    const int columns = (int)board[0].size();
    const char mine = (char)('0' + you);
    const char theirs = (char)('1' - you);

    for (char disc : {mine, theirs})
        for (int column = 0; column < columns; column++)
            if (wins(board, column, disc))
                return column;
    for (int column : {3, 2, 4, 1, 5, 0, 6})
        if (landing_row(board, column) >= 0)
            return column;
    return 0; // never: the game asks while there is room
}

int main()
{
    int turn, you, columns, rows;

    // The first line says how many follow, so we never read too much.
    while (std::cin >> turn >> you >> columns >> rows) {
        Board board(rows);
        for (auto &row : board)
            std::cin >> row;
        int column = choose(board, you);
        std::cerr << "turn " << turn << ": column " << column << '\n';
        std::cout << column << '\n';
    }
}
