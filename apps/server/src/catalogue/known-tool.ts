import type { PinState, ToolFacts } from '@gatehouse/contract';
import type { Definition } from './fingerprint.ts';

/** An integration, and the URL that its tools are listed at. */
export interface ToolSource {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly url: string;
}

/** The parts of a definition that approvals are compared with. */
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

/** The facts of a definition for rules. @param known undefined for a tool that was never seen */
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
