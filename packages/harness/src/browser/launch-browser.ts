import type { Browser } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/**
 * Starts the installed Chromium without a window; undefined if it is not installed. Closing it closes
 * its pages and removes its profile. It also ends with the process that started it.
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) return undefined;
  const { chromium } = await import('playwright-core');
  // Chromium refuses to run its sandbox as root.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox });
}
