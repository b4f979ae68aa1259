import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

const CLIENT_SECRET = 'provider-secret-of-gatehouse';

/** What the provider says about a person. */
export type Account = Readonly<Record<string, unknown>>;

/** A third-party OpenID provider, in this process. */
export interface TestProvider {
  readonly settings: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly allowedDomains: readonly string[];
    readonly roleClaim: string | undefined;
    readonly groupsClaim: string | undefined;
  };
  /** By `sub`. */
  readonly accounts: Map<string, Account>;
  readonly state: {
    /** Who signs in at the next visit; undefined: a person who cancels. */
    visitor: string | undefined;
    /** Every request is answered by 500. */
    isOut: boolean;
  };
  /** Call it once the redirect URI is known. */
  open(redirectUri: string): void;
  close(): Promise<void>;
}

export async function startTestProvider(
  overrides: Partial<TestProvider['settings']> = {},
): Promise<TestProvider> {
  let provider: Provider | undefined;
  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: TestProvider = {
    settings: {
      issuer,
      clientId: 'gatehouse',
      clientSecret: CLIENT_SECRET,
      allowedDomains: ['example.org'],
      roleClaim: undefined,
      groupsClaim: undefined,
      ...overrides,
    },
    accounts: new Map(),
    state: { visitor: undefined, isOut: false },
    open(redirectUri) {
      provider = createProvider(issuer, redirectUri, self);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (self.state.isOut || provider === undefined) {
      res.writeHead(500).end('no');
    } else if (req.url?.startsWith('/visit/')) {
      await visit(provider, req, res);
    } else {
      await provider.callback()(req, res);
    }
  }

  async function visit(to: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { visitor: accountId } = self.state;
    if (accountId === undefined) {
      await to.interactionFinished(req, res, { error: 'access_denied' });
      return;
    }
    const grant = new to.Grant({ accountId, clientId: 'gatehouse' });
    grant.addOIDCScope('openid email profile');
    const consent = { grantId: await grant.save() };
    await to.interactionFinished(req, res, { login: { accountId }, consent });
  }
}

function createProvider(issuer: string, redirectUri: string, { accounts }: TestProvider): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(issuer, {
    clients: [
      { client_id: 'gatehouse', client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'roles', 'groups'] },
    // In the ID token, as most providers do.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/visit/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
  });
}
