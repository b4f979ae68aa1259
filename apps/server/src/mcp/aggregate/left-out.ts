/** Why a name is not exposed. */
export type NameReason =
  /** Another name of the integration has the same exposed name, or the integration lists the name twice. */
  | 'name_not_unique'
  /** A name of the attachment without an alias begins like the exposed names of another attachment. */
  | 'alias_of_another'
  /** It begins like the names of our own tools. */
  | 'reserved_name';
