// npm run docs:site [-- dev | preview]: builds the site of docs/, which the server then shows below /docs, or shows it
// on this machine.
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { buildSite, vitepress } from './lib/build-site.mjs';
import { install } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/workspace.mjs';

const [command = 'build'] = process.argv.slice(2);
await install();
if (command === 'build') {
  await buildSite();
  console.log('Built docs/.vitepress/dist, and placed it in apps/server/public/docs.');
} else {
  await build(['@gatehouse/contract']);
  await run('node', [vitepress, command, join(root, 'docs')]);
}
