import { defaultServerConditions, runnerImport } from 'vite';

/** Imports a TypeScript module of the workspace, which Node 20 cannot do by itself. */
export async function loadSource(file) {
  const { module } = await runnerImport(file, {
    configFile: false,
    logLevel: 'error',
    environments: {
      // The name of the environment in which `runnerImport` runs.
      inline: { resolve: { conditions: ['@gatehouse/source', ...defaultServerConditions] } },
    },
  });
  return module;
}
