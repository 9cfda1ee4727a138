// An app, as its bundle would register it.
const { BatchedBridge, NativeModules, DeviceEventEmitter } = /** @type {any} */ (globalThis).ReactNative;
const { Library } = NativeModules;

async function read() {
  console.log('in', Library.getConstants().name, 'on shelf', Library.shelf('Momo'));
  Library.add({ title: 'Ronja', year: 1981 });
  console.log('found', await Library.find('Ronja'));
  try { await Library.find('Matilda'); } catch (/** @type {any} */ error) {
    console.warn(`${error.code}: ${error.message}`, error.domain, error.userInfo);
  }
  Library.all(console.error, (/** @type {{title: string}[]} */ books) => {
    console.log('all', books.map((book) => book.title).join());
    setTimeout(() => { throw new Error('nobody reads on'); }, 10);
  });
}

BatchedBridge.registerCallableModule('AppRegistry', {
  runApplication(/** @type {string} */ name, /** @type {any} */ parameters) {
    console.log('run', name, parameters);
    read();
  },
});
DeviceEventEmitter.addListener('closingSoon', (/** @type {{minutes: number}} */ event) => console.log('closing in', event.minutes, 'minutes'));
