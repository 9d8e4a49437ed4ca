// Alpha-beta over tic-tac-toe with a transposition table in unordered_map.
#include <bits/stdc++.h>
using namespace std;

string board(9, '.');
unordered_map<string, int> seen;
long nodes;

bool wins(char c)
{
    static const int line[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                   {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    return any_of(begin(line), end(line), [c](auto &l) {
        return board[l[0]] == c && board[l[1]] == c && board[l[2]] == c;
    });
}
int best(char me)
{
    char you = me == 'X' ? 'O' : 'X';
    nodes++;
    if (wins(you))
        return -1;
    if (board.find('.') == string::npos)
        return 0;
    auto [it, fresh] = seen.try_emplace(board + me, 0);
    if (!fresh)
        return it->second;
    int value = -2;
    for (char &c : board)
        if (c == '.') {
            c = me;
            value = max(value, -best(you));
            c = '.';
        }
    return seen[board + me] = value;
}

int main()
{
    cout << best('X') << ' ' << nodes << ' ' << seen.size() << '\n';
}
