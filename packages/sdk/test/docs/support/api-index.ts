import { type Route, routes } from '@gatehouse/contract/routes';
import ts from 'typescript';
import { parse } from './public-api.ts';

/** A method of the client and the operation of the route table that it performs. */
export interface Method {
  /** As it is called: `applications.oauth.get(id)`. */
  readonly call: string;
  readonly returns: string;
  readonly summary: string;
}

const RESOURCES = 'src/resources/';
const FILES: Readonly<Record<string, string>> = {
  Gatehouse: 'src/client.ts',
  Integrations: `${RESOURCES}integrations.ts`,
  Applications: `${RESOURCES}applications.ts`,
  ApplicationOauthClient: `${RESOURCES}application-oauth.ts`,
  ApplicationAggregate: `${RESOURCES}application-aggregate.ts`,
  ApplicationIntegrations: `${RESOURCES}application-integrations.ts`,
  ApplicationIntegrationPolicy: `${RESOURCES}application-integration-policy.ts`,
  IntegrationPolicyRules: `${RESOURCES}integration-policy.ts`,
  ApplicationSessions: `${RESOURCES}application-sessions.ts`,
  Tokens: `${RESOURCES}tokens.ts`,
  Members: `${RESOURCES}members.ts`,
  Groups: `${RESOURCES}groups.ts`,
  GroupMembers: `${RESOURCES}group-members.ts`,
  Usage: `${RESOURCES}usage.ts`,
};

/** Methods that perform any operation, or do not call the service. */
const GENERAL = new Set(['request', 'withOptions']);

/** The index of all operations: what the route table holds, with the method that performs it. */
export function apiIndex(): string {
  const methods = methodsByOperation();
  const sections = Object.entries(routes).map(([resource, operations]) => {
    const rows = Object.entries(operations).map(([name, route]) =>
      row(route, methods.get(`${resource}.${name}`)),
    );
    return [`## ${resource}`, '', ...HEAD, ...rows, ''].join('\n');
  });
  return [...INTRODUCTION, ...sections].join('\n');
}

/** The methods of the client by the operation they perform, such as `applications.getOauth`. */
export function methodsByOperation(): Map<string, Method> {
  return new Map(methodsOf('Gatehouse', 'gatehouse'));
}

const INTRODUCTION = [
  '# Operations',
  '',
  'Every operation of the API and the method that calls it, generated from the route table. Paths',
  'are relative to `/api/v1`. Those without a method are for `gatehouse.request`. `key` means that a',
  'repeated request with the same `Idempotency-Key` returns the first response again; the client sends',
  'such a key by itself. Who may call: `public` anyone, `account` any token, `member` any member of the',
  'organization, `admin` admins and owners.',
  '',
];

const HEAD = [
  '| method | returns | HTTP | who | key | what it does |',
  '|---|---|---|---|---|---|',
];

function row({ method, path, access, idempotency }: Route, found: Method | undefined): string {
  const cells = [
    found ? `\`${found.call}\`` : '`gatehouse.request`',
    found ? `\`${found.returns}\`` : '',
    `\`${method} ${path}\``,
    access,
    idempotency === 'key' ? 'key' : '',
    found?.summary ?? '',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Operation names with their methods, of a class and of the classes it holds. */
function methodsOf(className: string, accessor: string): [string, Method][] {
  const source = parse(FILES[className] ?? '');
  const declaration = source.statements
    .filter(ts.isClassDeclaration)
    .find(({ name }) => name?.text === className);
  if (!declaration) throw new Error(`${className} is not where it is expected`);
  return declaration.members.flatMap((member): [string, Method][] => {
    if (ts.isPropertyDeclaration(member) && member.type) {
      const type = member.type.getText(source);
      return type in FILES ? methodsOf(type, `${accessor}.${member.name.getText(source)}`) : [];
    }
    if (!ts.isMethodDeclaration(member) || GENERAL.has(member.name.getText(source))) return [];
    const operation = /\broutes\.(\w+\.\w+)/.exec(member.getText(source))?.[1];
    if (!operation) throw new Error(`${className}.${member.name.getText(source)} has no operation`);
    return [[operation, describeMethod(member, source, accessor)]];
  });
}

function describeMethod(
  member: ts.MethodDeclaration,
  source: ts.SourceFile,
  accessor: string,
): Method {
  const parameters = member.parameters.map(
    (one) => one.name.getText(source) + (one.questionToken ? '?' : ''),
  );
  const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  const prose = ts.getTextOfJSDocComment(comment?.comment) ?? '';
  return {
    call: `${accessor}.${member.name.getText(source)}(${parameters.join(', ')})`,
    returns: member.type?.getText(source) ?? '',
    summary: /^.*?[.](?=\s|$)/s.exec(prose)?.[0].replace(/\s+/g, ' ') ?? '',
  };
}
