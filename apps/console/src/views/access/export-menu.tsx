import { buttonClass } from '../../components/button.tsx';
import { csvOf } from '../../components/csv.ts';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { saveFile } from '../../components/save-file.ts';
import { drawingOf } from './curves.ts';
import { reasonsOf } from './graph.ts';
import { accessLabels } from './labels.ts';
import { rowsOf } from './rows.ts';
import type { Shown } from './shown.ts';
import { svgOf } from './svg.ts';

/** What is in view, as a table for other programs or as a picture. */
export function ExportMenu({ shown, who }: { shown: Shown; who: string }) {
  return (
    <Menu className={buttonClass()} trigger="Export" align="end">
      <MenuItem onSelect={() => saveFile('access.csv', 'text/csv', csvOf(cellsOf(shown, who)))}>
        Table as CSV
      </MenuItem>
      <MenuItem
        onSelect={() =>
          saveFile('access.svg', 'image/svg+xml', svgOf(shown, drawingOf(shown, false)))
        }
      >
        Picture as SVG
      </MenuItem>
    </Menu>
  );
}

function cellsOf(shown: Shown, who: string): string[][] {
  const head = [
    'Application',
    'Integration',
    'For',
    'Access',
    'Tools allowed',
    'Tools',
    'Why not',
    'Attached',
  ];
  const rows = rowsOf(shown).map(({ application, integration, edge }) => {
    const { allowed = '', total = '' } = edge?.policy?.tools ?? {};
    return [
      application?.name ?? '',
      integration?.name ?? '',
      who,
      edge === undefined ? 'Not attached' : accessLabels[edge.access],
      String(allowed),
      String(total),
      edge === undefined ? '' : reasonsOf(edge),
      edge?.attachedAt ?? '',
    ];
  });
  return [head, ...rows];
}
