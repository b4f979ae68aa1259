// npm run docs:site [-- dev | preview]: builds the site of docs/, or shows it on this machine.
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/workspace.mjs';

const [command = 'build'] = process.argv.slice(2);
await install();
// It writes the OpenAPI document, of which the HTTP reference is made.
await build(['@gatehouse/contract']);
const vitepress = join(root, 'docs/node_modules/vitepress/bin/vitepress.js');
await run('node', [vitepress, command, join(root, 'docs')]);
if (command === 'build') console.log('Built docs/.vitepress/dist.');
