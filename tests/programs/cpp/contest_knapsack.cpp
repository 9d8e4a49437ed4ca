// Dynamic programming over items, with the choice read back.
#include <bits/stdc++.h>
using namespace std;

int dp[101][10001];

int main()
{
    int n, cap;
    scanf("%d%d", &n, &cap);
    vector<pair<int, int>> item(n);
    for (auto &[w, v] : item)
        scanf("%d %d", &w, &v);
    for (int i = 0; i < n; i++)
        for (int c = 0; c <= cap; c++) {
            dp[i + 1][c] = dp[i][c];
            if (c >= item[i].first)
                dp[i + 1][c] = max(dp[i + 1][c], dp[i][c - item[i].first] + item[i].second);
        }
    printf("%d:", dp[n][cap]);
    for (int i = n, c = cap; i; i--)
        if (dp[i][c] != dp[i - 1][c])
            printf(" %d", i - 1), c -= item[i - 1].first;
    puts("");
}
