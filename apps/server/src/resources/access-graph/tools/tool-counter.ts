import { decideTool, type PolicyLevel } from '@gatehouse/contract';
import { Slices } from '../../../platform/slices.ts';
import type { Catalogue } from './catalogue.ts';

/** How many of the catalogued tools of an integration rules allow. */
export interface ToolCounts {
  readonly allowed: number;
  readonly total: number;
}

/** Which of the catalogued tools of an integration rules allow. */
export interface AllowedTools extends ToolCounts {
  /** 1 for each allowed one, in the order of the catalogue. */
  readonly marks: Uint8Array;
}

/** Comparisons of names with patterns for one request: about a second. */
const MAX_COMPARISONS = 20_000_000;

/** Counts once for each integration and different rules. */
export class ToolCounter {
  readonly #catalogue: Catalogue;
  readonly #counted = new Map<string, AllowedTools>();
  readonly #slices = new Slices();
  #comparisons = 0;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Undefined where counting would take too long. `key` stands for the rules about tools of the levels. */
  async count(
    integrationId: string,
    { key, levels }: { readonly key: string; readonly levels: readonly PolicyLevel[] },
  ): Promise<AllowedTools | undefined> {
    const tools = this.#catalogue.get(integrationId);
    if (tools === undefined) return undefined;
    const total = tools.length;
    const known = this.#counted.get(`${integrationId} ${key}`);
    if (known !== undefined) return known;
    this.#comparisons += total * costOf(levels);
    if (this.#comparisons > MAX_COMPARISONS) return undefined;
    const marks = new Uint8Array(total);
    let allowed = 0;
    for (const [place, { name, facts }] of tools.entries()) {
      if (this.#slices.isOver) await this.#slices.pause();
      if (decideTool(levels, name, facts).length > 0) continue;
      marks[place] = 1;
      allowed += 1;
    }
    const counts = { allowed, total, marks };
    this.#counted.set(`${integrationId} ${key}`, counts);
    return counts;
  }
}

function costOf(levels: readonly PolicyLevel[]): number {
  const patternsOf = ({ rules: { tools } }: PolicyLevel) =>
    (tools?.allow?.length ?? 0) + (tools?.deny?.length ?? 0);
  return levels.reduce((sum, level) => sum + 1 + patternsOf(level), 0);
}
