// User Timing: `performance.mark` and `measure`, and the entries that they leave.
(() => {
  /** @type {InterfaceTools} */
  const { defineInterface, dictionary, text } = part('interfaces');
  const { makeException } = part('exceptions');

  class EntryData {
    entryType = '';
    /** @param {string} name @param {number} startTime in milliseconds, as `performance.now()` gives them @param {number} duration @param {any} detail */
    constructor(name, startTime, duration, detail) {
      Object.assign(this, { name, startTime, duration });
      this.detail = detail;
    }
  }
  class MarkData extends EntryData { entryType = 'mark'; }
  class MeasureData extends EntryData { entryType = 'measure'; }

  /** @param {any} data */
  const told = ({ name, entryType, startTime, duration }) => ({ name, entryType, startTime, duration });
  const { made: PerformanceEntry } = defineInterface('PerformanceEntry', EntryData, {
    shown: ['name', 'entryType', 'startTime', 'duration'],
    attributes: { name: [({ name }) => name], entryType: [({ entryType }) => entryType], startTime: [({ startTime }) => startTime], duration: [({ duration }) => duration] },
    operations: { toJSON: (data) => publishObject(data.detail === undefined ? told(data) : { ...told(data), detail: data.detail }) },
  });
  /** @type {InterfaceDefinition['attributes']} */
  const attributes = { detail: [({ detail }) => detail] };
  const { made: PerformanceMark, make: makeMark } = defineInterface('PerformanceMark', MarkData, {
    length: 1, parent: PerformanceEntry, shown: ['detail'], attributes, construct: (_, name, options = undefined) => readMark(name, options),
  });
  const { made: PerformanceMeasure, make: makeMeasure } = defineInterface('PerformanceMeasure', MeasureData, { parent: PerformanceEntry, shown: ['detail'], attributes });

  /** @param {any} value */
  const cloned = (value) => {
    runPostponed('Web');
    return value === undefined || value === null ? null : shared.cloneValue === undefined ? value : shared.cloneValue(value);
  };

  /** @param {any} value @param {string} title */
  function time(value, title) {
    const number = +value;
    if (!(number >= 0 && number < Infinity)) throw new ScriptTypeError(`${title}: expected milliseconds, 0 or more, got ${describeValue(value)}`);
    return number;
  }

  /** @param {any} name @param {any} options */
  function readMark(name, options) {
    const { detail, startTime } = dictionary(options, "mark, argument 2 'options'");
    return new MarkData(text(name), startTime === undefined ? now() : time(startTime, 'mark, startTime'), 0, cloned(detail));
  }

  /** @type {{data: any, object: any}[]} */
  let entries = [];
  /** Whether they stand in the order of their starts. */
  let isSorted = true;
  /** When the last of each name was. @type {Map<string, number>} */
  const marks = new Map();
  /** @type {() => number} */
  let now = () => 0;

  /** @param {any} data @param {any} object */
  function add(data, object) {
    isSorted &&= entries.length === 0 || entries[entries.length - 1].data.startTime <= data.startTime;
    entries.push({ data, object });
    return object;
  }

  /** @param {any} mark a name, or milliseconds */
  function timeOf(mark) {
    if (typeof mark === 'number') return time(mark, 'measure');
    const name = text(mark), found = marks.get(name);
    if (found === undefined) throw makeException('SyntaxError', `measure: there is no mark '${name}'`);
    return found;
  }

  /** @param {any} name @param {any} from @param {any} to */
  function readMeasure(name, from, to) {
    const given = isObject(from) ? from : undefined, { start, end, duration, detail } = given ?? {};
    if (given !== undefined && (start ?? end ?? duration ?? detail) !== undefined) {
      if (to !== undefined) throw new ScriptTypeError("measure: the end is among the options, not argument 3");
      if (start === undefined && end === undefined) throw new ScriptTypeError('measure: the options have neither start nor end');
      if (start !== undefined && end !== undefined && duration !== undefined) throw new ScriptTypeError('measure: the options have start, end and duration; two of them say it all');
    }
    const length = duration === undefined ? undefined : time(duration, 'measure, duration');
    const last = to !== undefined ? timeOf(to) : end !== undefined ? timeOf(end) : start !== undefined && length !== undefined ? timeOf(start) + length : now();
    const begin = given === undefined ? from : start;
    const first = begin !== undefined ? timeOf(begin) : length !== undefined ? last - length : 0;
    return new MeasureData(text(name), first, last - first, cloned(detail));
  }

  /** @param {(data: any) => boolean} isWanted */
  const listed = (isWanted) => {
    if (!isSorted) entries.sort((one, other) => one.data.startTime - other.data.startTime);
    isSorted = true;
    return publishArray(entries.filter(({ data }) => isWanted(data)).map(({ object }) => object));
  };
  /** @param {string} type @param {any} name */
  const clear = (type, name) => {
    const only = name === undefined ? undefined : text(name);
    entries = entries.filter(({ data }) => data.entryType !== type || only !== undefined && data.name !== only);
  };

  /** @type {Record<string, (...values: any[]) => any>} */
  const functions = {
    mark(name, options = undefined) {
      const data = readMark(name, options);
      const { name: mark, startTime } = /** @type {any} */ (data);
      marks.set(mark, Math.max(marks.get(mark) ?? 0, startTime));
      return add(data, makeMark(data));
    },
    measure(name, start = undefined, end = undefined) {
      const data = readMeasure(name, start, end);
      return add(data, makeMeasure(data));
    },
    getEntries: () => listed(() => true),
    getEntriesByType: (type) => listed(({ entryType }) => entryType === type),
    getEntriesByName: (name, type = undefined) => listed((data) => data.name === name && (type === undefined || data.entryType === type)),
    clearMarks(name = undefined) {
      clear('mark', name);
      if (name === undefined) marks.clear(); else marks.delete(text(name));
    },
    clearMeasures: (name = undefined) => clear('measure', name),
  };

  return {
    PerformanceEntry, PerformanceMark, PerformanceMeasure, functions,
    /** @param {() => number} clock milliseconds since the bridge opened */
    begin(clock) { now = clock; },
  };
})()
