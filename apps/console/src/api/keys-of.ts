/** The keys of a table of labels, as a list that is never empty. */
export function keysOf<Key extends string>(
  labels: Readonly<Record<Key, unknown>>,
): [Key, ...Key[]] {
  return Object.keys(labels) as [Key, ...Key[]];
}

/** The values of a table of labels with what people read, for a list to choose from. */
export function optionsOf<Key extends string>(
  labels: Readonly<Record<Key, string | { readonly label: string }>>,
): (readonly [value: Key, label: string])[] {
  return keysOf(labels).map((key) => {
    const label = labels[key];
    return [key, typeof label === 'string' ? label : label.label] as const;
  });
}
