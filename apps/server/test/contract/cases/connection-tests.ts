import { validationStageNameSchema } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeIntegration, NOWHERE, onceKey } from '../make.ts';
import type { As } from '../targets/target.ts';

const lineOf = (id: string) => `POST /integrations/${id}/connection/test`;
const test = async (t: Api, id: string, as: As = 'owner', headers = {}) =>
  (await t.ok(lineOf(id), { as, headers })).body;
const make = (t: Api) =>
  makeIntegration(t, { url: t.service.upstream.url, authMode: 'user_token' });

export const connectionTestCases = {
  title: 'Testing a connection',
  cases: [
    rule('tries the credential of the caller, whatever the role', async (t) => {
      const { id } = await make(t);
      const body = { token: t.service.upstream.token };
      await t.ok(`POST /integrations/${id}/connection`, { as: 'member', body });
      const answer = await test(t, id, 'member');
      expect(answer).toStrictEqual({
        status: 'valid',
        message: expect.stringContaining('your connection'),
        stages: expect.any(Array),
      });
      const stages: { stage: string; status: string }[] = answer.stages;
      expect(stages.map(({ stage }) => stage)).toEqual(validationStageNameSchema.options);
      expect(stages.find(({ stage }) => stage === 'credential')?.status).toBe('passed');
      expect((await test(t, id, 'admin')).status).toBe('pending');
    }),

    rule('leaves the validation of the integration alone', async (t) => {
      const { id, ...made } = await make(t);
      await test(t, id);
      const { headers, body } = await t.ok(`GET /integrations/${id}`);
      expect(body.integration).toStrictEqual({ id, ...made });
      expect(headers.get('etag')).toBe('"v1"');
    }),

    rule('is not replayed', async (t) => {
      const { id } = await make(t);
      const headers = onceKey();
      expect((await test(t, id, 'owner', headers)).status).toBe('pending');
      const body = { token: t.service.upstream.token };
      await t.ok(`POST /integrations/${id}/connection`, { body });
      expect((await test(t, id, 'owner', headers)).status).toBe('valid');
    }),

    rule('is for modes in which users have connections', async (t) => {
      for (const [authMode, expected] of [
        ['none', 'auth_mode_mismatch'],
        ['server_token', 'auth_mode_mismatch'],
        ['user_token', undefined],
        ['oauth', undefined],
      ] as const) {
        const { url } = t.service.upstream;
        const { id } = await makeIntegration(t, { url, authMode, serverToken: 'shared' });
        expect([authMode, (await t.problem(lineOf(id))).code]).toEqual([authMode, expected]);
      }
    }),

    rule('needs an active integration of the organization', async (t) => {
      const { id } = await make(t);
      expect((await t.problem(lineOf(id), { as: 'stranger' })).code).toBe('not_found');
      expect((await t.problem(lineOf(NOWHERE))).code).toBe('not_found');
      await t.ok(`DELETE /integrations/${id}`);
      expect((await t.problem(lineOf(id), { as: 'member' })).code).toBe('archived');
      expect((await t.problem(lineOf(id), { body: { x: 1 } })).code).toBe('unknown_field');
    }),
  ],
};
