import fc from 'fast-check';
import type { GovernanceEvent, PolicyRule } from '@app/governance/contract';

export const ROLES = ['Writer', 'Intern'] as const;
export const TOOLS = ['look', 'patch', 'deleteThing', 'draw', 'unhandled'] as const;
const CAPABILITIES = { look: 'items:read', patch: 'items:update', deleteThing: 'items:delete', draw: 'artifacts:write', unhandled: 'desk:ask' } as const;
const capability = fc.constantFrom(...Object.values(CAPABILITIES));

const data = { type: 'object', properties: { title: { type: 'string' }, size: { type: 'integer', default: 3 } }, default: {} };
const schema = (more: Record<string, unknown> = {}) => ({
  type: 'object', properties: { id: { type: 'string' }, fail: { type: 'boolean' }, price: { type: 'number', default: 1 }, data, password: { type: 'string', minLength: 3 }, ...more }, additionalProperties: false,
});

/** The site's beginning: five tools of five kinds, two roles, and one of them trusted to stage its patches. */
export const founding = (siteId: string): readonly GovernanceEvent[] => [
  { type: 'SiteCreated', data: { siteId, name: 'Site' } },
  ...TOOLS.map((name) => ({
    type: 'ToolRegistered' as const,
    data: {
      tool: {
        name, kind: 'skill' as const, description: name, inputSchema: schema() as never, requiredCapabilities: [CAPABILITIES[name]],
        risk: name === 'look' ? ('read' as const) : ('write' as const), timeoutMs: 30_000, owner: 'core',
        ...(name === 'patch' && { stageable: true }), ...(name === 'draw' && { artifact: true, costUsd: 0.4 }),
      },
    },
  })),
  ...ROLES.map((name) => ({ type: 'RoleDefined' as const, data: { role: { name, description: '', capabilities: Object.values(CAPABILITIES) } } })),
  { type: 'FlagChanged', data: { flag: 'vetoWindow', on: true } },
  { type: 'AutonomyGranted', data: { agentRole: ROLES[0], capability: CAPABILITIES.patch, level: 3, from: null, expiresAt: null, grantedBy: 'key_ada' } },
];

const effect = fc.oneof(
  fc.constantFrom('allow', 'ask', 'ask', 'deny', 'stage', 'stage').map((verb) => ({ do: verb })),
  fc.nat(4).map((level) => ({ do: 'capLevel', level })),
  fc.integer({ min: 1, max: 3 }).map((quorum) => ({ do: 'requireQuorum', quorum })),
);
const clock = fc.tuple(fc.nat(23), fc.nat(59)).map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
const when = fc.record({
  tool: fc.oneof(fc.constantFrom(...TOOLS), fc.subarray([...TOOLS], { minLength: 1 })),
  role: fc.constantFrom(...ROLES),
  risk: fc.constantFrom('read', 'write'),
  arguments: fc.constantFrom([{ path: '/price', gt: 2 }], [{ path: '/data/title', matches: '^a' }], [{ path: '/id', exists: true }], [{ path: '/password', matches: 'e' }]),
  time: fc.record({ from: clock, to: clock }),
}, { requiredKeys: [] });
const rule = fc.record({ name: fc.constantFrom('one', 'two', 'three'), when, then: effect, mode: fc.constantFrom('enforce', 'enforce', 'shadow') }) as unknown as fc.Arbitrary<PolicyRule>;
export const policies = fc.array(rule, { maxLength: 4 });

const override = fc.record({
  dangerous: fc.boolean(), risk: fc.constantFrom('read', 'create', 'write', 'destructive'), costUsd: fc.constantFrom(0, 0.1, 0.25),
  requiredCapabilities: fc.tuple(capability), timeoutMs: fc.integer({ min: 1_000, max: 60_000 }),
  inputSchema: fc.constantFrom(schema(), schema({ note: { type: 'string', default: 'none' } }), { ...schema(), required: ['id'] }),
}, { requiredKeys: [] });

const tool = fc.constantFrom(...TOOLS);
const role = fc.constantFrom(...ROLES);
const freezeId = fc.constantFrom('freeze_1', 'freeze_2');
const changed = <T extends GovernanceEvent['type']>(type: T, made: fc.Arbitrary<unknown>, weight: number) => ({ weight, arbitrary: made.map((values) => ({ type, data: values }) as GovernanceEvent) });

/** Any change of what decisions depend on. Those that stop everything are rare, because nothing can be seen after them. */
export const governanceChange: fc.Arbitrary<GovernanceEvent> = fc.oneof(
  changed('PolicyChanged', policies.map((rules) => ({ rules })), 4),
  changed('FlagChanged', fc.record({ flag: fc.constant('vetoWindow'), on: fc.constantFrom(true, true, false) }), 4),
  changed('SettingsChanged', fc.integer({ min: 60_000, max: 7_200_000 }).map((approvalExpiryMs) => ({ changes: { approvalExpiryMs } })), 1),
  changed('ToolOverridden', fc.record({ name: tool, override }), 3),
  changed('ToolOverrideRemoved', fc.record({ name: tool }), 1),
  changed('ToolDisabled', fc.record({ name: fc.constant('draw') }), 1),
  changed('ToolEnabled', fc.record({ name: tool }), 2),
  changed('RoleChanged', fc.record({ role: fc.record({ name: role, description: fc.constant(''), capabilities: fc.subarray(Object.values(CAPABILITIES), { minLength: 3 }) }) }), 1),
  changed('RoleDisabled', fc.record({ name: fc.constant('Intern') }), 1),
  changed('AutonomyGranted', fc.record({ agentRole: role, capability, level: fc.constantFrom(0, 1, 2, 3, 3, 4), from: fc.constant(null), expiresAt: fc.constantFrom(null, '2030-01-01T12:00:00.000Z', '2030-01-03T00:00:00.000Z'), grantedBy: fc.constant('key_ada') }), 4),
  changed('AutonomyDemoted', fc.record({ agentRole: role, capability, level: fc.nat(1), from: fc.constant(2), incidentId: fc.constant('inc_1') }), 1),
  changed('ScopeFrozen', fc.record({ freezeId, scope: fc.constantFrom('role', 'role', 'role', 'site'), targetId: fc.constantFrom('Intern', 'Nobody'), reason: fc.constant(null), by: fc.constant('key_ada') }), 1),
  changed('FreezeLifted', fc.record({ freezeId, by: fc.constant('key_ada') }), 2),
);
