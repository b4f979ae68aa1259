import { readFile } from 'node:fs/promises';
import type { Page } from './console.ts';

/** The text of the file that the browser saves after `act`. */
export async function savedFile(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return readFile(await download.path(), 'utf8');
}
