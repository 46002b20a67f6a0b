import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

type SigningKey = { readonly kid: string; readonly alg: string; readonly privateKey: CryptoKey; readonly publicJwk: JWK };
export type Account = { readonly sub: string; readonly email?: string; readonly email_verified?: unknown };

const keyOf = async (alg: string): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

/** An OpenID Connect issuer on this machine: discovery, keys, registration, codes with PKCE and tokens, as they go over the wire. */
export const loopbackIssuer = async () => {
  let keys = [await keyOf('ES256')];
  let isAway = false;
  const asked: string[] = [];
  const codes = new Map<string, { readonly challenge: string; readonly resource: string }>();
  let signedIn: Account = { sub: 'nobody' };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const token = (claims: JWTPayload, { key = keys[0]!, header = {} as Record<string, unknown> } = {}): Promise<string> =>
    new SignJWT({ iss: url, ...claims })
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
      .setIssuedAt()
      .setExpirationTime(claims.exp ?? '5m')
      .sign(key.privateKey);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url!, url);
    if (isAway) return void request.socket.destroy();
    asked.push(pathname);
    const send = (body: unknown, status = 200) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return send({
          issuer: url, jwks_uri: `${url}/jwks`, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, registration_endpoint: `${url}/register`, response_types_supported: ['code'],
          subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['ES256'], code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'],
        });
      case '/jwks':
        return send({ keys: keys.map(({ publicJwk }) => publicJwk) });
      case '/register':
        return send({ ...(JSON.parse(await bodyOf(request)) as object), client_id: 'client-1' }, 201);
      case '/authorize': {
        const code = randomUUID();
        codes.set(code, { challenge: searchParams.get('code_challenge')!, resource: searchParams.get('resource')! });
        const back = new URL(searchParams.get('redirect_uri')!);
        back.searchParams.set('code', code);
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        const form = new URLSearchParams(await bodyOf(request));
        const issued = codes.get(form.get('code') ?? '');
        if (issued?.challenge !== createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url') || issued.resource !== form.get('resource')) return send({ error: 'invalid_grant' }, 400);
        return send({ access_token: await token({ aud: issued.resource, ...signedIn }), token_type: 'Bearer', expires_in: 300 });
      }
      default:
        return send({ error: 'not found' }, 404);
    }
  };

  return {
    url, asked, token,
    /** Who is signed in at the issuer, for whoever asks for a code. */
    signIn: (account: Account) => void (signedIn = account),
    publicJwk: () => keys[0]!.publicJwk,
    key: () => keys[0]!,
    strange: () => keyOf('ES256'),
    /** A new key, and the old one is no longer published. */
    rotate: async (alg = 'ES256') => void (keys = [await keyOf(alg)]),
    goAway: () => void (isAway = true),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
export type LoopbackIssuer = Awaited<ReturnType<typeof loopbackIssuer>>;
