import type { Overview as OverviewBody } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { type Fact, Facts } from './facts.tsx';
import { LastDay } from './last-day.tsx';
import { NeedsAttention } from './needs-attention.tsx';

/** What needs the person now, and how much there is of everything. */
export function Overview({ overview }: { overview: OverviewBody }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      <PageHead
        title="Home"
        sentence="What needs your attention, and what is in use."
        actions={
          isAdmin && (
            <Link to="/integrations/new" className={buttonClass('primary')}>
              <Icon name="plus" />
              Add integration
            </Link>
          )
        }
      />
      <div className="grid gap-4">
        <NeedsAttention attention={overview.attention} />
        <LastDay />
        <Panel title="In use">
          <Facts facts={factsOf(overview, isAdmin)} />
        </Panel>
      </div>
    </>
  );
}

function factsOf(overview: OverviewBody, isAdmin: boolean): Fact[] {
  const { integrations, applications, sessions, connections } = overview;
  const own = isAdmin ? '' : ' of yours';
  return [
    {
      name: 'Sessions in use',
      figure: sessions.active.toLocaleString('en'),
      sentence:
        applications.inUse === 1
          ? `through 1 application${own}`
          : `through ${applications.inUse} applications${own}`,
    },
    {
      name: 'Sessions in total',
      figure: sessions.total.toLocaleString('en'),
      sentence: isAdmin ? 'through all applications' : 'through your applications',
    },
    {
      name: 'Integrations',
      figure: integrations.total.toLocaleString('en'),
      sentence: `${integrations.valid.toLocaleString('en')} of them valid`,
    },
    {
      name: 'My connections',
      figure: connections.toLocaleString('en'),
      sentence: 'your accounts and keys',
    },
  ];
}
