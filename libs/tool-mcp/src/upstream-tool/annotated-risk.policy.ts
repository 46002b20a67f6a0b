import type { ToolDefinition } from '@app/governance/contract';

type Claims = { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined };
export type AnnotatedRisk = Pick<ToolDefinition, 'risk' | 'dangerous' | 'idempotent'>;

/**
 * The risk a tool has until an admin reviews it. A server that says nothing about destruction may destroy (the protocol's own default), so such
 * a tool is asked like one that says that it does; only a claim to be harmless makes it run without a person.
 */
export const annotatedRisk = (claims: Claims | undefined): AnnotatedRisk => {
  const idempotent = claims?.idempotentHint === true ? ({ idempotent: true } as const) : {};
  if (claims?.readOnlyHint === true) return { risk: 'read', ...idempotent };
  if (claims?.destructiveHint === true) return { risk: 'destructive', dangerous: true, ...idempotent };
  return { risk: 'write', ...(claims?.destructiveHint !== false && { dangerous: true }), ...idempotent };
};
