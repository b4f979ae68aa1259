import type { Preset } from '../preset.ts';

export const miro: Preset = {
  name: 'miro',
  title: 'Miro',
  hosts: ['mcp.miro.com'],
  registration: 'automatic',
  sources: [
    'https://developers.miro.com/docs/miro-mcp',
    'https://github.com/miroapp/miro-ai/issues/59',
  ],
  help: {
    notes: ['Connections that nobody uses may end within hours. People then connect again.'],
  },
};
