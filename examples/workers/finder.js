// A worker of primes.js: answers a range with the primes in it.

onmessage = ({ data: { from, to } }) => {
  const isComposite = new Uint8Array(to - from);
  const primes = new Uint32Array(to - from);
  let count = 0;
  for (let divisor = 2; divisor * divisor < to; divisor++) {
    const first = Math.max(divisor * divisor, Math.ceil(from / divisor) * divisor);
    for (let multiple = first; multiple < to; multiple += divisor) isComposite[multiple - from] = 1;
  }
  for (let number = Math.max(from, 2); number < to; number++) if (isComposite[number - from] === 0) primes[count++] = number;
  const found = primes.slice(0, count);
  // The buffer changes hands: nothing is copied.
  postMessage(found, [found.buffer]);
};
