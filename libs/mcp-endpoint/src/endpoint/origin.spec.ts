import { describe, expect, it } from '@jest/globals';
import { originRefusal } from './origin.policy';

describe('The origin of a page', () => {
  it('is that of this host, or there is none', () => {
    expect(originRefusal(undefined, 'anything.example', '127.0.0.1')).toBeUndefined();
    expect(originRefusal('https://harness.example', 'harness.example', '10.0.0.5')).toBeUndefined();
    expect(originRefusal('https://HARNESS.example:8443', 'harness.example', '10.0.0.5')).toBeUndefined();
    for (const [origin, host] of [['https://evil.example', 'harness.example'], ['null', 'harness.example'], ['', 'harness.example'], ['https://harness.example', undefined], ['file://harness.example', 'harness.example'], ['https://harness.example@evil.example', 'harness.example']] as const) {
      expect([origin, originRefusal(origin, host, '10.0.0.5')]).toEqual([origin, expect.any(String)]);
    }
  });

  it('is a loopback name where the connection is local, whatever name was made to point here', () => {
    for (const name of ['localhost:4600', '127.0.0.1:4600', '[::1]:4600']) for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(originRefusal(`http://${name}`, name, address)).toBeUndefined();
    for (const name of ['evil.example:4600', 'localhost.evil.example', '127.0.0.1.evil.example']) expect(originRefusal(`http://${name}`, name, '127.0.0.1')).toEqual(expect.any(String));
  });
});
