import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { collection, collectionId } from '@app/content/contract';
import { Executor } from '@app/event-store';
import { patternProblem } from '@app/json-schema';
import { reject, type Outcome } from '@app/kernel';
import { CompileIntent, type CompiledIntent } from './compile-intent.query';
import { compileQuestion } from './compile-prompt.policy';
import { compiledRules } from './compiled-rules.policy';
import { LanguageModel, LanguageModelFailed } from './language-model';

@QueryHandler(CompileIntent)
export class CompileIntentHandler implements IQueryHandler<CompileIntent> {
  constructor(
    private readonly executor: Executor,
    private readonly model: LanguageModel,
  ) {}

  async execute({ body: { description, collection: name }, context: { siteId } }: CompileIntent): Promise<Outcome<CompiledIntent>> {
    const { state, position } = await this.executor.current(collection, collectionId(siteId, name));
    if (state.status !== 'live') {
      return reject('invalid', 'VALIDATION_FAILED', 'Rules are made for a collection.', { errors: [{ pointer: '/collection', detail: `There is no collection ${name} on this site` }] });
    }
    if (this.model.name === null) return reject('unavailable', 'LLM_NOT_CONFIGURED', 'No language model is configured; write the rules yourself, or set LLM_BASE_URL and LLM_MODEL.');
    try {
      const compiled = compiledRules(await this.model.complete(compileQuestion(description, state)), { fields: state.fields.map((field) => field.name), patternProblem });
      if (!compiled) return reject('unavailable', 'LLM_INVALID_JSON', 'The language model did not answer with rules; try again, or write them yourself.');
      return { ok: true, data: { collection: name, ...compiled }, position };
    } catch (error) {
      if (!(error instanceof LanguageModelFailed)) throw error;
      return reject('unavailable', 'LLM_PROVIDER_ERROR', `${error.message}.`);
    }
  }
}
