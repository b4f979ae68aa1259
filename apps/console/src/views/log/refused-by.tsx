import { policyLevelLabels } from '@gatehouse/contract';
import type { AuditEvent } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { labelOf } from '../../api/labels.ts';
import { Mono } from '../../components/pairs.tsx';
import { actorNameOf } from './actor.ts';
import type { Call } from './call.ts';
import { exactTimeOf } from './clock.tsx';
import { rulesBeforeQuery } from './queries.ts';
import { type RefusingRule, refusingRules } from './refusing-rules.ts';

interface RefusedByProps {
  readonly reason: string;
  readonly event: AuditEvent;
  readonly call: Call;
}

/** The rules that gave a reason: their level, the pattern, and who set them when. */
export function RefusedBy({ reason, event, call }: RefusedByProps) {
  const { integrationId, applicationId } = call;
  const isRule = event.outcome === 'policy' && integrationId !== undefined;
  const { data = [] } = useQuery({
    ...rulesBeforeQuery({ integrationId, applicationId, to: event.at }),
    enabled: isRule,
  });
  if (!isRule) return null;
  return refusingRules(reason, call, data).map((rule) => (
    <Rule key={`${rule.level} ${rule.setBy.id}`} rule={rule} />
  ));
}

function Rule({ rule: { level, pattern, setBy } }: { rule: RefusingRule }) {
  return (
    <span className="block text-ink-2">
      {labelOf(policyLevelLabels, level)}
      {pattern !== undefined && (
        <>
          : <Mono>{pattern}</Mono>
        </>
      )}
      . Set by <bdi>{actorNameOf(setBy)}</bdi> on{' '}
      <Link to="/activity/log" search={{ event: setBy.id }} className="text-accent underline">
        {exactTimeOf(setBy.at)}
      </Link>
      .
    </span>
  );
}
