// What is wrong with an argument, in the words that native code uses too: evaluated with the first that is.
(() => {
  /**
   * What a value is, after "got".
   * @param {any} value
   * @returns {string}
   */
  function describeValue(value) {
    switch (typeof value) {
      case 'string': return 'string ' + quoted(value);
      case 'number': return 'number ' + (Object.is(value, -0) ? '-0' : String(value));
      case 'bigint': return 'bigint ' + String(value);
      case 'boolean': return 'boolean ' + value;
      case 'undefined': return 'undefined';
      case 'symbol': return 'symbol';
      case 'function': return 'function';
    }
    if (value === null) return 'null';
    if (isArray(value)) return 'array';
    const { binaryKind, isDetached, isDate } = part('values');
    const binary = binaryKind(value);
    if (binary !== undefined) return (isDetached(value) ? 'detached ' : '') + binary;
    if (isDate(value)) return 'Date';
    if (isError(value)) return 'Error';
    const handle = handleOf(value);
    return handle === undefined ? 'object' : describeHandle(handle);
  }

  /** @param {string} text */
  function quoted(text) {
    if (text.length <= 40) return JSON.stringify(text.toWellFormed());
    // A pair of surrogates stays whole.
    const cut = (text.charCodeAt(39) & 0xFC00) === 0xD800 ? 39 : 40;
    return JSON.stringify(text.substring(0, cut).toWellFormed() + '…');
  }

  const identifier = /^[A-Za-z_$][\w$]*$/;

  /** Of a longer path the middle is left out. */
  const LONGEST_PATH = 16;

  /**
   * @param {string} start the parameter's name @param {any[]} keys member names, or numbers for indices
   */
  function pathText(start, keys) {
    let text = start;
    for (let i = 0; i < keys.length; i++) {
      if (i === LONGEST_PATH >> 1 && keys.length > LONGEST_PATH) {
        text += '…';
        i = keys.length - (LONGEST_PATH >> 1);
      }
      const key = keys[i];
      if (typeof key === 'number') text += '[' + key + ']';
      else if (identifier.test(key)) text += '.' + key;
      else text += '[' + JSON.stringify(key) + ']';
    }
    return text;
  }

  /**
   * @param {string} module @param {Method} method @param {number} index of the argument @param {any[]} keys
   * @param {string} expected @param {string} got
   */
  function failArgument(module, method, index, keys, expected, got) {
    const path = pathText(method.parameters[index].name, keys);
    throw argumentError(`${module}.${method.name}, argument ${index + 1} '${path}': expected ${expected}, got ${got}`);
  }

  /**
   * @param {string} module @param {Method} method @param {number} got
   */
  function failCount(module, method, got) {
    const most = method.parameters.length;
    let least = most;
    while (least > 0 && method.parameters[least - 1].optional) least--;
    const count = least === most ? `${most}` : `${least} to ${most}`;
    throw argumentError(`${module}.${method.name}: expected ${count} argument${most === 1 ? '' : 's'}, got ${got}`);
  }

  /**
   * The name among `names` that was probably meant, in words; nothing if none is near.
   * @param {string} name @param {string[]} names
   */
  function didYouMean(name, names) {
    let nearest = '', least = 1 + Math.max(1, Math.floor(name.length / 3));
    for (const other of names) {
      // By now it is there.
      if (other === name) return '';
      const count = Math.abs(other.length - name.length) < least ? editCount(name.toLowerCase(), other.toLowerCase()) : least;
      if (count < least) [nearest, least] = [other, count];
    }
    return nearest === '' ? '' : `; did you mean '${nearest}'?`;
  }

  /**
   * @param {string} module @param {Method} method @param {number} index of the argument @param {string[]} names of its members
   * @param {any} value
   */
  function checkOptions(module, method, index, names, value) {
    if (!isObject(value)) return;
    const options = method.parameters[index]?.name ?? 'options', place = `${module}.${method.name}, argument ${index + 1}`;
    const given = Object.keys(value);
    // It has no members of its own: it would be options that say nothing.
    if (given.length === 0 && part('signals').isSignal(value)) throw argumentError(`${place} '${options}': an AbortSignal comes behind the options`);
    for (const name of given) {
      if (names.includes(name)) continue;
      const hint = name === 'signal' && method.kind === 'promise' ? '; an AbortSignal comes behind the options' : didYouMean(name, names);
      throw argumentError(`${place} '${pathText(options, [name])}': there is no such option${hint}`);
    }
  }

  /**
   * How many letters are to be put in, left out, changed, or swapped with the next.
   * @param {string} one @param {string} other
   */
  function editCount(one, other) {
    /** @type {number[]} */
    let last = [], before = [...Array(other.length + 1).keys()];
    for (let i = 1; i <= one.length; i++) {
      const row = [i];
      for (let k = 1; k <= other.length; k++) {
        const isSame = one[i - 1] === other[k - 1];
        row[k] = Math.min(before[k] + 1, row[k - 1] + 1, before[k - 1] + (isSame ? 0 : 1));
        if (i > 1 && k > 1 && one[i - 1] === other[k - 2] && one[i - 2] === other[k - 1]) row[k] = Math.min(row[k], last[k - 2] + 1);
      }
      [last, before] = [before, row];
    }
    return before[other.length];
  }

  /** @param {Handle} handle */
  function describeHandle({ number, classID }) { return (number === 0 ? 'released ' : '') + objectClassNames[classID]; }

  return { describeValue, pathText, failArgument, failCount, didYouMean, checkOptions };
})()
