import { z } from 'zod';
import { build } from '../platform/build.ts';
import { defineCommand } from './definition.ts';

export const versionCommand = defineCommand({
  name: 'version',
  summary: 'Print the version, and the commit that it was built of.',
  example: 'gatehouse version',
  input: z.object({}),
  run: (_input, { version }) => {
    const text = build ? `${version} (${build.commit}, ${build.committedAt})` : version;
    return Promise.resolve({ json: { version, ...build }, text });
  },
});
