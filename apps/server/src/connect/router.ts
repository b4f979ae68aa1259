import { Router } from 'express';
import { clientMetadataDocument } from '../credentials/oauth/clients/client-metadata.ts';
import { notAllowed } from '../http/not-found.ts';
import { CALLBACK_PATH, callbackPage } from './callback-page.ts';
import type { ConnectPagesDeps } from './deps.ts';
import { integrationPage } from './integration-page.ts';
import { linkPage } from './link-page.ts';

const CLIENT_METADATA_PATH = '/oauth/client-metadata.json';

/** Below these paths everything is for people: errors are pages. */
export const connectPaths: readonly string[] = ['/connect'];

/** The pages on which people connect their accounts to integrations. */
export function connectPagesRouter(deps: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.use(linkPage(deps), integrationPage(deps), callbackPage(deps));
  router.use(clientMetadata(deps.publicUrl));
  router.all(['/connect', '/connect/:secret'], () => {
    throw notAllowed(['GET', 'POST']);
  });
  router.all([CALLBACK_PATH, CLIENT_METADATA_PATH], () => {
    throw notAllowed(['GET']);
  });
  return router;
}

/**
 * Serves our client metadata to authorization servers, which can cache it for an hour. They use it only if
 * its address, our client id, is https (Client ID Metadata Documents, draft 00 section 3).
 */
function clientMetadata(publicUrl: string): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const document = clientMetadataDocument(publicUrl);
  router.get(CLIENT_METADATA_PATH, (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.json(document);
  });
  return router;
}
