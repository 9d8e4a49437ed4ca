// Shortest paths with a priority_queue of pairs and adjacency lists.
#include <bits/stdc++.h>
using namespace std;
using ll = long long;
const ll INF = LLONG_MAX / 4;

int main()
{
    int n = 2000, m = 8000;
    mt19937 rng(7);
    vector<vector<pair<int, ll>>> adj(n);
    for (int i = 0; i < m; i++) {
        int a = rng() % n, b = rng() % n;
        ll c = rng() % 1000 + 1;
        adj[a].push_back({b, c});
        adj[b].emplace_back(a, c);
    }
    vector<ll> d(n, INF);
    priority_queue<pair<ll, int>, vector<pair<ll, int>>, greater<>> pq;
    pq.push({d[0] = 0, 0});
    while (!pq.empty()) {
        auto [c, v] = pq.top();
        pq.pop();
        if (c > d[v])
            continue;
        for (auto [to, w] : adj[v])
            if (c + w < d[to])
                pq.push({d[to] = c + w, to});
    }
    ll sum = 0;
    for (ll x : d)
        sum += x < INF ? x : 0;
    cout << sum << ' ' << *max_element(d.begin(), d.end()) << endl;
}
