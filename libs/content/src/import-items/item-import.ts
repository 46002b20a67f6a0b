import { Injectable } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import type { Context, Outcome } from '@app/kernel';
import { CollectionReader } from '../collection-reader';
import type { LiveCollection } from '../collection.state';
import { CreateItems, MAX_BATCH } from '../create-items/create-items.command';
import { MAX_TOLD, rowProblems } from '../create-items/create-items.decide';
import { matchedCharacters, MAX_MATCHED_OF_BATCH } from '../item-data.policy';
import { re2Patterns } from '../re2-patterns';
import type { Lines } from './bounded-body';
import { batchesOf, itemsOf, unfit, type NumberedItem } from './import-line';
import type { ImportedItems } from './imported-items.view';

const boundsFor = ({ fields }: LiveCollection) => ({ size: MAX_BATCH, weight: MAX_MATCHED_OF_BATCH, weightOf: ({ data }: NumberedItem) => matchedCharacters(fields, data) });

/** Imports a person's file: looked through to its end first, and then written batch by batch. */
@Injectable()
export class ItemImport {
  constructor(
    private readonly bus: Bus,
    private readonly collections: CollectionReader,
  ) {}

  /** Refused before a body is read. */
  find = (collection: string, { siteId }: Pick<Context, 'siteId'>) => this.collections.find(siteId, collection);

  /** Throws what is wrong with the lines, when nothing has been written; a refusal names how many items had been created before it. */
  async run(schema: LiveCollection, lines: Lines, context: Context): Promise<Outcome<ImportedItems>> {
    await this.check(schema, lines);
    const collection = schema.name;
    let created = 0;
    let position = 0n;
    for await (const batch of batchesOf(itemsOf(lines()), boundsFor(schema))) {
      // Each batch is a command of its own under the request's.
      const done = await this.bus.send(new CreateItems({ collection, items: batch.map(({ data }) => data) }, { ...context, commandId: `${context.commandId}/${created}`, repeatable: false }));
      if (!done.ok) return { ok: false, rejection: { ...done.rejection, facts: { ...done.rejection.facts, created } } };
      created += done.data.created;
      position = done.position;
    }
    return { ok: true, data: { collection, created }, position };
  }

  private async check(schema: LiveCollection, lines: Lines): Promise<void> {
    const problems: { pointer: string; detail: string }[] = [];
    for await (const batch of batchesOf(itemsOf(lines()), boundsFor(schema))) {
      problems.push(...rowProblems(schema, batch.map(({ data }) => data), re2Patterns, (index) => `/${batch[index]!.line}/data`));
      if (problems.length >= MAX_TOLD) break;
    }
    if (problems.length > 0) throw unfit(problems.slice(0, MAX_TOLD));
  }
}
