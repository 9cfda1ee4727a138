// The end of a bridge.

/**
 * Rejects everything that still waits.
 * @param {string} message
 */
function closeAll(message) {
  for (let slot = 1; slot < resolves.length; slot++) {
    if (typeof resolves[slot] === 'number') continue;
    const reject = rejects[slot];
    freeSlot(slot);
    if (reject === undefined) continue;
    try { reject(receiveError(0, 'BridgeError', message, 'ERR_CLOSED', undefined, undefined, undefined)); } catch (error) { reportUncaught(error); }
  }
}
