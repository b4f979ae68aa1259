/** Values in the order of their first use. An event names them by their place. */
export class Places {
  readonly values: (string | null)[] = [];
  readonly #places = new Map<string | null, number>();

  of(value: string | null): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** Ids of one kind in the order of their first use, with names. */
export class NamedPlaces {
  readonly ids: string[] = [];
  readonly #names: (string | null | undefined)[] = [];
  readonly #places = new Map<string, number>();

  /** Those that no event has named are null. */
  get names(): readonly (string | null)[] {
    return this.#names.map((name) => name ?? null);
  }

  of(id: string): number {
    return this.#places.get(id) ?? this.#add(id, undefined);
  }

  /** An id that was renamed between two events has a place for each of its names. */
  ofNamed(id: string, name: string | null): number {
    const place = this.#places.get(id);
    if (place === undefined) return this.#add(id, name);
    if (this.#names[place] === name) return place;
    if (this.#names[place] === undefined) {
      this.#names[place] = name;
      return place;
    }
    const other = this.ids.findIndex((one, at) => one === id && this.#names[at] === name);
    return other === -1 ? this.#add(id, name) : other;
  }

  #add(id: string, name: string | null | undefined): number {
    const place = this.ids.push(id) - 1;
    this.#names.push(name);
    if (!this.#places.has(id)) this.#places.set(id, place);
    return place;
  }
}

/** Whether ids of this kind have places apart from other texts. */
export function hasPlaces(kind: string): kind is 'application' | 'integration' | 'person' {
  return kind === 'person' || kind === 'integration' || kind === 'application';
}
