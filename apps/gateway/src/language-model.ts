import { ChatCompletions, NoLanguageModel, type LanguageModel } from '@app/intents';
import type { Config } from './config';

/** The model that is configured, or the one that is not. */
export const languageModel = ({ llm }: Pick<Config, 'llm'>): LanguageModel => (llm === undefined ? new NoLanguageModel() : new ChatCompletions(llm));
