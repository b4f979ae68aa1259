import { hasPeopleRules, memberRoleLabels, type PolicyInput } from '@gatehouse/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { keysOf } from '../../api/keys-of.ts';
import { messageWithin } from '../../api/problems.ts';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { useMe } from '../../shell/me.ts';
import { groupDirectory, peopleDirectory } from '../directory.ts';
import { NamedList } from './named-list.tsx';

type PeopleRules = Pick<PolicyInput, 'roles' | 'groups' | 'userIds'>;

interface PeopleFieldsProps {
  readonly rules: PolicyInput;
  readonly errors: Readonly<Partial<Record<keyof PolicyInput, unknown>>> | undefined;
  readonly onChange: (people: PeopleRules) => void;
}

/** Lists without anyone are left out, but one: with no list, everyone may. */
function peopleOf({ roles = [], groups = [], userIds = [] }: PeopleRules): PeopleRules {
  const isNobody = roles.length + groups.length + userIds.length === 0;
  return {
    ...((roles.length > 0 || isNobody) && { roles }),
    ...(groups.length > 0 && { groups }),
    ...(userIds.length > 0 && { userIds }),
  };
}

/** Who may use the integration: everyone, or those of a role, of a group, or named one by one. */
export function PeopleFields({ rules, errors, onChange }: PeopleFieldsProps) {
  const name = useId();
  const people = useQuery(peopleDirectory(useMe()));
  const groups = useQuery(groupDirectory);
  const { roles = [], groups: groupIds = [], userIds = [] } = rules;
  // Switching to everyone and back loses nothing that was chosen.
  const [last, setLast] = useState<PeopleRules>({});
  const isLimited = hasPeopleRules(rules);
  const change = (changed: PeopleRules) =>
    onChange(peopleOf({ roles, groups: groupIds, userIds, ...changed }));
  const message = messageWithin(errors?.roles);
  return (
    <div className="grid gap-4">
      <ChoiceGroup legend="Who may use it">
        <Choice
          type="radio"
          name={name}
          checked={!isLimited}
          onChange={() => {
            setLast({ roles, groups: groupIds, userIds });
            onChange({});
          }}
          label="Everyone"
          sentence="Every member who may use the application, and the application itself."
        />
        <Choice
          type="radio"
          name={name}
          checked={isLimited}
          onChange={() => onChange(peopleOf(last))}
          label="Only these people"
          sentence="One match is enough. An application calling on its own behalf is refused."
        />
      </ChoiceGroup>
      {isLimited && (
        <div className="ml-6.5 grid gap-4">
          <ChoiceGroup legend="Everyone with the role">
            {keysOf(memberRoleLabels).map((role) => (
              <Choice
                key={role}
                type="checkbox"
                checked={roles.includes(role)}
                onChange={({ target }) =>
                  change({
                    roles: target.checked
                      ? [...roles, role]
                      : roles.filter((other) => other !== role),
                  })
                }
                label={memberRoleLabels[role].label}
              />
            ))}
            {message !== undefined && <p className="foreign text-bad">{message}</p>}
          </ChoiceGroup>
          <NamedList
            label="Members of the groups"
            of="groups"
            query={groups}
            ids={groupIds}
            error={messageWithin(errors?.groups)}
            onChange={(ids) => change({ groups: ids })}
          />
          <NamedList
            label="These people"
            of="people"
            query={people}
            ids={userIds}
            error={messageWithin(errors?.userIds)}
            onChange={(ids) => change({ userIds: ids })}
          />
        </div>
      )}
    </div>
  );
}
