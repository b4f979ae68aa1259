/** A request of an integration to the client, as the client knows it. */
export interface ServerRequestId {
  readonly attachmentId: string;
  /** The integration's own, raw JSON. */
  readonly id: string;
}

const FORM = /^"gatehouse\.([0-9a-f-]{36})\.([\w-]+)"$/;

/** An id that leads the client's response back, on any node. @returns raw JSON */
export function idForClient({ attachmentId, id }: ServerRequestId): string {
  return `"gatehouse.${attachmentId}.${Buffer.from(id).toString('base64url')}"`;
}

/** Undefined for an id that is not of this form. What it holds is not trusted: it reaches only the caller's own session. */
export function readServerRequestId(raw: string): ServerRequestId | undefined {
  const [, attachmentId, encoded] = FORM.exec(raw) ?? [];
  if (attachmentId === undefined || encoded === undefined) return undefined;
  const id = Buffer.from(encoded, 'base64url').toString();
  return isRawId(id) ? { attachmentId, id } : undefined;
}

/** A string or a number: nothing else could be put into a body in its place. */
function isRawId(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' || typeof value === 'number';
  } catch {
    return false;
  }
}
