// Simulated annealing with a fixed seed and integer temperatures.
#include <bits/stdc++.h>
using namespace std;

int main()
{
    mt19937_64 rng(2024);
    const int n = 60;
    vector<pair<double, double>> p(n);
    for (auto &[x, y] : p)
        x = rng() % 1000, y = rng() % 1000;
    vector<int> tour(n);
    iota(tour.begin(), tour.end(), 0);
    auto d = [&](int a, int b) {
        return sqrt(pow(p[a].first - p[b].first, 2) + pow(p[a].second - p[b].second, 2));
    };
    double cost = 0;
    for (int i = 0; i < n; i++)
        cost += d(tour[i], tour[(i + 1) % n]);
    for (int t = 30000; t > 0; t--) {
        int i = rng() % n, j = rng() % n;
        if (i > j)
            swap(i, j);
        if (i == j || (i == 0 && j == n - 1))
            continue;
        int a = tour[(i + n - 1) % n], b = tour[i], c = tour[j], e = tour[(j + 1) % n];
        double delta = d(a, c) + d(b, e) - d(a, b) - d(c, e);
        if (delta < 0 || (int)(rng() % 30000) < t / 200 - (int)delta) {
            reverse(tour.begin() + i, tour.begin() + j + 1);
            cost += delta;
        }
    }
    printf("%.3f %d\n", cost, tour[10]);
}
