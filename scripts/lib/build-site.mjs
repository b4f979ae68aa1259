import { join } from 'node:path';
import { build } from './build.mjs';
import { documentationPlace, placeBuilt } from './place-built.mjs';
import { run } from './run.mjs';
import { runUnlessDone } from './stamp.mjs';
import { root } from './workspace.mjs';

const docs = join(root, 'docs');

/** What VitePress is started with. */
export const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js');

/** Builds the site of the documentation, if it is stale, and puts it into the server's package. */
export async function buildSite() {
  // It writes the OpenAPI document, of which the HTTP reference is made.
  await build(['@gatehouse/contract']);
  const tokens = 'apps/console/src/styles/tokens.css';
  await runUnlessDone(
    {
      name: 'site',
      inputs: [
        docs,
        ...['pnpm-lock.yaml', tokens, 'packages/contract/src'].map((path) => join(root, path)),
      ],
      outputs: [join(documentationPlace, 'index.html')],
    },
    async () => {
      console.log('Building the site of docs ...');
      await run('node', [vitepress, 'build', docs], { quiet: true });
      await placeBuilt(join(docs, '.vitepress/dist'), documentationPlace);
    },
  );
}
