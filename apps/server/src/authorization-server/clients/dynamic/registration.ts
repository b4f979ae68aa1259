import { randomBytes } from 'node:crypto';
import { isJsonContentType, JsonBodyError, parseJsonBody } from '@gatehouse/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { ZodError } from 'zod';
import { type BodyRefusals, readBytes } from '../../../http/read-bytes.ts';
import type { Db } from '../../../platform/database/store.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import type { Applications } from '../applications.ts';
import {
  type DynamicClientMetadata,
  dynamicClientSchema,
  NAMELESS,
} from './client-metadata-schema.ts';
import { DYNAMIC_PREFIX } from './dynamic-clients.ts';

const MAX_BYTES = 64 * 1024;

const refusals: BodyRefusals = {
  tooLarge: 'The client metadata is larger than 64 KiB.',
  compressed: 'Send the client metadata without compression.',
  incomplete: () => new ProblemError('malformed_json', 'The client metadata is not complete.'),
};

export interface RegistrationDeps {
  readonly db: Db;
  readonly applications: Applications;
}

/**
 * Dynamic client registration (RFC 7591), by hand: oidc-provider would refuse metadata that it does not
 * grant and redirect URIs that applications may have here. What is not granted is left out of the answer
 * (section 3.2.1).
 */
export function registrationHandlers(deps: RegistrationDeps): RequestHandler[] {
  return [
    async (_req, res, next) => {
      if (!(await deps.applications.allowDynamicClients())) {
        return refuse(res, 403, 'access_denied', 'No application here allows clients to register.');
      }
      next();
    },
    async (req, res) => {
      const metadata = await readJson(req);
      if (typeof metadata !== 'object') return refuseMetadata(res, 'Send a JSON object.');
      const parsed = dynamicClientSchema.safeParse(metadata);
      if (!parsed.success) return refuse(res, 400, ...reasonOf(parsed.error));
      res.status(201).json(await register(deps.db, parsed.data));
    },
  ];
}

/** Undefined if the body is not JSON. @throws ProblemError `payload_too_large`, `unsupported_media_type` */
async function readJson(req: Request): Promise<unknown> {
  const bytes = await readBytes(req, MAX_BYTES, refusals);
  if (!isJsonContentType(req.headers['content-type'] ?? '')) return undefined;
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    if (error instanceof JsonBodyError) return undefined;
    throw error;
  }
}

async function register(db: Db, metadata: DynamicClientMetadata) {
  const { client_name: name, redirect_uris: redirectUris } = metadata;
  const id = DYNAMIC_PREFIX + randomBytes(16).toString('base64url');
  const now = new Date();
  const row = { id, name: name || NAMELESS, redirectUris, createdAt: now, lastUsedAt: now };
  await db.dynamicClient.create({ data: row });
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    ...(name ? { client_name: name } : {}),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'mcp',
  };
}

/** The error code and description of metadata that cannot be registered (RFC 7591 section 3.2.2). */
function reasonOf({ issues }: ZodError): [error: string, description: string] {
  if (issues.every(({ path }) => path[0] === 'client_name')) {
    return ['invalid_client_metadata', 'The client_name must not contain control characters.'];
  }
  const allowed = 'https, http on a loopback address, or a private-use scheme; 20 at most';
  return ['invalid_redirect_uri', `Send redirect_uris: ${allowed}.`];
}

function refuseMetadata(res: Response, description: string): void {
  refuse(res, 400, 'invalid_client_metadata', description);
}

/** RFC 7591 section 3.2.2. */
function refuse(res: Response, status: number, error: string, description: string): void {
  res.status(status).json({ error, error_description: description });
}
