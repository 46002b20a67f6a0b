import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanText, cleanTitle, decodeEntities } from './clean-text';

describe('A clean title', () => {
  it.each([
    ['  Claw hammer,  450 g ', 'Claw hammer, 450 g'],
    ['Tea\u00a0towel\t\n set', 'Tea towel set'],
    ['Salt &amp; pepper &ndash; olive wood', 'Salt & pepper – olive wood'],
    ['Rain tap 3/4&quot;&nbsp;', 'Rain tap 3/4"'],
    ['Chef&#8217;s knife &#x1F52A;', 'Chef’s knife 🔪'],
    ['BENCH VICE, 150 MM', 'Bench vice, 150 mm'],
    ['LED BULB, E27, 9 W', 'LED bulb, E27, 9 W'],
    ['M8 HEX BOLTS, PACK OF 25', 'M8 hex bolts, pack of 25'],
    ['MŁOTEK ŚLUSARSKI', 'Młotek ślusarski'],
    ['!!! TEST ARTICLE !!!', '!!! Test article !!!'],
    ['Zoe\u0308’s jam funnel', 'Zoë’s jam funnel'],
    ['USB', 'USB'],
    ['Wok 炒锅, 34 cm', 'Wok 炒锅, 34 cm'],
    ['Coffee pot دلة قهوة', 'Coffee pot دلة قهوة'],
  ])('turns %p into %p', (raw, clean) => expect(cleanTitle(raw)).toBe(clean));

  it('stays as it is when it is cleaned again, unless it spelled an entity', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !text.includes('&')),
        (text) => {
          expect(cleanTitle(cleanTitle(text))).toBe(cleanTitle(text));
        },
      ),
    );
  });
});

describe('Entities', () => {
  it('are decoded once, and left alone when nobody knows them', () => {
    expect(decodeEntities('&amp;lt; &unknown; &#0; &#xD800; &#x110000; & &;')).toBe('&lt; &unknown; &#0; &#xD800; &#x110000; & &;');
  });
});

describe('A clean text', () => {
  it('keeps its lines and loses only what is around them', () => {
    expect(cleanText('  Two lines:\r\n- one &amp; a half\r- two  ')).toBe('Two lines:\n- one & a half\n- two');
  });
});
