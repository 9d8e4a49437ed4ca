// Fenwick tree: inversions of a permutation after coordinate compression.
#include <bits/stdc++.h>
using namespace std;
#define all(v) (v).begin(), (v).end()
#define sz(v) (int)(v).size()
typedef vector<int> vi;

int main()
{
    vi a(5000);
    unsigned x = 9;
    for (int &v : a)
        v = (x = x * 1664525 + 1013904223) >> 3;
    vi s = a;
    sort(all(s));
    s.erase(unique(all(s)), s.end());
    vi tree(sz(s) + 1);
    long long inversions = 0;
    for (int i = sz(a) - 1; i >= 0; i--) {
        int r = lower_bound(all(s), a[i]) - s.begin() + 1;
        for (int j = r - 1; j; j -= j & -j)
            inversions += tree[j];
        for (int j = r; j <= sz(s); j += j & -j)
            tree[j]++;
    }
    cout << inversions << "\n";
}
