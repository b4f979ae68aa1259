import { run } from '../lib/run.mjs';
import { createTemporaryFolder } from '../lib/temporary-folder.mjs';
import { markedBlocks } from './blocks.mjs';
import { bootMachine } from './machine.mjs';
import { replacementsFor, UPSTREAM_TOKEN } from './replacements.mjs';
import { openShell } from './shell.mjs';
import { startOutside } from './start-outside.mjs';

const ORIGIN = 'https://gatehouse.example.com';

/** Calls in a second. */
const RATE = 200;

/** Of nginx what went wrong, and of the nodes when they began and ended. */
const LOGS = `
tail --lines=40 /var/log/nginx/error.log || true
journalctl --no-pager --output=short-precise --unit='gatehouse@*' | grep -v '"msg":"request"' | tail --lines=60
`;

/**
 * What the steps share: the machine, what is outside of it, what was printed and measured.
 *
 * @param previous - with the `tarball` of the version to begin with
 */
export function createPlay(previous) {
  const blocks = markedBlocks();
  const printed = new Map();
  const measured = new Map();
  let upstream;
  let outside;
  let replacements = [];
  const play = {
    previous,
    /** With the `tarball` of this version, once it is built. */
    current: undefined,
    machine: undefined,
    /** The `path` at the gateway and the `token` of the clients, once they can call. */
    route: undefined,
    measured,

    async boot() {
      play.machine = await bootMachine(`${createTemporaryFolder('gatehouse-half-hour-')}/root`);
    },

    async startOutside() {
      // Each has a process: one alone would be too slow for both.
      upstream = startOutside(play.machine);
      outside = startOutside(play.machine);
      replacements = replacementsFor(
        await upstream.ask('startUpstream', { token: UPSTREAM_TOKEN }),
      );
      console.log('  In the blocks that follow, a reader replaces:');
      for (const { block, from, to, why } of replacements) {
        console.log(`    ${block}: ${from} by ${to}, ${why}`);
      }
    },

    ask: (task, input) => outside.ask(task, input),

    startTraffic: () =>
      play.ask('startTraffic', {
        url: `${ORIGIN}${play.route.path}`,
        token: play.route.token,
        rate: RATE,
      }),

    /** What a block printed the last time. */
    printed: (name) => printed.get(name),

    /** Keeps the milliseconds of a promise under a name, if it is ever fulfilled. */
    measure(name, promise) {
      promise.then(
        (milliseconds) => measured.set(name, milliseconds),
        () => {},
      );
    },

    /** Runs a marked block as it is written, but for what a reader replaces. */
    async runBlock(name, { on, inBackground = false }) {
      const block = blocks.get(name);
      if (block === undefined) throw new Error(`No page has a block that is marked ${name}.`);
      const commands = replacements
        .filter((replacement) => replacement.block === name)
        .reduce((text, { from, to }) => text.replaceAll(from, to), block.commands);
      show(`${name}, ${block.page}`, commands);
      if (on === 'builder') return run('sh', ['-euc', commands]);
      const text = inBackground ? `(exec ${commands.trim()}) > output 2>&1 &\n` : commands;
      printed.set(name, await play.machine.shell.run(text));
    },

    /** Types what no block has. */
    async type(commands) {
      show('typed by the reader', commands);
      await play.machine.shell.run(commands);
    },

    /** What commands print that only look. */
    read: (commands) => play.machine.shell.run(commands, { isQuiet: true }),

    /** Prints the last log lines, after a failure. The shell may be closed. */
    async explain() {
      if (play.machine === undefined) return;
      const shell = openShell(play.machine);
      await shell.run(LOGS);
      shell.close();
    },

    async end() {
      upstream?.stop();
      outside?.stop();
      await play.machine?.stop();
    },
  };
  return play;
}

function show(title, commands) {
  console.log(`  ${title}:`);
  for (const line of commands.trimEnd().split('\n')) console.log(`  $ ${line}`);
}
