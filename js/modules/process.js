// `Process.lines()`, beside what native code gives.

/**
 * The lines of standard input.
 * @returns {AsyncGenerator<string, void>}
 */
async function* lines() {
  for (let line = await native.readLine(); line !== null; line = await native.readLine()) yield line;
}

defineProperty(native, 'lines', { value: lines, enumerable: true, writable: true, configurable: true });
