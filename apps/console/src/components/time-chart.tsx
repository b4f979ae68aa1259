import { type ChangeEvent, type PointerEvent, type ReactNode, useState } from 'react';

interface TimeChartProps {
  /** What it shows, by which step of time. */
  readonly label: string;
  readonly steps: number;
  /** When a step was, for the axis. */
  readonly nameOf: (step: number) => string;
  /** All that is known of a step, in words. */
  readonly describe: (step: number) => string;
  /** All steps together, while none is looked at. */
  readonly summary: ReactNode;
  /** What the highest point stands for. */
  readonly most: string;
  /** The picture, which fills its place. */
  readonly children: ReactNode;
}

/** Labels of the axis. */
const LABELS = 4;

/**
 * A picture over time, of which each step can be looked at: by the pointer, by touch, and by the arrow keys, as a screen
 * reader reads a slider.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, steps, nameOf, describe, summary, most, children } = props;
  const { shown, looking } = useLooking(steps);
  return (
    <figure className="grid gap-2 p-4">
      <figcaption className="min-h-5 text-ink-2 max-wide:min-h-10 tabular-nums">
        {shown === undefined ? summary : describe(shown)}
      </figcaption>
      <span aria-hidden="true" className="text-11 text-ink-3 tabular-nums">
        {most}
      </span>
      <div className="relative h-36 rounded-4 outline-offset-4 has-focus-visible:outline-2 has-focus-visible:outline-accent">
        {shown !== undefined && (
          <span
            className="absolute inset-y-0 rounded-4 bg-accent-soft"
            style={{ left: `${(shown / steps) * 100}%`, width: `${100 / steps}%` }}
          />
        )}
        <div className="absolute inset-0">{children}</div>
        <input
          {...looking}
          type="range"
          min={0}
          max={steps - 1}
          aria-label={label}
          aria-valuetext={describe(shown ?? steps - 1)}
          className="absolute inset-0 m-0 size-full cursor-crosshair opacity-0"
        />
      </div>
      <div aria-hidden="true" className="relative h-4 text-11 text-ink-3 tabular-nums">
        {labelled(steps).map((step) => (
          <span
            key={step}
            className="absolute whitespace-nowrap"
            style={{ left: `${(step / steps) * 100}%` }}
          >
            {nameOf(step)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** The steps that the axis names. */
function labelled(steps: number): number[] {
  const count = Math.min(LABELS, steps);
  return Array.from({ length: count }, (_, place) => Math.floor((place * steps) / count));
}

/** The step that is looked at, and what makes a slider choose it. */
function useLooking(steps: number) {
  const [chosen, choose] = useState<number>();
  const shown = chosen === undefined ? undefined : Math.min(chosen, steps - 1);
  const point = ({ nativeEvent, currentTarget }: PointerEvent<HTMLInputElement>) => {
    const step = Math.floor((nativeEvent.offsetX / currentTarget.clientWidth) * steps);
    choose(Math.max(0, Math.min(step, steps - 1)));
  };
  const looking = {
    value: shown ?? steps - 1,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => choose(target.valueAsNumber),
    onFocus: () => choose((step) => step ?? steps - 1),
    onBlur: () => choose(undefined),
    onPointerMove: point,
    onPointerLeave: ({ currentTarget }: PointerEvent<HTMLInputElement>) => {
      if (document.activeElement !== currentTarget) choose(undefined);
    },
  };
  return { shown, looking };
}
