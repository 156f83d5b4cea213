// Follow a board live until its game has ended: node follow.mjs http://HALL:PORT BOARD (node 20 or newer).
// In a page: import { follow } from "./follow.mjs"; a browser has a WebSocket, node may have none and polls.
export async function follow(hall, board, print) {
  let [game, printed] = [null, []];
  for await (const { state, record } of snapshots(hall, board)) {
    if (!state) continue; // the board has said nothing yet
    if (state.game !== game) [game, printed] = [state.game, []];
    for (const [at, move] of (state.moves ? state.moves.split(" ") : []).entries()) {
      const ply = state.moves_from + at;
      if (printed[ply] !== move) print(`${ply} ${(printed[ply] = move)}`); // another one: moves were taken back
    }
    if (["ended", "released"].includes(state.phase) && record?.game === game) {
      const text = await (await fetch(`${hall}/api/boards/${board}/records/${record.key}`)).text();
      print(text);
      return JSON.parse(text);
    }
  }
}

async function* snapshots(hall, board) {
  while (typeof WebSocket === "undefined") {
    const answer = await fetch(`${hall}/api/boards/${board}`).catch(() => null); // it may be starting again
    if (answer?.ok) yield await answer.json();
    await new Promise((done) => setTimeout(done, 200));
  }
  for (let wake; ; await new Promise((done) => setTimeout(done, 500))) {
    const [socket, told] = [new WebSocket(`${hall.replace("http", "ws")}/ws/boards/${board}`), []];
    socket.onmessage = ({ data }) => (told.push(JSON.parse(data)), wake?.());
    socket.onclose = () => (told.push(null), wake?.());
    try {
      for (let next; (next = told.shift()) !== null; ) {
        if (next?.kind === "snapshot") yield next; // whole each time; a beat says that nothing has changed
        else if (!next) await new Promise((done) => (wake = done));
      }
    } finally {
      socket.close();
    }
  }
}
if (globalThis.process?.argv[1]?.endsWith("follow.mjs")) await follow(...process.argv.slice(2, 4), console.log);
