// Options of what is written in JavaScript: what is no option is refused by its name, as it is for methods of native code.

/**
 * @param {any} options @param {string} title @param {number} index @param {string[]} names that it may have
 * @returns {Record<string, any>}
 */
function readOptions(options, title, index, names) {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw argumentError(`${title}, argument ${index} 'options': expected object, got ${runtime.describeValue(options)}`);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw argumentError(`${title}, argument ${index} 'options': there is no option '${name}', only ${names.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}
