import {
  type StageStatus,
  stageSentence,
  stageSentences,
  validationStageLabels,
} from '@gatehouse/contract';
import type { ValidationStage } from '@gatehouse/sdk';
import { entryOf, labelOf } from '../../api/labels.ts';
import { Icon, type IconName } from '../../components/icon.tsx';

const DOTS: Readonly<Record<StageStatus, { icon: IconName; look: string; word: string }>> = {
  passed: { icon: 'check', look: 'bg-ok-soft text-ok', word: 'Passed' },
  failed: { icon: 'cross', look: 'bg-bad-soft text-bad', word: 'Failed' },
  skipped: { icon: 'dash', look: 'bg-idle-soft text-idle', word: 'Skipped' },
};

const times = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** The stages of a validation in their order, with what each took and what to do about it. */
export function Ladder({ stages }: { stages: readonly ValidationStage[] }) {
  return (
    <ol className="px-4 pt-2 pb-3">
      {stages.map((stage, index) => {
        const sentence = stageSentence(stage);
        const before = stages[index - 1];
        // Stages that were not tried for one reason say so once.
        const isSaid = before !== undefined && stageSentence(before) === sentence;
        return <Rung key={stage.stage} stage={stage} sentence={isSaid ? undefined : sentence} />;
      })}
    </ol>
  );
}

const LINE =
  'not-last:before:absolute not-last:before:top-7 not-last:before:-bottom-2 not-last:before:left-[9.5px] not-last:before:w-px not-last:before:bg-line-strong';

interface RungProps {
  readonly stage: ValidationStage;
  readonly sentence: string | undefined;
}

function Rung({ stage: { stage, status, milliseconds, hint }, sentence }: RungProps) {
  const { icon, look, word } = entryOf(DOTS, status) ?? DOTS.skipped;
  return (
    <li className={`relative grid grid-cols-[20px_1fr_64px] gap-2.5 py-2 ${LINE}`}>
      <span className={`z-1 grid size-5 place-items-center rounded-full ${look}`}>
        <Icon name={icon} className="size-3 stroke-2" />
      </span>
      <div className="min-w-0">
        <span className="font-medium">{labelOf(validationStageLabels, stage)}</span>
        <span className="sr-only">: {word}</span>
        {sentence !== undefined && <p className="text-ink-2">{sentence}</p>}
        {hint !== undefined && (
          <p
            className={`foreign mt-2 rounded-6 px-3 py-2.5 ${status === 'failed' ? 'bg-bad-soft' : 'bg-warn-soft'}`}
          >
            {hint}
          </p>
        )}
      </div>
      <span className="text-right text-ink-2 tabular-nums">
        {status !== 'skipped' && `${times.format(milliseconds)} ms`}
      </span>
    </li>
  );
}

/** While a validation runs: its stages, all still to come. */
export function LadderRunning() {
  return (
    <div role="status">
      <span className="sr-only">Validating</span>
      <ol aria-hidden="true" className="px-4 pt-2 pb-3">
        {Object.entries(validationStageLabels).map(([stage, label]) => (
          <li key={stage} className={`relative grid grid-cols-[20px_1fr] gap-2.5 py-2 ${LINE}`}>
            <span className="z-1 size-5 animate-pulse rounded-full bg-idle-soft" />
            <div className="text-ink-2">
              <span className="font-medium">{label}</span>
              <p>{entryOf(stageSentences, stage)?.checks}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}
