import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { missing, type Outcome } from '@app/kernel';
import { ItemWriter } from '../item-writer';
import { pinnedByEdit } from './edit-question.policy';
import { ExplainEdit, type ExplainedEdit } from './explain-edit.command';
import { decideExplainEdit } from './explain-edit.decide';

@CommandHandler(ExplainEdit)
export class ExplainEditHandler implements ICommandHandler<ExplainEdit> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ target, body, context }: ExplainEdit): Promise<Outcome<ExplainedEdit>> {
    const written = await this.items.write(target, context, ({ item }, version) => decideExplainEdit(item, version, { collection: target.collection, ...body }, context));
    if (!written.ok) return written;
    const { item } = written.data;
    const edit = item.status === 'live' ? pinnedByEdit(item, body.revision) : undefined;
    return edit ? { ok: true, data: { revision: edit.revision, answer: body.answer, fields: edit.fields, intents: edit.intents }, position: written.position } : missing();
  }
}
