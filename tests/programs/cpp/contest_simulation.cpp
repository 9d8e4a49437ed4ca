// A turn-based simulation: enum class, struct of vectors, erase-remove, ties.
#include <bits/stdc++.h>
using namespace std;

enum class Kind { Ant, Wall, Food };
struct Unit {
    int id, x, y, hp;
    Kind kind;
};

int main()
{
    vector<Unit> units;
    for (int i = 0; i < 60; i++)
        units.push_back({i, i * 7 % 31, i * 11 % 29, 10 + i % 5,
                         i % 7 == 0 ? Kind::Food : i % 5 == 0 ? Kind::Wall : Kind::Ant});
    for (int turn = 1; turn <= 40; turn++) {
        for (auto &u : units) {
            if (u.kind != Kind::Ant)
                continue;
            const Unit *nearest = nullptr;
            for (auto &f : units)
                if (f.kind == Kind::Food &&
                    (!nearest || abs(f.x - u.x) + abs(f.y - u.y) <
                                     abs(nearest->x - u.x) + abs(nearest->y - u.y)))
                    nearest = &f;
            if (!nearest)
                break;
            u.x += (nearest->x > u.x) - (nearest->x < u.x);
            u.y += (nearest->y > u.y) - (nearest->y < u.y);
            u.hp -= turn % 4 == 0;
        }
        units.erase(remove_if(units.begin(), units.end(), [](const Unit &u) { return u.hp <= 6; }),
                    units.end());
    }
    sort(units.begin(), units.end(), [](auto &a, auto &b) {
        return tie(a.hp, b.id) > tie(b.hp, a.id);
    });
    for (auto &u : units)
        cerr << u.id << ' ', cout << u.id << ':' << u.x << ',' << u.y << ' ';
    cout << '\n';
}
