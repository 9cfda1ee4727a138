// Runs on the host's own thread, in between the lines that the host reads.
NativeModules.Host.addListener('line', (/** @type {string} */ line) => {
  setTimeout(() => console.log('heard', line.toUpperCase()), 1);
});
