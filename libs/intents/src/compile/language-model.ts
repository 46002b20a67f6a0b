/** Why a model gave no text. `detail` is a sentence without any secret. */
export class LanguageModelFailed extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'LanguageModelFailed';
  }
}

/** A model that answers texts with texts. */
export abstract class LanguageModel {
  /** Null when no provider is configured; then nothing is ever asked. */
  abstract readonly name: string | null;
  /** Throws `LanguageModelFailed` when the provider refuses, breaks off or takes too long. */
  abstract complete(question: { readonly system: string; readonly user: string }): Promise<string>;
}

export class NoLanguageModel extends LanguageModel {
  override readonly name = null;

  override complete(): Promise<string> {
    return Promise.reject(new LanguageModelFailed('No language model is configured'));
  }
}
