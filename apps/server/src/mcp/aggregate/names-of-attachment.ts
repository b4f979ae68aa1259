import { aliasIn, exposedNameOf, type NameSource } from './exposed-name.ts';
import type { NameReason } from './left-out.ts';

/** Gatehouse's tools have it: no attachment may. */
export const RESERVED_ALIAS = 'gatehouse';

const NOT_UNIQUE: NameReason = 'name_not_unique';

/** An attachment, as far as names depend on it. */
export interface NamingAttachment extends Omit<NameSource, 'name'> {
  /** The aliases of the application's attachments. Only names of the one without an alias depend on them. */
  readonly aliases: ReadonlySet<string>;
}

/** The names of an attachment's tools, or of its prompts. */
export interface AttachmentNames {
  /** The exposed names, by the integration's own. */
  readonly exposed: ReadonlyMap<string, string>;
  /** Why the other names of the integration are left out. */
  readonly leftOut: ReadonlyMap<string, NameReason>;
  /** The integration's own names, by the exposed name: more than one where they meet. */
  readonly owners: ReadonlyMap<string, readonly string[]>;
}

/**
 * Which names of an integration are exposed, and under which names.
 *
 * @param names of its tools or of its prompts, as often as it lists them
 */
export function namesOfAttachment(
  attachment: NamingAttachment,
  names: readonly string[],
): AttachmentNames {
  const listed = new Set<string>();
  const repeated = new Set<string>();
  const owners = new Map<string, string[]>();
  for (const name of names) {
    if (listed.has(name)) repeated.add(name);
    else addOwner(owners, exposedNameOf({ ...attachment, name }), name);
    listed.add(name);
  }
  const exposed = new Map<string, string>();
  const leftOut = new Map<string, NameReason>();
  for (const [exposedName, [name = '', ...others]] of owners) {
    const isUnique = others.length === 0 && !repeated.has(name);
    const reason = prefixFault(attachment, exposedName) ?? (isUnique ? undefined : NOT_UNIQUE);
    if (reason === undefined) exposed.set(name, exposedName);
    else for (const owner of [name, ...others]) leftOut.set(owner, reason);
  }
  return { exposed, leftOut, owners };
}

function addOwner(owners: Map<string, string[]>, exposedName: string, name: string): void {
  const others = owners.get(exposedName);
  if (others === undefined) owners.set(exposedName, [name]);
  else others.push(name);
}

/**
 * Why a name without a prefix of ours would lead elsewhere. The exposed name decides: it can begin like an alias
 * because characters were replaced.
 */
function prefixFault(
  { alias, aliases }: NamingAttachment,
  exposedName: string,
): NameReason | undefined {
  const first = aliasIn(exposedName);
  if (alias !== '' || first === undefined) return undefined;
  if (first === RESERVED_ALIAS) return 'reserved_name';
  return aliases.has(first) ? 'alias_of_another' : undefined;
}
