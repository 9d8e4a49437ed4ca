// viewer: a state that the game describes -> a picture (SVG, as text). Nothing
// else is needed; a page puts it where it likes.
const colours = ["#e41a1c", "#377eb8", "#4daf4a", "#ff7f00"];

export function view(state) {
  const cell = 16;
  const parts = [];
  state.grid.forEach((row, y) => {
    [...row].forEach((mark, x) => {
      if (mark === ".") return;
      const fill = mark === "#" ? "#444" : colours[Number(mark)];
      const at = `x="${x * cell}" y="${y * cell}"`;
      parts.push(`<rect ${at} width="${cell}" height="${cell}" fill="${fill}"/>`);
    });
  });
  state.riders.forEach((rider, slot) => {
    const at = `cx="${(rider.x + 0.5) * cell}" cy="${(rider.y + 0.5) * cell}"`;
    const fill = rider.alive ? "#fff" : "#000";
    parts.push(`<circle ${at} r="5" fill="${fill}"><title>${slot}</title></circle>`);
  });
  const size = `${state.width * cell} ${state.height * cell}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">` +
    `<rect width="100%" height="100%" fill="#eee"/>${parts.join("")}</svg>`
  );
}
