// The pattern of one part of a URL, as a regular expression and in its shortest form.

/** @param {PatternPart[]} parts @param {PatternOptions} options @returns {string} */
function expressionOf(parts, options) {
  let text = '^';
  for (const { type, value, modifier, prefix, suffix } of parts) {
    if (type === 'fixed') {
      text += modifier === '' ? escapeForRegExp(value) : `(?:${escapeForRegExp(value)})${modifier}`;
      continue;
    }
    const inner = type === 'segment' ? segmentExpression(options) : type === 'whole' ? WHOLE : value, repeats = modifier === '*' || modifier === '+';
    const before = escapeForRegExp(prefix), behind = escapeForRegExp(suffix);
    if (before === '' && behind === '') text += repeats ? `((?:${inner})${modifier})` : `(${inner})${modifier}`;
    else if (!repeats) text += `(?:${before}(${inner})${behind})${modifier}`;
    else text += `(?:${before}((?:${inner})(?:${behind}${before}(?:${inner}))*)${behind})${modifier === '*' ? '?' : ''}`;
  }
  return text + '$';
}

const isNumbered = /^[0-9]/;

/** @param {PatternPart[]} parts @param {PatternOptions} options @returns {string} the pattern that they were made of, in its shortest form */
function patternOf(parts, options) {
  let text = '';
  for (const [index, { type, value, modifier, name, prefix, suffix }] of parts.entries()) {
    if (type === 'fixed') {
      text += modifier === '' ? escapeForPattern(value) : `{${escapeForPattern(value)}}${modifier}`;
      continue;
    }
    const previous = parts[index - 1], next = parts[index + 1], isNamed = !isNumbered.test(name);
    let isGrouped = suffix !== '' || prefix !== '' && prefix !== options.prefix;
    if (!isGrouped && isNamed && type === 'segment' && modifier === '' && next !== undefined && next.prefix === '' && next.suffix === '') {
      isGrouped = next.type === 'fixed' ? continuesName(Array.from(next.value)[0]) : isNumbered.test(next.name);
    }
    if (!isGrouped && prefix === '' && previous?.type === 'fixed' && options.prefix !== '' && previous.value.endsWith(options.prefix)) isGrouped = true;
    if (isGrouped) text += '{';
    text += escapeForPattern(prefix);
    if (isNamed) text += ':' + name;
    if (type === 'regexp') text += `(${value})`;
    else if (type === 'segment' && !isNamed) text += `(${segmentExpression(options)})`;
    else if (type === 'whole') {
      text += !isNamed && (previous === undefined || previous.type === 'fixed' || previous.modifier !== '' || isGrouped || prefix !== '') ? '*' : `(${WHOLE})`;
    }
    if (type === 'segment' && isNamed && continuesName(Array.from(suffix)[0])) text += '\\';
    text += escapeForPattern(suffix);
    if (isGrouped) text += '}';
    text += modifier;
  }
  return text;
}

/** A pattern of one part of a URL. */
class PatternComponent {
  /**
   * @param {string} pattern @param {(text: string) => string} encode writes text as it stands in a URL
   * @param {PatternOptions} options @param {boolean} ignoresCase
   */
  constructor(pattern, encode, options = plainOptions, ignoresCase = false) {
    const parts = new PatternParser(pattern, options, encode).run();
    try { this.expression = new RegExp(expressionOf(parts, options), ignoresCase ? 'vi' : 'v'); } catch {
      throw patternError(`'${shownPattern(pattern)}' has a group that is no regular expression`);
    }
    this.text = patternOf(parts, options);
    this.names = parts.filter(({ type }) => type !== 'fixed').map(({ name }) => name);
    this.hasGroups = parts.some(({ type }) => type === 'regexp');
  }
}

/** @param {PatternComponent} protocol */
function matchesSpecial(protocol) { return Object.keys(specialPorts).some((scheme) => protocol.expression.test(scheme)); }
