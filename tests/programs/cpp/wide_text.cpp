// Wide streams and conversions of characters.
#include <cstdio>
#include <cwchar>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

int main()
{
    std::wstringstream stream;
    stream << L"width " << 42 << L' ' << 2.5 << L' ' << true;
    std::wstring word;
    int number;
    stream >> word >> number;
    std::printf("%zu %d\n", word.size(), number);
    std::wstring text = stream.str();
    std::string narrow(text.begin(), text.end());
    std::puts(narrow.c_str());
    std::printf("%d %d\n", std::wcscmp(L"abc", L"abd") < 0,
                std::toupper(L'x', std::locale::classic()) == L'X');
    std::u16string half = u"h\u00e9";
    std::u32string full = U"\U0001f600";
    std::printf("%zu %zu %x\n", half.size(), full.size(), (unsigned)full[0]);
    std::printf("%ls %lc\n", L"wide", L'w');
    std::printf("%ld\n", std::wcstol(L"0x1f", nullptr, 16));
    std::printf("%s\n", std::to_string(12).c_str());
}
