import type { Preset } from '../preset.ts';

export const notion: Preset = {
  name: 'notion',
  title: 'Notion',
  hosts: ['mcp.notion.com'],
  registration: 'automatic',
  sources: [
    'https://developers.notion.com/guides/mcp/build-mcp-client',
    'https://github.com/makenotion/notion-mcp-server/issues/225',
  ],
  help: {
    notes: [
      'Access tokens live for an hour and refresh tokens change each time.',
      'Connections belong to the client that Gatehouse registered. They end when it is registered anew.',
    ],
  },
};
