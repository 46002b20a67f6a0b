import type { Reply, RpcRequest } from '../../libs/tool-mcp/src/testing';
import type { Answering } from './counting-server';
import type { Secrets } from './planted-secrets';
import type { Body } from './server';

/** How a tool repeats what it was sent: as it came, in its errors, in a place to go to, in the name of a media type, or in another writing. */
export const repeating = (mode: number, filler: number): Answering => ({ headers, text, url, body }, response) => {
  const { authorization = '', 'x-crm': crm = '' } = headers as Record<string, string>;
  const heard = { headers, url, sent: (body as Body) ?? text };
  const lead = '.'.repeat(filler);
  switch (mode) {
    case 0:
      return { body: heard };
    case 1:
      return { headers: { 'content-type': 'text/plain' }, body: `${lead} ${JSON.stringify(heard)}` };
    case 2:
      return { status: 500, body: `${lead}${text}` };
    case 3:
      return { status: 400, body: `${lead}${JSON.stringify(JSON.stringify(heard))}` };
    case 4:
      return { status: 302, headers: { location: `http://${authorization.slice(7)}.example/` } };
    case 5:
      return { status: 302, headers: { location: `http://10.0.0.1/${encodeURIComponent(crm)}` } };
    case 6:
      return { body: 'x', headers: { 'content-type': `application/${authorization.slice(7)}` } };
    case 7:
      return { body: { basic: Buffer.from(crm).toString('base64'), hex: Buffer.from(crm).toString('hex'), url: Buffer.from(crm).toString('base64url'), query: new URLSearchParams({ crm }).toString(), [crm]: [crm] } };
    case 8:
      return { status: 422, body: `${lead}${authorization} ${crm}` };
    case 9:
      return (response.socket?.end(`HTTP/1.1 nonsense ${authorization}\r\n\r\n`), undefined);
    case 10:
      return { headers: { 'content-type': 'text/html' }, body: `<p title="${crm.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}">${authorization}</p>` };
    default:
      return { body: { done: true }, headers: { 'content-type': 'application/json', 'x-said': authorization } };
  }
};

/** The same of a server of the Model Context Protocol, which has a secret of its own to tell. */
export const repeatingOverMcp = (mode: number, { filler, text: own }: Secrets) => ({ headers, params }: RpcRequest): Reply => {
  const text = `${'.'.repeat(filler)} ${JSON.stringify({ headers, params, own })}`;
  const result = { content: [{ type: 'text', text }], isError: mode % 4 === 1 };
  if (mode % 4 < 2) return { result };
  return mode % 4 === 2 ? { error: { code: -32_000, message: text } } : (response) => void response.writeHead(500, { 'content-type': 'text/plain' }).end(text);
};
