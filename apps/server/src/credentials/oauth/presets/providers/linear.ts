import type { Preset } from '../preset.ts';

export const linear: Preset = {
  name: 'linear',
  title: 'Linear',
  hosts: ['mcp.linear.app'],
  registration: 'automatic',
  sources: ['https://linear.app/docs/mcp'],
  help: {},
};
