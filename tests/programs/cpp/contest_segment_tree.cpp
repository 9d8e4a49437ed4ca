// Segment tree with lazy propagation, as a template.
#include <bits/stdc++.h>
using namespace std;
#define rep(i, a, b) for (int i = (a); i < (b); ++i)

template <class T> struct Seg {
    int n;
    vector<T> sum, add;
    Seg(int n) : n(n), sum(4 * n), add(4 * n) {}
    void push(int v, int l, int r)
    {
        sum[v] += add[v] * (r - l);
        if (r - l > 1)
            add[2 * v] += add[v], add[2 * v + 1] += add[v];
        add[v] = 0;
    }
    void update(int a, int b, T x, int v, int l, int r)
    {
        push(v, l, r);
        if (b <= l || r <= a)
            return;
        if (a <= l && r <= b) {
            add[v] += x;
            push(v, l, r);
            return;
        }
        int m = (l + r) / 2;
        update(a, b, x, 2 * v, l, m), update(a, b, x, 2 * v + 1, m, r);
        sum[v] = sum[2 * v] + sum[2 * v + 1];
    }
    T query(int a, int b, int v, int l, int r)
    {
        push(v, l, r);
        if (b <= l || r <= a)
            return 0;
        if (a <= l && r <= b)
            return sum[v];
        int m = (l + r) / 2;
        return query(a, b, 2 * v, l, m) + query(a, b, 2 * v + 1, m, r);
    }
};

int main()
{
    int n = 1000;
    Seg<long long> s(n);
    mt19937 rng(1);
    rep(i, 0, 3000) {
        int a = rng() % n, b = rng() % n;
        if (a > b) swap(a, b);
        if (rng() % 2)
            s.update(a, b + 1, rng() % 100, 1, 0, n);
        else if (i % 100 < 2)
            cout << s.query(a, b + 1, 1, 0, n) << '\n';
    }
}
