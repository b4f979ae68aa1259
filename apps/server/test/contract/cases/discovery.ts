import { validationStageNameSchema } from '@gatehouse/contract';
import { expect } from 'vitest';
import { rule } from '../case.ts';

const LINE = 'POST /integrations/discover';

export const discoveryCases = {
  title: 'Discovery',
  cases: [
    rule('suggests a body that creates an integration', async (t) => {
      const { url } = t.service.upstream;
      const { status, body } = await t.call(LINE, { as: 'admin', body: { url } });
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual([
        'discovery',
        'integration',
        'message',
        'stages',
        'status',
      ]);
      const stages: { stage: string }[] = body.stages;
      expect(stages.map(({ stage }) => stage)).toEqual(validationStageNameSchema.options);
      expect(body.integration.url).toBe(url);
      const created = await t.call('POST /integrations', { body: body.integration });
      expect([created.status, created.body.integration.authMode]).toEqual([
        201,
        body.integration.authMode,
      ]);
    }),

    rule('refuses the addresses that an integration may not have', async (t) => {
      for (const url of ['http://10.0.0.1/mcp', 'https://[fe80::1]/']) {
        const { status, code, at } = await t.problem(LINE, { body: { url } });
        expect([url, status, code, at]).toEqual([url, 400, 'egress_denied', ['/url']]);
      }
    }),

    rule('needs a url, and is not taken for an id', async (t) => {
      expect((await t.problem(LINE, { body: {} })).at).toEqual(['/url']);
      expect((await t.problem(LINE, { body: { url: 'nowhere' } })).at).toEqual(['/url']);
      const wrong = await t.problem(LINE, { body: { url: 'https://a.example.com', name: 'x' } });
      expect([wrong.code, wrong.at]).toEqual(['unknown_field', ['/name']]);
    }),
  ],
};
