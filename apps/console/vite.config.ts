import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** Workspace packages are read from their sources, as in every other build here. */
const conditions = ['@gatehouse/source', ...defaultClientConditions];

/** The demo alone serves the script of MSW's worker. A build never holds it. */
function mockWorker(): Plugin {
  const { resolve } = createRequire(import.meta.url);
  return {
    name: 'gatehouse-mock-worker',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use('/console/mockServiceWorker.js', async (_request, response) => {
        response.setHeader('content-type', 'text/javascript');
        response.end(await readFile(resolve('msw/mockServiceWorker.js')));
      });
    },
  };
}

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss(), mockWorker()],
  resolve: { conditions },
  build: {
    // Browsers that know `light-dark()`, with which the tokens are written.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The console's content security policy allows no `data:` fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
