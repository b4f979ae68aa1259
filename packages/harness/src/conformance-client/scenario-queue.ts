import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../listen.ts';

/** What a client has to do: a scenario, and the mock server for it. */
export interface ClientScenario {
  readonly name: string;
  /** The revision of MCP that the mock speaks; absent where the tool does not say. */
  readonly protocolVersion?: string;
  /** The MCP endpoint of the mock. */
  readonly url: string;
  /** What an administrator would know, such as a client id. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Plays the client of one scenario. A rejection is a client that ends with an error. */
export type PlayScenario = (scenario: ClientScenario) => Promise<void>;

/** How a client ended. */
export interface PlayedScenario {
  readonly name: string;
  /** Of the error with which it ended. */
  readonly error?: string;
}

/** Takes scenarios by HTTP. */
export interface ScenarioQueue {
  readonly url: string;
  /** In the order of their ends. */
  readonly played: readonly PlayedScenario[];
  close(): Promise<void>;
}

/**
 * Plays the scenarios that `forward.mjs` sends, one after another: the tool starts all at once, and some of
 * them measure time.
 */
export async function startScenarioQueue(play: PlayScenario): Promise<ScenarioQueue> {
  const played: PlayedScenario[] = [];
  let last = Promise.resolve();
  const playNext = async (scenario: ClientScenario): Promise<PlayedScenario> => {
    const { name } = scenario;
    const end = await play(scenario).then(
      () => ({ name }),
      (error: unknown) => ({ name, error: error instanceof Error ? error.message : String(error) }),
    );
    played.push(end);
    return end;
  };
  const server = createServer(async (req, res) => {
    const scenario: ClientScenario = JSON.parse(await text(req));
    const end = last.then(() => playNext(scenario));
    last = end.then(() => undefined);
    const { error } = await end;
    res.writeHead(error === undefined ? 204 : 500).end(error);
  });
  const authority = await listen(server);
  return {
    url: `http://${authority}`,
    played,
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}
