import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('outside.mjs', import.meta.url));

/**
 * Starts what is outside of the machine, with the machine's network and its file of host names. It trusts the
 * authority of the pages, which must exist.
 */
export function startOutside({ leader, folder }) {
  const hosts = `mount --bind '${join(folder, 'etc/hosts')}' /etc/hosts && exec "$@"`;
  const child = spawn(
    'nsenter',
    [
      `--net=/proc/${leader}/ns/net`,
      'unshare',
      '--mount',
      'sh',
      '-c',
      hosts,
      'sh',
      process.execPath,
      program,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: join(folder, 'usr/local/share/ca-certificates/our-authority.crt'),
      },
    },
  );
  const waiting = new Map();
  child.on('message', ({ id, result, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`What is outside ended with ${code}.`));
  });
  return {
    /** Has a task of outside.mjs done. @throws Error when it failed */
    ask: (task, input) =>
      new Promise((resolve, reject) => {
        const id = crypto.randomUUID();
        waiting.set(id, { resolve, reject });
        child.send({ id, task, input });
      }),
    stop: () => child.disconnect(),
  };
}
