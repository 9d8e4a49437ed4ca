/* sample_wall: rides straight on until something is in the way, then turns to
 * the first free side. A start, not a contender. */
#include <stdio.h>
#include <string.h>

static char grid[64][65];

int main(void)
{
    static const char letters[] = "URDL";
    static const int dx[] = {0, 1, 0, -1};
    static const int dy[] = {-1, 0, 1, 0};
    int turn, you, width, height, players;

    while (scanf("%d %d %d %d %d", &turn, &you, &width, &height, &players) ==
           5) {
        int x = 0, y = 0, facing = 0;

        for (int i = 0; i < players; i++) {
            int px, py, alive;
            char letter;
            scanf("%d %d %c %d", &px, &py, &letter, &alive);
            if (i != you)
                continue;
            x = px;
            y = py;
            facing = (int)(strchr(letters, letter) - letters);
        }
        for (int i = 0; i < height; i++)
            scanf("%64s", grid[i]);

        static const int turns[] = {0, 1, 3}; /* straight, right, left */
        int choice = facing;
        for (int i = 0; i < 3; i++) {
            int way = (facing + turns[i]) % 4;
            int nx = x + dx[way];
            int ny = y + dy[way];
            if (nx < 0 || nx >= width || ny < 0 || ny >= height ||
                grid[ny][nx] != '.')
                continue;
            choice = way;
            break;
        }
        printf("%c\n", letters[choice]);
    }
    return 0;
}
