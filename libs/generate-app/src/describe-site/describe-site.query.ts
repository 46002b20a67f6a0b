import type { ArtifactContent } from '@app/artifacts/contract';
import { Name } from '@app/content/contract';
import { Query, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { GenerateAppBody } from '../generate-app/generate-app.command';

type Asked = Pick<Context, 'siteId' | 'now'>;

export const AppSpecInput = GenerateAppBody.pick({ template: true, name: true, collections: true }).meta({ id: 'AppSpecInput' });
export type AppSpecInput = z.infer<typeof AppSpecInput>;

/** The pages and components that an app would have on this site; nothing is kept. */
export class DescribeApp extends Query<Outcome<{ readonly page_spec: ArtifactContent; readonly component_spec: ArtifactContent }>> {
  constructor(
    readonly input: AppSpecInput,
    readonly principal: Principal,
    readonly context: Asked,
  ) {
    super();
  }
}

export const ApiDocsInput = z.strictObject({ title: z.string().trim().min(1).max(100).optional(), collections: z.array(Name).min(1).max(50).optional() }).meta({ id: 'ApiDocsInput' });
export type ApiDocsInput = z.infer<typeof ApiDocsInput>;

/** An OpenAPI document of the site's collections, as they are. */
export class DescribeApi extends Query<Outcome<{ readonly api_spec: ArtifactContent }>> {
  constructor(
    readonly input: ApiDocsInput,
    readonly principal: Principal,
    readonly context: Asked,
  ) {
    super();
  }
}

export const MOST_SEEDS = 50;
export const SeedDataInput = z.strictObject({ collection: Name, count: z.int().min(1).max(MOST_SEEDS).default(3) }).meta({ id: 'SeedDataInput' });
export type SeedDataInput = z.infer<typeof SeedDataInput>;

/** Items that a collection would take, made from its fields; none is created. */
export class MakeSeeds extends Query<Outcome<{ readonly seed_data: ArtifactContent }>> {
  constructor(
    readonly input: SeedDataInput,
    readonly context: Asked,
  ) {
    super();
  }
}
