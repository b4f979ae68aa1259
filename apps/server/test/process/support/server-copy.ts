import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findFreePort,
  isGatehouseReady,
  LaunchError,
  type LaunchedProcess,
  launch,
  serverArgs,
} from '@gatehouse/harness';
import { afterFile } from '../../support/after-file.ts';
import { noteOutput } from './logs.ts';
import { noteSecretSettings, temporaryDirectory } from './servers.ts';

const serverRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of the built server's package, with migrations that a test may add to. */
export interface ServerCopy {
  writeMigration(name: string, sql: string): void;
  /** @throws LaunchError as `launch` does. */
  start(env: Readonly<Record<string, string>>): Promise<LaunchedProcess>;
}

/** Copies what the package publishes; its dependencies stay where they are. */
export function copyServer(): ServerCopy {
  const root = temporaryDirectory();
  for (const part of ['dist', 'prisma', 'package.json']) {
    cpSync(join(serverRoot, part), join(root, part), { recursive: true });
  }
  symlinkSync(join(serverRoot, 'node_modules'), join(root, 'node_modules'));
  return {
    writeMigration(name, sql) {
      const directory = join(root, 'prisma', 'migrations', name);
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'migration.sql'), sql);
    },
    async start(env) {
      const port = await findFreePort();
      noteSecretSettings(env);
      const written = { isFirstTokenShown: !env.GATEHOUSE_BOOTSTRAP_TOKEN };
      try {
        const server = await launch({
          command: process.execPath,
          args: [...serverArgs.slice(0, -1), join(root, 'dist', 'main.js')],
          env: { GATEHOUSE_PORT: String(port), ...env },
          readyWhen: isGatehouseReady,
          timeout: 60_000,
        });
        afterFile(() => server.kill9());
        noteOutput(`server ${server.pid}`, server, written);
        return server;
      } catch (error) {
        if (error instanceof LaunchError) noteOutput('a refused start', error.output, written);
        throw error;
      }
    },
  };
}
