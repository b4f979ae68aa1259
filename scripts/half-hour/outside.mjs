// What is outside of the machine: an MCP server, or clients that call it through the gateway at an even rate. Each is a
// process, in the network of the machine. It does what its parent sends and replies with the same `id`.
import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { loadSource } from '../lib/load-source.mjs';
import { createCallers } from './calls.mjs';
import { signInBy } from './sign-in.mjs';

/** Milliseconds in which a node must become ready. */
const READY = 120_000;

const figures = { made: 0, failed: 0 };
let isStopped = false;
let traffic = Promise.resolve();

const TASKS = {
  /** Starts the MCP server, which accepts one token. Its URL. */
  async startUpstream({ token }) {
    // A server that closes an unused connection while a call is being sent on it loses the call, and a gateway
    // must not send it again: the server may have seen it.
    subscribe('http.server.request.start', ({ server }) => {
      server.keepAliveTimeout = 0;
    });
    const source = new URL('../../packages/testing/src/index.ts', import.meta.url).pathname;
    const { startUpstream } = await loadSource(source);
    return (await startUpstream({ requireBearer: token })).url;
  },

  /** Calls once in each protocol era. Throws when one fails. */
  async callOnce({ url, token }) {
    for (const call of await createCallers(url, token)) await call(1);
  },

  async startTraffic({ url, token, rate }) {
    const callers = await createCallers(url, token);
    const begun = performance.now();
    traffic = (async () => {
      const calls = new Set();
      for (let count = 0; !isStopped; count += 1) {
        await delay(Math.max(0, begun + (count * 1_000) / rate - performance.now()));
        const call = callOnce(callers[count % callers.length], count);
        calls.add(call);
        call.finally(() => calls.delete(call));
      }
      await Promise.all(calls);
    })();
  },

  /** Signs in by a link. Throws unless it ends at the console, and the account page shows the email. */
  async signIn({ link, email, answers }) {
    const page = await signInBy(link, answers);
    if (!page.includes(email)) throw new Error(`The account page does not show ${email}.`);
  },

  /** What `GET` of a path of the API gets with a token. */
  async read({ url, token }) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${url} got ${response.status}.`);
    return response.json();
  },

  figures: () => ({ ...figures }),

  /** What was counted, when every call has ended. */
  async stopTraffic() {
    isStopped = true;
    await traffic;
    return { ...figures };
  },

  /** Milliseconds until `/readyz` of a port answers 200. */
  async awaitReady({ port }) {
    const begun = performance.now();
    while (performance.now() - begun < READY) {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      await response?.text();
      if (response?.ok) return performance.now() - begun;
      await delay(20);
    }
    throw new Error(`Port ${port} did not become ready.`);
  },
};

async function callOnce(call, id) {
  figures.made += 1;
  try {
    await call(id);
  } catch (error) {
    figures.failed += 1;
    const cause = error.cause?.code ?? error.cause?.message ?? '';
    const text = `${error.message} ${cause}`.replaceAll(/\s+/g, ' ');
    console.log(`    ${new Date().toISOString()} A call failed: ${text}`);
  }
}

process.on('message', async ({ id, task, input }) => {
  try {
    process.send({ id, result: await TASKS[task](input) });
  } catch (error) {
    process.send({ id, error: `${error.message} ${error.cause?.message ?? ''}` });
  }
});
process.on('disconnect', () => process.exit(0));
