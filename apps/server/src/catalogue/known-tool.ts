import type { PinState, ToolFacts } from '@gatehouse/contract';
import type { Definition } from './fingerprint.ts';

/** An integration, and the URL that its tools are listed at. */
export interface ToolSource {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly url: string;
}

/** What decides about a definition. */
export type Fingerprints = Pick<Definition, 'fingerprint' | 'schemaFingerprint' | 'readOnly'>;

/** A tool as the catalogue knows it. */
export interface KnownTool {
  /** The definition seen last. */
  readonly latest: Fingerprints;
  /** The fingerprints that admins have approved. */
  readonly approved: ReadonlySet<string>;
  readonly approvedSchemas: ReadonlySet<string>;
}

const NONE_APPROVED: ReadonlySet<string> = new Set();

/** What decides about one definition of a tool. @param known undefined for a tool that was never seen */
export function factsOf(known: KnownTool | undefined, definition: Fingerprints): ToolFacts {
  const { approved = NONE_APPROVED, approvedSchemas = NONE_APPROVED } = known ?? {};
  return {
    readOnly: definition.readOnly,
    pins: {
      definition: stateOf(approved, definition.fingerprint),
      schema: stateOf(approvedSchemas, definition.schemaFingerprint),
    },
  };
}

function stateOf(approved: ReadonlySet<string>, fingerprint: string): PinState {
  if (approved.has(fingerprint)) return 'approved';
  return approved.size > 0 ? 'changed' : 'new';
}
