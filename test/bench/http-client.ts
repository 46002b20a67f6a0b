import { Client } from 'undici';

/** An answer of the API is asserted on, not typed. */
export type Answer = { readonly data: Readonly<Record<string, unknown>>; readonly position?: string };

/** One connection that sends one request after the other, as one client of a server does. */
export class HttpClient {
  private readonly client: Client;

  constructor(url: string) {
    this.client = new Client(url);
  }

  /** Rejects with the whole answer when it is no success. */
  async send(method: 'POST' | 'PUT' | 'GET', path: string, key: string, body?: unknown): Promise<Answer> {
    const { statusCode, body: answer } = await this.client.request({
      method,
      path,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}: ${text}`);
    return JSON.parse(text) as Answer;
  }

  close = (): Promise<void> => this.client.close();
}
