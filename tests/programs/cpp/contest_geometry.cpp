// Points with operators, convex hull, areas with fixed precision.
#include <bits/stdc++.h>
using namespace std;

struct P {
    long long x, y;
    P operator-(const P &o) const { return {x - o.x, y - o.y}; }
    long long operator^(const P &o) const { return x * o.y - y * o.x; }
    bool operator<(const P &o) const { return tie(x, y) < tie(o.x, o.y); }
};

int main()
{
    vector<P> p, h;
    for (int i = 0; i < 500; i++)
        p.push_back({i * 7919 % 1009, i * i % 997});
    sort(p.begin(), p.end());
    for (int pass = 0; pass < 2; pass++, reverse(p.begin(), p.end())) {
        size_t start = h.size();
        for (auto &q : p) {
            while (h.size() >= start + 2 && ((h.back() - h[h.size() - 2]) ^ (q - h.back())) <= 0)
                h.pop_back();
            h.push_back(q);
        }
        h.pop_back();
    }
    long long area = 0;
    double round = 0;
    for (size_t i = 0; i < h.size(); i++) {
        P a = h[i], b = h[(i + 1) % h.size()];
        area += a ^ b;
        round += hypot(double(a.x - b.x), double(a.y - b.y));
    }
    cout << h.size() << ' ' << fixed << setprecision(1) << area / 2.0 << ' '
         << setprecision(6) << round << '\n';
}
