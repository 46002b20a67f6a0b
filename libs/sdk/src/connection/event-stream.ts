export type StreamMessage = { readonly event: string; readonly data: string; readonly id: string | undefined };

/**
 * Parser for `text/event-stream`, fed with text in pieces of any size. Lines end in LF, CRLF or CR; several `data` lines are joined by LF;
 * a message without data is dropped; `id` is kept until the next one, as the standard says.
 */
export class EventStreamParser {
  private rest = '';
  private started = false;
  private data: string[] = [];
  private event = '';
  private lastId: string | undefined;

  /** The messages completed by this piece. */
  push(piece: string): StreamMessage[] {
    let text = this.rest + piece;
    if (!this.started && text !== '') {
      this.started = true;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    const messages: StreamMessage[] = [];
    let from = 0;
    for (;;) {
      const end = lineEnd(text, from);
      if (end === undefined) break;
      const message = this.line(text.slice(from, end.at));
      if (message) messages.push(message);
      from = end.next;
    }
    this.rest = text.slice(from);
    return messages;
  }

  private line(line: string): StreamMessage | undefined {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.lastId = value;
    return undefined;
  }

  private dispatch(): StreamMessage | undefined {
    const message = this.data.length === 0 ? undefined : { event: this.event || 'message', data: this.data.join('\n'), id: this.lastId };
    this.data = [];
    this.event = '';
    return message;
  }
}

/** Where the line ends and the next begins. A CR at the very end may be half of a CRLF, so it waits for the next piece. */
const lineEnd = (text: string, from: number): { readonly at: number; readonly next: number } | undefined => {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\n') return { at, next: at + 1 };
    if (char !== '\r') continue;
    if (at + 1 === text.length) return undefined;
    return { at, next: text[at + 1] === '\n' ? at + 2 : at + 1 };
  }
  return undefined;
};
