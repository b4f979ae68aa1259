import type { ConnectionStep } from '../../egress/connector.ts';

/** The steps of a probe: a connection, a first response, the era of the server, the end. */
export type ProbeStep = ConnectionStep | 'responded' | 'spoken' | 'done';

/** When a probe reached its steps, and what it saw there. */
export interface ProbeClock {
  /** Only the first time counts: later requests may open more connections. */
  note(step: ProbeStep, certificateExpiresAt?: Date): void;
  has(step: ProbeStep): boolean;
  /** The expiry of the server's certificate, once a connection was secured. */
  certificateExpiry(): Date | undefined;
  /** Whole milliseconds from the latest of these steps that was reached, else from the start, to a step or until now. */
  since(steps: readonly ProbeStep[], end?: ProbeStep): number;
}

/** Starts now. */
export function createProbeClock(): ProbeClock {
  const startedAt = performance.now();
  const reached = new Map<ProbeStep, number>();
  let expiry: Date | undefined;
  return {
    note(step, certificateExpiresAt) {
      if (!reached.has(step)) reached.set(step, performance.now());
      expiry ??= certificateExpiresAt;
    },
    certificateExpiry: () => expiry,
    has: (step) => reached.has(step),
    since(steps, end) {
      const from = Math.max(startedAt, ...steps.map((step) => reached.get(step) ?? startedAt));
      const to = (end && reached.get(end)) ?? performance.now();
      return Math.max(0, Math.round(to - from));
    },
  };
}

/** The result, or undefined if the signal is aborted first. The work itself continues. */
export async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
