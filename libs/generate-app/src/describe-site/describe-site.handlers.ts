import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ArtifactContent } from '@app/artifacts/contract';
import { collection, collectionId } from '@app/content/contract';
import { Executor } from '@app/event-store';
import { reject } from '@app/kernel';
import { ecommerceApp, namesWanted } from '../ecommerce/ecommerce-app.policy';
import { SiteContextReader } from '../site-context/site-context';
import { apiSpec } from '../specs/api-spec.policy';
import { sampleItem, sampleValue } from '../specs/sample-value.policy';
import { DescribeApi, DescribeApp, MakeSeeds } from './describe-site.query';

@QueryHandler(DescribeApp)
export class DescribeAppHandler implements IQueryHandler<DescribeApp> {
  constructor(private readonly contexts: SiteContextReader) {}

  async execute({ input, principal, context: { siteId, now } }: DescribeApp) {
    const { context, position } = await this.contexts.at({ principal, siteId, now, goalId: null, names: namesWanted(input) });
    const { page_spec, component_spec } = ecommerceApp(input, context);
    return { ok: true as const, data: { page_spec, component_spec }, position };
  }
}

@QueryHandler(DescribeApi)
export class DescribeApiHandler implements IQueryHandler<DescribeApi> {
  constructor(private readonly contexts: SiteContextReader) {}

  async execute({ input: { title = 'Content API', collections: wanted = [] }, principal, context: { siteId, now } }: DescribeApi) {
    const { context, position } = await this.contexts.at({ principal, siteId, now, goalId: null, names: wanted });
    const unknown = wanted.filter((name) => !context.collections.some((each) => each.name === name));
    if (unknown.length > 0) {
      return reject('invalid', 'VALIDATION_FAILED', 'Only collections of this site are documented.', { errors: unknown.map((name) => ({ pointer: `/collections/${wanted.indexOf(name)}`, detail: 'There is no such collection on this site' })) });
    }
    const documented = wanted.length === 0 ? context.collections : context.collections.filter(({ name }) => wanted.includes(name));
    return { ok: true as const, data: { api_spec: apiSpec(title, documented, context) }, position };
  }
}

@QueryHandler(MakeSeeds)
export class MakeSeedsHandler implements IQueryHandler<MakeSeeds> {
  constructor(private readonly executor: Executor) {}

  async execute({ input: { collection: name, count }, context: { siteId } }: MakeSeeds) {
    const { state, position } = await this.executor.current(collection, collectionId(siteId, name));
    if (state.status !== 'live') return reject('invalid', 'VALIDATION_FAILED', 'Items are made for a collection.', { errors: [{ pointer: '/collection', detail: 'There is no such collection on this site' }] });
    // Optional fields are filled as well, as far as a value can be made up.
    const thought = (nr: number) => Object.fromEntries(state.fields.map((field) => [field.name, sampleValue(field, nr)]));
    const items = Array.from({ length: count }, (_, nr) => sampleItem(state.fields, state.relations, name, thought(nr), nr)).flatMap((data) => (data ? [{ collection: name, data }] : []));
    if (items.length === 0) return reject('conflict', 'CONFLICT', 'A required field of this collection has a pattern or refers to other items; such values cannot be made up.');
    return { ok: true as const, data: { seed_data: { items } as unknown as ArtifactContent }, position };
  }
}
