import { ARTIFACT_CONTENT_LIMIT, ArtifactContent } from './written-content.schema';
import type { App } from '../ecommerce/ecommerce-app.policy';
import { APP_PARTS } from '../generate-app/generate-app.command';

export type WrittenApp = { readonly ok: true; readonly app: App } | { readonly ok: false; readonly problems: readonly string[] };

/** What a model answered, as four documents; what each must hold besides is checked by whoever keeps artifacts. `draft` is what it was given. */
export const writtenApp = (value: unknown, draft: App): WrittenApp => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { ok: false, problems: ['It is no object'] };
  const given = value as Readonly<Record<string, unknown>>;
  const problems: string[] = Object.keys(given).filter((part) => !(APP_PARTS as readonly string[]).includes(part)).map((part) => `/${part} is not asked for`);
  const parts = APP_PARTS.flatMap((part) => {
    const parsed = ArtifactContent.safeParse(Object.hasOwn(given, part) ? given[part] : undefined);
    if (!parsed.success) problems.push(`/${part} is no object`);
    else if (JSON.stringify(parsed.data).length > ARTIFACT_CONTENT_LIMIT) problems.push(`/${part} is too large`);
    return parsed.success ? [[part, parsed.data] as const] : [];
  });
  if (problems.length > 0) return { ok: false, problems };
  const app = Object.fromEntries(parts) as App;
  const missing = shapesOf(draft).filter((wanted) => !shapesOf(app).includes(wanted));
  return missing.length > 0 ? { ok: false, problems: missing.map((each) => `/seed_data/collections lacks ${each}`) } : { ok: true, app };
};

/** Collections and their fields with types, one text each. */
const shapesOf = ({ seed_data: { collections } }: App): readonly string[] =>
  listOf(collections).flatMap((collection) => {
    const name = textIn(collection, 'name');
    return [name, ...listOf(memberOf(collection, 'fields')).map((field) => `${name}.${textIn(field, 'name')}: ${textIn(field, 'type')}`)];
  });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const memberOf = (value: unknown, name: string): unknown => (typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined);
const textIn = (value: unknown, name: string): string => {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : '';
};
