import { Menu as Base } from '@base-ui/react/menu';
import { type ReactNode, useState } from 'react';

const POPUP =
  'min-w-44 rounded-8 bg-panel p-1 shadow-pop outline-none max-h-[60vh] overflow-y-auto';
const ITEM =
  'flex min-h-8 w-full items-center gap-2 rounded-6 px-2.5 -outline-offset-2 data-highlighted:bg-hover';

interface MenuProps {
  /** The classes of the button. */
  readonly className: string;
  readonly trigger: ReactNode;
  /** The name of the button where its content is no word. */
  readonly label?: string;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

export function Menu({ className, trigger, label, align = 'start', children }: MenuProps) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  return (
    <Base.Root modal={false}>
      <Base.Trigger ref={setButton} className={className} aria-label={label}>
        {trigger}
      </Base.Trigger>
      {/* A screen reader that goes from landmark to landmark finds it there. */}
      <Base.Portal container={button?.closest('main') ?? undefined}>
        <Base.Positioner sideOffset={4} align={align} className="z-20 outline-none">
          <Base.Popup className={POPUP}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Base.Item className={ITEM} onClick={onSelect}>
      {children}
    </Base.Item>
  );
}

interface MenuChoicesProps<Value extends string> {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

/** One of several values. */
export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>) {
  const { value, options, onChange } = props;
  return (
    <Base.RadioGroup value={value} onValueChange={onChange}>
      {options.map(([option, label]) => (
        <Base.RadioItem key={option} value={option} closeOnClick className={ITEM}>
          <span className="size-4 text-accent">
            <Base.RadioItemIndicator>✓</Base.RadioItemIndicator>
          </span>
          {label}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
