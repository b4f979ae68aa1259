import type { StageCode } from '@gatehouse/contract';

/** What a code of a stage means, and what to do. */
export interface CodeHelp {
  /** A plain sentence. */
  readonly meaning: string;
  /** A plain sentence for the person who reads the result. */
  readonly hint: string;
}

/** A stage for people who do not know the code. */
export interface StageHelp {
  /** What it checks; a sentence. */
  readonly checks: string;
  readonly codes: Readonly<Partial<Record<StageCode, CodeHelp>>>;
}
