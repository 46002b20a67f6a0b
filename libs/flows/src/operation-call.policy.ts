import { unreachable } from '@app/kernel';
import type { FlowOperation } from './flow.schema';

export type OperationCall = { readonly tool: string; readonly arguments: FlowArguments };
type FlowArguments = Extract<FlowOperation, { do: 'run-skill' }>['arguments'];

/** The tool call that an operation is. The three that look after the harness itself are core tools of their own name. */
export const operationCall = (operation: FlowOperation): OperationCall => {
  switch (operation.do) {
    case 'drift-scan':
      return { tool: operation.do, arguments: { intentId: operation.intentId } };
    case 'trust-promote-check':
    case 'veto-sweep':
      return { tool: operation.do, arguments: {} };
    case 'webhook':
    case 'run-skill':
      return { tool: operation.tool, arguments: operation.arguments };
    default:
      return unreachable(operation);
  }
};
