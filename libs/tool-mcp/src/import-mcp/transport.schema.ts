import { z } from 'zod';

const HeaderName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, 'Must be a header name');
const EnvironmentName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'Must be the name of an environment variable');
const HeaderValue = z.string().max(2_000).regex(/^[\x20-\x7e]*$/, 'Must be printable ASCII');
const NoNul = z.string().max(4_000).regex(/^[^\u0000]*$/, 'Must not hold NUL');

/** How an upstream server is reached: over streamable HTTP, or as a program of this machine that speaks on its standard input and output. */
export const McpTransport = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('http'),
    url: z.url({ protocol: /^https?$/ }).max(2_000),
    headers: z.record(HeaderName, HeaderValue).optional(),
  }),
  z.strictObject({
    type: z.literal('stdio'),
    command: NoNul.min(1),
    args: z.array(NoNul).max(100).optional(),
    env: z.record(EnvironmentName, NoNul).optional(),
  }),
]);
export type McpTransport = z.infer<typeof McpTransport>;
