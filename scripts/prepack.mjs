// Runs before a package is packed: builds it if it is stale, so that no tarball lacks its code, and for npm puts the
// files there that pnpm would pack.
import { build } from './lib/build.mjs';
import { takePublished } from './lib/published.mjs';
import { CommandFailed } from './lib/run.mjs';

try {
  const isNpm = process.env.npm_config_user_agent?.startsWith('npm/');
  if (isNpm) await takePublished(process.cwd());
  else await build([process.env.npm_package_name]);
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
