import {
  CompareVersion, CompareVersionInput, CreateVersion, CreateVersionBody, DeleteVersion, DeleteVersionBody, ListVersions, ListVersionsInput, PromoteVersion, PromoteVersionBody,
  UpdateVersion, UpdateVersionBody,
} from '@app/content/contract';
import { skill, type CoreSkill } from './core-skill';
import { changesBetween, placeOf, promotionOf, valuesNow } from './item-target';

/** Named versions of one item: changes that are not live until somebody promotes them. */
export const versionSkills: readonly CoreSkill[] = [
  skill('listVersions', {
    description: 'Lists the open versions of one item with what they would change.',
    input: ListVersionsInput, capability: 'items:read', risk: 'read', idempotent: true,
    run: (input, { context }, { ask }) => ask(new ListVersions(input, context)),
  }),
  skill('compareVersion', {
    description: 'Compares a version of an item with what is live.',
    input: CompareVersionInput, capability: 'items:read', risk: 'read', idempotent: true,
    run: (input, { context }, { ask }) => ask(new CompareVersion(input, context)),
  }),
  skill('createVersion', {
    description: 'Opens a named version of an item; nothing of it is live.',
    input: CreateVersionBody, capability: 'items:write', risk: 'create',
    run: (input, { context }, { send }) => send(new CreateVersion(input, context)),
    preview: async ({ data = {}, ...place }, siteId, dispatch) => changesBetween(only(await valuesNow(place, siteId, dispatch), data), data),
  }),
  skill('updateVersion', {
    description: 'Changes what a version of an item holds; nothing of it is live.',
    input: UpdateVersionBody, capability: 'items:write', risk: 'write', idempotent: true,
    run: (input, { context }, { send }) => send(new UpdateVersion(input, context)),
    preview: async ({ data, ...place }, siteId, dispatch) => changesBetween(only(await valuesNow(place, siteId, dispatch), data), data),
  }),
  skill('promoteVersion', {
    description: 'Makes what a version of an item holds live, in one revision.',
    input: PromoteVersionBody, capability: 'items:write', risk: 'write', idempotent: true,
    run: (input, { context }, { send }) => send(new PromoteVersion(input, context)),
    target: async (input, siteId, dispatch) => {
      const [place, promotion] = [await placeOf(input, siteId, dispatch), await promotionOf(input, siteId, dispatch)];
      return place && promotion && { ...place, pinnedFields: promotion.pinned };
    },
    preview: async (input, siteId, dispatch) => ((await promotionOf(input, siteId, dispatch))?.changes ?? []).map(({ field, before, after }) => ({ path: field, before, after })),
  }),
  skill('deleteVersion', {
    description: 'Deletes a version of an item; what is live stays as it is.',
    input: DeleteVersionBody, capability: 'items:write', risk: 'destructive', idempotent: true,
    run: (input, { context }, { send }) => send(new DeleteVersion(input, context)),
  }),
];

const only = (values: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => Object.hasOwn(fields, field)));
