// node bench/holds.mjs [--quick]
// The longest time that one request of the management API holds the process: sends what is expensive into
// every field of every body, meanwhile asks for /healthz in a loop, and takes the longest answer. On a free
// machine. Ends with exit code 1 when a request holds the process for more than 50 ms. --quick: every tenth.
import { pathToFileURL } from 'node:url';
import { bundleTarget } from './lib/bundle.mjs';
import { copyServer, startGatehouse } from './lib/gatehouse.mjs';
import { Connection } from './lib/http-client.mjs';

const BAR = 50;
const ROUNDS = 3;
const PING = Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
const step = process.argv.includes('--quick') ? 10 : 1;

const { expensiveRequests } = await import(pathToFileURL(await bundleTarget('expensive-requests')));
const gatehouse = await startGatehouse({ main: copyServer('server') });
const origin = `http://127.0.0.1:${gatehouse.port}`;

const holds = [];
let index = 0;
for (const request of expensiveRequests()) {
  index += 1;
  if (index % step !== 0) continue;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await holdOf(request));
  // The least of the rounds: what something else on the machine adds is not the same each time.
  holds.push({ name: request.name, milliseconds: Math.min(...rounds) });
}
await gatehouse.stop();

holds.sort((one, other) => other.milliseconds - one.milliseconds);
console.log(`${holds.length} requests. The longest holds, in milliseconds:`);
for (const { name, milliseconds } of holds.slice(0, 10)) {
  console.log(`${milliseconds.toFixed(1).padStart(8)}  ${name}`);
}
process.exit(holds[0].milliseconds > BAR ? 1 : 0);

async function holdOf({ method, path, body }) {
  const connection = new Connection(gatehouse.port);
  let isDone = false;
  const answer = fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${gatehouse.token}`, 'content-type': 'application/json' },
    body,
  })
    .then((response) => response.arrayBuffer())
    .finally(() => {
      isDone = true;
    });
  let longest = 0;
  while (!isDone) {
    const start = performance.now();
    await connection.exchange(PING);
    longest = Math.max(longest, performance.now() - start);
  }
  await answer;
  connection.close();
  return longest;
}
