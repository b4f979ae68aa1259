import { aliasIn, looksShortened, prefixOf } from './exposed-name.ts';
import { type AttachmentNames, RESERVED_ALIAS } from './names-of-attachment.ts';

/** Where an exposed name leads. */
export interface Target<Attachment> {
  readonly attachment: Attachment;
  /** The exposed name without the alias, which is the integration's own name unless it was shortened. */
  readonly name: string;
  /** Whether it ends like a shortened name: then {@link soughtName} tells the integration's own name. */
  readonly isSought: boolean;
}

/**
 * The way back from an exposed name, for which no list is needed unless the name may be a shortened one.
 *
 * @param attachments of the application, by alias
 * @returns undefined for a name that leads nowhere, as those that only Gatehouse's tools may have
 */
export function targetOf<Attachment>(
  attachments: ReadonlyMap<string, Attachment>,
  exposedName: string,
): Target<Attachment> | undefined {
  const first = aliasIn(exposedName);
  if (first === RESERVED_ALIAS) return undefined;
  const alias = first !== undefined && attachments.has(first) ? first : '';
  const attachment = attachments.get(alias);
  if (attachment === undefined) return undefined;
  const name = exposedName.slice(prefixOf(alias).length);
  return { attachment, name, isSought: looksShortened(name) };
}

/**
 * The integration's own name for an exposed name that may be a shortened one.
 *
 * @param name the exposed name without the alias, which is the own name if the integration lists no other
 * @param names from the integration's list as it is now
 * @returns undefined where several names meet, as it may mean either of them
 */
export function soughtName(
  { owners }: AttachmentNames,
  exposedName: string,
  name: string,
): string | undefined {
  const [owner = name, ...others] = owners.get(exposedName) ?? [];
  return others.length === 0 ? owner : undefined;
}
