import { createWriteStream } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { verifyProof } from '@app/sdk';
import { Command } from 'commander';
import { verifyChain } from '../chain-verdict';
import { collected } from '../collected';
import { positionBar } from '../position-bar';
import { UsageError, type Runner } from '../session';
import { table } from '../table';
import { printable } from '../terminal';

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
  }
};

export const auditCommand = (run: Runner): Command => {
  const audit = new Command('audit').description('prove that the log is what was recorded');

  audit
    .command('verify')
    .description('recompute the whole chain; exits 1 when it is broken and names the first bad position')
    .action(
      run(async (session) => {
        const { terminal, harness } = session;
        const bar = positionBar(terminal, 'Verifying');
        let intact = false;
        const verdict = await verifyChain(harness, terminal.signal, ({ verified, total }) => bar.reach(verified, total))
          .then((found) => ((intact = found.ok), found))
          // The last step the server told of may lie before the end.
          .finally(() => bar.stop(intact));
        session.print(
          verdict,
          verdict.ok
            ? `Intact: ${verdict.events} events up to #${verdict.head}, ${verdict.checkpoints} signed checkpoints.`
            : `BROKEN at #${verdict.position} (${verdict.reason}): ${verdict.detail}`,
        );
        return verdict.ok ? 0 : 1;
      }),
    );

  audit
    .command('proof <eventId>')
    .description('the proof that an event is in the log')
    .option('--out <file>', 'write it to a file instead of printing it')
    .action(
      run(async (session, [eventId = ''], { out }) => {
        const proof = await session.harness.audit.proof(eventId);
        const text = JSON.stringify(proof, null, 2);
        if (typeof out !== 'string') return session.print(proof, text);
        await writeFile(out, `${text}\n`);
        session.print({ file: out, eventId }, `The proof is in ${out}. Check it with: harness audit check-proof ${out} --public-key <pem>`);
      }),
    );

  audit
    .command('check-proof <file>')
    .description('check a proof offline; needs no server and no API key')
    .requiredOption('--public-key <pem>', 'file with the public key, from somebody you trust')
    .action(
      run(async (session, [file = ''], { publicKey }) => {
        const [text, pem] = [await readText(file), await readText(String(publicKey))];
        const verdict = await verifyProof(parsed(text), pem);
        session.print(
          verdict,
          verdict.ok
            ? `Valid: event ${String(verdict.event['eventId'])} (${printable(String(verdict.event['type']))}) is in the log at #${verdict.position}, signed ${printable(verdict.signedAt)}.`
            : `NOT valid. ${verdict.detail}`,
        );
        return verdict.ok ? 0 : 1;
      }),
    );

  audit
    .command('checkpoints')
    .description('the signed chain heads')
    .action(
      run(async (session) => {
        const rows = await collected(session.harness.audit.eachCheckpoint());
        const cells = rows.map(({ position, signedAt, keyId, chain }) => [`#${position}`, signedAt, keyId, chain]);
        session.print(rows, table(['POSITION', 'SIGNED AT', 'KEY', 'CHAIN'], cells, 'Nothing is signed yet.'));
      }),
    );

  audit
    .command('checkpoint')
    .description('sign the head of the chain now, to keep it where the server cannot change it')
    .option('--out <file>', 'write it to a file instead of printing it')
    .action(
      run(async (session, _args, { out }) => {
        const { data } = await session.harness.audit.signCheckpoint();
        const text = JSON.stringify(data, null, 2);
        if (typeof out !== 'string') return session.print(data, text);
        await writeFile(out, `${text}\n`);
        session.print({ file: out, ...data }, `The chain up to #${data.position} is signed in ${out}.`);
      }),
    );

  audit
    .command('export')
    .description('write events of the site as CloudEvents, one a line, in the order of the log')
    .requiredOption('--out <file>', 'the file; it appears when the export is whole')
    .option('--after <position>', 'only what follows this position, to go on after an earlier export')
    .option('--type <list>', 'only these types, separated by commas')
    .option('--stream <id>', 'only this stream')
    .option('--actor <id>', 'only what this principal did')
    .option('--from <time>', 'from this ISO time on')
    .option('--to <time>', 'before this ISO time')
    .action(
      run(async (session, _args, options) => {
        const { out, after, type, stream, actor, from, to } = options as Readonly<Record<string, string | undefined>> & { readonly out: string };
        const found = { events: 0, last: null as string | null };
        const { signal } = session.terminal;
        const lines = async function* () {
          for await (const event of session.harness.audit.export({ after, types: type?.split(','), streamId: stream, actor, from, to, signal })) {
            found.events++;
            found.last = event.position;
            yield `${JSON.stringify(event)}\n`;
          }
        };
        const draft = `${out}.part`;
        try {
          await pipeline(lines, createWriteStream(draft));
          await rename(draft, out);
        } catch (error) {
          await rm(draft, { force: true });
          throw (error as NodeJS.ErrnoException).code?.startsWith('E') ? new UsageError(`${out} cannot be written: ${(error as Error).message}`) : error;
        }
        session.print({ file: out, ...found }, `${found.events} events are in ${out}${found.last === null ? '' : `, the last at #${found.last}`}.`);
      }),
    );
  return audit;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
