import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';

export type StepState = 'done' | 'now' | 'later';

interface StepProps {
  readonly number: number;
  readonly state: StepState;
  readonly title: string;
  readonly sentence: ReactNode;
  /** What is done in the step, while it is its turn. */
  readonly children?: ReactNode;
  /** What is shown once it is done. */
  readonly outcome?: ReactNode;
}

const NUMBERS: Readonly<Record<StepState, string>> = {
  done: 'border-transparent bg-ok-soft text-ok',
  now: 'border-accent text-accent',
  later: 'border-line-strong text-ink-3',
};

export function Step({ number, state, title, sentence, children, outcome }: StepProps) {
  const shown = state === 'done' ? outcome : state === 'now' ? children : undefined;
  return (
    <li
      aria-current={state === 'now' ? 'step' : undefined}
      className="grid grid-cols-[28px_minmax(0,1fr)] gap-3 border-b border-line p-5 last:border-b-0"
    >
      <span
        className={`grid size-6 place-items-center rounded-full border-[1.5px] text-12 font-semibold ${NUMBERS[state]}`}
      >
        {state === 'done' ? <Icon name="check" /> : number}
      </span>
      <div className="min-w-0">
        <h2 className={`text-14 font-semibold ${state === 'later' ? 'text-ink-2' : ''}`}>
          {title}
          {state === 'done' && <span className="sr-only">: done</span>}
        </h2>
        <p className="foreign text-ink-2">{sentence}</p>
        {shown !== undefined && <div className="mt-3 max-w-3xl">{shown}</div>}
      </div>
    </li>
  );
}
