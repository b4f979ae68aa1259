import { curvePath, type Drawing, rowMiddle } from './curves.ts';
import type { GraphNode } from './graph.ts';
import { lineClasses } from './line.tsx';
import type { Shown } from './shown.ts';

const SPACE = 'http://www.w3.org/2000/svg';

/** Widths in the picture: a column, what lies between the columns, and the edge around all. */
const COLUMN = 260;
const BETWEEN = 320;
const MARGIN = 16;

/** Letters of a name that have room in a row. */
const LETTERS = 36;

/** The graph as it is in view, as a file. It holds its colours, since the tokens of the page are not there. */
export function svgOf(shown: Shown, drawing: Drawing): string {
  const width = 2 * (COLUMN + MARGIN) + BETWEEN;
  const height = drawing.height + 2 * MARGIN;
  const svg = element('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  svg.append(element('rect', { width, height, fill: colourOf('stroke-panel') }));
  const lines = element('g', {
    transform: `translate(${MARGIN + COLUMN} ${MARGIN}) scale(${BETWEEN / 100} 1)`,
    fill: 'none',
  });
  for (const curve of drawing.curves) {
    lines.append(element('path', { d: curvePath(curve), ...strokeOf(lineClasses[curve.look]) }));
  }
  svg.append(lines, nodesOf(shown.applications, drawing, MARGIN));
  svg.append(nodesOf(shown.integrations, drawing, MARGIN + COLUMN + BETWEEN));
  return new XMLSerializer().serializeToString(svg);
}

function nodesOf(nodes: readonly GraphNode[], drawing: Drawing, left: number): SVGElement {
  const column = element('g', { transform: `translate(${left} ${MARGIN})` });
  for (const [row, { name }] of nodes.entries()) {
    const y = rowMiddle(drawing, nodes.length, row);
    const box = { x: 0, y: y - 15, width: COLUMN, height: 30, rx: 6 };
    column.append(
      element('rect', {
        ...box,
        fill: colourOf('stroke-panel'),
        stroke: colourOf('stroke-line-strong'),
      }),
    );
    const text = element('text', { x: 12, y: y + 4, fill: colourOf('stroke-ink') });
    text.setAttribute('font-family', 'Inter, Arial, sans-serif');
    text.setAttribute('font-size', '13');
    const letters = [...name];
    text.textContent = letters.length > LETTERS ? `${letters.slice(0, LETTERS).join('')}…` : name;
    column.append(text);
  }
  return column;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SPACE, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** What the classes of a line come to in this theme. */
function strokeOf(classes: string): Record<string, string> {
  const probe = element('svg', {});
  const line = element('path', { class: classes });
  probe.append(line);
  document.body.append(probe);
  const { stroke, strokeDasharray, strokeLinecap, opacity } = getComputedStyle(line);
  probe.remove();
  return {
    stroke,
    'stroke-dasharray': strokeDasharray,
    'stroke-linecap': strokeLinecap,
    'stroke-width': '1.25',
    'vector-effect': 'non-scaling-stroke',
    opacity,
  };
}

function colourOf(classes: string): string {
  return strokeOf(classes).stroke ?? 'none';
}
