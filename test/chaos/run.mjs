if (Number(process.versions.node.split('.')[0]) < 24)
  throw new Error(`This is Node ${process.version}. Run it through npm, which brings Node 24 along: npm run chaos`);

await import('./sources.mjs');
const { main } = await import('./main.ts');
await main(process.argv.slice(2));
// What was started is stopped by now; a socket of a killed server must not keep this process.
process.exit();
