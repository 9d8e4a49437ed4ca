// std::cin and std::cout, as they come: the same numbers and words.
#include <iostream>
#include <string>

int main()
{
    int count, a, b;
    std::string word;
    long sum = 0;

    std::cin >> count;
    for (int i = 0; i < count; i++) {
        std::cin >> a >> b >> word;
        sum = sum * 3 + a - b + word[0];
        std::cout << a << ' ' << sum << ' ' << word << '\n';
    }
    std::cout << sum << std::endl;
}
