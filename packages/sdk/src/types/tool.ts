import type { JsonObject } from './json.ts';
import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/**
 * A definition of a tool that an admin has approved.
 */
export interface ToolApproval {
  fingerprint: string;
  /** ISO 8601. */
  approvedAt: string;
  /** The id of the member. */
  approvedBy: string | null;
}

/**
 * One operation of a JSON Patch (RFC 6902).
 */
export interface ToolChange {
  op: Open<'add' | 'remove' | 'replace'>;
  /** A JSON pointer (RFC 6901). */
  path: string;
  value?: unknown;
}

/**
 * A tool of an integration, by the definition that was seen last.
 */
export interface Tool {
  name: string;
  /** Whether admins have approved no definition of it, only others, or this one. */
  state: Open<'new' | 'changed' | 'approved'>;
  /** SHA-256 of its name, title, description, icons, schemas, annotations, execution and page, in hexadecimal. */
  fingerprint: string;
  /** Latest first. */
  approved: ToolApproval[];
  /** Whether it says of itself that it changes nothing. */
  readOnly: boolean;
  /** `null` if it is too large to be shown. */
  definition: JsonObject | null;
  /** From the definition that was approved last to this one; `null` without one, or if one is too large. */
  changes: ToolChange[] | null;
  /** ISO 8601. When this definition was first seen. */
  firstSeenAt: string;
  /** ISO 8601. When the server began to list this definition last. */
  lastSeenAt: string;
}

/**
 * A page of tools.
 */
export interface ToolPage {
  items: Tool[];
  nextCursor: string | null;
}

/**
 * The query of `GET /integrations/:id/tools`.
 */
export interface ListToolsQuery extends PageQuery {
  /** Only tools in this state. */
  readonly state?: 'new' | 'changed' | 'approved' | undefined;
}

/**
 * Body of `POST /integrations/:id/tools/approve` and `…/withdraw`.
 */
export interface ToolFingerprintsBody {
  /** By the names of the tools, at most 5,000. */
  readonly fingerprints: Readonly<Record<string, string>>;
}

/**
 * The response to a {@link ToolFingerprintsBody}.
 */
export interface ChangedToolsResponse {
  /** The names of the tools that were not already so. */
  changed: string[];
}
