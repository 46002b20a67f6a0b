import { auditEventView } from '@app/audit/contract';
import { storedEvents } from '@app/event-store';
import { categoryOf, type Recorded } from '@app/kernel';
import type { EventShapes } from '@app/nats';
import { CLOUD_EVENT_TYPE, cloudEventOf, withoutData } from '@app/nats/contract';
import type { Pool } from 'pg';
import type { EventFormat } from '../subscription.schema';
import type { KnownSubscription } from '../subscription.state';
import { cefLine } from './cef-line.policy';
import { cefOf } from './cef.view';
import { severityOf } from './severity.policy';

/** `severity` is that of CEF, whatever the format. */
export type EventForm = { readonly text: string; readonly contentType: string; readonly severity: number };

/** `db` shows events as they are stored; `shapes` says what of them is sealed. */
export type EventFormsParts = { readonly db: Pick<Pool, 'query'>; readonly shapes: EventShapes };

/** Writes an event with its data, or without them where it would be too large. */
type Write = (withData: boolean) => string;

const CONTENT_TYPES: Readonly<Record<EventFormat, string>> = { cloudevents: CLOUD_EVENT_TYPE, json: 'application/json', cef: 'text/plain; charset=utf-8' };

/** The texts of events in the formats of subscriptions. */
export class EventForms {
  constructor(private readonly parts: EventFormsParts) {}

  /** A text that is larger than `mostBytes` goes without the data, and names where the API shows them. */
  async of({ format = 'cloudevents', target }: Pick<KnownSubscription, 'format' | 'target'>, event: Recorded, mostBytes = Infinity): Promise<EventForm> {
    const write = format === 'cloudevents' ? this.cloudEvent(event, target.type === 'webhook') : await this.audit(event, format);
    const whole = write(true);
    const text = Buffer.byteLength(whole) <= mostBytes ? whole : write(false);
    return { text, contentType: CONTENT_TYPES[format], severity: severityOf({ type: event.type, category: categoryOf(event.streamId), data: event.data }) };
  }

  /** A webhook of the site is shown what the API shows. What is kept elsewhere could not be taken back when a key is destroyed, so it gets placeholders. */
  private cloudEvent(event: Recorded, isOpened: boolean): Write {
    const { versionOf, sealed } = this.parts.shapes;
    const form = isOpened ? cloudEventOf(event) : cloudEventOf(event, { dataVersion: versionOf(event.type), sealed: sealed?.[event.type]?.fields });
    return (withData) => JSON.stringify(withData ? form : withoutData(form));
  }

  private async audit({ position }: Recorded, format: 'json' | 'cef'): Promise<Write> {
    const [stored] = await storedEvents(this.parts.db, [position]);
    if (!stored) throw new Error(`The log does not hold the event at position ${position}.`);
    const view = auditEventView(stored);
    if (format === 'cef') return (withData) => cefLine(cefOf(view, { withData }));
    const { data: _, ...rest } = view;
    return (withData) => JSON.stringify(withData ? view : { ...rest, dataref: `/api/v1/audit/proof/${view.eventId}` });
  }
}
