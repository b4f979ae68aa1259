import { Router } from 'express';
import { clientMetadataDocument } from '../credentials/oauth/clients/client-metadata.ts';

export const CLIENT_METADATA_PATH = '/oauth/client-metadata.json';

/**
 * What Gatehouse says about itself to authorization servers, which may keep it for an hour. They use it
 * only where its address, our client id, is https (Client ID Metadata Documents, draft 00 section 3).
 */
export function clientMetadata(publicUrl: string): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const document = clientMetadataDocument(publicUrl);
  router.get(CLIENT_METADATA_PATH, (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.json(document);
  });
  return router;
}
