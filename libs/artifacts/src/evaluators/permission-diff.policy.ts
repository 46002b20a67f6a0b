import { isObject, objectsIn } from './strings.policy';

/** Capabilities of the roles that a site has now; a disabled role holds nothing. */
export type RolesNow = Readonly<Record<string, readonly string[]>>;

const LISTS = ['capabilities', 'requiredCapabilities', 'permissions', 'scopes'];
/** Members that open something to everybody, and the value that does it. */
const OPENS: Readonly<Record<string, readonly unknown[]>> = {
  public: [true], anonymous: [true], allowAnonymous: [true], isAdmin: [true], admin: [true], superuser: [true], requireAuth: [false], requiresAuth: [false], authRequired: [false],
  authentication: [false, 'none'], requiresApproval: [false], dangerous: [false], irreversible: [false], access: ['public', '*'], visibility: ['public'],
};

/**
 * Where an artifact would let somebody do more than now: a role that gains capabilities or comes into being with some, a list with `*`, a
 * `before` and `after` that grows, something opened to everybody, an operation of an API without protection.
 */
export const widenedPermissions = (content: unknown, roles: RolesNow): readonly string[] =>
  objectsIn(content).flatMap(({ path, object }) => [
    ...grownRole(path, object, roles),
    ...grownDiff(path, object),
    ...LISTS.flatMap((name) => (namesIn(object[name]).includes('*') ? [`${path}/${name} allows everything`] : [])),
    ...Object.entries(OPENS).flatMap(([name, values]) => (Object.hasOwn(object, name) && values.includes(object[name]) ? [`${path}/${name} is ${JSON.stringify(object[name])}`] : [])),
    ...(Array.isArray(object['security']) && object['security'].length === 0 ? [`${path}/security is empty, so anybody may call it`] : []),
  ]);

const grownRole = (path: string, object: Readonly<Record<string, unknown>>, roles: RolesNow): readonly string[] => {
  const role = [object['role'], object['agentRole'], isRoleList(path) ? object['name'] : undefined].find((each): each is string => typeof each === 'string');
  if (role === undefined) return [];
  const held = Object.hasOwn(roles, role) ? roles[role]! : [];
  const gained = ['capabilities', 'permissions'].flatMap((name) => namesIn(object[name])).filter((each) => !held.includes('*') && !held.includes(each));
  return gained.length === 0 ? [] : [`${path} gives ${role} ${[...new Set(gained)].join(', ')}`];
};

const isRoleList = (path: string) => /\/roles\/\d+$/.test(path);

const grownDiff = (path: string, { before, after }: Readonly<Record<string, unknown>>): readonly string[] => {
  if (before === undefined || after === undefined) return [];
  const lists = Array.isArray(after) ? [['', before, after] as const] : isObject(after) ? Object.entries(after).map(([name, list]) => [`/${name}`, isObject(before) ? before[name] : undefined, list] as const) : [];
  return lists.flatMap(([name, then, now]) => {
    const held = namesIn(then);
    const gained = namesIn(now).filter((each) => isCapability(each) && !held.includes('*') && !held.includes(each));
    return gained.length === 0 ? [] : [`${path}/after${name} adds ${gained.join(', ')}`];
  });
};

const isCapability = (text: string) => text === '*' || /^[a-z][a-z0-9-]*:[a-z*][a-z0-9*-]*$/.test(text);
const namesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : value === '*' ? ['*'] : []);
