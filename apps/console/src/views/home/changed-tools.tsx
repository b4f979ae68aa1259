import type { Integration } from '@gatehouse/sdk';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { onceAMinute } from '../../api/refresh.ts';
import { useIsAdmin } from '../../shell/me.ts';
import { type Need, SMALL } from './need.ts';

/** One request for each integration: only of the newest that applications use, and once a minute. */
const LOOKED_AT = 20;
const words = new Intl.ListFormat('en', { type: 'conjunction' });

/** Tools with another definition than the approved one, for admins, who approve them. */
export function useChangedTools(integrations: readonly Integration[]): Need[] {
  const isAdmin = useIsAdmin();
  const looked = isAdmin ? integrations.slice(0, LOOKED_AT) : [];
  return useQueries({
    queries: looked.map(({ id, name }) => ({
      queryKey: ['integrations', 'changed', id],
      ...onceAMinute,
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
