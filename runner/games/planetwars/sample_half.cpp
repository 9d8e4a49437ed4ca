// sample_half: from its strongest planet half of the ships to the weakest that
// is not its own, one fleet at a time; what the contest's own first bot did.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Planet {
    int owner, ships, growth;
};

static void order(const std::vector<Planet> &planets)
{
    int from = -1;
    int to = -1;

    for (int i = 0; i < (int)planets.size(); i++) {
        const Planet &planet = planets[i];
        if (planet.owner == 1) {
            if (from < 0 || planet.ships > planets[from].ships)
                from = i;
        } else if (to < 0 || planet.ships < planets[to].ships) {
            to = i;
        }
    }
    if (from >= 0 && to >= 0 && planets[from].ships > 1)
        std::cout << from << ' ' << to << ' ' << planets[from].ships / 2
                  << '\n';
}

int main()
{
    std::vector<Planet> planets;
    int fleets = 0;

    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string kind;
        double x, y;
        Planet planet;
        int owner;

        words >> kind;
        if (kind == "P" &&
            words >> x >> y >> planet.owner >> planet.ships >> planet.growth)
            planets.push_back(planet);
        else if (kind == "F" && words >> owner)
            fleets += owner == 1;
        else if (kind == "go") {
            if (fleets == 0)
                order(planets);
            std::cout << "go" << std::endl;
            planets.clear();
            fleets = 0;
        }
    }
}
