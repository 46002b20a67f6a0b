import { Provenance, type ItemEvent } from '../item.events';

/** What an author may say about a change; the constitution is that of the run, and nobody's to name. */
export const GivenProvenance = Provenance.omit({ constitutionHash: true })
  .meta({ id: 'GivenProvenance' })
  .describe('Where the values come from: the model that wrote them, its sources, and how sure it is');

/** A change of content with what is known of its origin; nothing is kept of nothing. */
export const withProvenance = (events: readonly ItemEvent[], provenance: Provenance): readonly ItemEvent[] =>
  Object.keys(provenance).length === 0 ? events : events.map((event) => stamped(event, provenance));

const stamped = (event: ItemEvent, provenance: Provenance): ItemEvent => {
  switch (event.type) {
    case 'ItemCreated':
      return { ...event, data: { ...event.data, provenance } };
    case 'ItemPatched':
      return { ...event, data: { ...event.data, provenance } };
    case 'ItemRestored':
      return { ...event, data: { ...event.data, provenance } };
    case 'VersionPromoted':
      return { ...event, data: { ...event.data, provenance } };
    default:
      return event;
  }
};
