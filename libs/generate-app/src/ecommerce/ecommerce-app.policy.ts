import type { ArtifactContent } from '@app/artifacts/contract';
import type { AppPart, GenerateAppBody } from '../generate-app/generate-app.command';
import type { SiteContext } from '../site-context/site-context.policy';
import { apiSpec } from '../specs/api-spec.policy';
import { componentSpec } from '../specs/component-spec.policy';
import { pageSpec } from '../specs/page-spec.policy';
import { seedData } from '../specs/seed-data.policy';
import { KINDS, namesFor, shopOn } from './ecommerce.policy';

export type App = Readonly<Record<AppPart, ArtifactContent>>;

export const appName = ({ name = 'Storefront' }: Pick<GenerateAppBody, 'name'>): string => name;

/** Every name that a collection of the shop may get. */
export const namesWanted = ({ collections = {} }: Pick<GenerateAppBody, 'collections'>): readonly string[] => KINDS.flatMap((kind) => namesFor(kind, collections[kind]).slice(0, 20));

/** The e-commerce template: the same wish on the same site gives the same four documents. */
export const ecommerceApp = (wish: Pick<GenerateAppBody, 'name' | 'collections'>, context: SiteContext): App => {
  const shop = shopOn(context, wish.collections as Partial<Record<(typeof KINDS)[number], string>>);
  const name = appName(wish);
  return {
    page_spec: pageSpec(name, shop, context),
    component_spec: componentSpec(shop, context),
    seed_data: seedData(shop, context),
    api_spec: apiSpec(`${name} API`, KINDS.map((kind) => shop[kind]), context),
  };
};
