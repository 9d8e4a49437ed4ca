// viewer: a state that the game describes -> a picture (SVG, as text). Nothing
// else is needed; a page puts it where it likes.
const colours = ["#e41a1c", "#377eb8", "#888"];

export function view(state) {
  const scale = 0.025;
  const margin = 60;
  const at = (n) => n * scale + margin;
  const parts = [];
  for (const [x, y, owner, ships, growth] of state.planets) {
    const where = `cx="${at(x)}" cy="${at(y)}"`;
    parts.push(`<circle ${where} r="${10 + growth * 3}" fill="${colours[owner]}"/>`);
    parts.push(
      `<text x="${at(x)}" y="${at(y) + 5}" text-anchor="middle" fill="#fff">${ships}</text>`,
    );
  }
  for (const [owner, ships, from, to, total, left] of state.fleets) {
    const part = total ? (total - left) / total : 1;
    const between = (i) =>
      at(state.planets[from][i] + (state.planets[to][i] - state.planets[from][i]) * part);
    parts.push(
      `<text x="${between(0)}" y="${between(1)}" text-anchor="middle" fill="${colours[owner]}">${ships}</text>`,
    );
  }
  const size = at(24000) + margin;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" font-size="14">` +
    `<rect width="100%" height="100%" fill="#111"/>${parts.join("")}</svg>`
  );
}
