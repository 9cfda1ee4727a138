export default {
  /** @param {string} text */
  heading: (text) => `${text}\n${'='.repeat(text.length)}`,
};
