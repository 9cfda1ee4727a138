// Requests that failed, or took more than 900 ms.
/** @param {string} line */
function keep(line) {
  const [, , , status, time] = line.split(' ');
  return Number(status) >= 500 || Number(time) > 900;
}
