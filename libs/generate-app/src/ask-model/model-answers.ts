import { Injectable } from '@nestjs/common';
import { LanguageModel, LanguageModelFailed } from '@app/intents/contract';
import { reject, type Rejected } from '@app/kernel';

export type ModelQuestion = { readonly system: string; readonly user: string };
export type ModelAnswer = { readonly ok: true; readonly value: unknown; readonly model: string } | Rejected;

/** Asks the model that this server is configured with for JSON. Nothing takes the place of a model that is not there, or that fails. */
@Injectable()
export class ModelAnswers {
  constructor(private readonly model: LanguageModel) {}

  get isConfigured(): boolean {
    return this.model.name !== null;
  }

  async ask(question: ModelQuestion): Promise<ModelAnswer> {
    const { name } = this.model;
    if (name === null) return reject('unavailable', 'LLM_NOT_CONFIGURED', 'No language model is configured; set LLM_BASE_URL and LLM_MODEL.');
    try {
      const value = jsonOf(await this.model.complete(question));
      return value === undefined ? invalidAnswer(['It is no JSON']) : { ok: true, value, model: name };
    } catch (error) {
      if (!(error instanceof LanguageModelFailed)) throw error;
      return reject('unavailable', 'LLM_PROVIDER_ERROR', `${error.message}.`);
    }
  }
}

/** What a model says is data until it has been checked; what does not hold goes nowhere. */
export const invalidAnswer = (problems: readonly string[]): Rejected =>
  reject('unavailable', 'LLM_INVALID_JSON', 'What the language model answered does not hold; try again.', { problems: problems.slice(0, 20) });

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
