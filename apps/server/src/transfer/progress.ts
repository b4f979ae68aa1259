/** How far a transfer is. */
export interface Progress {
  readonly rows: number;
  readonly ofRows: number;
}

export type OnProgress = (progress: Progress) => void;
