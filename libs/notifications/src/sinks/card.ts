import type { Notification } from '../notification.schema';
import type { DecisionLink, Part } from '../deliver/message';

/** A mail as plain text: what a phone shows of it, too. */
export const mailOf = (parts: readonly Part[]): { readonly subject: string; readonly text: string } => {
  const [first] = parts;
  const subject = parts.length === 1 ? first!.notification.title : `${parts.length} notifications`;
  const text = parts.map(({ notification: { title, text: words, at }, links }) => [title, words, at, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n')).join('\n\n');
  return { subject: oneLine(subject), text: `${text}\n` };
};

/** Control characters in a header would begin another one. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 200);

/** The block format that Slack takes, and whatever is compatible with it. */
export const slackCardOf = ({ notification: { title, text }, links }: Part): unknown => ({
  text: oneLine(title),
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: oneLine(title).slice(0, 150) } },
    { type: 'section', text: { type: 'mrkdwn', text: escaped(text) } },
    ...(links.length > 0 ? [{ type: 'actions', elements: links.map(buttonOf) }] : []),
  ],
});

const buttonOf = ({ label, url }: DecisionLink) => ({ type: 'button', text: { type: 'plain_text', text: label }, url });
/** The three characters that Slack gives a meaning. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').slice(0, 2_900);

/** What a push message holds; a push service takes 4 kB, and a lock screen shows it. */
export const pushOf = ({ notification: { id, kind, title, text } }: Part): string => JSON.stringify({ id, kind, title: title.slice(0, 200), body: text.slice(0, 500) });

export const webhookBodyOf = ({ notification }: Part): Notification => notification;
