import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeIntegration, NOWHERE, onceKey } from '../make.ts';

const lineOf = (id: string) => `POST /integrations/${id}/connection/authorize`;
const originOf = ({ service }: Api) => new URL(service.baseUrl).origin;
const make = (t: Api, fields = {}) =>
  makeIntegration(t, { authMode: 'oauth', oauth: { issuer: 'https://id.example.com' }, ...fields });

export const connectingCases = {
  title: 'Connecting by OAuth',
  cases: [
    rule('begins with a link of the service, for every role', async (t) => {
      const { id } = await make(t);
      for (const as of ['owner', 'admin', 'member'] as const) {
        const made = await t.call(lineOf(id), { as });
        const { authorizationUrl, expiresAt } = made.body;
        expect([made.status, Object.keys(made.body).sort()]).toEqual([
          201,
          ['authorizationUrl', 'expiresAt'],
        ]);
        expect(authorizationUrl.slice(0, originOf(t).length)).toBe(originOf(t));
        expect(authorizationUrl.slice(originOf(t).length)).toMatch(/^\/connect\/[\w-]{43}$/);
        expect(made.headers.get('location')).toBe(authorizationUrl);
        const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
        expect(minutes).toBeGreaterThan(8);
        expect(minutes).toBeLessThan(11);
      }
    }),

    rule('works with a configuration that names no issuer', async (t) => {
      const { id } = await make(t, { oauth: {} });
      expect((await t.call(lineOf(id))).status).toBe(201);
    }),

    rule('works with a URL alone, since everything is found out from it', async (t) => {
      const { id } = await makeIntegration(t, { authMode: 'oauth' });
      expect((await t.call(lineOf(id))).status).toBe(201);
      const { id: switched } = await makeIntegration(t);
      await t.ok(`PATCH /integrations/${switched}`, { body: { authMode: 'oauth' } });
      expect((await t.call(lineOf(switched))).status).toBe(201);
    }),

    rule('makes one link for one key, and another one without', async (t) => {
      const { id } = await make(t);
      const headers = onceKey();
      const body = { returnTo: `${originOf(t)}/done` };
      const first = await t.ok(lineOf(id), { body, headers });
      const again = await t.ok(lineOf(id), { body, headers });
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('location')).toBe(first.body.authorizationUrl);
      expect((await t.problem(lineOf(id), { headers })).code).toBe('idempotency_key_reused');
      const other = await t.ok(lineOf(id), { body });
      expect(other.body.authorizationUrl).not.toBe(first.body.authorizationUrl);
    }),

    rule('returns to origins that are allowed alone', async (t) => {
      const { id } = await make(t);
      await t.ok(`DELETE /integrations/${id}/oauth`);
      const { protocol, hostname } = new URL(t.service.baseUrl);
      for (const returnTo of [
        'https://elsewhere.example.com/done',
        `https://${hostname}.example.com/`,
        `${protocol}//${hostname}:1/`,
        `https://elsewhere.example.com/?${originOf(t)}`,
        'javascript:alert(1)',
        '/done',
      ]) {
        const { status, code, at } = await t.problem(lineOf(id), { body: { returnTo } });
        expect([returnTo, status, code, at]).toEqual([
          returnTo,
          400,
          'validation_failed',
          ['/returnTo'],
        ]);
      }
      const allowed = { body: { returnTo: `${originOf(t)}/done?a=b#c` } };
      expect((await t.problem(lineOf(id), allowed)).code).toBe('oauth_not_configured');
    }),

    rule('needs an active integration of the mode oauth with a configuration', async (t) => {
      const codeOf = async (fields: Readonly<Record<string, unknown>>) => {
        const { id } = await makeIntegration(t, fields);
        const { status, code } = await t.problem(lineOf(id));
        return [status, code];
      };
      const oauth = { issuer: 'https://id.example.com' };
      for (const authMode of ['none', 'user_token', 'server_token']) {
        const fields = { authMode, oauth, serverToken: 'shared' };
        expect(await codeOf(fields)).toEqual([409, 'auth_mode_mismatch']);
      }
      const removed = await make(t);
      await t.ok(`DELETE /integrations/${removed.id}/oauth`);
      const { status, code } = await t.problem(lineOf(removed.id));
      expect([status, code]).toEqual([404, 'oauth_not_configured']);
      const { id } = await makeIntegration(t);
      await t.ok(`DELETE /integrations/${id}`);
      expect((await t.problem(lineOf(id))).code).toBe('archived');
    }),

    rule('is judged in the order of every operation', async (t) => {
      const bad = { body: { returnTo: 'https://elsewhere.example.com/' } };
      expect((await t.problem(lineOf(NOWHERE), bad)).status).toBe(400);
      expect((await t.problem(lineOf(NOWHERE))).code).toBe('not_found');
      const { id } = await make(t);
      expect((await t.problem(lineOf(id), { as: 'stranger' })).code).toBe('not_found');
      expect((await t.problem(lineOf(id), { as: null })).code).toBe('unauthenticated');
      expect((await t.problem(lineOf(id), { body: { redirect: 'x' } })).code).toBe('unknown_field');
    }),
  ],
};
