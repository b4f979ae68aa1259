import { loadConfig } from './platform/config/config.ts';
import { OperatorError } from './platform/operator-error.ts';

/** Runs the server until a signal. Exits 1 with one sentence when it cannot start. */
export async function run(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    const config = loadConfig(environment);
    // Loaded once the settings are right: a mistake in them is named at once.
    const { start } = await import('./start.ts');
    await start(config, environment);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
