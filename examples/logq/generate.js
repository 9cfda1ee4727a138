// Writes a log of so many lines, always the same: trestle generate.js 100 > a.log
const count = Number(NativeModules.Process.arguments[0] ?? 100);
let state = 1;

/** @param {number} limit */
const random = (limit) => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor(state / 65536) % limit;
};

const paths = ['/', '/items', '/items/17', '/größe', '/login', '/search?q=a+b'];
let lines = [];
for (let number = 0; number < count; number++) {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 250).toISOString();
  const status = random(40) === 0 ? 503 : random(10) === 0 ? 404 : 200;
  lines.push(`${time} ${random(4) === 0 ? 'POST' : 'GET'} ${paths[random(paths.length)]} ${status} ${random(1000)} ms`);
  if (lines.length === 1000 || number === count - 1) {
    console.log(lines.join('\n'));
    lines = [];
  }
}
