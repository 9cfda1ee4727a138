// Writes notes, and listens to what becomes of them.
const { Notebook } = NativeModules;

/** @type {Formatter} */
const formatter = { format: ({ title, lines }) => `${title}: ${lines} lines` };
trestle.registerCallableModule('formatter', formatter);

async function main() {
  Notebook.changed.addListener((change) => console.log('listener:', formatter.format(change)));
  const counts = Notebook.lineCounts();
  const shopping = await Notebook.note('shopping'), errands = await Notebook.note('errands');
  shopping.write('bread');
  shopping.write('salt');
  console.log(`${shopping.title}:\n${await shopping.text()}`);
  errands.write('post office');
  for await (const count of counts) if (count === 3) break;
  console.log('one object:', shopping === await Notebook.note('shopping'));
  errands.release();
  console.log('still kept by the notebook:', await (await Notebook.note('errands')).text());
  // A new listener is given the last change.
  for await (const change of Notebook.changed) {
    console.log('loop:', formatter.format(change));
    break;
  }
}

main();
