import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { policySentences } from '../policy-sentences.ts';
import { policyQuery } from './queries.ts';

/** The rules that bind every application with the integration, in sentences. */
export function IntegrationPolicyPanel({ id }: { id: string }) {
  const query = useQuery(policyQuery(id));
  return (
    <Panel title="Who may use it, and what of it">
      <Load query={query} skeleton={<SkeletonText />}>
        {({ policy }) => {
          const sentences = policySentences(policy);
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
                  {sentence}
                </li>
              ))}
              {perApplication > 0 && (
                <li>
                  Further rules bind {perApplication}{' '}
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
