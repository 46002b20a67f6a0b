import type { Transporter } from 'nodemailer';
import type { Message, Sent } from '../deliver/message';
import { mailOf } from './card';

const TIMEOUT_MS = 10_000;

/** Mail over SMTP. The address of the server and its credentials are the operator's, so they are not checked like those that users write. */
export class EmailSink {
  private opened: Promise<Transporter> | undefined;

  constructor(private readonly smtpUrl: string | undefined, private readonly from: string) {}

  /** The library is loaded with the first mail: most processes never send one. */
  private open(url: string): Promise<Transporter> {
    return (this.opened ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({ url, pool: true, maxConnections: 2, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }),
    ));
  }

  async send(to: string, { parts, deliveryId }: Message): Promise<Sent> {
    if (this.smtpUrl === undefined) return { ok: false, code: 'EMAIL_NOT_CONFIGURED', detail: 'The server has no SMTP_URL.' };
    try {
      const transport = await this.open(this.smtpUrl);
      await transport.sendMail({ from: this.from, to, ...mailOf(parts), messageId: `<${deliveryId.replaceAll(/[^\w.]/g, '.')}@harness>`, headers: { 'X-Harness-Delivery': deliveryId } });
      return { ok: true };
    } catch (error) {
      const { code = 'FAILED', responseCode } = error as { readonly code?: string; readonly responseCode?: number };
      return { ok: false, code: 'EMAIL_FAILED', detail: `The mail server did not take the message: ${code}${responseCode === undefined ? '' : ` ${responseCode}`}.` };
    }
  }

  async close(): Promise<void> {
    (await this.opened)?.close();
  }
}
