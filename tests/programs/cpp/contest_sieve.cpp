// Sieve with bitset and with vector<bool>, factorisation into a map.
#include <bits/stdc++.h>
using namespace std;

int main()
{
    const int N = 200000;
    static bitset<N + 1> composite;
    vector<int> primes;
    for (int i = 2; i <= N; i++) {
        if (!composite[i])
            primes.push_back(i);
        for (int p : primes) {
            if ((long long)p * i > N)
                break;
            composite[p * i] = 1;
            if (i % p == 0)
                break;
        }
    }
    map<int, int> f;
    for (int n = 720720 * 13, i = 0; n > 1; i++)
        while (n % primes[i] == 0)
            f[primes[i]]++, n /= primes[i];
    cout << primes.size() << ' ' << primes.back() << '\n';
    for (auto [p, e] : f)
        cout << p << '^' << e << ' ';
    cout << endl;
}
