/** One server-sent event. Absent fields are not sent. */
export interface SseEvent {
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds. */
  readonly retry?: number;
  /** A string is sent as it is, line by line; anything else as JSON. */
  readonly data: unknown;
}

/** Formats an event (WHATWG HTML, section 9.2). */
export function formatSseEvent({ event, id, retry, data }: SseEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...text.split('\n').map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}
