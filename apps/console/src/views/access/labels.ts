/** What people read of the access over an edge: to all, to some of its tools, or to nothing. */
export const accessLabels = {
  allowed: 'Allowed',
  conditional: 'Some tools',
  refused: 'Refused',
} as const;

export type Access = keyof typeof accessLabels;
