// Memoised recursion in a lambda and with map of tuples.
#include <bits/stdc++.h>
using namespace std;

map<tuple<int, int, bool>, long long> memo;
long long ways(int n, int k, bool last)
{
    if (n == 0)
        return k == 0;
    auto key = make_tuple(n, k, last);
    if (auto it = memo.find(key); it != memo.end())
        return it->second;
    long long r = ways(n - 1, k, false);
    if (!last && k)
        r += ways(n - 1, k - 1, true);
    return memo[key] = r;
}

int main()
{
    cout << ways(60, 20, false) << ' ' << memo.size() << '\n';
    string a = "the quick brown fox jumps", b = "over the lazy brown dog";
    vector<vector<int>> lcs(a.size() + 1, vector<int>(b.size() + 1, -1));
    function<int(int, int)> go = [&](int i, int j) -> int {
        if (i == (int)a.size() || j == (int)b.size())
            return 0;
        int &r = lcs[i][j];
        if (r >= 0)
            return r;
        if (a[i] == b[j])
            return r = 1 + go(i + 1, j + 1);
        return r = max(go(i + 1, j), go(i, j + 1));
    };
    cout << go(0, 0) << '\n';
}
