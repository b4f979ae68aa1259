import { connectionReasonLabels } from '@gatehouse/contract';
import type { Application, Integration } from '@gatehouse/sdk';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { sentenceOf } from '../../api/labels.ts';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusShape, type Tone } from '../../components/status.tsx';
import { useIsAdmin } from '../../shell/me.ts';

/** One request for each integration: only of the newest that applications use, and once a minute. */
const LOOKED_AT = 20;
const MINUTE = 60_000;
const words = new Intl.ListFormat('en', { type: 'conjunction' });

interface Need {
  readonly key: string;
  readonly tone: Tone;
  readonly title: string;
  readonly sentence: string;
  readonly action: ReactNode;
}

const SMALL = buttonClass('secondary', 'small');

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
    ...changed,
  ];
  return (
    <Panel
      title="Needs attention"
      aside={needs.length > 0 && <span className="tabular-nums">{needs.length}</span>}
    >
      {needs.length === 0 ? (
        <Empty sentence="Nothing needs you. Integrations that fail, connections that end and tools that change are shown here." />
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

/** Tools with another definition than the approved one, for admins, who approve them. */
function useChangedTools(integrations: readonly Integration[]): Need[] {
  const isAdmin = useIsAdmin();
  const looked = isAdmin ? integrations.slice(0, LOOKED_AT) : [];
  return useQueries({
    queries: looked.map(({ id, name }) => ({
      queryKey: ['integrations', 'changed', id],
      staleTime: MINUTE,
      refetchInterval: MINUTE,
      queryFn: async () => {
        const { items } = await gatehouse.request('GET', '/integrations/:id/tools', {
          params: { id },
          query: { state: 'changed', limit: 10 },
        });
        return { id, name, tools: items.map((tool) => tool.name) };
      },
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? changedOf(data) : [])),
  });
}

interface Changed {
  readonly id: string;
  readonly name: string;
  readonly tools: readonly string[];
}

function changedOf({ id, name, tools }: Changed): Need[] {
  if (tools.length === 0) return [];
  const action = (
    <Link to="/integrations/$id" params={{ id }} search={{ tab: 'tools' }} className={SMALL}>
      Review changes
    </Link>
  );
  const title = `${name} changed ${tools.length === 1 ? 'a tool' : `${tools.length} tools`}`;
  const sentence = `${words.format(tools)} ${tools.length === 1 ? 'has' : 'have'} another definition than the approved one.`;
  return [{ key: `tools ${id}`, tone: 'warn', title, sentence, action }];
}
