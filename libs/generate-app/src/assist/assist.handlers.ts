import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { collection, collectionId, GetItem, type Collection } from '@app/content/contract';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { reject, type Outcome, type Rejected } from '@app/kernel';
import { maskSecrets } from '@app/vault/contract';
import { invalidAnswer, ModelAnswers } from '../ask-model/model-answers';
import { AssistContent, SuggestField, type AssistedContent, type SuggestedField } from './assist.query';
import { contentQuestion, fieldQuestion, suggestedContent, suggestedField } from './suggestion.policy';

@QueryHandler(SuggestField)
export class SuggestFieldHandler implements IQueryHandler<SuggestField> {
  constructor(
    private readonly executor: Executor,
    private readonly models: ModelAnswers,
  ) {}

  async execute({ input: { collection: name, purpose }, context: { siteId } }: SuggestField): Promise<Outcome<SuggestedField>> {
    const { state, position } = await this.executor.current(collection, collectionId(siteId, name));
    if (state.status !== 'live') return unknown();
    const answer = await this.models.ask(masked(fieldQuestion(purpose, state)));
    if (!answer.ok) return answer;
    const field = suggestedField(answer.value, state);
    return field.ok ? { ok: true, data: { collection: name, field: field.value, model: answer.model }, position } : invalidAnswer(field.problems);
  }
}

@QueryHandler(AssistContent)
export class AssistContentHandler implements IQueryHandler<AssistContent> {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
    private readonly models: ModelAnswers,
  ) {}

  async execute({ input: { collection: name, id, instruction, fields }, context: { siteId } }: AssistContent): Promise<Outcome<AssistedContent>> {
    const { state, position } = await this.executor.current(collection, collectionId(siteId, name));
    if (state.status !== 'live') return unknown();
    const foreign = (fields ?? []).filter((field) => !has(state, field));
    if (foreign.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'Only fields of the collection are written.', { errors: foreign.map((field) => ({ pointer: '/fields', detail: `${name} has no field ${field}` })) });
    const item = id === undefined ? undefined : await this.bus.ask(new GetItem({ collection: name, id }, { siteId }));
    if (item && !item.ok) return item;
    const wanted = fields ?? state.fields.map((field) => field.name);
    const answer = await this.models.ask(masked(contentQuestion(instruction, state, wanted, item?.data.data ?? {})));
    if (!answer.ok) return answer;
    const data = suggestedContent(answer.value, state, wanted);
    return data.ok ? { ok: true, data: { collection: name, id: id ?? null, data: data.value, model: answer.model }, position } : invalidAnswer(data.problems);
  }
}

const has = ({ fields }: Extract<Collection, { status: 'live' }>, wanted: string) => fields.some(({ name }) => name === wanted);
/** What leaves for a model carries no secret. */
const masked = ({ system, user }: { readonly system: string; readonly user: string }) => ({ system, user: maskSecrets(user).masked });
const unknown = (): Rejected =>
  reject('invalid', 'VALIDATION_FAILED', 'This is about a collection of this site.', { errors: [{ pointer: '/collection', detail: 'There is no such collection on this site' }] });
