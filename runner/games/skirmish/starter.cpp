// Your first bot for Skirmish. It trains soldiers; each walks towards the other
// base and hits what is beside it. rules.md says what is read and printed; read
// this file from top to bottom, then change order() and train().
//
// 1. A bot is an ordinary program: read the game with cin, print your orders
//    with cout. No flush is needed. main() loops until the match is over: the
//    program is simply ended while it waits.
// 2. A turn is what runs from one wait for input to the next. Its limit is a
//    number of executed instructions, never time: `bout test` shows how near
//    you are to it. The same input always costs the same.
// 3. Read exactly what the view holds. A read that wants more, such as a loop
//    `while (cin >> x)` over all of it, ends your turn before you printed.
// 4. You always see yourself on the left: write your bot for one side only.
// 5. Whatever you print to cerr is yours: it is kept with the match.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

struct Unit {
    int id;
    char kind; // 'W', 'S' or 'A'
    int x, y, hp;
};

struct Base {
    int x, y, hp; // hp -1 while unseen
};

struct Mine {
    int x, y, gold; // gold -1 while unseen
};

struct World {
    int turn, round, step, won, lost, width, height, gold;
    std::vector<std::string> terrain; // terrain[y][x]: '.', '#', 'f'
    Base mine, other;
    std::vector<Mine> mines;
    std::vector<Unit> units, enemies;
};

static bool beside(const Unit &unit, int x, int y)
{
    return std::abs(unit.x - x) + std::abs(unit.y - y) == 1;
}

// One line of the reply for one unit; nothing: it stays. A better bot finds its
// way round rocks (a search from the target, see sample_rush.c), digs gold with
// workers, and keeps its army together (sample_siege.cpp).
static void order(const World &world, const Unit &unit)
{
    for (const Unit &enemy : world.enemies)
        if (beside(unit, enemy.x, enemy.y)) {
            std::cout << "HIT " << unit.id << ' ' << enemy.x << ' ' << enemy.y
                      << '\n';
            return;
        }
    const Base &other = world.other;
    if (beside(unit, other.x, other.y)) {
        std::cout << "HIT " << unit.id << ' ' << other.x << ' ' << other.y
                  << '\n';
        return;
    }
    char way = "UD"[world.turn / 8 % 2];
    if (unit.x < other.x && world.terrain[unit.y][unit.x + 1] != '#')
        way = 'R';
    else if (unit.y != other.y)
        way = unit.y < other.y ? 'D' : 'U';
    std::cout << "MOVE " << unit.id << ' ' << way << '\n';
}

static void train(const World &world)
{
    std::cout << (world.gold >= 35 ? "TRAIN S" : "WAIT") << '\n';
}

static void read_units(std::vector<Unit> &units)
{
    size_t count;

    std::cin >> count; // the count comes before the list
    units.resize(count);
    for (Unit &unit : units)
        std::cin >> unit.id >> unit.kind >> unit.x >> unit.y >> unit.hp;
}

static bool read_world(World &world)
{
    size_t mines;

    if (!(std::cin >> world.turn >> world.round >> world.step >> world.won >>
          world.lost >> world.width >> world.height))
        return false;
    world.terrain.resize(world.height);
    for (std::string &row : world.terrain)
        std::cin >> row;
    std::cin >> world.mine.x >> world.mine.y >> world.mine.hp;
    std::cin >> world.other.x >> world.other.y >> world.other.hp;
    std::cin >> world.gold >> mines;
    world.mines.resize(mines);
    for (Mine &mine : world.mines)
        std::cin >> mine.x >> mine.y >> mine.gold;
    read_units(world.units);
    read_units(world.enemies);
    return true;
}

int main()
{
    World world;

    while (read_world(world)) {
        train(world);
        for (const Unit &unit : world.units)
            order(world, unit);
        std::cerr << "round " << world.round << " step " << world.step << ": "
                  << world.units.size() << " units, " << world.enemies.size()
                  << " enemies in sight\n";
    }
}
