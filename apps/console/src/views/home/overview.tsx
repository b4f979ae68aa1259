import type { Application, Integration } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { NeedsAttention } from './needs-attention.tsx';

interface OverviewProps {
  readonly integrations: readonly Integration[];
  readonly applications: readonly Application[];
}

/** What needs the person now, and how much there is of everything. */
export function Overview({ integrations, applications }: OverviewProps) {
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
        <NeedsAttention integrations={integrations} applications={applications} />
        <Panel title="In use">
          <dl className="grid grid-cols-2 wide:grid-cols-4">
            {factsOf(integrations, applications).map(({ name, figure, sentence }) => (
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

const sumOf = <Item,>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((sum, item) => sum + of(item), 0);

/** Of the newest hundred, which this view reads. */
function factsOf(integrations: readonly Integration[], applications: readonly Application[]) {
  const valid = integrations.filter(({ validationStatus }) => validationStatus === 'valid').length;
  const own = integrations.filter(({ userConnection }) => userConnection?.connected);
  const active = sumOf(applications, (each) => each.activeSessionCount);
  const used = applications.filter((each) => each.activeSessionCount > 0).length;
  return [
    {
      name: 'Sessions in use',
      figure: active,
      sentence: used === 1 ? 'through 1 application' : `through ${used} applications`,
    },
    {
      name: 'Sessions ever',
      figure: sumOf(applications, (each) => each.totalSessionCount),
      sentence: 'of these applications',
    },
    { name: 'Integrations', figure: integrations.length, sentence: `${valid} of them valid` },
    { name: 'My connections', figure: own.length, sentence: 'accounts and keys of yours' },
  ];
}
