/** Long enough that nothing but ids, bearers, client secrets and cursors looks like it. */
const TOKEN = /[A-Za-z0-9_-]{20,}/g;

/** Which text of the mock stands for a text of the server: ids, bearers, cursors, made-up addresses. */
export interface Names {
  /** False when the server's text already stands for another one, or the mock's is taken. */
  bind(server: string, mock: string): boolean;
  mockOf(server: string): string | undefined;
  /** The same text as the mock would have it. */
  translate(text: string): string;
}

export function createNames(): Names {
  const toMock = new Map<string, string>();
  const toServer = new Map<string, string>();
  const mockOf = (server: string) => toMock.get(server) ?? upperCase(toMock, server);
  return {
    mockOf,
    bind(server, mock) {
      const known = toMock.get(server);
      if (known !== undefined) return known === mock;
      if (toServer.has(mock)) return false;
      toMock.set(server, mock);
      toServer.set(mock, server);
      return true;
    },
    translate: (text) => text.replaceAll(TOKEN, (token) => mockOf(token) ?? token),
  };
}

function upperCase(toMock: ReadonlyMap<string, string>, text: string): string | undefined {
  return text === text.toUpperCase() ? toMock.get(text.toLowerCase())?.toUpperCase() : undefined;
}
