import { Code } from '../../components/code.tsx';
import { Icon, iconNames } from '../../components/icon.tsx';
import { Logo } from '../../components/logo.tsx';
import { Mono, Pair, Pairs, Tag } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroller } from '../../components/scroller.tsx';
import { Status, StatusShape, type Tone } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { isolated, WithNames } from '../../components/with-names.tsx';
import { LONG, TEXT } from './samples.ts';
import { Specimen, State } from './specimen.tsx';

const TONES: readonly (readonly [Tone, string])[] = [
  ['ok', 'Valid'],
  ['warn', 'Pending'],
  ['bad', 'Invalid'],
  ['idle', 'Archived'],
];

const HOUR = 3_600_000;
const TIMES = [0, -HOUR, 26 * HOUR, -20 * 24 * HOUR].map((distance) =>
  new Date(Date.now() + distance).toISOString(),
);

export function Facts() {
  return (
    <>
      <Specimen of={['Status', 'StatusShape']}>
        <State name="each tone">
          {TONES.map(([tone, word]) => (
            <Status key={tone} tone={tone}>
              {word}
            </Status>
          ))}
        </State>
        <State name="shapes alone">
          {TONES.map(([tone]) => (
            <StatusShape key={tone} tone={tone} />
          ))}
        </State>
      </Specimen>
      <Specimen of={['Icon', 'Logo', 'Time']}>
        <State name="every icon">
          {iconNames.map((name) => (
            <span key={name} className="flex items-center gap-1.5">
              <Icon name={name} />
              {name}
            </span>
          ))}
        </State>
        <State name="logos">
          {['Linear', 'x', '事務所', LONG].map((name) => (
            <Logo key={name} name={name} />
          ))}
        </State>
        <State name="times">
          {TIMES.map((at) => (
            <Time key={at} at={at} />
          ))}
        </State>
      </Specimen>
      <Specimen of={['Panel', 'Pairs', 'Pair', 'Mono', 'Tag', 'WithNames']}>
        <Panel title="With a title" aside="and what stands beside it">
          <Pairs>
            <Pair name="Text">{LONG}</Pair>
            <Pair name="Of a program">
              <Mono>https://mcp.example.com/mcp</Mono>
            </Pair>
            <Pair name="A sentence with names">
              <WithNames text={`Used by ${isolated('קבוצה')} and ${isolated('Ops')}.`} />
            </Pair>
            <Pair name="Tags">
              <Tag>read only</Tag> <Tag>modern</Tag>
            </Pair>
          </Pairs>
        </Panel>
        <Panel>
          <p className="px-4 py-3">Without a title</p>
        </Panel>
      </Specimen>
      <Specimen of={['Code', 'Scroller']}>
        <Code
          text="claude mcp add --transport http linear https://mcp.example.com/mcp"
          label="a line"
        />
        <Scroller text={TEXT} label="A text that scrolls" />
      </Specimen>
    </>
  );
}
