/** Prompts, resources, completion; and tools that report progress by themselves: here only waiting for a person does. */
const OF_BOTH = ['tools-call-with-progress', 'completion-complete', 'resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read', 'prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'];
/** Of what a revision requires, all that is not claimed: besides these logging, subscriptions, and tools of the suite that ask their client; the endpoint itself asks for approvals only. */
export const UNCLAIMED: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    ...OF_BOTH, 'sep-2164-resource-not-found',
    ...['prompts-list', 'resources-list', 'resources-templates-list'].map((list) => `caching:sep-2549-${list}-caching-hints`),
    'server-stateless:sep-2575-server-rejects-undeclared-capability', 'server-stateless:sep-2575-missing-capability-http-400',
    ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state', 'multiple-input-requests', 'multi-round', 'missing-input-response', 'non-tool-request', 'result-type', 'tampered-state', 'capability-check', 'validate-input']
      .map((name) => `input-required-result-${name}`),
  ],
  '2025-11-25': [
    ...OF_BOTH, 'logging-set-level', 'tools-call-with-logging', 'tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'resources-subscribe', 'resources-unsubscribe',
    'server-sse-multiple-streams',
  ],
};
const CLAIMED_BY_BOTH = ['tools-list', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-error', 'json-schema-2020-12', 'dns-rebinding-protection'];
/** The rest of `server-stateless` and of `caching` passes too: of them the list above names single checks. */
export const CLAIMED: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [...CLAIMED_BY_BOTH, 'server-sse-multiple-streams', 'http-header-validation', 'input-required-result-unsupported-methods', 'input-required-result-ignore-extra-params'],
  '2025-11-25': [...CLAIMED_BY_BOTH, 'server-initialize', 'ping'],
};
