// Travelling salesman over bitmasks; subsets of subsets; builtins.
#include <bits/stdc++.h>
using namespace std;

int main()
{
    const int n = 12;
    int d[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            d[i][j] = (i * 37 + j * 91 + i * j * 13) % 100 + 1;
    vector<array<int, n>> dp(1 << n);
    for (auto &row : dp)
        row.fill(INT_MAX / 2);
    dp[1][0] = 0;
    for (int m = 1; m < 1 << n; m++)
        for (int i = 0; i < n; i++)
            if (m >> i & 1)
                for (int j = 0; j < n; j++)
                    if (!(m >> j & 1))
                        dp[m | 1 << j][j] = min(dp[m | 1 << j][j], dp[m][i] + d[i][j]);
    int best = INT_MAX;
    for (int i = 1; i < n; i++)
        best = min(best, dp.back()[i] + d[i][0]);
    long pairs = 0;
    for (int m = 0; m < 1 << 9; m++)
        for (int s = m; s; s = (s - 1) & m)
            pairs += __builtin_popcount(s) * __builtin_ctz(s);
    cout << best << ' ' << pairs << ' ' << __lg(1000) << '\n';
}
