import { lockDirectory } from '../../../src/platform/database/directory-lock.ts';

const held: unknown[] = [];

// Locks each directory it is sent, keeps the lock, and answers how it went.
process.on('message', async (directory: string) => {
  try {
    held.push(await lockDirectory(directory));
    process.send?.('locked');
  } catch (error) {
    process.send?.(error instanceof Error && 'code' in error ? error.code : String(error));
  }
});
process.send?.('ready');
