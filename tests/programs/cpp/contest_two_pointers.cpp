// Two pointers, prefix sums, sliding window with a deque, binary search.
#include <bits/stdc++.h>
using namespace std;

int main()
{
    vector<long long> a(4000);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = i * i * 31 % 1009;
    vector<long long> prefix(a.size() + 1);
    partial_sum(a.begin(), a.end(), prefix.begin() + 1);
    int best = 0;
    for (size_t l = 0, r = 0; r < a.size(); r++) {
        while (prefix[r + 1] - prefix[l] > 50000)
            l++;
        best = max(best, (int)(r - l + 1));
    }
    deque<int> window;
    long long minima = 0;
    for (int i = 0; i < (int)a.size(); i++) {
        while (!window.empty() && a[window.back()] >= a[i])
            window.pop_back();
        window.push_back(i);
        if (window.front() <= i - 20)
            window.pop_front();
        minima += a[window.front()];
    }
    long long lo = 0, hi = 1e9;
    while (lo < hi) {
        long long mid = (lo + hi + 1) / 2;
        mid * mid <= 123456789 ? lo = mid : hi = mid - 1;
    }
    cout << best << ' ' << minima << ' ' << lo << endl;
}
