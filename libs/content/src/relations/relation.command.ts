import { Command, Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import { Relation } from '../relation.schema';

export const ListRelationsInput = z.strictObject({ collection: Name }).meta({ id: 'ListRelations' });
export type ListRelationsInput = z.infer<typeof ListRelationsInput>;

export const CreateRelationBody = z
  .strictObject({
    collection: Name,
    name: Name,
    field: Name.describe('A text field of the collection; its values become ids of items of the other'),
    to: Name.describe('The collection that the values lead to'),
  })
  .meta({ id: 'CreateRelation' });
export type CreateRelationBody = z.infer<typeof CreateRelationBody>;

export const DeleteRelationBody = z.strictObject({ collection: Name, name: Name }).meta({ id: 'DeleteRelation' });
export type DeleteRelationBody = z.infer<typeof DeleteRelationBody>;

export const GoneRelation = z.object({ collection: z.string(), name: z.string(), deleted: z.literal(true) }).meta({ id: 'GoneRelation' });
export type GoneRelation = Readonly<z.infer<typeof GoneRelation>>;

export const RelationViews = z.array(Relation).readonly();
export type RelationViews = Readonly<z.infer<typeof RelationViews>>;

/** The relations that a collection takes part in, on either side, as the log has them now. */
export class ListRelations extends Query<Outcome<RelationViews>> {
  constructor(
    readonly input: ListRelationsInput,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}

export class CreateRelation extends Command<Outcome<Relation>> {
  constructor(
    readonly body: CreateRelationBody,
    readonly context: Context,
  ) {
    super();
  }
}

/** The values of its field stay, and are plain text again. */
export class DeleteRelation extends Command<Outcome<GoneRelation>> {
  constructor(
    readonly body: DeleteRelationBody,
    readonly context: Context,
  ) {
    super();
  }
}
