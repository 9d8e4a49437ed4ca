// Union-find and Kruskal, edges sorted as tuples.
#include <bits/stdc++.h>
using namespace std;

struct DSU {
    vector<int> p;
    DSU(int n) : p(n, -1) {}
    int find(int x) { return p[x] < 0 ? x : p[x] = find(p[x]); }
    bool unite(int a, int b)
    {
        a = find(a), b = find(b);
        if (a == b)
            return false;
        if (p[a] > p[b])
            swap(a, b);
        p[a] += p[b];
        p[b] = a;
        return true;
    }
};

int main()
{
    int n = 3000;
    vector<tuple<int, int, int>> edges;
    unsigned x = 5;
    for (int i = 0; i < 12000; i++) {
        x = x * 1103515245 + 12345;
        int a = (x >> 8) % n;
        x = x * 1103515245 + 12345;
        edges.emplace_back((x >> 4) % 10007, a, (x >> 9) % n);
    }
    sort(edges.begin(), edges.end());
    DSU d(n);
    long long cost = 0;
    int used = 0;
    for (auto &[w, a, b] : edges)
        if (d.unite(a, b))
            cost += w, used++;
    printf("%lld %d %d\n", cost, used, -d.p[d.find(0)]);
}
