import { createHmac } from 'node:crypto';

/** Seconds since 1970 and the HMAC-SHA256 of `<seconds>.<text>` in hexadecimal digits. `v1` names this way of signing. */
export const signatureHeaders = (secret: string, text: string, now: Date): Readonly<Record<string, string>> => {
  const seconds = String(Math.floor(now.getTime() / 1000));
  return { 'x-harness-timestamp': seconds, 'x-harness-signature': `v1=${createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')}` };
};
