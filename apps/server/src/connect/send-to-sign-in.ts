import type { Response } from 'express';

/** Sends a person to sign in, and back. @param path of ours */
export function sendToSignIn(res: Response, path: string): void {
  res.redirect(303, `/sign-in?return_to=${encodeURIComponent(path)}`);
}
