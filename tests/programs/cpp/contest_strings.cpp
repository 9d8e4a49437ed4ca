// KMP, hashing, trie, palindromes.
#include <bits/stdc++.h>
using namespace std;

struct Trie {
    map<char, unique_ptr<Trie>> next;
    int count = 0;
    void add(const string &s, size_t i = 0)
    {
        count++;
        if (i < s.size()) {
            auto &n = next[s[i]];
            if (!n)
                n = make_unique<Trie>();
            n->add(s, i + 1);
        }
    }
};

int main()
{
    string s;
    for (int i = 0; i < 2000; i++)
        s += "ab"[__builtin_popcount(i) & 1];
    vector<int> pi(s.size());
    for (size_t i = 1; i < s.size(); i++) {
        int j = pi[i - 1];
        while (j && s[i] != s[j])
            j = pi[j - 1];
        pi[i] = j + (s[i] == s[j]);
    }
    unsigned long long h = 0;
    for (char c : s)
        h = h * 1000003 + c;
    size_t longest = 0;
    for (size_t c = 0; c < s.size(); c++)
        for (size_t odd : {0, 1}) {
            size_t r = 0;
            while (r <= c && c + r + 1 - odd < s.size() && c >= r && s[c - r] == s[c + r + 1 - odd])
                r++;
            longest = max(longest, 2 * r - (odd && r));
        }
    Trie t;
    for (size_t i = 0; i + 8 < 300; i++)
        t.add(s.substr(i, 8));
    cout << *max_element(pi.begin(), pi.end()) << ' ' << h << ' ' << longest << ' '
         << t.next['a']->count << '\n';
}
