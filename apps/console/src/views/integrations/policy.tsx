import type { Integration } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { WithNames } from '../../components/with-names.tsx';
import { policySentences } from '../policy-sentences.ts';
import { useNames } from '../use-names.ts';
import { policyQuery } from './queries.ts';

/** The rules that bind every application with the integration, in sentences. */
export function IntegrationPolicyPanel({ integration }: { integration: Integration }) {
  const { id, archivedAt } = integration;
  const query = useQuery(policyQuery(id));
  const nameOf = useNames();
  const edit = archivedAt === null && (
    <Link
      to="/integrations/$id/policy"
      params={{ id }}
      className={buttonClass('secondary', 'small')}
    >
      Edit rules
    </Link>
  );
  return (
    <Panel title="Who may use it, and what of it" aside={edit}>
      <Load query={query} skeleton={<SkeletonText />}>
        {({ policy }) => {
          const sentences = policySentences(policy, nameOf, 'everyone');
          const perApplication = Object.keys(policy.perApplication ?? {}).length;
          if (sentences.length === 0 && perApplication === 0) {
            return (
              <Empty sentence="No rule binds it: every member may use all of it through every application that it is attached to." />
            );
          }
          return (
            <ul className="grid gap-2 px-4 py-3">
              {sentences.map((sentence) => (
                <li key={sentence} className="foreign">
                  <WithNames text={sentence} />
                </li>
              ))}
              {perApplication > 0 && (
                <li>
                  Additional rules apply to {perApplication}{' '}
                  {perApplication === 1 ? 'application' : 'applications'}.
                </li>
              )}
            </ul>
          );
        }}
      </Load>
    </Panel>
  );
}
