import { openConnectLink } from '../rules/connect-links.ts';
import type { Environment } from './operation.ts';

const TEXTS = {
  connected: 'You are connected. You can close this page.',
  denied: 'You are not connected: you did not agree at the provider.',
  pending: 'Continue at the provider.',
  gone: 'This link has expired, or was used already.',
} as const;

/** Responds to the link of an authorization. A connected user is sent back to `returnTo`. */
export function respondToLink({ state }: Environment, request: Request): Response {
  const secret = new URL(request.url).pathname.split('/').at(-1) ?? '';
  const { status, returnTo } = openConnectLink(state, secret);
  const headers = { 'Cache-Control': 'no-store', 'Content-Type': 'text/html; charset=utf-8' };
  if (status === 'connected' && returnTo !== null) {
    return new Response(null, { status: 303, headers: { ...headers, Location: returnTo } });
  }
  return new Response(`<!doctype html><title>Gatehouse</title><p>${TEXTS[status]}</p>`, {
    status: status === 'gone' ? 404 : 200,
    headers,
  });
}
