import { z } from 'zod';
import { LanguageModel, LanguageModelFailed } from './language-model';

export type ChatCompletionsOptions = { readonly baseUrl: string; readonly apiKey?: string | undefined; readonly model: string; readonly timeoutMs?: number };

const WITHIN_MS = 60_000;
/** Rules for an intent are a few thousand characters; more than this is no answer to the question. */
const MOST_CHARACTERS = 200_000;

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

/** Any provider that speaks the chat completions protocol. */
export class ChatCompletions extends LanguageModel {
  override readonly name: string;

  constructor(private readonly options: ChatCompletionsOptions) {
    super();
    this.name = options.model;
  }

  override async complete({ system, user }: { readonly system: string; readonly user: string }): Promise<string> {
    const { baseUrl, apiKey, model, timeoutMs = WITHIN_MS } = this.options;
    const body = { model, temperature: 0, response_format: { type: 'json_object' }, messages: [{ role: 'system', content: system }, { role: 'user', content: user }] };
    const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST', body: JSON.stringify(body), redirect: 'error', signal: AbortSignal.timeout(timeoutMs),
      headers: { 'content-type': 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    }).catch((error: unknown) => {
      throw new LanguageModelFailed(`The provider could not be reached: ${(error as Error).name}`);
    });
    const text = await answer.text().catch(() => '');
    if (!answer.ok) throw new LanguageModelFailed(`The provider answered ${answer.status}`);
    const completion = Completion.safeParse(jsonOf(text));
    if (!completion.success) throw new LanguageModelFailed('The provider sent no completion');
    return completion.data.choices[0]!.message.content.slice(0, MOST_CHARACTERS);
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
