// Your first bot for Tron. It rides to the side where it can go furthest
// straight on. rules.md says what is read and printed; read this file from top
// to bottom, then change choose().
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

struct Rider {
    int x, y;
    char facing;
    int alive;
};

struct World {
    int turn, you, width, height;
    std::vector<Rider> riders;
    std::vector<std::string> grid; // grid[y][x], '.' is free

    bool is_free(int x, int y) const
    {
        return x >= 0 && x < width && y >= 0 && y < height &&
               grid[y][x] == '.';
    }
};

struct Move {
    char letter;
    int dx, dy;
};

static const Move moves[] = {{'U', 0, -1}, {'R', 1, 0}, {'D', 0, 1}, {'L', -1, 0}};

// This is the part to make better. Count the cells that you could reach at all
// (a flood fill), then those that you reach before the other: the sample
// sample_space.c does the latter.
static char choose(const World &world)
{
    char best = 'U';
    int best_free = -1;
    const Rider &me = world.riders[world.you];

    for (const Move &move : moves) {
        int x = me.x + move.dx, y = me.y + move.dy, free_cells = 0;
        for (; world.is_free(x, y); x += move.dx, y += move.dy)
            free_cells++;
        if (free_cells > best_free) {
            best_free = free_cells;
            best = move.letter;
        }
    }
    return best;
}

// The first line says how many follow, so we never read too much.
static bool read_world(World &world)
{
    int players;

    if (!(std::cin >> world.turn >> world.you >> world.width >> world.height >>
          players))
        return false;
    world.riders.resize(players);
    for (Rider &rider : world.riders)
        std::cin >> rider.x >> rider.y >> rider.facing >> rider.alive;
    world.grid.resize(world.height);
    for (std::string &row : world.grid)
        std::cin >> row;
    return true;
}

int main()
{
    World world;

    while (read_world(world)) {
        char letter = choose(world);
        std::cerr << "turn " << world.turn << ": " << letter << '\n';
        std::cout << letter << '\n';
    }
}
