// nlohmann-json: parse, change, dump, patch, binary formats, errors.
// A bot has no files, so no paths of files either.
#define JSON_HAS_FILESYSTEM 0
#define JSON_HAS_EXPERIMENTAL_FILESYSTEM 0
#include "nlohmann/json.hpp"

#include <iostream>
#include <map>
#include <string>
#include <vector>

using nlohmann::json;

struct unit {
    std::string name;
    int x, y;
    std::vector<double> power;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(unit, name, x, y, power)

int main()
{
    json doc = json::parse(R"({"turn": 17, "gold": 3.5, "map": ["..#", "#.."],
        "units": [{"name": "tower", "x": 1, "y": -2, "power": [0.1, 1e300]}],
        "none": null, "flags": {"won": false, "text": "\u00e4\n\ud83d\ude00"}})");
    std::cout << doc.dump(2) << '\n' << doc["flags"]["text"] << '\n';

    auto units = doc["units"].get<std::vector<unit>>();
    units.push_back({"bot", 4, 5, {2.5, -0.0}});
    doc["units"] = units;
    doc["turn"] = doc["turn"].get<int>() + 1;
    std::cout << doc.dump() << '\n';

    json other = doc;
    other["map"].erase(0);
    other["new"] = {{"list", {1, 2, 3}}, {"big", 18446744073709551615u}};
    json patch = json::diff(doc, other);
    std::cout << patch << ' ' << (doc.patch(patch) == other) << '\n';
    std::cout << other.flatten().dump() << '\n';

    for (auto binary : {json::to_cbor(other), json::to_msgpack(other),
                        json::to_ubjson(other)}) {
        unsigned sum = 0;
        for (auto byte : binary)
            sum = sum * 31 + byte;
        std::cout << binary.size() << ' ' << sum << '\n';
    }
    // As a string of char: libc++ 19 has no char_traits of unsigned char.
    auto cbor = json::to_cbor(other);
    std::string packed(cbor.begin(), cbor.end());
    std::cout << (json::from_cbor(packed) == other) << '\n';

    for (auto bad : {"{", "[1,]", "nul", "\"\\x\"", "1e999", "{\"a\":1 2}"}) {
        try {
            std::cout << json::parse(bad) << '\n';
        } catch (const json::exception &e) {
            std::cout << e.id << ' ' << e.what() << '\n';
        }
    }
    try {
        doc.at("absent");
    } catch (const json::out_of_range &e) {
        std::cout << e.what() << '\n';
    }

    int rounds; // for benchmarks; no input: one
    if (!(std::cin >> rounds))
        rounds = 1;
    for (; rounds > 0; rounds--) {
        std::map<std::string, int> counted;
        json big = json::array();
        for (int i = 0; i < 500; i++)
            big.push_back(
                {{"i", i}, {"half", i / 2.0}, {"s", std::to_string(i)}});
        std::string text = big.dump();
        for (auto &entry : json::parse(text))
            for (auto &[key, value] : entry.items())
                counted[key] += value.is_number();
        std::cout << text.size() << ' ' << json(counted) << '\n';
    }
}
