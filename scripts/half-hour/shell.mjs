import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Minutes after which a block has failed. */
const LIMIT = 5;

const ENVIRONMENT = {
  HOME: '/root',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
};

/**
 * A root shell in a machine, as an operator has one: what one block sets, a later one finds.
 *
 * @param machine - its `leader`, the process id of its first process, and its `folder`, the root
 */
export function openShell({ leader, folder }) {
  const enter = ['--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd'];
  const settings = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
  const bash = ['bash', '--noprofile', '--norc'];
  const child = spawn(
    'nsenter',
    ['--target', String(leader), ...enter, 'env', '-i', ...settings, ...bash],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout });
  child.stdin.on('error', () => {});
  child.stdin.write('exec 2>&1\ncd /root\n');
  return {
    /**
     * Runs commands up to the first that fails, and prints what they print.
     *
     * @returns what they printed
     * @throws Error when one failed, or after five minutes. The shell is closed then.
     */
    run(commands, { isQuiet = false } = {}) {
      writeFileSync(join(folder, 'root/.block'), commands, { mode: 0o600 });
      const end = `end of ${crypto.randomUUID()}`;
      const written = [];
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT * 60_000);
        const settle = (isDone) => {
          clearTimeout(timer);
          lines.off('line', read).off('close', fail);
          const output = written.join('\n');
          if (isDone) resolve(output);
          else reject(new Error(`A command failed.${isQuiet ? `\n${commands}\n${output}` : ''}`));
        };
        const fail = () => settle(false);
        const read = (line) => {
          if (line.endsWith(end)) {
            const last = line.slice(0, -end.length);
            if (last !== '') written.push(last);
            return settle(true);
          }
          written.push(line);
          if (!isQuiet) console.log(`    ${line}`);
        };
        lines.on('line', read).on('close', fail);
        child.stdin.write(`set -e\n. /root/.block < /dev/null\nset +e\necho '${end}'\n`);
      });
    },
    close: () => child.stdin.end('exit\n'),
  };
}
