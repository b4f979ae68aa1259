import type { MockGatehouse } from '@gatehouse/mocks';

const HOUR = 60 * 60_000;

/** Hours of the past that have calls. */
const HOURS = 7 * 24;

/** An attached integration, a person who calls it, and the tools that they call. */
export interface Use {
  readonly applicationId: string;
  readonly integrationId: string;
  /** The owner without it. */
  readonly userId?: string;
  readonly tools: readonly string[];
}

/** Calls of the last week: more by day than by night, some of them refused or failed. */
export function seedUsage({ fixtures }: MockGatehouse, uses: readonly Use[]): void {
  const now = Date.now();
  for (const [place, { tools, ...use }] of uses.entries()) {
    for (let ago = 0; ago < HOURS; ago += 1) {
      const at = new Date(now - ago * HOUR);
      const isDay = at.getUTCHours() >= 7 && at.getUTCHours() < 19;
      const tool = tools[ago % tools.length] ?? '';
      const count = (isDay ? 40 : 3) + ((ago * 7 + place * 11) % 13);
      const calls = { ...use, tool, at: at.toISOString(), ms: 20 + ((ago * 31) % 400) };
      fixtures.addCalls({ ...calls, count });
      if (ago % 9 === place) fixtures.addCalls({ ...calls, outcome: 'refused', count: 2 });
      if (ago % 17 === place) fixtures.addCalls({ ...calls, outcome: 'upstream_error', ms: 4_000 });
    }
  }
}
