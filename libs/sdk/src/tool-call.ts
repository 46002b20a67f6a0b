import type { ToolCallAnswer } from '@app/tool-calls/contract';

/** What the door answered. A denial is a normal answer: `reason` and `rule` say why. */
export type ToolCallResult = Readonly<ToolCallAnswer>;
export type ToolCallStatus = ToolCallResult['status'];
