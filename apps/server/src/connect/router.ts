import { type Response, Router } from 'express';
import {
  clientMetadataDocument,
  sharedMetadataDocument,
} from '../credentials/oauth/clients/client-metadata.ts';
import { notAllowed } from '../http/not-found.ts';
import { agreementPage } from './agreement-page.ts';
import { CALLBACK_PATHS, callbackPage } from './callback-page.ts';
import type { ConnectPagesDeps } from './deps.ts';
import { findOauthIntegration } from './find-connectable.ts';
import { integrationPage } from './integration-page.ts';
import { linkPage } from './link-page.ts';

const SHARED_METADATA_PATH = '/oauth/client-metadata.json';
const METADATA_PATH = '/oauth/clients/:id.json';

/** Below these paths everything is for people: errors are pages. */
export const connectPaths: readonly string[] = ['/connect'];

/** The pages on which people connect their accounts to integrations. */
export function connectPagesRouter(deps: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.use(linkPage(deps), agreementPage(deps), integrationPage(deps), callbackPage(deps));
  router.use(clientMetadata(deps));
  router.all(['/connect', '/connect/:secret'], () => {
    throw notAllowed(['GET', 'POST']);
  });
  router.all([...CALLBACK_PATHS, SHARED_METADATA_PATH, METADATA_PATH], () => {
    throw notAllowed(['GET']);
  });
  return router;
}

/**
 * Serves our client metadata to authorization servers, which can cache it for an hour. They use it only if
 * its address, our client id, is https (Client ID Metadata Documents, draft 00 section 3).
 */
function clientMetadata({ publicUrl, store }: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const send = (res: Response, document: object): void => {
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.json(document);
  };
  router.get(SHARED_METADATA_PATH, (_req, res) => send(res, sharedMetadataDocument(publicUrl)));
  router.get(METADATA_PATH, async (req, res, next) => {
    const integration = await findOauthIntegration(store.db, req.params.id ?? '');
    if (integration === null) return next();
    send(res, clientMetadataDocument(publicUrl, integration));
  });
  return router;
}
