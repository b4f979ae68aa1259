import { Router } from 'express';
import { notAllowed } from '../http/not-found.ts';
import { accountPage } from './account-page.ts';
import type { SignInDeps } from './deps.ts';
import {
  CALLBACK_PATH,
  EXTERNAL_PATH,
  type ExternalSignIn,
  externalPage,
} from './external/external-page.ts';
import { grantsPage } from './grants-page.ts';
import { linkPage } from './link-page.ts';
import { passwordPage } from './password-page.ts';

/** Below these paths everything is for people: errors are pages. */
export const signInPaths: readonly string[] = ['/sign-in', '/sign-out', '/account'];

/** The pages with which people sign in and out. */
export function signInRouter(deps: SignInDeps, external: ExternalSignIn | undefined): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.use(passwordPage(deps), linkPage(deps), accountPage(deps), grantsPage(deps));
  if (external !== undefined) {
    router.use(externalPage(deps, external));
    router.all([EXTERNAL_PATH, CALLBACK_PATH], () => {
      throw notAllowed(['GET']);
    });
  }
  router.all(['/sign-in', '/sign-in/link/:secret'], () => {
    throw notAllowed(['GET', 'POST']);
  });
  router.all(['/account', '/account/grants'], () => {
    throw notAllowed(['GET']);
  });
  router.all(['/sign-out', '/account/password', '/account/grants/:id/end'], () => {
    throw notAllowed(['POST']);
  });
  return router;
}
