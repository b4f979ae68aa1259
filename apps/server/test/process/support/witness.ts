import type { LaunchedProcess, RecordingFetch } from '@gatehouse/harness';
import type { Recording } from '@gatehouse/testing';
import type { Called } from '../../support/server.ts';
import { formsOf, SHORTEST_SECRET } from './secret-forms.ts';

/** Where bytes end up that a test can read. */
export type Place = 'log' | 'management' | 'client' | 'upstream';

/** Where a secret may stand; everywhere else it is a leak. */
export interface SecretUse {
  readonly mayBeIn?: readonly Place[];
  /** The one management answer that delivers it. */
  readonly deliveredBy?: Called;
}

/** Gathers everything written in a test file, and every secret used in it. */
export interface Witness {
  /** Registers a secret and returns it. */
  secret(label: string, value: string, use?: SecretUse): string;
  /** Standard output and standard error of a process. */
  process(label: string, process: Pick<LaunchedProcess, 'hasWritten'>): void;
  /** An answer of the management API, `/metrics` and the health checks included. */
  answer(label: string, answer: Called): void;
  /** All that a client of the gateway received. */
  client(label: string, received: Pick<RecordingFetch, 'hasReceived'>): void;
  /** All that an upstream received. */
  upstream(label: string, recording: Pick<Recording, 'hasReceived'>): void;
  /** One line for each secret in a place where it may not be. */
  leaks(): string[];
  /** How many secrets are registered, and how many sources of each place. */
  counts(): Record<Place | 'secrets', number>;
}

interface Source {
  readonly place: Place;
  readonly label: string;
  readonly answer?: Called;
  contains(text: string): boolean;
}

interface Secret extends SecretUse {
  readonly label: string;
  readonly forms: readonly string[];
}

export function createWitness(): Witness {
  const secrets = new Map<string, Secret>();
  const sources: Source[] = [];
  return {
    secret(label, value, use = {}) {
      if (value.length < SHORTEST_SECRET) throw new TypeError(`The secret "${label}" is too short`);
      secrets.set(value, { label, forms: formsOf(value), ...use });
      return value;
    },
    process: (label, process) =>
      void sources.push({ place: 'log', label, contains: process.hasWritten }),
    answer: (label, answer) =>
      void sources.push({
        place: 'management',
        label,
        answer,
        contains: (text) =>
          answer.text.includes(text) ||
          [...answer.headers].some(([, value]) => value.includes(text)),
      }),
    client: (label, { hasReceived }) =>
      void sources.push({ place: 'client', label, contains: hasReceived }),
    upstream: (label, { hasReceived }) =>
      void sources.push({ place: 'upstream', label, contains: hasReceived }),
    leaks: () => [...secrets.values()].flatMap((secret) => leaksOf(secret, sources)),
    counts() {
      const counts = { secrets: secrets.size, log: 0, management: 0, client: 0, upstream: 0 };
      for (const { place } of sources) counts[place] += 1;
      return counts;
    },
  };
}

function leaksOf({ label, forms, mayBeIn = [], deliveredBy }: Secret, sources: Source[]): string[] {
  return sources
    .filter(({ place, answer }) => {
      const isDelivery = answer !== undefined && answer === deliveredBy;
      return !isDelivery && !mayBeIn.includes(place);
    })
    .filter((source) => forms.some((form) => source.contains(form)))
    .map((source) => `${label} stands in ${source.place}: ${source.label}`);
}
