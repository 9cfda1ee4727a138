// What `grep -E ' 5[0-9]{2} [0-9]+ ms$'` finds.
/** @param {string} line */
const keep = (line) => / 5\d\d \d+ ms$/.test(line);
