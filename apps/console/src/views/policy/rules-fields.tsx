import type { PolicyInput, PolicyLevel } from '@gatehouse/contract';
import { CallLimitFields } from '../call-limit-fields.tsx';
import { DefinitionFields } from './definition-fields.tsx';
import { NameFields } from './name-fields.tsx';
import { PeopleFields } from './people-fields.tsx';

interface RulesFieldsProps {
  readonly rules: PolicyInput;
  /** Of all rules, the ones being typed among them. */
  readonly levels: readonly PolicyLevel[];
  readonly errors: Readonly<Partial<Record<keyof PolicyInput, unknown>>> | undefined;
  /** What limits count together. */
  readonly limited: string;
  readonly onChange: (rules: PolicyInput) => void;
}

/** Everything that the rules of one place say. */
export function RulesFields({ rules, levels, errors, limited, onChange }: RulesFieldsProps) {
  const { tools, prompts, resources, limits } = rules;
  const set = (changed: PolicyInput) => onChange({ ...rules, ...changed });
  return (
    <div className="grid gap-4 *:not-first:border-t *:not-first:border-line *:not-first:pt-4">
      <PeopleFields
        rules={rules}
        errors={errors}
        onChange={(people) => onChange({ tools, prompts, resources, limits, ...people })}
      />
      <div>
        <NameFields
          kind="tools"
          rules={tools}
          levels={levels}
          errors={errors?.tools}
          onChange={(names) => set({ tools: { ...tools, ...names } })}
        >
          <DefinitionFields rules={tools} onChange={(changed) => set({ tools: changed })} />
        </NameFields>
      </div>
      <div>
        <NameFields
          kind="prompts"
          rules={prompts}
          levels={levels}
          errors={errors?.prompts}
          onChange={(names) => set({ prompts: names })}
        />
      </div>
      <div>
        <NameFields
          kind="resources"
          rules={resources}
          levels={levels}
          errors={errors?.resources}
          onChange={(names) => set({ resources: names })}
        />
      </div>
      <div>
        <CallLimitFields
          limits={limits}
          sentence={limited}
          errors={errors?.limits}
          onChange={(changed) => set({ limits: changed })}
        />
      </div>
    </div>
  );
}
