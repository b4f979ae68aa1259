import { onTestFinished, vi } from 'vitest';
import type { Fetch } from '../../src/index.ts';

/** Stops `setTimeout` until the test ends: timeouts end when the test advances them. Sockets go on. */
export function fakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** The platform's fetch; this many milliseconds pass for {@link fakeTimeouts} while the body is read. */
export function fetchWithSlowBody(milliseconds: number): Fetch {
  return async (...args) => {
    const response = await fetch(...args);
    setImmediate(() => vi.advanceTimersByTime(milliseconds));
    return response;
  };
}
