import { keysOf } from '../api/keys-of.ts';

const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  plug: 'M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14',
  key: 'M10.5 7.5a3 3 0 1 0-3-3c0 .5.1.9.3 1.3L2.5 11v2.5H5V12h1.5v-1.5L8.2 8.8c.4.2.8.3 1.3.3',
  application: 'M2.5 4.5h11v8h-11zM2.5 7h11M4.7 5.8h.01',
  pulse: 'M2 8h2.800l1.900-4.500 2.600 9 1.900-4.500H14',
  play: 'M5 3.500v9l7.500-4.500z',
  token: 'M3 5.5h10v5H3zM5.5 8h.01M8 8h.01M10.5 8h.01',
  people:
    'M6 7.5a2.250 2.250 0 1 0 0-4.5 2.250 2.250 0 0 0 0 4.5zM2 13c.3-2.3 1.9-3.5 4-3.5s3.7 1.2 4 3.5M10.5 3.3a2.250 2.250 0 0 1 0 4M12 9.8c1.2.5 1.9 1.6 2 3.2',
  group: 'M5.500 7.500a2.500 2.500 0 1 1 5 0M3 4.500h10v8H3zM5 2.500h6M6 10h4',
  settings: 'M2.500 5h5M10.500 5h3M9 3.500v3M2.500 11h2M7.500 11h6M6 9.500v3',
  graph:
    'M4 4.5h1.500M4 11.5h1.500M10.500 8H12M5.500 4.500 10.500 8 5.500 11.500M2 3h2v3H2zM2 10h2v3H2zM12 6.500h2v3h-2z',
  check: 'M3.5 8.5 6.5 11.5 12.5 5',
  cross: 'M4.5 4.5l7 7M11.500 4.500l-7 7',
  dash: 'M4.5 8h7',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  copy: 'M5.500 5.500h7v7h-7zM10 5.500v-2H3.500V10h2',
  menu: 'M2.5 4.500h11M2.500 8h11M2.500 11.500h11',
  up: 'M4.500 9.500 8 6l3.500 3.500',
  down: 'M4.500 6.500 8 10l3.500-3.500',
  open: 'M6.500 3.500h-3v9h9v-3M9 3.500h3.500V7M12.300 3.700 7.500 8.500',
  sun: 'M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8 1.800v1.400M8 12.800v1.400M1.800 8h1.400M12.800 8h1.400M3.600 3.600l1 1M11.400 11.400l1 1M12.400 3.600l-1 1M4.600 11.400l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300 13.500 13.500',
  screen: 'M2.500 3.500h11v7h-11zM6 13.500h4M8 10.500v3',
} as const;

export type IconName = keyof typeof PATHS;
export const iconNames = keysOf(PATHS);

/** Beside a word, never instead of one. */
export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`shrink-0 fill-none stroke-current stroke-[1.5] ${className}`}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
