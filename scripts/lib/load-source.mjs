/**
 * Imports a TypeScript module of the workspace, which Node 20 cannot do by itself. Vite is imported
 * here and not above: the scripts that use this install it first.
 */
export async function loadSource(file) {
  const { defaultServerConditions, runnerImport } = await import('vite');
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
