import { connectionReasonLabels } from '@gatehouse/contract';
import type { Application, Integration } from '@gatehouse/sdk';
import { Link } from '@tanstack/react-router';
import { sentenceOf } from '../../api/labels.ts';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusShape } from '../../components/status.tsx';
import { useChangedTools } from './changed-tools.tsx';
import { useEndingCertificates, useEndingTokens } from './ending-soon.tsx';
import { type Need, SMALL } from './need.ts';
import { useNodesBehind } from './nodes-behind.tsx';

interface NeedsAttentionProps {
  readonly integrations: readonly Integration[];
  readonly applications: readonly Application[];
}

export function NeedsAttention({ integrations, applications }: NeedsAttentionProps) {
  const attached = new Set(applications.flatMap((each) => each.integrations.map(({ id }) => id)));
  const changed = useChangedTools(integrations.filter(({ id }) => attached.has(id)));
  const needs = [
    ...integrations.flatMap(invalidOf),
    ...integrations.flatMap(connectionOf),
    ...useEndingCertificates(integrations),
    ...useEndingTokens(),
    ...changed,
    ...useNodesBehind(),
  ];
  return (
    <Panel
      title="Needs attention"
      aside={needs.length > 0 && <span className="tabular-nums">{needs.length}</span>}
    >
      {needs.length === 0 ? (
        <Empty sentence="Nothing needs you. Integrations that fail, connections, certificates and tokens that end, tools that change and nodes that run an older version are shown here." />
      ) : (
        <ul>
          {needs.map(({ key, tone, title, sentence, action }) => (
            <li
              key={key}
              className="flex flex-wrap gap-2 border-b border-line px-4 py-3 last:border-b-0"
            >
              <span className="flex h-5 w-5 items-center">
                <StatusShape tone={tone} />
              </span>
              <div className="min-w-0 flex-1 basis-56">
                <h3 className="foreign font-medium">{title}</h3>
                <p className="foreign text-ink-2">{sentence}</p>
              </div>
              <div className="ml-7">{action}</div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function invalidOf(integration: Integration): Need[] {
  const { id, name, validationStatus, validationMessage, userConnection } = integration;
  // Where the person's own connection is the cause, the next list says it.
  if (validationStatus !== 'invalid' || userConnection?.reason !== undefined) return [];
  const action = (
    <Link to="/integrations/$id" params={{ id }} className={SMALL}>
      Look at it
    </Link>
  );
  const title = `${name} cannot be used`;
  return [{ key: `invalid ${id}`, tone: 'bad', title, sentence: validationMessage ?? '', action }];
}

function connectionOf({ id, name, userConnection }: Integration): Need[] {
  const reason = userConnection?.reason;
  if (reason === undefined) return [];
  const action = (
    <Link to="/connections" search={{ connect: id }} className={SMALL}>
      Connect again
    </Link>
  );
  const sentence = sentenceOf(connectionReasonLabels, reason);
  return [
    { key: `connection ${id}`, tone: 'warn', title: `Connect ${name} again`, sentence, action },
  ];
}
