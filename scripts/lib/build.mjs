import { join } from 'node:path';
import { consolePlace, placeBuilt } from './place-built.mjs';
import { run } from './run.mjs';
import { runUnlessDone } from './stamp.mjs';
import { twoAtATime } from './two-at-a-time.mjs';
import { root, workspacePackages } from './workspace.mjs';

const SERVER_FILES = ['main.js', 'watch-worker.js', 'empty-database.tar.gz'];
const CONSOLE = '@gatehouse/console';
const SERVER = '@gatehouse/server';
const SHARED_INPUTS = ['pnpm-lock.yaml', 'tsconfig.base.json'].map((file) => join(root, file));

/**
 * Builds the named packages that are stale, or all that are. The server's package contains the console. Packages read each other's sources, so
 * the order does not matter.
 */
export async function build(names) {
  await generateDatabaseClient();
  const packages = workspacePackages();
  const named = names?.includes(SERVER) ? [...names, CONSOLE] : names;
  const wanted = packages.filter(
    ({ name, scripts }) => scripts.build !== undefined && (named?.includes(name) ?? true),
  );
  await twoAtATime(wanted.map((member) => () => buildOne(member, packages)));
}

function buildOne(member, packages) {
  return runUnlessDone(
    {
      name: `build ${member.name}`,
      inputs: [...SHARED_INPUTS, ...sourcesOf(member, packages)],
      outputs: outputsOf(member),
    },
    async () => {
      console.log(`Building ${member.name} ...`);
      // A test that runs this has another environment, which Vite would build for.
      const env = { NODE_ENV: 'production' };
      await run('npm', ['run', '--silent', 'build'], { cwd: member.dir, env, quiet: true });
      if (member.name === CONSOLE) await placeBuilt(join(member.dir, 'dist'), consolePlace);
    },
  );
}

async function generateDatabaseClient() {
  const server = join(root, 'apps/server');
  await runUnlessDone(
    {
      name: 'generate',
      inputs: [
        join(root, 'pnpm-lock.yaml'),
        join(root, 'scripts/prisma-generate.mjs'),
        join(server, 'prisma/schema.prisma'),
      ],
      outputs: [join(server, 'src/generated/prisma/client.ts')],
    },
    () => run('npm', ['run', '--silent', 'generate'], { cwd: server, quiet: true }),
  );
}

/** The folders of the package and of the packages it uses, which are bundled from source. */
function sourcesOf(member, packages) {
  const used = packages.filter(({ name }) => member.uses.includes(name));
  return [...new Set([...used.flatMap((other) => sourcesOf(other, packages)), member.dir])];
}

function outputsOf({ name, dir }) {
  if (name === CONSOLE) return [join(consolePlace, 'index.html')];
  const files = name === SERVER ? SERVER_FILES : [''];
  return files.map((file) => join(dir, 'dist', file));
}
