import { describe, expect, it } from '@jest/globals';
import { addressOfHost, refusedRange } from './address-rules';
import { openedBy } from './allowed-hosts';

const PUBLIC = [
  '8.8.8.8', '1.1.1.1', '93.184.215.14', '172.15.255.255', '172.32.0.1', '192.167.255.255', '192.169.0.1', '100.63.255.255', '100.128.0.1', '169.253.1.1', '11.0.0.1', '126.255.255.255', '128.0.0.1',
  '223.255.255.255', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2620:fe::fe', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1',
];

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.255.255.254', '127.0.0.53', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '::127.0.0.1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255', 'fc00::1', 'fd12:3456:789a::1', '::ffff:10.0.0.1', '::ffff:c0a8:1', '64:ff9b::10.1.2.3', '2002:c0a8:101::5'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', '::ffff:169.254.1.1', '64:ff9b::169.254.1.1'],
  metadata: ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd00:0ec2:0:0:0:0:0:254', 'fd20:ce::254', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255', '::ffff:100.64.0.1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::101'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0'],
  broadcast: ['255.255.255.255'],
  reserved: ['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '240.0.0.1', '2001:db8::1', '2001::1', '100::1', 'fec0::1', '4000::1', '5f00::1', '64:ff9b:1::8.8.8.8'],
  invalid: ['', 'localhost', 'example.com', '1.2.3.4.5', ':::'],
};

describe('Addresses', () => {
  it('that are public may be reached, also through the forms that only wrap them', () => {
    expect(PUBLIC.map((address) => [address, refusedRange(address)])).toEqual(PUBLIC.map((address) => [address, undefined]));
  });

  it.each(Object.entries(REFUSED))('of the range %s are refused in every form', (range, addresses) => {
    expect(addresses.map((address) => [address, refusedRange(address)])).toEqual(addresses.map((address) => [address, range]));
  });

  it('are seen through the octal, decimal, hexadecimal and short forms of a URL', () => {
    const hosts = ['0177.0.0.1', '017700000001', '2130706433', '0x7f000001', '0x7f.1', '127.1', '127.0.1', '１２７.0.0.1', '127.0.0.1.', '[::1]', '[::ffff:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:0001]'];
    expect(hosts.map((host) => [host, refusedRange(addressOfHost(new URL(`http://${host}/`).hostname) ?? '')])).toEqual(hosts.map((host) => [host, 'loopback']));
    expect(['example.com', 'localhost', 'a.b'].map(addressOfHost)).toEqual([undefined, undefined, undefined]);
  });
});

describe('Listed hosts', () => {
  const opened = (entry: string, url: string) => openedBy([entry], new URL(url));

  it('are an address or a name, with its port or with every port, or all names below one', () => {
    const rows: readonly (readonly [string, string, 'address' | 'name' | undefined])[] = [
      ['127.0.0.1:9000', 'http://127.0.0.1:9000/x', 'address'], ['127.0.0.1:9000', 'http://127.0.0.1:9001/', undefined], ['127.0.0.1', 'http://127.0.0.1:9001/', 'address'], ['127.0.0.1:9000', 'http://2130706433:9000/', 'address'],
      ['127.0.0.1:80', 'http://127.0.0.1/', 'address'], ['127.0.0.1:443', 'https://127.0.0.1/', 'address'], ['127.0.0.1:443', 'http://127.0.0.1/', undefined],
      ['[::1]:9000', 'http://[::1]:9000/', 'address'], ['::1', 'http://[::1]:9000/', 'address'], ['[::1]', 'http://[0:0:0:0:0:0:0:1]/', 'address'],
      ['db.corp.example', 'https://db.corp.example:8443/', 'name'], ['DB.Corp.Example', 'https://db.corp.example/', 'name'], ['db.corp.example', 'https://db.corp.example./', 'name'], ['bücher.example', 'http://xn--bcher-kva.example/', 'name'],
      ['*.corp.example', 'http://db.corp.example/', 'name'], ['*.corp.example', 'http://a.b.corp.example/', 'name'], ['*.corp.example', 'http://corp.example/', undefined], ['*.corp.example', 'http://evilcorp.example/', undefined],
      ['*.corp.example', 'http://corp.example.evil.test/', undefined], ['*.corp.example:8080', 'http://db.corp.example:8080/', 'name'], ['*.corp.example:8080', 'http://db.corp.example/', undefined], ['*.0.0.1', 'http://127.0.0.1/', undefined],
      ['*', 'http://127.0.0.1/', undefined], ['', 'http://127.0.0.1/', undefined], ['http://127.0.0.1', 'http://127.0.0.1/', undefined], ['127.0.0.1/8', 'http://127.0.0.1/', undefined], ['user@127.0.0.1', 'http://127.0.0.1/', undefined],
    ];
    expect(rows.map(([entry, url]) => [entry, url, opened(entry, url)])).toEqual(rows);
  });
});
