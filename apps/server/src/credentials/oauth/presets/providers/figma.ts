import type { Preset } from '../preset.ts';

export const figma: Preset = {
  name: 'figma',
  title: 'Figma',
  hosts: ['mcp.figma.com'],
  registration: 'automatic',
  sources: ['https://developers.figma.com/docs/figma-mcp-server/remote-server-installation/'],
  help: { notes: ['Figma registers only clients that it has approved, and refuses others.'] },
};
