// std::cin and stdin read one input in turns; so do std::cout and stdout write.
#include <cstdio>
#include <iostream>
#include <string>

int main()
{
    int a, b;
    std::cin >> a;
    std::scanf("%d", &b);
    std::cout << a << ' ' << b << '\n';
    std::printf("%d\n", a + b);

    std::cout << (char)std::cin.get() << (char)std::getchar();
    std::cin.putback('!');
    std::cout << (char)std::getchar() << '\n';

    int c = std::getchar();
    std::ungetc(c, stdin);
    std::cout << (char)std::cin.peek() << (char)c << '\n';
    c = std::cin.get();
    std::cin.unget();
    std::cout << (char)std::getchar() << (char)c << '\n';

    std::string line, word;
    std::getline(std::cin, line);
    std::cout << '[' << line << "]\n";
    char text[16];
    std::fgets(text, sizeof text, stdin);
    std::fputs(text, stdout);
    std::cin >> word;
    std::cout << word << '\n';
    std::size_t got = std::fread(text, 1, 5, stdin);
    std::cout << got << ' ' << std::string(text, got) << std::endl;
    std::cin.ignore(100, '\n');
    long long sum = 0, x;
    int count = 0;
    while (std::cin >> x) {
        sum += x;
        count++;
        if (count % 3 == 0 && std::scanf("%lld", &x) == 1)
            sum += 1000 * x;
    }
    std::cout << count << ' ' << sum << ' ' << std::cin.eof() << '\n';
    std::cin.clear();
    std::cout << (std::cin.get() == EOF) << std::getchar() << '\n';
}
