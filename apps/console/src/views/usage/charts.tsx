import type { UsageSeries } from '@gatehouse/sdk';
import type { ReactNode } from 'react';
import { Bars } from '../../components/bars.tsx';
import { Lines } from '../../components/lines.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { barsOf, countsText, durationsText } from './counts.ts';
import { axisLabel, callsText, durationText, stepLabel } from './labels.ts';
import type { UsageRead } from './queries.ts';

interface ChartProps {
  readonly step: UsageRead['step'];
  readonly series: UsageSeries;
}

/** How many calls there were, and how long they took. */
export function Charts(props: ChartProps) {
  return (
    <div className="grid wide:grid-cols-2 *:not-first:border-line max-wide:*:not-first:border-t wide:*:not-first:border-l">
      <CallsChart {...props} />
      <DurationChart {...props} />
    </div>
  );
}

interface ChartFrameProps {
  readonly title: string;
  readonly legend: ReactNode;
  readonly children: ReactNode;
}

function Chart({ title, legend, children }: ChartFrameProps) {
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap gap-x-3 px-4 pt-3">
        <h2 className="font-semibold">{title}</h2>
        <span className="ml-auto text-ink-2">{legend}</span>
      </div>
      {children}
    </div>
  );
}

/** Calls by step, with those that were refused or failed. */
export function CallsChart({ step, series: { total, points } }: ChartProps) {
  const title = `Calls by ${stepName(step)}`;
  const most = Math.max(0, ...points.map(({ calls }) => calls));
  return (
    <Chart
      title={title}
      legend={
        <>
          calls, <span className="text-chart-bad">refused or failed</span>
        </>
      }
    >
      <TimeChart
        label={title}
        {...axisOf(step, points)}
        describe={describe(step, points, countsText)}
        summary={`${countsText(total)}.`}
        most={callsText(most)}
      >
        <Bars bars={barsOf(points)} className="size-full" />
      </TimeChart>
    </Chart>
  );
}

function DurationChart({ step, series: { total, points } }: ChartProps) {
  const title = `Duration by ${stepName(step)}`;
  const most = Math.max(0, ...points.map(({ p99 }) => p99 ?? 0));
  return (
    <Chart title={title} legend="median, p95 (dashed), p99 (dotted)">
      <TimeChart
        label={title}
        {...axisOf(step, points)}
        describe={describe(step, points, durationsText)}
        summary={`${durationsText(total)}.`}
        most={durationText(most)}
      >
        <Lines
          className="size-full"
          lines={[
            { look: 'solid', values: points.map(({ p50 }) => p50) },
            { look: 'dashed', values: points.map(({ p95 }) => p95) },
            { look: 'dotted', values: points.map(({ p99 }) => p99) },
          ]}
        />
      </TimeChart>
    </Chart>
  );
}

const stepName = (step: UsageRead['step']) => (step === 'day' ? 'day of UTC' : step);

type Points = UsageSeries['points'];

function axisOf(step: UsageRead['step'], points: Points) {
  const at = (place: number) => points[place]?.at ?? '';
  const all = Date.parse(at(points.length - 1)) - Date.parse(at(0));
  return {
    steps: points.length,
    nameOf: (place: number) => axisLabel(step, at(place), all),
  };
}

function describe(
  step: UsageRead['step'],
  points: Points,
  textOf: (point: Points[number]) => string,
): (place: number) => string {
  return (place) => {
    const point = points[place];
    return point === undefined ? '' : `${stepLabel(step, point.at)}: ${textOf(point)}.`;
  };
}
