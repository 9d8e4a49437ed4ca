// viewer: a state that the game describes -> a picture (SVG, as text). Nothing
// else is needed; a page puts it where it likes.
const colours = { ".": "#fff", 0: "#e41a1c", 1: "#ffd92f" };

export function view(state) {
  const cell = 40;
  const discs = state.grid.flatMap((row, y) =>
    [...row].map((mark, x) => {
      const at = `cx="${(x + 0.5) * cell}" cy="${(y + 0.5) * cell}"`;
      return `<circle ${at} r="16" fill="${colours[mark]}"/>`;
    }),
  );
  const size = `${state.grid[0].length * cell} ${state.grid.length * cell}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">` +
    `<rect width="100%" height="100%" fill="#377eb8"/>${discs.join("")}</svg>`
  );
}
