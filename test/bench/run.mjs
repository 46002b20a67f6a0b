if (Number(process.versions.node.split('.')[0]) < 24)
  throw new Error(`This is Node ${process.version}. Run it through npm, which brings Node 24 along: npm run bench`);

const { main } = await import('./main.ts');
await main(process.argv.slice(2));
