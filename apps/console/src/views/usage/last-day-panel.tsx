import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bars } from '../../components/bars.tsx';
import { buttonClass } from '../../components/button.tsx';
import { Load } from '../../components/load.tsx';
import { Pair, Pairs } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { barsOf, countsText, durationsText } from './counts.ts';
import { lastDayQuery } from './queries.ts';

interface LastDayPanelProps {
  readonly title: string;
  readonly of: 'application' | 'integration';
  readonly id: string;
}

/** The calls of an application or integration in the last 24 hours. */
export function LastDayPanel({ title, of, id }: LastDayPanelProps) {
  const query = useQuery(lastDayQuery({ [`${of}Id` as const]: id }));
  return (
    <Panel
      title={title}
      aside={
        <Link
          to="/activity/usage"
          search={{ [of]: id, rows: 'tool' }}
          className={buttonClass('secondary', 'small')}
        >
          See usage
        </Link>
      }
    >
      <Load query={query} skeleton={<SkeletonText lines={3} />}>
        {({ series: [all] }) =>
          all !== undefined && (
            <>
              <div className="px-4 pt-4">
                <Bars bars={barsOf(all.points)} className="h-14 w-full" />
              </div>
              <Pairs>
                <Pair name="Calls">{countsText(all.total)}</Pair>
                <Pair name="Duration">{durationsText(all.total)}</Pair>
                <Pair name="Last error">
                  {all.total.lastErrorAt === null ? '–' : <Time at={all.total.lastErrorAt} />}
                </Pair>
              </Pairs>
            </>
          )
        }
      </Load>
    </Panel>
  );
}
