import { EXIT } from '../control/command-error.ts';
import type { Outcome } from './definition.ts';

/** A checked part of the installation, and the result. */
export interface Finding {
  /** Such as `database`. */
  readonly about: string;
  readonly status: 'ok' | 'warning' | 'error';
  /** One sentence. */
  readonly found: string;
  /** What to do, in one or two sentences, unless it is in order. */
  readonly remedy?: string;
}

export function ok(about: string, found: string): Finding {
  return { about, status: 'ok', found };
}

export function warning(about: string, found: string, remedy: string): Finding {
  return { about, status: 'warning', found, remedy };
}

export function error(about: string, found: string, remedy: string): Finding {
  return { about, status: 'error', found, remedy };
}

/** Warnings leave the exit code at success. */
export function outcomeOf(findings: readonly Finding[]): Outcome {
  const count = (wanted: Finding['status']) =>
    findings.filter(({ status }) => status === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const lines = findings.flatMap(({ about, status, found, remedy }) => [
    `${status.padEnd(7)}  ${about}: ${found}`,
    ...(remedy === undefined ? [] : [`         ${remedy}`]),
  ]);
  return {
    json: { errors, warnings, findings },
    text: [...lines, '', `Errors: ${errors}. Warnings: ${warnings}.`].join('\n'),
    exitCode: errors === 0 ? EXIT.done : EXIT.findings,
  };
}
