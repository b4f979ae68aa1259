import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const KILOBYTE = 1_000;

/** Kilobytes that a browser gets for a file, which the server sends compressed unless it is a font. */
function sentSizeOf(file: string): number {
  const bytes = readFileSync(`${DIST}${file}`);
  return (file.endsWith('.woff2') ? bytes : gzipSync(bytes)).length / KILOBYTE;
}

describe.skipIf(isBrowserMissing())('the first load of an empty installation', () => {
  const console = useConsole({ isEmpty: true });

  it('shows the heading after at most 180 kB, before the files of the steps have come', async () => {
    const page = await console.open('about:blank');
    const files: string[] = [];
    let showHeading = (): void => {};
    const heading = new Promise<void>((resolve) => {
      showHeading = resolve;
    });
    await page.route('**/assets/**', async (route) => {
      const file = new URL(route.request().url()).pathname.replace('/console/', '');
      // Home asks for its forms once it knows that the installation is empty.
      if (console.state.requests.includes('GET /api/v1/overview')) await heading;
      else files.push(file);
      await route.continue();
    });
    await page.goto('/console');
    await page.getByRole('heading', { name: 'Set up Gatehouse' }).waitFor();
    showHeading();
    await page.getByRole('heading', { name: 'Add an MCP server' }).waitFor();
    expect(files.filter((file) => file.endsWith('.woff2'))).toHaveLength(1);
    const sizes = ['index.html', ...files].map((file) => [file, sentSizeOf(file)] as const);
    const size = sizes.reduce((sum, [, each]) => sum + each, 0);
    expect(size, JSON.stringify(sizes)).toBeLessThanOrEqual(180);
    await page.unrouteAll();
  });
});
