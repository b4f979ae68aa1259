import type { Page } from 'playwright-core';

/** Adds to `complaints` what a page throws, and the errors that it or its browser reports, such as of its policy. */
export function noteComplaints(page: Page, complaints: string[]): void {
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    // A refused request is what some tests are about.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
}
