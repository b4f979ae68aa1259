import type { ReactNode } from 'react';
import { buttonClass } from '../../components/button.tsx';
import type { Tone } from '../../components/status.tsx';

/** What needs a person: the sentence of its cause, and the one button that helps. */
export interface Need {
  readonly key: string;
  readonly tone: Tone;
  readonly title: string;
  readonly sentence: string;
  readonly action: ReactNode;
  /** How many of them the line stands for; one by default. */
  readonly stands?: number;
}

/** The look of that button. */
export const SMALL = buttonClass('secondary', 'small');
