// sample_flood: moves to where it can reach the most cells; between equal moves
// the one beside more walls. It does not think of the others at all.
#include <array>
#include <iostream>
#include <queue>
#include <string>
#include <utility>
#include <vector>

static const std::array<std::pair<int, int>, 4> steps = {
    {{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};

class World
{
    std::vector<std::string> grid;
    int x = 0, y = 0;

    bool is_free(int cx, int cy) const
    {
        return cy >= 0 && cy < (int)grid.size() && cx >= 0 &&
               cx < (int)grid[cy].size() && grid[cy][cx] == '.';
    }

    int walls_around(int cx, int cy) const
    {
        int count = 0;
        for (auto [dx, dy] : steps)
            count += !is_free(cx + dx, cy + dy);
        return count;
    }

    int room(int cx, int cy) const
    {
        auto left = grid;
        std::queue<std::pair<int, int>> queue;
        int count = 0;

        left[cy][cx] = '#';
        queue.emplace(cx, cy);
        for (; !queue.empty(); count++) {
            auto [ax, ay] = queue.front();
            queue.pop();
            for (auto [dx, dy] : steps) {
                if (!is_free(ax + dx, ay + dy) || left[ay + dy][ax + dx] == '#')
                    continue;
                left[ay + dy][ax + dx] = '#';
                queue.emplace(ax + dx, ay + dy);
            }
        }
        return count;
    }

  public:
    bool read()
    {
        int turn, you, width, height, players;
        if (!(std::cin >> turn >> you >> width >> height >> players))
            return false;
        for (int i = 0; i < players; i++) {
            int px, py, alive;
            char facing;
            std::cin >> px >> py >> facing >> alive;
            if (i == you) {
                x = px;
                y = py;
            }
        }
        grid.resize(height);
        for (std::string &row : grid)
            std::cin >> row;
        return true;
    }

    char choose() const
    {
        int best = 0, best_score = -1;
        for (int way = 0; way < 4; way++) {
            auto [dx, dy] = steps[way];
            if (!is_free(x + dx, y + dy))
                continue;
            int score = room(x + dx, y + dy) * 8 + walls_around(x + dx, y + dy);
            if (score > best_score) {
                best_score = score;
                best = way;
            }
        }
        return "URDL"[best];
    }
};

int main()
{
    World world;
    while (world.read())
        std::cout << world.choose() << '\n';
}
