// Test cases line by line: getline, stringstream, words of any number.
#include <bits/stdc++.h>
using namespace std;

int main()
{
    string line;
    getline(cin, line);
    int t = stoi(line);
    for (int i = 1; i <= t; i++) {
        getline(cin, line);
        stringstream ss(line);
        string word;
        vector<string> words;
        long sum = 0;
        while (ss >> word) {
            try {
                sum += stol(word);
            } catch (const exception &) {
                words.push_back(word);
            }
        }
        sort(words.begin(), words.end());
        cout << "Case #" << i << ": " << sum;
        for (auto &w : words)
            cout << " " << w;
        cout << "\n";
    }
}
