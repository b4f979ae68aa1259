import { Router } from 'express';
import { escapeMalformedSegments } from '../http/escape-malformed-segments.ts';
import { notAllowed } from '../http/not-found.ts';
import { CALLBACK_PATH, callbackPage } from './callback-page.ts';
import { CLIENT_METADATA_PATH, clientMetadata } from './client-metadata.ts';
import type { ConnectPagesDeps } from './deps.ts';
import { integrationPage } from './integration-page.ts';
import { linkPage } from './link-page.ts';

/** Below these paths everything is for people: errors are pages. */
export const connectPaths: readonly string[] = ['/connect'];

/** The pages on which people connect accounts of theirs to integrations. */
export function connectPagesRouter(deps: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.use([...connectPaths], escapeMalformedSegments);
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
