/**
 * Characters that a person does not see and a model reads: controls, soft hyphen, zero width, bidirectional controls, variation selectors,
 * tag characters, interlinear marks and fillers that look like nothing.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

export const hasHiddenCharacters = (text: string): boolean => text.search(HIDDEN) >= 0;
export const hasHiddenComment = (text: string): boolean => text.includes('<!--');

/** The text as a person sees it: what is hidden is taken out, so that no agent reads what no reviewer read. */
export const visibleText = (text: string): string => text.replace(COMMENT, '').replace(HIDDEN, '').toWellFormed();

/** For a list of what was refused: hidden characters are written out, and the length is bounded. */
export const printableName = (name: string): string =>
  name.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).toWellFormed().slice(0, 200);
