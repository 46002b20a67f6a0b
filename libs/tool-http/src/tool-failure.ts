import type { OutboundCode } from '@app/outbound';

/** Beside what can go wrong on the way: `UPSTREAM_STATUS` the tool answered that it failed · `RESPONSE_TOO_LARGE` more than can be recorded. */
export type ToolFailureCode = OutboundCode | 'UPSTREAM_STATUS' | 'RESPONSE_TOO_LARGE';

/** The message begins with the stable code and goes on with a sentence for the agent. */
export class ToolFailure extends Error {
  constructor(
    readonly code: ToolFailureCode,
    sentence: string,
  ) {
    super(`${code}: ${sentence}`);
  }
}
