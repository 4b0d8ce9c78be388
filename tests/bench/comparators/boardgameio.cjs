// boardgame.io, run in a folder that has it in node_modules:
//   node boardgameio.cjs reducer            answers each line "SECONDS" with moves a second
//   node boardgameio.cjs server             prints its loopback port
//   node boardgameio.cjs client PORT COUNT  answers each line "SECONDS" with moves a second and p99
// All end when their standard input ends. Tic-tac-toe; on the server a full board clears itself
// inside the move, so that a match can go on.
const need = require('module').createRequire(process.cwd() + '/');
const now = () => Number(process.hrtime.bigint()) / 1e9;
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const won = cells => LINES.some(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[b] === cells[c]);
const full = cells => cells.every(cell => cell !== null);
const empty = () => Array(9).fill(null);

const short = {
  name: 'ttt', setup: () => ({ cells: empty() }), turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    click: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return 'INVALID_MOVE';
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => won(G.cells) ? { winner: ctx.currentPlayer } : full(G.cells) ? { draw: true } : undefined,
};
const endless = {
  name: 'ttt', setup: () => ({ cells: empty() }), turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    click: {
      client: false, // no optimistic echo: a move counts when the server has answered
      move: ({ G, playerID }, id) => {
        if (G.cells[id] !== null) return 'INVALID_MOVE';
        G.cells[id] = playerID;
        if (won(G.cells) || full(G.cells)) G.cells = empty();
      },
    },
  },
};

async function eachLine(answer) {
  for await (const line of require('readline').createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await answer(Number(line))));
  }
  process.exit(0);
}

function reducer() {
  const { InitializeGame, CreateGameReducer } = need('boardgame.io/internal');
  const reduce = CreateGameReducer({ game: short });
  return eachLine(seconds => {
    const begun = process.cpuUsage();
    const spent = () => { const used = process.cpuUsage(begun); return (used.user + used.system) / 1e6; };
    let moves = 0;
    while (spent() < seconds) {
      let state = InitializeGame({ game: short, numPlayers: 2 });
      const order = [0, 1, 2, 3, 4, 5, 6, 7, 8].sort(() => Math.random() - 0.5);
      for (const id of order) {
        if (state.ctx.gameover) break;
        const payload = { type: 'click', args: [id], playerID: state.ctx.currentPlayer };
        state = reduce(state, { type: 'MAKE_MOVE', payload });
        moves++;
      }
    }
    return { moves_per_second: moves / spent() };
  });
}

async function server() {
  // boardgame.io listens on every interface; this stays on loopback
  const net = require('net'), listen = net.Server.prototype.listen;
  net.Server.prototype.listen = function (port, ...rest) {
    return typeof port === 'object' ? listen.call(this, port, ...rest) : listen.call(this, port, '127.0.0.1', ...rest);
  };
  const { Server } = need('boardgame.io/server');
  const running = await Server({ games: [endless], origins: [/.*/] }).run({ port: Number(process.argv[3]) });
  console.log(running.appServer.address().port);
  process.stdin.resume().on('end', () => process.exit(0));
}

async function newMatch(url) {
  const { Client } = need('boardgame.io/client');
  const { SocketIO } = need('boardgame.io/multiplayer');
  const post = async (path, body) => {
    const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { matchID } = await post('/games/ttt/create', { numPlayers: 2 });
  const clients = [];
  for (const playerID of ['0', '1']) {
    const { playerCredentials } = await post(`/games/ttt/${matchID}/join`, { playerID, playerName: `p${playerID}` });
    const client = Client({
      game: endless, multiplayer: SocketIO({ server: url }), playerID, matchID,
      credentials: playerCredentials, debug: false, numPlayers: 2,
    });
    client.start();
    await new Promise(ready => {
      const stop = client.subscribe(state => { if (state && client.getState().isConnected) { stop && stop(); ready(); } });
    });
    clients.push(client);
  }
  return clients;
}

// One mover at a time; a move is done when both players have seen the new state.
async function play(clients, end, times) {
  while (now() < end) {
    const state = clients[0].getState(), mover = clients[Number(state.ctx.currentPlayer)];
    const wanted = state._stateID + 1, sent = now();
    const seen = clients.map(client => new Promise(done => {
      const stop = client.subscribe(next => { if (next && next._stateID >= wanted) { stop && stop(); done(); } });
    }));
    mover.moves.click(state.G.cells.findIndex(cell => cell === null));
    await Promise.all(seen);
    times.push((now() - sent) * 1e3);
  }
}

function client() {
  const url = `http://127.0.0.1:${process.argv[3]}`, count = Number(process.argv[4]);
  return eachLine(async seconds => {
    const matches = [];
    while (matches.length < count) matches.push(await newMatch(url)); // fresh ones: logs stay short
    const times = [], begun = now();
    await Promise.all(matches.map(clients => play(clients, begun + seconds, times)));
    const spent = now() - begun;
    matches.flat().forEach(one => one.stop());
    times.sort((a, b) => a - b);
    return { moves_per_second: times.length / spent, p99_ms: times[Math.floor(times.length * 0.99)] };
  });
}

({ reducer, server, client })[process.argv[2]]();
