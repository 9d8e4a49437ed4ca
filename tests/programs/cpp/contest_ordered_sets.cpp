// set and map as ordered structures: iterators kept, lower_bound, intervals.
#include <bits/stdc++.h>
using namespace std;

int main()
{
    set<pair<int, int>> free{{0, 10000}};
    map<int, vector<int>> byLength;
    auto take = [&](int at, int len) {
        auto it = prev(free.upper_bound({at, INT_MAX}));
        auto [l, r] = *it;
        if (at + len > r)
            return false;
        free.erase(it);
        if (l < at)
            free.insert({l, at});
        if (at + len < r)
            free.emplace(at + len, r);
        return true;
    };
    int taken = 0;
    for (int i = 0; i < 3000; i++)
        taken += take(i * 7919 % 9973, i % 13 + 1);
    for (auto [l, r] : free)
        byLength[r - l].push_back(l);
    cout << taken << ' ' << free.size() << ' ' << byLength.rbegin()->first << ' '
         << byLength.rbegin()->second.front() << '\n';
    multiset<int, greater<int>> best;
    for (int i = 0; i < 100; i++) {
        best.insert(i * 61 % 103);
        if (best.size() > 5)
            best.erase(prev(best.end()));
    }
    copy(best.begin(), best.end(), ostream_iterator<int>(cout, " "));
}
