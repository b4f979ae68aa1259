import { setImmediate } from 'node:timers/promises';
import { isExpansionOf } from '@gatehouse/contract';
import { pageKeyOf } from '../../mcp/aggregate/named-pages.ts';
import { namesOfAttachment } from '../../mcp/aggregate/names-of-attachment.ts';
import { soughtName, targetOf } from '../../mcp/aggregate/target-of.ts';
import type { Envelope, Message } from '../../mcp/envelope/message.ts';
import type { Era } from '../../mcp/era.ts';
import type { ListKey } from '../../mcp/methods.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import type { AggregateLists } from './lists/lists.ts';
import { withoutRepeated } from './lists/page.ts';

/** The integration that a request is for. */
export interface RequestTarget {
  readonly attachment: AggregateAttachment;
  /** What its name is in, and the integration's own name; undefined where the request stays as it is. */
  readonly named?: { readonly at: Pick<Message, 'name' | 'nameAt'>; readonly name: string };
}

/**
 * What a request says where it goes, by the integration's own name. Positions are left out, as they are of the client's body.
 *
 * @param id raw JSON, as is the token
 */
export function envelopeFor(
  message: Message,
  { named }: RequestTarget,
  id: string | undefined = message.id,
  progressToken: string | undefined = message.progressToken,
): Envelope {
  const name = named?.at === message ? named.name : message.name;
  if (name === message.name && id === message.id) return { kind: 'message', message };
  const own = { id, name, progressToken, idAt: undefined, nameAt: undefined };
  return { kind: 'message', message: { ...message, ...own } };
}

const MODERN = ['tools/call', 'prompts/get', 'resources/read', 'completion/complete'];

/** Requests that only one integration answers, by era. */
export const TARGETED: Readonly<Record<Era, ReadonlySet<string>>> = {
  modern: new Set(MODERN),
  legacy: new Set([...MODERN, 'resources/subscribe', 'resources/unsubscribe']),
};

/** Where a request goes; undefined where nothing has its name or URI. */
export async function findTarget(
  client: InSession,
  message: Message,
  lists: AggregateLists,
): Promise<RequestTarget | undefined> {
  const { method, ref } = message;
  if (method === 'tools/call') return byName(client, message, 'tools', lists);
  if (method === 'prompts/get') return byName(client, message, 'prompts', lists);
  if (method !== 'completion/complete') return byUri(client, message.uri, lists);
  if (ref?.type === 'ref/prompt') return byName(client, ref, 'prompts', lists);
  return byUri(client, ref?.uri, lists);
}

async function byName(
  client: InSession,
  at: Pick<Message, 'name' | 'nameAt'>,
  list: ListKey,
  lists: AggregateLists,
): Promise<RequestTarget | undefined> {
  const { name: exposed = '' } = at;
  const target = targetOf(client.application.byAlias, exposed);
  if (target === undefined) return undefined;
  const { attachment, name, isSought } = target;
  if (!isSought) return { attachment, named: { at, name } };
  const own = await seek(client, attachment, { exposed, name, list }, lists);
  return own === undefined ? undefined : { attachment, named: { at, name: own } };
}

/** The list may be out of date: what it does not have is the name itself. */
async function seek(
  client: InSession,
  attachment: AggregateAttachment,
  { exposed, name, list }: { exposed: string; name: string; list: ListKey },
  lists: AggregateLists,
): Promise<string | undefined> {
  const { list: spliced } = await lists.part(client, attachment, list);
  const { nameLength, aliases } = client.application;
  const names = spliced?.names ?? namesOfAttachment({ ...attachment, nameLength, aliases }, []);
  return soughtName(names, exposed, name);
}

/** The integrations that own resources, with the URIs of each. Those without an owner are left out. */
export async function ownersOf(
  client: InSession,
  uris: readonly string[],
  lists: AggregateLists,
): Promise<ReadonlyMap<AggregateAttachment, readonly string[]>> {
  const owned = new Map<AggregateAttachment, string[]>();
  for (const uri of uris) {
    const target = await byUri(client, uri, lists);
    if (target !== undefined) {
      const { attachment } = target;
      owned.set(attachment, [...(owned.get(attachment) ?? []), uri]);
    }
    await setImmediate();
  }
  return owned;
}

/** The owner of the page, of the same URI, or of the first template that it may come from. */
async function byUri(
  client: InSession,
  uri: string | undefined,
  lists: AggregateLists,
): Promise<RequestTarget | undefined> {
  if (uri === undefined) return undefined;
  const owner = pageKeyOf(uri) === undefined ? 'unnamed' : (await lists.pages(client)).ownerOf(uri);
  if (owner === 'unclear') return undefined;
  if (owner !== 'unnamed') return ofAttachment(client, owner.attachmentId);
  const isIt = (identifier: string) => identifier === uri;
  const isFrom = (template: string) => template === uri || isExpansionOf(template, uri);
  return (
    (await ownerOf(client, 'resources', isIt, lists)) ??
    (await ownerOf(client, 'resourceTemplates', isFrom, lists))
  );
}

function ofAttachment({ application }: InSession, attachmentId: string): RequestTarget | undefined {
  const attachment = application.attachments.find((one) => one.attachmentId === attachmentId);
  return attachment && { attachment };
}

async function ownerOf(
  client: InSession,
  list: ListKey,
  isIt: (identifier: string) => boolean,
  lists: AggregateLists,
): Promise<RequestTarget | undefined> {
  const parts = await lists.list(client, list);
  const owner = withoutRepeated(parts, list).find(({ listed }) =>
    listed.some(({ identifier }) => isIt(identifier)),
  );
  return owner && ofAttachment(client, owner.attachmentId);
}
