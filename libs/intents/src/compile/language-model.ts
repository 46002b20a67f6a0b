import { LanguageModel, LanguageModelFailed } from '../contract';

export { LanguageModel, LanguageModelFailed };

export class NoLanguageModel extends LanguageModel {
  override readonly name = null;

  override complete(): Promise<string> {
    return Promise.reject(new LanguageModelFailed('No language model is configured'));
  }
}
