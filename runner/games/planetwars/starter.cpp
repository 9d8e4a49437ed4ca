// Your first bot for Planet Wars. From its strongest planet it sends what it
// takes to the best planet nearby. rules.md says what is read and printed; read
// this file from top to bottom, then change choose().
//
// 1. A bot is an ordinary program: read the game with cin, print your orders
//    with cout. No flush is needed. main() loops until the match is over: the
//    program is simply ended while it waits.
// 2. A turn is what runs from one wait for input to the next. Its limit is a
//    number of executed instructions, never time: `bout test` shows how near
//    you are to it. The same input always costs the same.
// 3. The line "go" ends what you read: print your orders there. A read that
//    wants more, such as a loop `while (cin >> x)` over all of it, ends your
//    turn before you printed.
// 4. Whatever you print to cerr is yours: it is kept with the match.
#include <cmath>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Planet {
    double x = 0, y = 0;
    int owner = 0; // 0 nobody, 1 you, 2 the other
    int ships = 0;
    int growth = 0;
    int mine_coming = 0; // your ships on their way here
};

// How many turns a fleet takes.
static int way(const Planet &from, const Planet &to)
{
    return (int)std::ceil(std::hypot(from.x - to.x, from.y - to.y));
}

// Ships that take the planet when they arrive.
static int needed(const Planet &from, const Planet &to)
{
    int grown = to.owner == 2 ? to.growth * way(from, to) : 0;
    return to.ships + grown + 1;
}

// The one place to make better. Some ideas: all planets move, not the strongest
// alone (sample_value.c); ships that stay to defend; fleets of the other that
// are on their way (the lines with F).
static void choose(const std::vector<Planet> &planets)
{
    int from = -1;
    int to = -1;
    double best = 0;

    for (int i = 0; i < (int)planets.size(); i++)
        if (planets[i].owner == 1 &&
            (from < 0 || planets[i].ships > planets[from].ships))
            from = i;
    for (int i = 0; from >= 0 && i < (int)planets.size(); i++) {
        const Planet &home = planets[from];
        const Planet &goal = planets[i];
        if (goal.owner == 1 || goal.mine_coming)
            continue;
        int ships = needed(home, goal);
        double value = (double)goal.growth / (ships + way(home, goal));
        if (value > best && ships <= home.ships) {
            best = value;
            to = i;
        }
    }
    if (to >= 0)
        std::cout << from << ' ' << to << ' '
                  << needed(planets[from], planets[to]) << '\n';
}

int main()
{
    std::vector<Planet> planets;

    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string kind;

        words >> kind;
        if (kind == "P") {
            Planet p;
            words >> p.x >> p.y >> p.owner >> p.ships >> p.growth;
            planets.push_back(p);
        } else if (kind == "F") {
            int owner, ships, from, to;
            words >> owner >> ships >> from >> to;
            if (owner == 1)
                planets[to].mine_coming += ships;
        } else if (kind == "go") {
            choose(planets);
            std::cout << "go\n";
            planets.clear();
        }
    }
}
