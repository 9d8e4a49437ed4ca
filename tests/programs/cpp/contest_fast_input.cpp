// Own fast input by getchar and by fread, output through one buffer.
#include <bits/stdc++.h>
using namespace std;

static int readInt()
{
    int c = getchar(), s = 1, x = 0;
    while (c != '-' && (c < '0' || c > '9'))
        c = getchar();
    if (c == '-')
        s = -1, c = getchar();
    for (; c >= '0' && c <= '9'; c = getchar())
        x = x * 10 + c - '0';
    return x * s;
}

int main()
{
    int n = readInt();
    long long sum = 0;
    string out;
    while (n--) {
        int x = readInt();
        sum += x;
        out += to_string(x * 2);
        out += ' ';
    }
    char rest[64];
    size_t got = fread(rest, 1, sizeof rest, stdin);
    fwrite(out.data(), 1, out.size(), stdout);
    printf("%lld %zu\n", sum, got);
}
