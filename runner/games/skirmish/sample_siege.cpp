// sample_siege: digs first, gathers an army of soldiers and archers at home,
// then marches with all of it. Everyone in range shoots at the weakest enemy.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

struct Cell {
    int x, y;
};

static int distance(Cell a, Cell b)
{
    return std::abs(a.x - b.x) + std::abs(a.y - b.y);
}

struct Unit {
    int id;
    char kind;
    Cell at;
    int hp;
};

struct Mine {
    Cell at;
    int gold; // what was last seen
};

static const std::array<Cell, 4> steps = {{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
using Map = std::vector<std::vector<int>>;

struct World {
    int turn, round, step, won, lost, width, height, gold;
    std::vector<std::string> terrain;
    Cell base, target;
    int base_hp, target_hp;
    std::vector<Mine> mines;
    std::vector<Unit> units, enemies;

    bool read();
    Map measure(Cell to) const;
    bool is_open(Cell c) const
    {
        return c.x >= 0 && c.x < width && c.y >= 0 && c.y < height &&
               terrain[c.y][c.x] != '#';
    }
};

static void read_units(std::vector<Unit> &units)
{
    int count;
    std::cin >> count;
    units.resize(count);
    for (Unit &u : units)
        std::cin >> u.id >> u.kind >> u.at.x >> u.at.y >> u.hp;
}

bool World::read()
{
    if (!(std::cin >> turn >> round >> step >> won >> lost >> width >> height))
        return false;
    terrain.resize(height);
    for (std::string &row : terrain)
        std::cin >> row;
    std::cin >> base.x >> base.y >> base_hp >> target.x >> target.y >>
        target_hp >> gold;
    int count;
    std::cin >> count;
    if (step == 1)
        mines.assign(count, {{0, 0}, 150});
    for (Mine &mine : mines) {
        int seen;
        std::cin >> mine.at.x >> mine.at.y >> seen;
        if (seen >= 0)
            mine.gold = seen;
    }
    read_units(units);
    read_units(enemies);
    return true;
}

// Steps from every cell to `to`.
Map World::measure(Cell to) const
{
    Map map(height, std::vector<int>(width, 1 << 20));
    std::queue<Cell> queue;

    map[to.y][to.x] = 0;
    queue.push(to);
    while (!queue.empty()) {
        Cell at = queue.front();
        queue.pop();
        for (Cell s : steps) {
            Cell next = {at.x + s.x, at.y + s.y};
            if (!is_open(next) || map[next.y][next.x] < 1 << 20)
                continue;
            map[next.y][next.x] = map[at.y][at.x] + 1;
            queue.push(next);
        }
    }
    return map;
}

class Bot
{
    World world;
    std::vector<std::string> orders;
    Map taken; // 1: one of ours will be there
    bool marching = false;

    static int range(char kind)
    {
        return kind == 'A' ? 3 : 1;
    }

    void move(const Unit &unit, const Map &map)
    {
        int best = -1, least = map[unit.at.y][unit.at.x];
        for (int way = 0; way < 4; way++) {
            Cell next = {unit.at.x + steps[way].x, unit.at.y + steps[way].y};
            if (!world.is_open(next) || taken[next.y][next.x])
                continue;
            if (map[next.y][next.x] < least) {
                least = map[next.y][next.x];
                best = way;
            }
        }
        if (best < 0)
            return;
        taken[unit.at.y][unit.at.x] = 0;
        taken[unit.at.y + steps[best].y][unit.at.x + steps[best].x] = 1;
        orders.push_back("MOVE " + std::to_string(unit.id) + " " +
                         "URDL"[best]);
    }

    bool hit(const Unit &unit)
    {
        const Unit *weakest = nullptr;
        for (const Unit &enemy : world.enemies)
            if (distance(unit.at, enemy.at) <= range(unit.kind) &&
                (!weakest || enemy.hp < weakest->hp))
                weakest = &enemy;
        Cell at = world.target;
        if (weakest)
            at = weakest->at;
        else if (distance(unit.at, at) > range(unit.kind))
            return false;
        orders.push_back("HIT " + std::to_string(unit.id) + " " +
                         std::to_string(at.x) + " " + std::to_string(at.y));
        return true;
    }

    void dig(const std::vector<Unit> &workers)
    {
        std::vector<bool> used(world.mines.size());
        for (const Unit &worker : workers) {
            int best = -1, least = 1 << 20;
            Map from = world.measure(worker.at);
            for (size_t i = 0; i < world.mines.size(); i++) {
                const Mine &mine = world.mines[i];
                int far = from[mine.at.y][mine.at.x];
                if (!used[i] && mine.gold > 0 && mine.at.x < world.width / 2 &&
                    far < least) {
                    best = (int)i;
                    least = far;
                }
            }
            if (best < 0)
                continue;
            used[best] = true;
            if (least > 0)
                move(worker, world.measure(world.mines[best].at));
        }
    }

    // The enemy nearest to our base, if it is a danger there.
    const Unit *intruder() const
    {
        const Unit *nearest = nullptr;
        for (const Unit &enemy : world.enemies)
            if (distance(enemy.at, world.base) <= 9 &&
                (!nearest || distance(enemy.at, world.base) <
                                 distance(nearest->at, world.base)))
                nearest = &enemy;
        return nearest;
    }

    void fight(const std::vector<Unit> &army)
    {
        if (world.step == 1)
            marching = false;
        if (army.size() >= 8 || world.step > 110)
            marching = true;
        if (army.size() <= 2 && world.step <= 110)
            marching = false;
        const Unit *danger = intruder();
        Cell rally = {std::min(world.base.x + 3, world.width - 1), world.base.y};
        while (!world.is_open(rally))
            rally.x--;
        Cell to = marching ? world.target : danger ? danger->at : rally;
        Map map = world.measure(to);
        for (const Unit &unit : army) {
            if (hit(unit))
                continue;
            if (marching || danger || distance(unit.at, rally) > 2)
                move(unit, map);
        }
    }

    void train(size_t workers, size_t soldiers, size_t archers)
    {
        const bool danger = intruder() != nullptr;
        if (workers < 3 && world.gold >= 20 && (!danger || workers == 0))
            orders.push_back("TRAIN W");
        else if (soldiers <= archers && world.gold >= 35)
            orders.push_back("TRAIN S");
        else if (soldiers > archers && world.gold >= 45)
            orders.push_back("TRAIN A");
    }

    void play()
    {
        std::vector<Unit> workers, army;
        size_t archers = 0;

        orders.clear();
        taken.assign(world.height, std::vector<int>(world.width, 0));
        for (const Unit &unit : world.units) {
            taken[unit.at.y][unit.at.x] = 1;
            (unit.kind == 'W' ? workers : army).push_back(unit);
            archers += unit.kind == 'A';
        }
        taken[world.base.y][world.base.x] = 1;
        taken[world.target.y][world.target.x] = 1;
        train(workers.size(), army.size() - archers, archers);
        dig(workers);
        fight(army);
        if (orders.empty())
            orders.push_back("WAIT");
        for (const std::string &order : orders)
            std::cout << order << '\n';
    }

  public:
    void run()
    {
        while (world.read())
            play();
    }
};

int main()
{
    Bot bot;
    bot.run();
}
