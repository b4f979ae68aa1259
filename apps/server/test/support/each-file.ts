import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';
import { lowerCostOfScrypt } from './scrypt.ts';

// A setup file of vitest.config.ts: vitest runs it for each test file.
lowerCostOfScrypt();
afterAll(endFile);
