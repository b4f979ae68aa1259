import type { Api } from './api.ts';

/** One rule of the API, told by a sentence and shown by calls. */
export interface Case {
  readonly name: string;
  run(t: Api): Promise<void>;
}

export function rule(name: string, run: (t: Api) => Promise<void>): Case {
  return { name, run };
}

export interface CaseGroup {
  readonly title: string;
  readonly cases: readonly Case[];
}
