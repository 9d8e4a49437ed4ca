// Breadth-first search over a grid with walls: std::queue, std::vector.
#include <cstdio>
#include <queue>
#include <utility>
#include <vector>

int main()
{
    const int n = 400;
    unsigned seed = 7;
    long sum = 0;
    std::vector<std::vector<char>> wall(n, std::vector<char>(n));

    for (auto &row : wall)
        for (auto &cell : row)
            cell = (seed = seed * 1664525u + 1013904223u) >> 28 < 4;
    for (int round = 0; round < 60; round++) {
        std::vector<std::vector<int>> far(n, std::vector<int>(n, -1));
        std::queue<std::pair<int, int>> open;
        open.push({round, round});
        far[round][round] = 0;
        while (!open.empty()) {
            auto [y, x] = open.front();
            open.pop();
            const int step[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
            for (auto &[dy, dx] : step) {
                int to_y = y + dy, to_x = x + dx;
                if (to_y < 0 || to_x < 0 || to_y >= n || to_x >= n ||
                    wall[to_y][to_x] || far[to_y][to_x] >= 0)
                    continue;
                far[to_y][to_x] = far[y][x] + 1;
                open.push({to_y, to_x});
            }
        }
        for (auto &row : far)
            for (int cell : row)
                sum += cell;
    }
    std::printf("%ld\n", sum);
}
