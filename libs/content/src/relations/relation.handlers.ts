import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { CollectionReader } from '../collection-reader';
import { sameRelation } from '../collection.state';
import type { Relation } from '../relation.schema';
import { CreateRelation, DeleteRelation, ListRelations, type GoneRelation, type RelationViews } from './relation.command';
import { decideCreateRelation, decideDeleteRelation } from './relation.decide';
import { RelationWriter } from './relation-writer';

@CommandHandler(CreateRelation)
export class CreateRelationHandler implements ICommandHandler<CreateRelation> {
  constructor(private readonly relations: RelationWriter) {}

  async execute({ body, context }: CreateRelation): Promise<Outcome<Relation>> {
    const { collection: from, name, field, to } = body;
    const done = await this.relations.write({ written: [from, to], ahead: to }, context, (states) => decideCreateRelation(states, body, context));
    return done.ok ? { ok: true, data: { name, from, field, to }, position: done.position } : done;
  }
}

@CommandHandler(DeleteRelation)
export class DeleteRelationHandler implements ICommandHandler<DeleteRelation> {
  constructor(
    private readonly relations: RelationWriter,
    private readonly collections: CollectionReader,
  ) {}

  async execute({ body, context }: DeleteRelation): Promise<Outcome<GoneRelation>> {
    const { collection, name } = body;
    const found = await this.collections.find(context.siteId, collection);
    const to = found.ok ? found.state.relations.find((known) => sameRelation(known, { from: collection, name }))?.to : undefined;
    const done = await this.relations.write({ written: to === undefined ? [collection] : [collection, to] }, context, (states) => decideDeleteRelation(states, body, context));
    return done.ok ? { ok: true, data: { collection, name, deleted: true }, position: done.position } : done;
  }
}

@QueryHandler(ListRelations)
export class ListRelationsHandler implements IQueryHandler<ListRelations> {
  constructor(private readonly collections: CollectionReader) {}

  async execute({ input, context }: ListRelations): Promise<Outcome<RelationViews>> {
    const found = await this.collections.find(context.siteId, input.collection);
    return found.ok ? { ok: true, data: found.state.relations, position: found.position } : found;
  }
}
