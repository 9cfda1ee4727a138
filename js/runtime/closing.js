// The end of a bridge.

/**
 * What everything fails with that waits when the bridge closes, or later.
 * @type {Error | undefined}
 */
let closingError;

/**
 * Rejects everything that still waits.
 * @param {string} message
 */
function closeAll(message) {
  const error = closingError = makeError('BridgeError', message, 'ERR_CLOSED', undefined, undefined, undefined);
  for (const end of [...eventLoops]) end(error);
  for (let slot = 1; slot < resolves.length; slot++) {
    if (typeof resolves[slot] === 'number') continue;
    const reject = rejects[slot], words = `${callees[slot] || 'a stream'}: the bridge was closed before it answered`;
    const site = callSites[slot];
    freeSlot(slot);
    if (reject === undefined) continue;
    callSites[slot] = site;
    try {
      reject(withCallSite(slot, receiveError(0, 'BridgeError', words, 'ERR_CLOSED', undefined, undefined, undefined)));
    } catch (error) { reportUncaught(error); }
    callSites[slot] = undefined;
  }
}
