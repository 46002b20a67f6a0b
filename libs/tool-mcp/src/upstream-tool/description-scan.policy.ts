import { hasHiddenCharacters, hasHiddenComment } from './visible-text.policy';

/** Words that speak to the model that reads them instead of describing a tool. Each pattern is linear in the text. */
const INSTRUCTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|other|your|system)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?|messages?|guidelines?|context)\b/i, 'It tells the reader to ignore other instructions'],
  [/\b(?:do not|don't|never|without)\b[^.\n]{0,30}\b(?:tell|telling|mention|mentioning|inform|informing|show|showing|reveal|notify|notifying|alert|ask|asking)\b[^.\n]{0,30}\b(?:user|human|person|anyone|them|operator)\b/i, 'It tells the reader to keep something from the user'],
  [/<\/?\s*(?:important|system|secret|instructions?|critical|hidden|admin|assistant|override)\s*>/i, 'It holds a tag that addresses the reader, such as <IMPORTANT>'],
  [/\b(?:you must|you should|always|make sure to|be sure to|before)\b[^.\n]{0,30}\b(?:call|calling|invoke|invoking|run|running|use|using|execute|executing)\b[^.\n]{0,30}\b(?:tools?|functions?)\b/i, 'It tells the reader when to call tools'],
  [/(?:~\/\.|\/etc\/|\.ssh\b|\bid_rsa\b|\.env\b|\.aws\b|\.npmrc\b|\bmcp\.json\b|\bcredentials\.json\b|\bkeychain\b)/i, 'It names places where keys and credentials are kept'],
  [/\b(?:read|send|include|pass|provide|attach|copy|paste|upload|forward|append)\b[^.\n]{0,50}\b(?:passwords?|api[- ]?keys?|private keys?|secrets?|access tokens?|credentials|conversation|chat history|system prompt|previous messages)\b/i, 'It asks for keys, secrets or the conversation'],
  [/\b(?:this is|as) (?:an? )?(?:new |real |actual )?system (?:message|prompt|instruction)|\bnew instructions?:|\[\/?(?:system|inst)\]|<\|[a-z_]{2,20}\|>/i, 'It poses as a message of the system'],
];
/** Long encoded runs hide text from a reviewer; no description needs one. */
const ENCODED = /[A-Za-z0-9+/]{120,}={0,2}/;
const WIDE_GAP = /[ \t\u00a0\u2000-\u200a\u3000]{60,}|\n{15,}/;

/** What makes one text suspicious, each as a sentence. Empty for an ordinary description. */
export const textFindings = (text: string): readonly string[] => [
  ...(hasHiddenCharacters(text) ? ['It holds hidden characters: zero width, bidirectional controls, tags or others that nobody sees'] : []),
  ...(hasHiddenComment(text) ? ['It holds an HTML comment, which a page does not show'] : []),
  ...(WIDE_GAP.test(text) ? ['It holds a wide gap, which pushes text out of sight'] : []),
  ...(ENCODED.test(text) ? ['It holds a long encoded text'] : []),
  ...INSTRUCTIONS.filter(([pattern]) => pattern.test(text)).map(([, finding]) => finding),
];
