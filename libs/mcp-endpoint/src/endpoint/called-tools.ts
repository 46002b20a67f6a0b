const isCall = (message: unknown): message is { readonly params: { readonly name: string } } => {
  if (typeof message !== 'object' || message === null) return false;
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  return method === 'tools/call' && typeof params === 'object' && params !== null && typeof (params as { readonly name?: unknown }).name === 'string';
};

/** The names of the tools that a body calls: one message, or several of them in the revisions that had batches. */
export const calledTools = (body: unknown): readonly string[] => [body].flat().filter(isCall).map(({ params }) => params.name);
