import { startUpstream, type Upstream } from '@gatehouse/testing';
import { type TestServer, useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import type { Browser } from '../browser.ts';
import {
  authorize,
  type ClientOptions,
  createClient,
  signedInBrowser,
  type TestClient,
} from '../fixture.ts';

/** A loopback redirect URI at which nothing listens: a test hands over what arrives there. */
export const LOOPBACK = 'http://127.0.0.1:7777/callback';

/** What every client of these tests meets. */
export interface Surroundings {
  readonly server: TestServer;
  /** A real MCP server without authorization. */
  readonly upstream: Upstream;
  /** An application with the upstream attached. It has {@link LOOPBACK} as its redirect URI. */
  createApplication(options?: ClientOptions): Promise<TestClient>;
  /** A browser in which the owner is signed in. */
  openBrowser(): Promise<Browser>;
  /**
   * Follows an authorization URL of a client in a signed-in browser, and agrees.
   *
   * @returns the redirect URI with its parameters
   */
  agree(authorizationUrl: URL | string | undefined): Promise<URL>;
}

export function useSurroundings(): Surroundings {
  const server = useServer();
  const upstream = use(() => startUpstream());
  const openBrowser = () => signedInBrowser(server);
  return {
    server,
    upstream,
    openBrowser,
    createApplication: (options) =>
      createClient(server, { url: upstream.url, redirectUris: [LOOPBACK], ...options }),
    async agree(authorizationUrl) {
      if (authorizationUrl === undefined) throw new Error('The client has asked for nothing.');
      const { origin, pathname, searchParams } = new URL(authorizationUrl);
      if (origin + pathname !== `${server.origin}/oauth/authorize`) {
        throw new Error(`The client asked at ${origin}${pathname}.`);
      }
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = String(
        await authorize(server, await openBrowser(), Object.fromEntries(searchParams)),
      );
      return back;
    },
  };
}
