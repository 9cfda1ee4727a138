// Timers and dates that stand still until a test moves them on.

const MOST_TIMERS_RUN = 100_000;
const RealDate = ScriptDate;
/** That of the engine, while there is a clock. */
let realTurn = (/** @type {() => void} */ callback) => {};
const fakedNames = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date', 'performance'];

/** @typedef {{id: number, time: number, order: number, interval: number | undefined, callback: Function, values: any[]}} FakeTimer */

class Clock {
  /** @type {Map<number, FakeTimer>} */
  timers = new Map();
  /**
   * What has been replaced.
   * @type {Map<string, PropertyDescriptor>}
   */
  #real = new Map();
  // Far from those of real timers, which a fake `clearTimeout` may be given.
  #lastID = 1_000_000_000;
  #lastOrder = 0;
  #elapsed = 0;

  /** @param {number} now in milliseconds since 1970 */
  constructor(now) { this.now = now; }

  install() {
    const clock = this;
    realTurn = scriptGlobal.setImmediate;
    /** @type {Record<string, any>} */
    const fakes = {
      setTimeout: (/** @type {any} */ callback, /** @type {any} */ delay, /** @type {any[]} */ ...values) => clock.#start('setTimeout', callback, delay, values),
      setInterval: (/** @type {any} */ callback, /** @type {any} */ delay, /** @type {any[]} */ ...values) => clock.#start('setInterval', callback, Math.max(1, Number(delay) || 0), values, true),
      setImmediate: (/** @type {any} */ callback, /** @type {any[]} */ ...values) => clock.#start('setImmediate', callback, 0, values),
      Date: clock.#makeDate(),
      performance: { ...scriptGlobal.performance, now: () => clock.#elapsed },
    };
    for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) fakes[name] = (/** @type {any} */ id) => void clock.timers.delete(id);
    for (const name of fakedNames) {
      this.#real.set(name, /** @type {any} */ (Object.getOwnPropertyDescriptor(scriptGlobal, name)));
      define(scriptGlobal, name, published(fakes[name]));
    }
  }

  uninstall() { for (const [name, descriptor] of this.#real) defineAs(scriptGlobal, name, descriptor); }

  /** @param {string} name @param {any} callback @param {any} delay @param {any[]} values @param {boolean} [repeats] */
  #start(name, callback, delay, values, repeats = false) {
    if (typeof callback !== 'function') throw new ScriptTypeError(`${name}, argument 1 'callback': expected function, got ${typeof callback}`);
    // As the real ones read it.
    const time = Math.min(Math.max(0, Math.trunc(Number(delay)) || 0), 0x7FFF_FFFF), id = ++this.#lastID;
    this.timers.set(id, { id, time: this.now + time, order: ++this.#lastOrder, interval: repeats ? time : undefined, callback, values });
    return id;
  }

  #makeDate() {
    const clock = this, now = exposed(() => clock.now);
    return publishProxy(RealDate, {
      construct: (/** @type {any} */ target, /** @type {any[]} */ values, /** @type {any} */ made) => Reflect.construct(target, values.length === 0 ? [clock.now] : values, made),
      apply: () => new RealDate(clock.now).toString(),
      get: (/** @type {any} */ target, /** @type {PropertyKey} */ name, /** @type {any} */ receiver) => name === 'now' ? now : Reflect.get(target, name, receiver),
    });
  }

  /** @returns {FakeTimer | undefined} */
  get next() {
    /** @type {FakeTimer | undefined} */
    let first;
    for (const timer of this.timers.values()) {
      if (first === undefined || timer.time < first.time || timer.time === first.time && timer.order < first.order) first = timer;
    }
    return first;
  }

  /** @param {number} time */
  #moveTo(time) {
    this.#elapsed += Math.max(0, time - this.now);
    this.now = Math.max(this.now, time);
  }

  /** @param {FakeTimer} timer */
  run(timer) {
    this.#moveTo(timer.time);
    if (timer.interval === undefined) this.timers.delete(timer.id);
    else this.timers.set(timer.id, { ...timer, time: timer.time + timer.interval, order: ++this.#lastOrder });
    Reflect.apply(timer.callback, undefined, timer.values);
  }

  /**
   * The steps of moving on: a timer in each, behind which what awaits something may go on.
   * @param {number} end @param {(timer: FakeTimer) => boolean} isRun
   */
  *steps(end, isRun) {
    for (let count = 0, timer = this.next; timer !== undefined && timer.time <= end && isRun(timer); timer = this.next) {
      if (++count > MOST_TIMERS_RUN) throw new ScriptError(`${MOST_TIMERS_RUN} timers have run, and there are more: an interval that is never cleared?`);
      this.run(timer);
      yield;
    }
    if (end !== Infinity) this.#moveTo(end);
  }
}

/** @type {Clock | undefined} */
let clock;

function theClock() {
  if (clock === undefined) throw new ScriptError('the timers are not fake: call mock.useFakeTimers() before');
  return clock;
}

/** @param {Iterable<any>} steps */
function runAll(steps) { for (const _ of steps); }

/** @param {() => Iterable<any>} begin gives the steps */
function runAllAwaited(begin) {
  const rest = () => new Promise((resolve) => realTurn(exposed(() => resolve(undefined))));
  const run = async () => {
    const steps = begin();
    await rest();
    for (const _ of steps) await rest();
    await rest();
  };
  return promiseOf((/** @type {(value: any) => void} */ resolve, /** @type {(reason: any) => void} */ reject) => void run().then(resolve, (error) => reject(clean(error))));
}

/** The time of the last date that there is. */
const LATEST_TIME = 8.64e15;

/** @param {any} value @returns {boolean} */
function isDate(value) {
  try { return !Number.isNaN(Date.prototype.getTime.call(value)); } catch { return false; }
}

/** @param {string} what @param {any} value @returns {number} in milliseconds since 1970 */
function timeOf(what, value) {
  const time = isDate(value) ? Date.prototype.getTime.call(value) : value;
  requireArgument(what, 'a time in milliseconds, or a date that there is', typeof time === 'number' && Math.abs(time) <= LATEST_TIME, value);
  return time;
}

/** @param {string} what @param {any} milliseconds */
function stepsFor(what, milliseconds) {
  const own = theClock();
  requireArgument(what, 'a number of milliseconds from 0, to a date that there is', typeof milliseconds === 'number' && milliseconds >= 0 && own.now + milliseconds <= LATEST_TIME, milliseconds);
  return own.steps(own.now + milliseconds, () => true);
}

function pendingSteps() {
  const own = theClock(), pending = new Set(own.timers.keys());
  const last = Math.max(own.now, ...[...own.timers.values()].map(({ time }) => time));
  return own.steps(last, (timer) => pending.delete(timer.id));
}

/** What `mock` has of the clock. */
const clockMethods = {
  /** @param {{now?: number | Date}} [options] */
  useFakeTimers(options = {}) {
    requireOptions('mock.useFakeTimers', options, ['now']);
    const { now } = options, start = now === undefined ? RealDate.now() : timeOf('mock.useFakeTimers, now', now);
    clock?.uninstall();
    clock = new Clock(start);
    clock.install();
    return mock;
  },
  useRealTimers() {
    clock?.uninstall();
    clock = undefined;
    return mock;
  },
  isFakeTimers: () => clock !== undefined,
  /** @param {number | Date} time */
  setSystemTime(time) { theClock().now = timeOf('mock.setSystemTime', time); },
  getTimerCount: () => theClock().timers.size,
  clearAllTimers: () => theClock().timers.clear(),
  /** @param {number} milliseconds */
  advanceTimersByTime(milliseconds) { runAll(stepsFor('mock.advanceTimersByTime', milliseconds)); },
  /** @param {number} milliseconds */
  advanceTimersByTimeAsync: (milliseconds) => runAllAwaited(() => stepsFor('mock.advanceTimersByTimeAsync', milliseconds)),
  advanceTimersToNextTimer() { if (theClock().next !== undefined) theClock().run(/** @type {FakeTimer} */ (theClock().next)); },
  runAllTimers() { runAll(theClock().steps(Infinity, () => true)); },
  runAllTimersAsync: () => runAllAwaited(() => theClock().steps(Infinity, () => true)),
  runOnlyPendingTimers() { runAll(pendingSteps()); },
  runOnlyPendingTimersAsync: () => runAllAwaited(pendingSteps),
};
