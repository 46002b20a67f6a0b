import { textsIn } from './strings.policy';

/**
 * What no instruction to a model may say. Each pattern is bounded, so the cost is linear in the text. They look for the known ways to talk a
 * model out of its rules, to get at what it was told, and to carry secrets out; a text may still be harmful in words of its own.
 */
const UNSAFE: readonly { readonly says: string; readonly pattern: RegExp }[] = [
  { says: 'tells a model to drop its instructions', pattern: /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all|any|your|system)\b.{0,30}\b(?:instruction|prompt|rule|guideline|polic)/ },
  { says: 'asks for the system prompt', pattern: /\b(?:reveal|print|show|repeat|output|leak|disclose)\b.{0,40}\b(?:system|hidden|initial|developer)\b.{0,10}\b(?:prompt|message|instruction)/ },
  { says: 'makes a model act without its limits', pattern: /\b(?:jailbreak|jailbroken|dan mode|developer mode|do anything now|no (?:restrictions|limits|filters)|unrestricted mode)\b/ },
  { says: 'goes around approval or policy', pattern: /\b(?:bypass|circumvent|skip|evade|avoid|disable|without)\b.{0,30}\b(?:approval|approvals|review|guardrail|guardrails|polic(?:y|ies)|safety|permission|permissions|audit)\b/ },
  { says: 'pretends that something was decided', pattern: /\b(?:already (?:been )?approved|pre-approved|you are authori[sz]ed to (?:do )?(?:anything|everything))\b/ },
  { says: 'carries secrets out', pattern: /\b(?:send|post|upload|exfiltrate|email|forward|transmit)\b.{0,60}\b(?:password|passwords|api[ _-]?keys?|credentials?|secrets?|tokens?)\b/ },
  { says: 'imitates the frame of a conversation', pattern: /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?inst\]|<<sys>>/ },
  { says: 'is under remote control', pattern: /\b(?:follow|obey|execute|run)\b.{0,30}\b(?:instructions?|commands?|code)\b.{0,30}\b(?:from|in|at)\b.{0,20}https?:\/\// },
];
/** Characters that a reader does not see and a model does: directions of writing, widths of nothing, tags. */
const HIDDEN = /[\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');

/** Why a text may not be given to a model; one line each. */
export const promptProblems = (content: unknown): readonly string[] =>
  textsIn(content).flatMap(({ path, text }) => {
    const plain = text.normalize('NFKC').replaceAll(ALL_HIDDEN, '').toLowerCase().replaceAll(/\s+/g, ' ');
    return [
      ...(HIDDEN.test(text) ? [`${path} has hidden characters`] : []),
      ...UNSAFE.filter(({ pattern }) => pattern.test(plain)).map(({ says }) => `${path} ${says}`),
    ];
  });
