// Runs before a package is packed: builds it if it is stale, so that no tarball lacks its code.
import { build } from './lib/build.mjs';
import { CommandFailed } from './lib/run.mjs';

try {
  await build([process.env.npm_package_name]);
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
