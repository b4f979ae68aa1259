import { type PolicyLevelName, policyLevelLabels } from '@gatehouse/contract';
import type { AccessPolicy, IntegrationPolicy, Policy } from '@gatehouse/sdk';
import { useQueries } from '@tanstack/react-query';
import { keysOf } from '../../api/keys-of.ts';
import { Load } from '../../components/load.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { StatusShape, type Tone } from '../../components/status.tsx';
import { WithNames } from '../../components/with-names.tsx';
import { attachmentPolicyQuery } from '../applications/queries.ts';
import { policyQuery } from '../integrations/queries.ts';
import { policySentences } from '../policy-sentences.ts';
import { useNames } from '../use-names.ts';
import type { GraphEdge } from './graph.ts';
import type { PairIds } from './queries.ts';

type Rules = Readonly<Record<PolicyLevelName, Policy>>;

/** Why an edge is as it is: what keeps everybody out, and what the rules of each level say. */
export function Levels({ edge: { policy }, pair }: { edge: GraphEdge; pair: PairIds }) {
  const query = useRules(pair);
  const reasons = policy?.reasons ?? [];
  const ofNoRule = reasons.filter(({ level }) => level === undefined);
  return (
    <ul className="grid">
      {ofNoRule.map(({ code, message }) => (
        <Fact key={code} tone="bad" sentences={[message]} />
      ))}
      <Load query={query} skeleton={<SkeletonText />}>
        {(rules) =>
          keysOf(policyLevelLabels).map((level) => (
            <Level key={level} level={level} rules={rules[level]} reasons={reasons} />
          ))
        }
      </Load>
    </ul>
  );
}

/** The rules of an edge by their levels. */
function useRules(pair: PairIds) {
  return useQueries({
    queries: [
      policyQuery(pair.integrationId),
      attachmentPolicyQuery(pair.applicationId, pair.integrationId),
    ],
    combine: ([integration, attachment]) => ({
      error: integration.error ?? attachment.error,
      data:
        integration.data &&
        attachment.data &&
        rulesOf(integration.data.policy, attachment.data.policy, pair),
    }),
  });
}

function rulesOf(
  integration: IntegrationPolicy,
  attachment: Policy,
  { applicationId }: PairIds,
): Rules {
  return {
    integration,
    application: integration.perApplication?.[applicationId] ?? {},
    attachment,
  };
}

interface LevelProps {
  readonly level: PolicyLevelName;
  readonly rules: Policy;
  readonly reasons: AccessPolicy['reasons'];
}

function Level({ level, rules, reasons }: LevelProps) {
  const refusals = reasons.filter((reason) => reason.level === level);
  const sentences = policySentences(
    rules,
    useNames(),
    level === 'integration' ? 'everyone' : 'person',
  );
  const { tools, prompts, resources } = rules;
  const isLimited = tools !== undefined || prompts !== undefined || resources !== undefined;
  const allowed = sentences.length === 0 ? 'idle' : isLimited ? 'warn' : 'ok';
  return (
    <Fact
      tone={refusals.length > 0 ? 'bad' : allowed}
      sentences={[...refusals.map(({ message }) => message), ...sentences]}
      place={policyLevelLabels[level].label}
    />
  );
}

interface FactProps {
  readonly tone: Tone;
  readonly sentences: readonly string[];
  /** Where the rules are, if they are rules. */
  readonly place?: string;
}

function Fact({ tone, sentences, place }: FactProps) {
  return (
    <li className="grid grid-cols-[16px_1fr] gap-2 border-b border-line py-2.5 last:border-b-0">
      <span className="flex h-5 items-center">
        <StatusShape tone={tone} />
      </span>
      <div className="min-w-0">
        {sentences.length === 0 && <p className="text-ink-2">No rule.</p>}
        {sentences.map((sentence) => (
          <p key={sentence} className="foreign">
            <WithNames text={sentence} />
          </p>
        ))}
        {place !== undefined && <p className="text-12 text-ink-3">{place}</p>}
      </div>
    </li>
  );
}
