import { chipClass } from './chip.ts';
import { Menu, MenuChoices } from './menu.tsx';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value | undefined) => void;
}

/** One value of a field, or any. */
export function FilterChoice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange } = props;
  const chosen = options.find(([option]) => option === value)?.[1];
  const isValue = (text: string): text is Value => options.some(([option]) => option === text);
  return (
    <Menu
      className={chipClass(chosen !== undefined)}
      trigger={chosen === undefined ? label : `${label}: ${chosen}`}
    >
      <MenuChoices
        value={value ?? 'any'}
        options={[['any', 'Any'], ...options]}
        onChange={(text) => onChange(isValue(text) ? text : undefined)}
      />
    </Menu>
  );
}
