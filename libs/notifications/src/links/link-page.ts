import { createHash } from 'node:crypto';
import type { LinkedRequest } from './decide-by-link.command';

const SCRIPT = `const form = document.querySelector('form'), said = document.querySelector('output');
form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  form.querySelector('button').disabled = true;
  const reason = form.reason?.value.trim();
  const answer = await fetch(location.pathname, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(reason ? { reason } : {}) }).catch(() => null);
  const body = await answer?.json().catch(() => null);
  said.textContent = answer?.ok ? 'Done: ' + body.data.status + '.' : (body?.detail ?? 'The server did not answer; try again.');
  if (!answer?.ok && answer?.status !== 410 && answer?.status !== 409) form.querySelector('button').disabled = false;
});`;
const STYLE = 'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem;color:#1a1a1a;background:#fff}button{font:inherit;padding:.6rem 1.4rem;border:0;border-radius:.4rem;background:#1f4fd1;color:#fff}button:disabled{opacity:.5}textarea{font:inherit;width:100%;box-sizing:border-box;margin:.4rem 0 1rem}dt{color:#555}dd{margin:0 0 .6rem}output{display:block;margin-top:1rem;font-weight:600}';
const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded from anywhere, and the one script is the one that stands here. */
export const LINK_PAGE_POLICY = `default-src 'none'; script-src ${digest(SCRIPT)}; style-src ${digest(STYLE)}; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

const VERBS = { approve: 'Approve', reject: 'Reject', veto: 'Veto' } as const;

/** Shows what is asked and asks once more. To open it decides nothing: mail scanners and previews open every address they see. */
export const linkPage = ({ title, text, deadline, action, used, linkExpiresAt }: LinkedRequest): string =>
  page(`<h1>${escaped(title)}</h1><p>${escaped(text)}</p><dl>${deadline === null ? '' : `<dt>Takes effect</dt><dd>${escaped(deadline)}</dd>`}<dt>This link works until</dt><dd>${escaped(linkExpiresAt)}, once</dd></dl>${
    used ? '<p>This link was used.</p>' : `<form>${action === 'approve' ? '' : '<label>Reason<textarea name="reason" rows="3" maxlength="2000"></textarea></label>'}<button>${VERBS[action]}</button></form>`
  }<p>What exactly is to be done is shown in Studio.</p><output aria-live="polite"></output>`);

export const brokenLinkPage = (detail: string): string => page(`<h1>This link does not work</h1><p>${escaped(detail)}</p>`);

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Decide</title><style>${STYLE}</style></head><body>${body}<script>${SCRIPT}</script></body></html>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\'', '&#39;');
