import type { Preset } from '../preset.ts';

export const miro: Preset = {
  name: 'miro',
  title: 'Miro',
  hosts: ['mcp.miro.com'],
  registration: 'automatic',
  help: {
    notes: ['Connections that nobody uses may end within hours. People then connect again.'],
  },
};
