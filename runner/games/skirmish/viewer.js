// viewer: a state that the game describes -> a picture (SVG, as text). Nothing
// else is needed; a page puts it where it likes.
const cell = 24;
const colours = ["#e41a1c", "#377eb8"];
const ground = { "#": "#555", f: "#a6d96a" };

const square = (x, y, fill) =>
  `<rect x="${x * cell}" y="${y * cell}" width="${cell}" height="${cell}" fill="${fill}"/>`;

const label = (x, y, text, fill) =>
  `<text x="${(x + 0.5) * cell}" y="${(y + 0.7) * cell}" font-size="14" ` +
  `text-anchor="middle" fill="${fill}">${text}</text>`;

function side(which, slot) {
  const { base, units } = which;
  const drawn = units.map((unit) => {
    const at = `cx="${(unit.x + 0.5) * cell}" cy="${(unit.y + 0.5) * cell}"`;
    const title = `${unit.kind}${unit.id}: ${unit.hp}`;
    return (
      `<circle ${at} r="10" fill="${colours[slot]}"><title>${title}</title></circle>` +
      label(unit.x, unit.y, unit.kind, "#fff")
    );
  });
  return square(base.x, base.y, colours[slot]) + label(base.x, base.y, base.hp, "#fff") + drawn.join("");
}

export function view(state) {
  const terrain = state.grid.flatMap((row, y) =>
    [...row].map((mark, x) => (ground[mark] ? square(x, y, ground[mark]) : "")),
  );
  const mines = state.mines.map((mine) => square(mine.x, mine.y, "#ffd92f") + label(mine.x, mine.y, mine.gold, "#000"));
  const size = `${state.grid[0].length * cell} ${state.grid.length * cell}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">` +
    `<rect width="100%" height="100%" fill="#f7f3e8"/>` +
    `${terrain.join("")}${mines.join("")}${state.sides.map(side).join("")}</svg>`
  );
}
