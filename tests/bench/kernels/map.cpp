// Ordered maps and a priority queue: Dijkstra on a grid.
#include <cstdio>
#include <map>
#include <queue>
#include <vector>

int main()
{
    long sum = 0;

    for (int round = 0; round < 200; round++) {
        const int n = 120;
        std::vector<int> best(n * n, 1 << 30);
        std::priority_queue<std::pair<int, int>> open;
        std::map<int, int> seen;
        open.push({0, 0});
        best[0] = 0;
        while (!open.empty()) {
            auto [cost, at] = open.top();
            open.pop();
            cost = -cost;
            if (cost > best[at])
                continue;
            seen[cost * 31 % 1009]++;
            const int step[] = {1, -1, n, -n};
            for (int d : step) {
                int to = at + d;
                if (to < 0 || to >= n * n || (d == 1 && to % n == 0) ||
                    (d == -1 && at % n == 0))
                    continue;
                int next = cost + 1 + (to * 2654435761u >> 28) % 9;
                if (next >= best[to])
                    continue;
                best[to] = next;
                open.push({-next, to});
            }
        }
        sum += best[n * n - 1] + (long)seen.size();
    }
    printf("%ld\n", sum);
}
