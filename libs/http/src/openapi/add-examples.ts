import type { Json } from './examples/example-values';
import { ExampleMaker } from './examples/example-maker';
import type { Schema } from './examples/fits';
import type { OperationText } from './operation-texts';

type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value: Json }> };
type Content = Record<string, Media>;
export type Described = { requestBody?: { content?: Content }; responses?: Record<string, { content?: Content }> };

type Fields = { readonly [name: string]: Json };

/** Puts an example of its body and of each successful answer into an operation. One that nobody can make is left out. */
export const addExamples = (operation: Described, maker: ExampleMaker, { body, answer, answers, second }: Partial<OperationText> = {}): void => {
  for (const media of Object.values(operation.requestBody?.content ?? {})) show(media, body ?? maker.of(media.schema ?? {}));
  const successes = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith('2')).map(([, { content }]) => content ?? {});
  for (const [nr, content] of successes.entries())
    for (const [type, media] of Object.entries(content)) {
      const made = maker.of(media.schema ?? {});
      const said = nr === 0 ? asSent(answer, type) : second;
      if (nr === 0 && answers) media.examples = Object.fromEntries(Object.entries(answers).map(([name, one]) => [name, { value: completed(made, one) }]));
      else show(media, said === undefined ? made : completed(made, said));
    }
};

const show = (media: Media, value: Json | undefined) => {
  if (value !== undefined) media.example = value;
};

/** What an answer looks like as an event of a stream. */
const asSent = (said: Json | undefined, type: string): Json | undefined =>
  type === 'text/event-stream' && typeof said === 'object' ? `event: message\ndata: ${JSON.stringify(said)}\n\n` : said;

const isFields = (value: Json | undefined): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is said, in the envelope of the answer, and what else such an answer always holds. */
const completed = (made: Json | undefined, said: Json): Json => (isFields(made) && 'data' in made ? { ...made, data: filled(made['data'], said) } : said);

const filled = (made: Json | undefined, said: Json): Json => {
  if (Array.isArray(said)) return said.map((one: Json) => filled(Array.isArray(made) ? (made[0] as Json) : undefined, one));
  return isFields(made) && isFields(said) ? { ...made, ...said } : said;
};
