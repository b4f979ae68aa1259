// A stranger who floods a server. Real strangers use other machines, so this process lets all others go before it. It
// reads a plan as JSON from its argument, and prints how many responses had each status.
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const { origin, kinds, count, pause, atOnce } = JSON.parse(process.argv[2]);
const statuses = {};

/**
 * `{}` in a path or a body stands for the number of the request, in the address `{digit}` for 0 or 1, and `{network}`
 * for one of fifty.
 */
async function send({ path, headers, ...init }, index) {
  const body = init.body?.replaceAll('{}', index);
  const url = origin + path.replaceAll('{}', index);
  const address = headers['x-forwarded-for']
    .replace('{digit}', index % 2)
    .replace('{network}', index % 50);
  const sent = { ...init, body, headers: { ...headers, 'x-forwarded-for': address } };
  const response = await fetch(url, { redirect: 'manual', ...sent });
  await response.arrayBuffer();
  statuses[response.status] = (statuses[response.status] ?? 0) + 1;
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
process.stdout.write(JSON.stringify(statuses));
