/** Names on the message broker. They are part of the public interface: subscribers and permissions rest on them. */
export const STREAM = 'HARNESS';
export const CHECKPOINT_STREAM = 'HARNESS_CHECKPOINTS';
export const CHECKPOINT_SUBJECT = 'harness.checkpoints';
/** Carries the position of the newest event; a hint between processes, kept by nobody. */
export const HEAD_SUBJECT = 'harness.head';
/** In front of the name of a command that is sent as a request. */
export const RPC_PREFIX = 'harness.rpc.';

/** The log's position of a message, in digits. */
export const POSITION_HEADER = 'Harness-Position';

/** Where an event goes. The site comes first, so that a permission or a subscription can be bound to one. */
export const eventSubject = (siteId: string, category: string, type: string): string => `harness.${siteId}.${category}.${type}`;

/**
 * What the stream takes in, site by site, and not all of `harness.*.*.*`. A call for a worker has as many parts, and must neither be kept nor answered by
 * the stream.
 */
export const siteSubject = (siteId: string): string => eventSubject(siteId, '*', '*');

/** Events of all sites. */
export const ALL_EVENTS = 'harness.>';

/**
 * What subscriptions of sites are sent. A stream beside that of the events, and outside of `harness.`: what a subscription is sent again is kept again, and
 * no name that a site chooses leads to what this server says itself.
 */
export const DELIVERY_STREAM = 'HARNESS_CDC';

/** Where a subscription's events go. A site chooses the topic alone, never what stands before it. */
export const deliverySubject = (siteId: string, topic: string): string => `cdc.${siteId}.${topic}`;

/** Of every subscription of a site. */
export const siteDeliveries = (siteId: string): string => deliverySubject(siteId, '>');

/** Where workers of a tool wait for its calls. */
export const toolSubject = (siteId: string, tool: string): string => `harness.tools.${siteId}.${tool}`;

/** Workers of one tool share its calls, whatever their number. */
export const TOOL_QUEUE = 'workers';
