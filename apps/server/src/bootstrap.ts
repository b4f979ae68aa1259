import { service } from './identity/actor.ts';
import { createSignInLink } from './identity/sign-in-links.ts';
import { createTokenSecret, hashToken, insertToken } from './identity/tokens.ts';
import type { Store } from './platform/database/store.ts';
import { createId } from './platform/ids.ts';

/** What the first start makes for the owner and shows once. */
export interface OwnerSecrets {
  readonly token: string;
  /** Of a link with which the owner chooses a password. */
  readonly signInLink: string;
}

/**
 * Creates an organization, its owner and the owner's personal access token in an empty database. Of two
 * processes that start at once, one does so.
 *
 * @param show shows the secrets that were made here. It is called before the commit: when it throws,
 *   nothing has been created.
 * @param organizationName what people read when a client asks for their consent
 * @returns the secret of the token, if it was made here; undefined when the database was not empty, or
 *   when the token was given. Then no link is made either: nobody reads the output of such a start.
 */
export async function bootstrap(
  store: Store,
  givenToken?: string,
  show: (secrets: OwnerSecrets) => void = () => {},
  organizationName = 'Default organization',
): Promise<string | undefined> {
  return store.transaction(async (tx) => {
    const { db } = tx;
    await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('gatehouse:bootstrap', 0))`;
    if ((await db.organization.count()) > 0) return undefined;
    const organization = await db.organization.create({
      data: { ...createId(), name: organizationName },
    });
    const owner = await db.user.create({
      data: {
        ...createId(),
        organizationId: organization.id,
        email: 'owner@localhost',
        name: 'Owner',
        role: 'owner',
      },
    });
    const { secret, hash } = givenToken
      ? { secret: undefined, hash: Buffer.from(hashToken(givenToken)) }
      : createTokenSecret('personal');
    await insertToken(db, {
      organizationId: organization.id,
      userId: owner.id,
      kind: 'personal',
      name: 'First start',
      hash,
      scopes: ['mcp', 'management:read', 'management:write'],
      expiresAt: null,
    });
    tx.record({
      action: 'member.created',
      actor: service('start'),
      targetId: owner.id,
      role: owner.role,
    });
    if (secret === undefined) return undefined;
    const { id: userId, organizationId } = owner;
    const link = await createSignInLink(tx, { organizationId, userId, purpose: 'invitation' });
    show({ token: secret, signInLink: link.secret });
    return secret;
  });
}

/** What the first start prints before anybody can use it: the owner's token and sign-in link. */
export function ownerText(ownerToken: string, signInLink: string): string {
  return `
The owner's access token, shown this once. Keep it:

  ${ownerToken}

The owner signs in as owner@localhost. To choose the password, open this within 7 days:

  ${signInLink}
`;
}

/** What the start prints: where the service is and, the first time, what to try next. */
export function welcome(publicUrl: string, ownerToken: string | undefined): string {
  const api = `${publicUrl}/api/v1`;
  if (ownerToken === undefined) return `Gatehouse is ready at ${api}\n`;
  return `
Gatehouse is ready at ${api}

Try next:

  export GATEHOUSE_ACCESS_TOKEN=${ownerToken}
  curl ${api}/me -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN"
  curl ${api}/integrations -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"Docs","url":"https://mcp.example.com/mcp"}'

For an MCP client, make a token that can use the gateway and nothing else:

  curl ${api}/tokens -H "Authorization: Bearer $GATEHOUSE_ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"MCP client","scopes":["mcp"]}'

`;
}
