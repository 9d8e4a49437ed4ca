// never: takes all words there are before it prints.
#include <iostream>
#include <string>
#include <vector>

int main()
{
    std::vector<std::string> words;
    std::string word;

    while (std::cin >> word)
        words.push_back(word);
    std::cout << "U\n";
}
