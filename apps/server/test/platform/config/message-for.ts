import { ConfigError, loadConfig } from '../../../src/platform/config/config.ts';

/** What the configuration of this environment is refused with; '' when it is not. */
export function messageFor(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}
