import type { z } from 'zod';
import { signInLinkRequest } from './requests/sign-in-link.ts';

/** Every request, by its name on the control socket. */
export const REQUESTS = {
  'sign-in-link': signInLinkRequest,
} as const;

export type RequestName = keyof typeof REQUESTS;
export type InputOf<Name extends RequestName> = z.input<(typeof REQUESTS)[Name]['input']>;
export type ReplyOf<Name extends RequestName> = z.output<(typeof REQUESTS)[Name]['reply']>;
