import { Bars } from '../../components/bars.tsx';
import { Lines } from '../../components/lines.tsx';
import { Panel } from '../../components/panel.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { Specimen, State } from './specimen.tsx';

const CALLS = [0, 3, 40, 120, 1, 0, 90, 64, 200, 12];
const BARS = CALLS.map((all, step) => ({ all, bad: step % 3 === 0 ? Math.ceil(all / 9) : 0 }));

/** The values of a line, with a gap and a value alone. */
const valuesOf = (factor: number) =>
  CALLS.map((calls, step) => (step === 1 || step === 3 ? null : calls * factor));

export function Charts() {
  return (
    <>
      <Specimen of={['Bars', 'Lines']}>
        <State name="small, as in a table">
          <Bars bars={BARS} className="h-5 w-24" />
        </State>
        <State name="of nothing">
          <Bars bars={CALLS.map(() => ({ all: 0, bad: 0 }))} className="h-5 w-24" />
        </State>
        <State name="with gaps">
          <Lines
            className="h-16 w-60"
            lines={[
              { look: 'solid', values: valuesOf(1) },
              { look: 'dashed', values: valuesOf(1.4) },
              { look: 'dotted', values: valuesOf(2) },
            ]}
          />
        </State>
      </Specimen>
      <Specimen of={['TimeChart']}>
        <Panel>
          <TimeChart
            label="Calls by hour"
            steps={CALLS.length}
            nameOf={(step) => `0${step}:00`}
            describe={(step) => `0${step}:00: ${CALLS[step]} calls.`}
            summary="530 calls."
            most="200 calls"
          >
            <Bars bars={BARS} className="size-full" />
          </TimeChart>
        </Panel>
      </Specimen>
    </>
  );
}
