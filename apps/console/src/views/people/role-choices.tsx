import { memberRoleLabels } from '@gatehouse/contract';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { useMe } from '../../shell/me.ts';
import { rolesToGive } from './rules.ts';

/** What someone may do, of what the person who is signed in may give. */
export function RoleChoices({ registered }: { registered: UseFormRegisterReturn }) {
  const me = useMe();
  return (
    <ChoiceGroup legend="Role">
      {rolesToGive(me).map((role) => (
        <Choice
          key={role}
          type="radio"
          value={role}
          {...registered}
          label={memberRoleLabels[role].label}
          sentence={memberRoleLabels[role].sentence}
        />
      ))}
    </ChoiceGroup>
  );
}
