import type { Catalogue, Context, Event, Recorded, SealedPayloads } from '@app/kernel';
import type { StreamWrite } from '../event-store';
import { hasHidden, join, placeholders, split } from './sealed-payloads';
import type { SubjectPayloads } from './subject-payloads';

export type SealingOptions = {
  readonly payloads: SealedPayloads;
  readonly subjects: SubjectPayloads;
  /** Event types after which texts that were read before must not be handed out from memory any more. */
  readonly forgetting?: readonly string[];
};

/** Sealed data as stored: `$sealed` beside what stayed open. Its name sorts before any other, so that canonical JSON begins with it. */
type Stored = Readonly<Record<string, unknown>> & { readonly $sealed: { readonly box: string; readonly for: string; readonly in: readonly string[] } };
type Unopened = { readonly type: string; readonly data: unknown };

export const SEALED_START = '{"$sealed":';
const isSealed = (data: unknown): data is Stored => typeof data === 'object' && data !== null && '$sealed' in data;

/** Seals event data on its way into the log, before it is hashed, and opens it on its way out. The chain covers ciphertext. */
export class PayloadSealer {
  private readonly forgetting: ReadonlySet<string>;

  constructor(private readonly options: SealingOptions) {
    this.forgetting = new Set(options.forgetting);
  }

  /** Waits for the keys of what is about to be written; undefined when there is nothing to wait for. */
  ready(writes: readonly StreamWrite[], context: Pick<Context, 'runId' | 'siteId'>): Promise<void> | undefined {
    const subjects = writes.flatMap(({ streamId, events }) => events.flatMap((event) => this.subjectOf(event, streamId, context) ?? []));
    return subjects.length === 0 ? undefined : this.options.subjects.ready([...new Set(subjects)].map((subject) => ({ subject, siteId: context.siteId })));
  }

  /** The stored form of an event's data; undefined when it is stored as it is. `json` makes checked canonical JSON. */
  seal(event: Event, streamId: string, context: Pick<Context, 'runId'>, json: (value: unknown) => string): string | undefined {
    const subject = this.subjectOf(event, streamId, context);
    const parts = subject === undefined ? undefined : split(event.data as Stored, this.options.payloads[event.type]!.fields);
    if (subject === undefined || !parts) return undefined;
    const box = this.options.subjects.seal(subject, json(parts.hidden));
    const rest = json(parts.open);
    // Canonical as it stands: a box has nothing to escape, and the three names are in order.
    const about = `{"box":"${box}","for":${JSON.stringify(subject)},"in":${JSON.stringify(Object.keys(parts.hidden).toSorted())}}`;
    return `${SEALED_START}${about}${rest === '{}' ? '}' : `,${rest.slice(1)}`}`;
  }

  /** Events whose data is as stored, opened and brought to today's version; what cannot be opened any more reads as forgotten. */
  async open<E extends Recorded>(events: readonly E[], catalogue: Catalogue): Promise<readonly E[]> {
    const boxes = events.flatMap(({ data }) => (isSealed(data) ? [{ subject: data.$sealed.for, sealed: data.$sealed.box }] : []));
    if (boxes.length === 0) return events;
    const texts = await this.options.subjects.open(boxes);
    let nr = 0;
    return events.map((event) => {
      if (!isSealed(event.data)) return event;
      const text = texts[nr++] ?? null;
      const data = catalogue.upcast(event.type, event.schemaVersion, this.joined(event, text)) as Event['data'];
      return text === null ? { ...event, data, forgotten: true } : { ...event, data };
    });
  }

  /** The same for data that was read as text, by whoever shows the log as it is stored. */
  async openData(events: readonly Unopened[]): Promise<readonly unknown[]> {
    const boxes = events.flatMap(({ data }) => (isSealed(data) ? [{ subject: data.$sealed.for, sealed: data.$sealed.box }] : []));
    const texts = boxes.length === 0 ? [] : await this.options.subjects.open(boxes);
    let nr = 0;
    return events.map((event) => (isSealed(event.data) ? this.joined(event, texts[nr++] ?? null) : event.data));
  }

  makesForget = (event: { readonly type: string }): boolean => this.forgetting.has(event.type);

  private joined({ type, data }: Unopened, text: string | null): unknown {
    const { $sealed, ...open } = data as Stored;
    return join(open, text === null ? placeholders($sealed.in, this.options.payloads[type]?.fields) : (JSON.parse(text) as Stored));
  }

  private subjectOf({ type, data }: Event, streamId: string, context: Pick<Context, 'runId'>): string | undefined {
    const payload = Object.hasOwn(this.options.payloads, type) ? this.options.payloads[type]! : undefined;
    return payload && hasHidden(data as Stored, payload.fields) ? payload.subject(data as Stored, streamId, context) : undefined;
  }
}
