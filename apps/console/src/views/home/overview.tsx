import type { Overview as OverviewBody } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { NeedsAttention } from './needs-attention.tsx';

/** What needs the person now, and how much there is of everything. */
export function Overview({ overview }: { overview: OverviewBody }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      <PageHead
        title="Home"
        sentence="What needs you now, and what is in use."
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
        <Panel title="In use">
          <dl className="grid grid-cols-2 wide:grid-cols-4">
            {factsOf(overview, isAdmin).map(({ name, figure, sentence }) => (
              <div
                key={name}
                className="border-line p-4 not-last:wide:border-r max-wide:odd:border-r max-wide:nth-[-n+2]:border-b"
              >
                <dt className="text-ink-2">{name}</dt>
                <dd>
                  <span className="block text-24 font-semibold tracking-[-0.015em] tabular-nums">
                    {figure.toLocaleString('en')}
                  </span>
                  <span className="text-12 text-ink-3">{sentence}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      </div>
    </>
  );
}

function factsOf(overview: OverviewBody, isAdmin: boolean) {
  const { integrations, applications, sessions, connections } = overview;
  const own = isAdmin ? '' : ' of yours';
  return [
    {
      name: 'Sessions in use',
      figure: sessions.active,
      sentence:
        applications.inUse === 1
          ? `through 1 application${own}`
          : `through ${applications.inUse} applications${own}`,
    },
    {
      name: 'Sessions ever',
      figure: sessions.total,
      sentence: isAdmin ? 'through all applications' : 'through applications of yours',
    },
    {
      name: 'Integrations',
      figure: integrations.total,
      sentence: `${integrations.valid.toLocaleString('en')} of them valid`,
    },
    { name: 'My connections', figure: connections, sentence: 'accounts and keys of yours' },
  ];
}
