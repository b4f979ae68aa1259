import { mergeConfig } from 'vitest/config';
import { settings } from '../../vitest.config.ts';

export default mergeConfig(settings, { test: { setupFiles: ['test/support/each-file.ts'] } });
