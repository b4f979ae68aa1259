// A stranger who floods a server. Real strangers use other machines, so this process lets all others go before it, and
// does not decompress what it gets. It reads a plan as JSON from its argument, and prints how many responses had each
// status.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const { origin, kinds, count, pause, atOnce, networks = 1 } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const statuses = {};

/** As browsers and `fetch` send them. */
const USUAL = { accept: '*/*', 'accept-encoding': 'gzip, deflate', 'sec-fetch-mode': 'cors' };

/**
 * `{}` in a path or a body stands for the number of the request, in the address `{digit}` for 0 or 1, and `{network}`
 * for one of `networks`.
 */
async function send({ path, method = 'GET', headers, body }, index) {
  const url = origin + path.replaceAll('{}', index);
  const address = headers['x-forwarded-for']
    .replace('{digit}', index % 2)
    .replace('{network}', index % networks);
  const sent = request(url, {
    agent,
    method,
    headers: { ...USUAL, ...headers, 'x-forwarded-for': address },
  });
  sent.end(body?.replaceAll('{}', index));
  const [response] = await once(sent, 'response');
  await once(response.resume(), 'end');
  statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
}

const began = performance.now();
const open = kinds.map(() => new Set());
for (let index = 0; index < count; index += 1) {
  for (const [i, kind] of kinds.entries()) {
    const sent = send(kind, index).finally(() => open[i].delete(sent));
    open[i].add(sent);
    if (open[i].size >= atOnce) await Promise.race(open[i]);
  }
  await delay(began + (index + 1) * pause - performance.now());
}
await Promise.all(open.flatMap((ofKind) => [...ofKind]));
agent.destroy();
process.stdout.write(JSON.stringify(statuses));
