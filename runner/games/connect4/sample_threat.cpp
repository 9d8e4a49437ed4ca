// sample_threat: wins at once if it can, stops the other from doing so, never
// plays below a cell where the other wins, and else takes the column that
// touches most of its own discs. Two discs of thought, no search.
#include <iostream>
#include <string>
#include <vector>

using Board = std::vector<std::string>;

static int landing(const Board &board, int column)
{
    int row = (int)board.size() - 1;
    while (row >= 0 && board[row][column] != '.')
        row--;
    return row;
}

static bool holds(const Board &board, int row, int column, char disc)
{
    return row >= 0 && row < (int)board.size() && column >= 0 &&
           column < (int)board[0].size() && board[row][column] == disc;
}

static bool wins(const Board &board, int row, int column, char disc)
{
    const int lines[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (auto &[down, right] : lines) {
        int count = 1;
        for (int sign : {1, -1})
            for (int i = sign; holds(board, row + i * down, column + i * right,
                                     disc);
                 i += sign)
                count++;
        if (count >= 4)
            return true;
    }
    return false;
}

static int touching(const Board &board, int row, int column, char disc)
{
    int count = 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            count += holds(board, row + down, column + right, disc);
    return count;
}

static int worth(const Board &board, int column, char mine, char theirs)
{
    int row = landing(board, column);
    if (row < 0)
        return -1000;
    if (wins(board, row, column, mine))
        return 1000;
    if (wins(board, row, column, theirs))
        return 500;
    if (row > 0 && wins(board, row - 1, column, theirs))
        return -500;
    int middle = 3 - (column > 3 ? column - 3 : 3 - column);
    return 2 * touching(board, row, column, mine) + middle;
}

int main()
{
    int turn, you, columns, rows;
    while (std::cin >> turn >> you >> columns >> rows) {
        Board board(rows);
        for (std::string &row : board)
            std::cin >> row;
        char mine = (char)('0' + you), theirs = (char)('1' - you);
        int best = 0;
        for (int column = 1; column < columns; column++)
            if (worth(board, column, mine, theirs) >
                worth(board, best, mine, theirs))
                best = column;
        std::cout << best << '\n';
    }
}
