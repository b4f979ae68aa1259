import { runnerImport } from 'vite';

/** Imports a TypeScript module of the workspace: Node 20 does not read TypeScript by itself. */
export async function loadSource(file) {
  const { module } = await runnerImport(file, {
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@gatehouse/source', 'node', 'import', 'module', 'default'] },
  });
  return module;
}
