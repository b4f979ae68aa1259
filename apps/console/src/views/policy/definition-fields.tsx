import { type PolicyInput, type ToolPin, toolPinLabels } from '@gatehouse/contract';
import { useId } from 'react';
import { keysOf } from '../../api/keys-of.ts';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';

type ToolRules = NonNullable<PolicyInput['tools']>;

interface DefinitionFieldsProps {
  readonly rules: ToolRules | undefined;
  readonly onChange: (rules: ToolRules) => void;
}

/** Which tools may be used, by what their server says of them. */
export function DefinitionFields({ rules = {}, onChange }: DefinitionFieldsProps) {
  const name = useId();
  const { readOnly = false, pinned } = rules;
  const pin = (value: ToolPin | undefined) => onChange({ ...rules, pinned: value });
  return (
    <>
      <Choice
        type="checkbox"
        checked={readOnly}
        onChange={({ target }) => onChange({ ...rules, readOnly: target.checked || undefined })}
        label="Only tools that change nothing"
        sentence="As their server describes them. Gatehouse does not check what a tool does."
      />
      <ChoiceGroup legend="When a tool changes">
        <Choice
          type="radio"
          name={name}
          checked={pinned === undefined}
          onChange={() => pin(undefined)}
          label="It can still be used"
          sentence="Whatever its server now says about it."
        />
        {keysOf(toolPinLabels).map((value) => (
          <Choice
            key={value}
            type="radio"
            name={name}
            checked={pinned === value}
            onChange={() => pin(value)}
            label={toolPinLabels[value].label}
            sentence={toolPinLabels[value].sentence}
          />
        ))}
      </ChoiceGroup>
    </>
  );
}
