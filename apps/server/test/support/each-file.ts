import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';

// A setup file of vitest.config.ts: vitest runs it anew for each test file.
afterAll(endFile);
