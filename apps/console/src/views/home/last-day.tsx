import type { UsageSeries } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { CallsChart } from '../usage/charts.tsx';
import { durationText } from '../usage/labels.ts';
import { lastDayQuery } from '../usage/queries.ts';
import { type Fact, Facts } from './facts.tsx';
import { SMALL } from './need.ts';

/** What was called in the last 24 hours: by everyone for admins, and else by the person. */
export function LastDay() {
  const isAdmin = useIsAdmin();
  const query = useQuery(lastDayQuery());
  return (
    <Panel
      title="Last 24 hours"
      aside={
        <Link to="/activity/usage" className={SMALL}>
          See usage
        </Link>
      }
    >
      <Load query={query} skeleton={<SkeletonText lines={3} />}>
        {({ step, series: [all] }) =>
          all !== undefined && (
            <>
              <Facts facts={factsOf(all.total, isAdmin)} />
              {all.total.calls > 0 && (
                <div className="border-t border-line">
                  <CallsChart step={step} series={all} />
                </div>
              )}
            </>
          )
        }
      </Load>
    </Panel>
  );
}

const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

function factsOf(total: UsageSeries['total'], isAdmin: boolean): Fact[] {
  const { calls, refusals, errors, upstreamErrors, p50, p99 } = total;
  const failed = errors + upstreamErrors;
  return [
    {
      name: 'Calls',
      figure: calls.toLocaleString('en'),
      sentence: isAdmin ? 'through all applications' : 'of yours',
    },
    {
      name: 'Refused',
      figure: refusals.toLocaleString('en'),
      sentence: calls === 0 ? '–' : `${shares.format(refusals / calls)} of all calls`,
    },
    {
      name: 'Failed',
      figure: failed.toLocaleString('en'),
      sentence:
        failed === 0
          ? '–'
          : `${upstreamErrors.toLocaleString('en')} upstream, ${errors.toLocaleString('en')} in Gatehouse`,
    },
    { name: 'Median duration', figure: durationText(p50), sentence: `p99 ${durationText(p99)}` },
  ];
}
