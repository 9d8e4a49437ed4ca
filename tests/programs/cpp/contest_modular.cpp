// Modular arithmetic: power, inverse, binomials, matrix power.
#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
const ll MOD = 1e9 + 7;
typedef array<array<ll, 2>, 2> mat;

ll power(ll b, ll e)
{
    ll r = 1;
    for (; e; e >>= 1, b = b * b % MOD)
        if (e & 1)
            r = r * b % MOD;
    return r;
}
mat operator*(const mat &a, const mat &b)
{
    mat c{};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                c[i][j] = (c[i][j] + a[i][k] * b[k][j]) % MOD;
    return c;
}

int main()
{
    vector<ll> f(100001, 1);
    for (int i = 1; i <= 100000; i++)
        f[i] = f[i - 1] * i % MOD;
    auto choose = [&](int n, int k) {
        return f[n] * power(f[k] * f[n - k] % MOD, MOD - 2) % MOD;
    };
    cout << choose(100000, 50000) << ' ' << choose(10, 3) << endl;
    mat m{{{1, 1}, {1, 0}}}, r{{{1, 0}, {0, 1}}};
    for (ll e = 1000000000000LL; e; e /= 2, m = m * m)
        if (e % 2)
            r = r * m;
    cout << r[0][1] << ' ' << (ll)((__int128)MOD * MOD % 998244353) << endl;
}
