import { integrationPolicySchema, type PolicyLevel } from '@gatehouse/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { integrationQuery, policyQuery } from '../integrations/queries.ts';
import { ArchivedRules, UnknownRules } from './no-form.tsx';
import { PerApplication } from './per-application.tsx';
import { PolicyForm, type PolicyTarget, type Typed } from './policy-form.tsx';
import { rulesAt, withRulesAt } from './rules.ts';
import { RulesFields } from './rules-fields.tsx';
import { ToolList } from './tool-list.tsx';

const route = getRouteApi('/integrations/$id/policy');

/** The rules of an integration, which bind every application, and further ones for single applications. */
export function EditIntegrationPolicy() {
  const { id } = route.useParams();
  const isAdmin = useIsAdmin();
  const integration = useQuery({ ...integrationQuery(id), enabled: isAdmin });
  const rules = useQuery({ ...policyQuery(id), enabled: isAdmin });
  if (!isAdmin) return <AdminsOnly title="Rules of an integration" />;
  const skeleton = <SkeletonText lines={5} />;
  return (
    <Load isView query={integration} skeleton={skeleton}>
      {({ integration: { name, archivedAt } }) => (
        <>
          <PageHead
            title={`Rules of ${name}`}
            sentence="Who may use it, and which of its tools, prompts and resources, through any application."
            above={{ to: '/integrations', label: 'Integrations' }}
          />
          <Load isView query={rules} skeleton={skeleton}>
            {({ policy, etag }) => {
              if (archivedAt !== null) return <ArchivedRules of="integration" />;
              const read = integrationPolicySchema.safeParse(policy);
              if (!read.success) return <UnknownRules />;
              return <Editor key={id} id={id} name={name} read={{ policy: read.data, etag }} />;
            }}
          </Load>
        </>
      )}
    </Load>
  );
}

interface EditorProps {
  readonly id: string;
  readonly name: string;
  readonly read: Parameters<typeof PolicyForm>[0]['read'];
}

function Editor({ id, name, read }: EditorProps) {
  const navigate = route.useNavigate();
  const target: PolicyTarget = {
    name,
    limited: 'everyone',
    read: async () => {
      const { data, etag } = await gatehouse.integrations.policy.get(id).withResponse();
      return { policy: integrationPolicySchema.parse(data.policy), etag };
    },
    save: (policy, etag) => gatehouse.integrations.policy.put(id, policy, { ifMatch: etag }),
    change: (policy) => ({ kind: 'integration_policy', integrationId: id, policy }),
    leave: () => navigate({ to: '/integrations/$id', params: { id }, search: { tab: 'policy' } }),
  };
  return (
    <PolicyForm read={read} target={target}>
      {(typed) => <Fields id={id} {...typed} />}
    </PolicyForm>
  );
}

function Fields({ id, policy, before, errors, onChange }: Typed & { id: string }) {
  const { application, show } = route.useSearch();
  const navigate = route.useNavigate();
  const levelsOf = (all: typeof policy): PolicyLevel[] => [
    { level: 'integration', rules: rulesAt(all, undefined) },
    ...(application === undefined
      ? []
      : [{ level: 'application' as const, rules: rulesAt(all, application) }]),
  ];
  return (
    <>
      <PerApplication
        policy={policy}
        errors={errors}
        chosen={application}
        onChoose={(chosen) =>
          navigate({ search: (search) => ({ ...search, application: chosen }), replace: true })
        }
      />
      <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1.6fr)_minmax(280px,1fr)]">
        <Panel>
          <div className="p-4">
            <RulesFields
              key={application ?? 'every'}
              rules={rulesAt(policy, application)}
              levels={levelsOf(policy)}
              errors={application === undefined ? errors : errors?.perApplication?.[application]}
              limited={
                application === undefined
                  ? 'For everyone together, across all applications.'
                  : 'For each person in this application. If its owner sets a limit too, the lower one applies.'
              }
              onChange={(rules) => onChange(withRulesAt(policy, application, rules))}
            />
          </div>
        </Panel>
        <ToolList
          integrationId={id}
          levels={levelsOf(policy)}
          before={levelsOf(before)}
          rules={rulesAt(policy, application).tools ?? {}}
          onChange={(tools) =>
            onChange(withRulesAt(policy, application, { ...rulesAt(policy, application), tools }))
          }
          isRefusedOnly={show === 'refused'}
          onRefusedOnly={(isOn) =>
            navigate({
              search: (search) => ({ ...search, show: isOn ? 'refused' : undefined }),
              replace: true,
            })
          }
        />
      </div>
    </>
  );
}
