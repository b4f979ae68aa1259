import { validationStageNameSchema } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { rule } from '../case.ts';
import { makeIntegration, onceKey } from '../make.ts';

const validate = async (t: Api, id: string, headers = {}) =>
  (await t.ok(`POST /integrations/${id}/validate`, { headers })).body;

export const validationCases = {
  title: 'Validation',
  cases: [
    rule('notes status, message and time, and leaves the version alone', async (t) => {
      const { url, token } = t.service.upstream;
      const fields = { url, authMode: 'server_token', serverToken: token };
      const before = await makeIntegration(t, fields);
      const answer = await validate(t, before.id);
      expect(answer).toStrictEqual({
        status: 'valid',
        message: expect.any(String),
        stages: expect.any(Array),
      });
      const stages: { stage: string }[] = answer.stages;
      expect(stages.map(({ stage }) => stage)).toEqual(validationStageNameSchema.options);
      const { headers, body } = await t.ok(`GET /integrations/${before.id}`);
      const { lastValidatedAt } = body.integration;
      expect(body.integration).toStrictEqual({
        ...before,
        validationStatus: 'valid',
        validationMessage: answer.message,
        validationStages: answer.stages,
        lastValidatedAt,
      });
      expect(Math.abs(Date.now() - Date.parse(lastValidatedAt))).toBeLessThan(60_000);
      expect(headers.get('etag')).toBe('"v1"');
    }),

    rule('keeps its stages until the configuration changes, outside of lists', async (t) => {
      const { url } = t.service.upstream;
      const { id } = await makeIntegration(t, { url, authMode: 'oauth' });
      const { stages } = await validate(t, id);
      const read = async () => (await t.ok(`GET /integrations/${id}`)).body.integration;
      expect((await read()).validationStages).toEqual(stages);
      const renamed = await t.ok(`PATCH /integrations/${id}`, { body: { name: 'Renamed' } });
      expect(renamed.body.integration.validationStages).toEqual(stages);
      const { items } = (await t.ok('GET /integrations')).body;
      for (const item of items) expect(item).not.toHaveProperty('validationStages');
      await t.ok(`PATCH /integrations/${id}`, { body: { authMode: 'user_token' } });
      expect(await read()).not.toHaveProperty('validationStages');
    }),

    rule('is pending until the caller has a connection', async (t) => {
      const { url, token } = t.service.upstream;
      const { id } = await makeIntegration(t, { url, authMode: 'user_token' });
      expect((await validate(t, id)).status).toBe('pending');
      await t.ok(`POST /integrations/${id}/connection`, { body: { token } });
      expect((await validate(t, id)).status).toBe('valid');
      const other = await t.ok(`POST /integrations/${id}/validate`, { as: 'admin' });
      expect(other.body.status).toBe('pending');
    }),

    rule('is never replayed', async (t) => {
      const { url, token } = t.service.upstream;
      const { id } = await makeIntegration(t, { url, authMode: 'user_token' });
      const headers = onceKey();
      expect((await validate(t, id, headers)).status).toBe('pending');
      await t.ok(`POST /integrations/${id}/connection`, { body: { token } });
      expect((await validate(t, id, headers)).status).toBe('valid');
    }),

    rule('is pending while there is no OAuth connection', async (t) => {
      const { url } = t.service.upstream;
      const oauth = { issuer: 'https://id.example.com' };
      const { id } = await makeIntegration(t, { url, authMode: 'oauth', oauth });
      expect((await validate(t, id)).status).toBe('pending');
    }),

    rule('validates as invalid what the upstream refuses', async (t) => {
      const { url } = t.service.upstream;
      const fields = { url, authMode: 'server_token', serverToken: 'a-wrong-token' };
      const { id } = await makeIntegration(t, fields);
      const answer = await validate(t, id);
      expect(answer.status).toBe('invalid');
      expect(answer.message).not.toContain('a-wrong-token');
    }),
  ],
};
