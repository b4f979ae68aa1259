// A client in its own process, which receives over IPC what to call. Bundled with one of `clients`.
const [baseUrl, accessToken, items] = process.argv.slice(2);
const expected = JSON.parse(items);

/** Calls of the client, with checked results. */
function operationsOf({ create, get, list }) {
  const client = create(baseUrl, accessToken);
  return {
    get: async (turn) => {
      const { id, name } = expected[turn % expected.length];
      const { integration } = await get(client, id);
      if (integration.id !== id || integration.name !== name) throw new Error(`Not ${id}.`);
      return { integration };
    },
    list: async () => {
      const { items, nextCursor } = await list(client, expected.length);
      const isWhole = items.length === expected.length && nextCursor === null;
      if (!isWhole || items.some(({ id }, index) => id !== expected[index].id)) {
        throw new Error('Not the expected list.');
      }
      return { items, nextCursor };
    },
  };
}

/** A closed loop: each of `inFlight` workers begins its next call when its last one is done. */
async function measure(call, { inFlight, seconds, atLeast }) {
  const latencies = [];
  let turn = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  const work = async () => {
    for (let began = performance.now(); began < deadline || latencies.length < atLeast; ) {
      turn += 1;
      await call(turn);
      const done = performance.now();
      latencies.push(done - began);
      began = done;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  const count = latencies.length;
  return {
    count,
    perSecond: count / elapsed,
    p50: latencies[Math.floor(count * 0.5)],
    p99: latencies[Math.floor(count * 0.99)],
    cpu: (user + system) / count,
    elapsed,
  };
}

/** Replies to `{ operation, once }` with the client's result, and to anything else with measurements. */
export function serve(clientModule) {
  const operations = operationsOf(clientModule);
  process.on('message', async ({ operation, once, ...load }) => {
    const call = operations[operation];
    process.send(once ? await call(0) : await measure(call, load));
  });
  process.once('SIGTERM', () => process.exit());
  process.send('ready');
}
