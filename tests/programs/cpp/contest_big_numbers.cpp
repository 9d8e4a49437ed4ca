// Big integers in a vector, operators, a class template of a matrix, printf.
#include <bits/stdc++.h>
using namespace std;

struct Big {
    vector<uint32_t> d{0};
    Big &operator*=(uint32_t m)
    {
        uint64_t carry = 0;
        for (auto &x : d) {
            carry += (uint64_t)x * m;
            x = carry % 1000000000;
            carry /= 1000000000;
        }
        if (carry)
            d.push_back(carry);
        return *this;
    }
    Big &operator+=(const Big &o)
    {
        uint32_t carry = 0;
        d.resize(max(d.size(), o.d.size()) + 1);
        for (size_t i = 0; i < d.size(); i++) {
            carry += d[i] + (i < o.d.size() ? o.d[i] : 0);
            d[i] = carry % 1000000000;
            carry /= 1000000000;
        }
        while (d.size() > 1 && !d.back())
            d.pop_back();
        return *this;
    }
    friend ostream &operator<<(ostream &out, const Big &b)
    {
        out << b.d.back();
        for (size_t i = b.d.size() - 1; i--;)
            out << setw(9) << setfill('0') << b.d[i];
        return out;
    }
};

int main()
{
    Big f, sum;
    f.d[0] = 1;
    for (int i = 1; i <= 100; i++)
        sum += f *= i;
    cout << f << '\n' << sum << endl;
}
