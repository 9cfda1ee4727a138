// Counts the primes below two million in four workers, each on a thread of its own.
//
//     trestle run examples/workers/primes.js

const LIMIT = 2_000_000, COUNT = 4;

/**
 * @param {number} from @param {number} to
 * @returns {Promise<Uint32Array>} the primes in between
 */
function findPrimes(from, to) {
  return new Promise((resolve, reject) => {
    const worker = new Worker('./finder.js', { name: `primes from ${from}` });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = ({ error }) => reject(error);
    worker.postMessage({ from, to });
  });
}

(async () => {
  const span = LIMIT / COUNT;
  const parts = await Promise.all(Array.from({ length: COUNT }, (_, i) => findPrimes(i * span, (i + 1) * span)));
  parts.forEach((primes, i) => console.log(`${i * span} to ${(i + 1) * span}: ${primes.length} primes, the last ${primes.at(-1)}`));
  console.log(`${parts.reduce((sum, primes) => sum + primes.length, 0)} in all`);
})();
