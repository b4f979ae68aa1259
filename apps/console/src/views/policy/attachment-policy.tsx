import { integrationPolicySchema, type PolicyLevel, policySchema } from '@gatehouse/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { applicationQuery, attachmentPolicyQuery } from '../applications/queries.ts';
import { policyQuery } from '../integrations/queries.ts';
import { ArchivedRules, UnknownRules } from './no-form.tsx';
import { PolicyForm, type PolicyTarget, type Typed } from './policy-form.tsx';
import { rulesAt } from './rules.ts';
import { RulesFields } from './rules-fields.tsx';
import { ToolList } from './tool-list.tsx';

const route = getRouteApi('/applications/$id/integrations/$integrationId/policy');

/** The rules of an attachment, which narrow what the rules of the integration allow. */
export function EditAttachmentPolicy() {
  const { id, integrationId } = route.useParams();
  const application = useQuery(applicationQuery(id));
  const rules = useQuery(attachmentPolicyQuery(id, integrationId));
  const above = useLevelsAbove({ id, integrationId });
  const skeleton = <SkeletonText lines={5} />;
  return (
    <Load isView query={application} skeleton={skeleton}>
      {({ application: { name, integrations, canModify } }) => {
        const attached = integrations.find((each) => each.id === integrationId);
        const place = `${attached?.name ?? 'the integration'} in ${name}`;
        return (
          <>
            <PageHead
              title={`Rules of ${place}`}
              sentence="They apply in this application only, and can only narrow what the integration’s own rules allow."
              above={{ to: '/applications', label: 'Applications' }}
            />
            <Load isView query={rules} skeleton={skeleton}>
              {({ policy, etag }) => {
                if (!canModify) return <ArchivedRules of="application" />;
                const read = policySchema.safeParse(policy);
                if (!read.success) return <UnknownRules />;
                return (
                  <Load isView query={above} skeleton={skeleton}>
                    {(levels) => (
                      <Editor
                        key={`${id} ${integrationId}`}
                        ids={{ id, integrationId }}
                        name={place}
                        above={levels}
                        read={{ policy: read.data, etag }}
                      />
                    )}
                  </Load>
                );
              }}
            </Load>
          </>
        );
      }}
    </Load>
  );
}

interface Ids {
  readonly id: string;
  readonly integrationId: string;
}

interface EditorProps {
  readonly ids: Ids;
  readonly name: string;
  readonly above: readonly PolicyLevel[];
  readonly read: Parameters<typeof PolicyForm>[0]['read'];
}

function Editor({ ids: { id, integrationId }, name, above, read }: EditorProps) {
  const navigate = route.useNavigate();
  const { policy: api } = gatehouse.applications.integrations;
  const target: PolicyTarget = {
    name,
    limited: 'person',
    read: async () => {
      const { data, etag } = await api.get(id, integrationId).withResponse();
      return { policy: policySchema.parse(data.policy), etag };
    },
    save: (policy, etag) => api.put(id, integrationId, policy, { ifMatch: etag }),
    change: (policy) => ({ kind: 'attachment_policy', applicationId: id, integrationId, policy }),
    leave: () =>
      navigate({ to: '/applications/$id', params: { id }, search: { tab: 'integrations' } }),
  };
  return (
    <PolicyForm read={read} target={target}>
      {(typed) => <Fields ids={{ id, integrationId }} above={above} {...typed} />}
    </PolicyForm>
  );
}

type FieldsProps = Typed & Pick<EditorProps, 'ids' | 'above'>;

function Fields({ ids, above, policy, before, errors, onChange }: FieldsProps) {
  const isAdmin = useIsAdmin();
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const levelsWith = (all: typeof policy): PolicyLevel[] => [
    ...above,
    { level: 'attachment', rules: rulesAt(all, undefined) },
  ];
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1.6fr)_minmax(280px,1fr)]">
      <Panel>
        <div className="p-4">
          <RulesFields
            rules={policy}
            levels={levelsWith(policy)}
            errors={errors}
            limited="For each person in this application. The application itself counts as one more."
            onChange={onChange}
          />
        </div>
      </Panel>
      {isAdmin ? (
        <ToolList
          integrationId={ids.integrationId}
          levels={levelsWith(policy)}
          before={levelsWith(before)}
          rules={policy.tools ?? {}}
          onChange={(tools) => onChange({ ...policy, tools })}
          isRefusedOnly={show === 'refused'}
          onRefusedOnly={(isOn) =>
            navigate({ search: { show: isOn ? 'refused' : undefined }, replace: true })
          }
        />
      ) : (
        <Panel title="What it means for its tools">
          <p className="px-4 py-3 text-ink-2">
            Only admins can see which tools the server has, but you can try any name in the form.
            The integration’s own rules, which admins set, apply as well.
          </p>
        </Panel>
      )}
    </div>
  );
}

/** The rules that admins set for the integration, as far as the person may read them and this form can. */
function useLevelsAbove({ id, integrationId }: Ids) {
  const isAdmin = useIsAdmin();
  const { data, error } = useQuery({ ...policyQuery(integrationId), enabled: isAdmin });
  return { data: isAdmin ? data && levelsOf(data.policy, id) : [], error };
}

function levelsOf(policy: unknown, applicationId: string): PolicyLevel[] {
  const read = integrationPolicySchema.safeParse(policy);
  if (!read.success) return [];
  return [
    { level: 'integration', rules: rulesAt(read.data, undefined) },
    { level: 'application', rules: rulesAt(read.data, applicationId) },
  ];
}
