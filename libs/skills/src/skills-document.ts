import { isControlPlane } from './control-plane.policy';
import { skillRegistry } from './core-skills';
import type { SkillEntry } from './skill-registry';

const COLUMNS = ['Skill', 'What it does', 'Capability', 'Risk', 'Flags', 'Domain', 'Handler', 'Parameters'];

const HEAD = `# Skills

The tools that every site starts with. Each is one line of one list (\`libs/skills\`), from which this table, the handlers and what models are offered
are made. A test fails when list, handlers and this table differ. To write it anew:

\`\`\`
WRITE_DOCS=1 npm test -- libs/skills/src/skills-document.spec.ts
\`\`\`

Flags: *dangerous* calls wait for a person; what is *irreversible* acts on its own under no level of autonomy; an *idempotent* call that was lost is made
again; a *stageable* one can wait for a veto instead of an approval; *control plane* skills are for admins alone where agents come in over MCP. Domain: the
kind of reviewer that a call concerns. Parameters in brackets may be left out.
`;

const flagsOf = (entry: SkillEntry) => [
  ...(['dangerous', 'irreversible', 'idempotent', 'stageable'] as const).filter((flag) => entry[flag]),
  ...(isControlPlane({ ...entry, requiredCapabilities: [...entry.capabilities] }) ? ['control plane'] : []),
];

const parametersOf = ({ parameters }: SkillEntry) => {
  const { properties = {}, required = [] } = parameters as { readonly properties?: object; readonly required?: readonly string[] };
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `[${name}]`));
};

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const rowOf = (entry: SkillEntry) => row([
  `\`${entry.name}\``, entry.description, entry.capabilities.map((one) => `\`${one}\``).join(' '), entry.risk, flagsOf(entry).join(', '), entry.domain, `\`${entry.handler}\``, parametersOf(entry).join(', '),
]);

/** The reference that people read. */
export const skillsDocument = (skills: readonly SkillEntry[] = skillRegistry): string =>
  [HEAD, row(COLUMNS), row(COLUMNS.map(() => '---')), ...skills.map(rowOf), ''].join('\n');

/** The rows of such a document by skill. */
export const documentedSkills = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split('\n').flatMap((line) => {
    const name = /^\| `([^`]+)` \|/.exec(line)?.[1];
    return name === undefined ? [] : [[name, line] as const];
  }));

/** Every skill in which registry, handlers and document differ, and how. */
export const skillDrift = (skills: readonly SkillEntry[], handlers: readonly string[], text: string): readonly string[] => {
  const documented = documentedSkills(text);
  const names = skills.map(({ name }) => name);
  const keys = skills.map(({ handler }) => handler);
  const twice = (list: readonly string[]) => list.filter((one, index) => list.indexOf(one) !== index);
  return [
    ...twice(names).map((name) => `${name} is registered twice`),
    ...twice(keys).map((key) => `The handler ${key} is named twice`),
    ...skills.filter(({ handler }) => !handlers.includes(handler)).map(({ name, handler }) => `${name} has no handler ${handler}`),
    ...handlers.filter((key) => !keys.includes(key)).map((key) => `The handler ${key} belongs to no skill`),
    ...skills.flatMap((entry) => {
      const line = documented.get(entry.name);
      return line === undefined ? [`${entry.name} is not documented`] : line === rowOf(entry) ? [] : [`${entry.name} is documented as it is not: ${line}`];
    }),
    ...[...documented.keys()].filter((name) => !names.includes(name)).map((name) => `${name} is documented and does not exist`),
  ];
};
