import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface StoredEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
}

/** Keeps the SSE events of one session in memory, so that a stream can be resumed after any of them. */
export function createEventStore(): EventStore {
  const events: StoredEvent[] = [];
  return {
    async storeEvent(streamId, message) {
      events.push({ streamId, message });
      return `${streamId}:${events.length - 1}`;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const separator = lastEventId.lastIndexOf(':');
      const streamId = lastEventId.slice(0, separator);
      const last = Number(lastEventId.slice(separator + 1));
      for (const [index, event] of [...events.entries()].slice(last + 1)) {
        // A priming event contains an empty object, which is not a message.
        if (event.streamId !== streamId || !('jsonrpc' in event.message)) continue;
        await send(`${streamId}:${index}`, event.message);
      }
      return streamId;
    },
  };
}
