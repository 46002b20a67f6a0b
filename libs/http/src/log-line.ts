import { types } from 'node:util';

/** Control characters that JSON leaves as they are, though terminals and log readers break lines or change state at them. */
const LEFT_BY_JSON = new RegExp('[\\u007f-\\u009f\\u2028\\u2029]', 'g');

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One log line as JSON: no input can end it, start another or reach the terminal as a control sequence. */
export const logLine = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields).replace(LEFT_BY_JSON, escaped);

/** What a log should hold of something that was thrown. */
export const stackOf = (error: unknown): string => (types.isNativeError(error) ? (error.stack ?? error.message) : String(error));
