import { MODERN, STATELESS } from '../../fixture.ts';
import type { DrawnList } from './arbitraries.ts';
import { reasonIn } from './ask-gateway.ts';
import { PROMPTS, RESOURCES, TEMPLATES, TOOLS } from './messages.ts';
import { type Entry, LISTS, type Listed } from './oracle/lists.ts';
import { type RunState, tokenOf, toolOf, urlOf } from './run.ts';
import { at, type Worlds } from './world.ts';

const NAMES = {
  tools: TOOLS,
  prompts: PROMPTS,
  resources: RESOURCES,
  resourceTemplates: TEMPLATES,
};

export function entriesOf({ key, versions }: DrawnList): Entry[] {
  return NAMES[key].map((name, place) =>
    key === 'tools' ? { name, version: at(versions, place) } : { name },
  );
}

/** Asks for a list, in one of the ways in which lists come. */
export async function askForList(
  worlds: Worlds,
  state: RunState,
  drawn: DrawnList,
): Promise<Listed> {
  const { key, via, caller } = drawn;
  const { method, identifier } = LISTS[key];
  const entries = entriesOf(drawn).map(({ name, version }) =>
    version === undefined ? { [identifier]: name } : toolOf(name, version),
  );
  const isStream = via === 'stream';
  worlds.world.listing = { key, entries, via: isStream || via === 'events' ? 'events' : 'json' };
  const answer = await worlds.send(urlOf(worlds, state, caller), {
    token: tokenOf(worlds, state, caller),
    method: isStream ? 'GET' : 'POST',
    ...(!isStream && { body: { jsonrpc: '2.0', id: 1, method } }),
    headers: {
      ...(via === 'modern' ? { ...MODERN, 'mcp-method': method } : STATELESS),
      // A stream has responses only for a client that resumes that of a request.
      ...(isStream && { 'last-event-id': '0' }),
    },
  });
  const text = Buffer.from(await answer.text(), 'latin1').toString();
  const data = text.startsWith('data: ') ? text.split('\n', 1).join('').slice(6) : text;
  const body = JSON.parse(data);
  if (answer.status === 403) return { kind: 'kept_out', reasons: body.reasons.map(reasonIn) };
  const { [key]: listed, cacheScope } = body.result;
  const names = listed.map((entry: Record<string, string>) => entry[identifier]);
  return { kind: 'listed', names, cacheScope };
}
