/// A script that calls all that a script can call, as near to the end of the stack as it gets.
///
/// It takes `globalThis.isForeign`, and leaves `callAllAtTheEnd(standard, given)`: what is reached from the global names that are not
/// `standard`, and from what is `given`, by name. It gives how many functions those are, and where a foreign object came out.
public let stackEndHarness = """
  {
    const tell = isForeign;
    delete globalThis.isForeign;
    const { apply, construct, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
    const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
    const { then } = Promise.prototype;
    globalThis.callAllAtTheEnd = async (standard, given) => {
      const seen = new Set([globalThis, globalThis.callAllAtTheEnd]), functions = [], found = new Set();
      let isStandard = true;
      // `holder` has what is inherited, and what is called is called on it.
      const visit = (value, place, holder, depth, isInherited = false) => {
        if (!isObject(value) || seen.has(value) || depth > 6) return;
        seen.add(value);
        if (typeof value === 'function' && !isStandard) functions.push([place, value, holder]);
        const self = isInherited ? holder : value;
        for (const key of ownKeys(value)) {
          const { value: member, get, set } = getOwnPropertyDescriptor(value, key);
          let got;
          try { if (get !== undefined && !isStandard) got = self[key]; } catch {}
          for (const part of [member, get, set, got]) visit(part, `${place}.${String(key)}`, self, depth + 1);
        }
        visit(getPrototypeOf(value), place, self, depth + 1, true);
      };
      for (const name of standard) visit(globalThis[name], name, undefined, 0);
      visit(given.async, 'async', undefined, 0);
      isStandard = false;
      for (const name of Object.getOwnPropertyNames(globalThis)) {
        if (!standard.includes(name)) visit(globalThis[name], name, globalThis, 0);
      }
      for (const name of Object.keys(given)) visit(given[name], name, given[name], 0);

      // Looked at later: to look takes room, too.
      const results = [];
      let left = 0, failed = 0;
      const atTheEnd = (call, place) => {
        try { atTheEnd(call, place); } catch (error) {
          results.push([place, error]);
          if (left-- <= 0) return;
          try { results.push([place, call()]); } catch (inner) { failed++; results.push([place, inner]); }
          throw error;
        }
      };
      const judge = (place, value) => { if (isObject(value) && tell(value)) found.add(place); };
      const end = (place, call) => {
        left = 60;
        atTheEnd(call, place);
        for (const [place, value] of results.splice(0)) {
          judge(place, value);
          if (value instanceof Promise) apply(then, value, [(inner) => judge(place, inner), (error) => judge(`promise of ${place}`, error)]);
        }
      };
      for (const [place, body, self] of functions) {
        if (/exit|close|terminate|kill|release|shutDown/i.test(place)) continue;
        for (const values of [[], ['x'], [() => {}, 1], [{ x: 1, y: 2, name: 'p' }], [[1, 2]]]) end(place, () => apply(body, self, values));
        end(place, () => construct(body, ['x']));
      }
      await new Promise((resolve) => { if (globalThis.setTimeout !== undefined) setTimeout(resolve, 50); else resolve(); });
      return [functions.length, failed, ...found];
    };
  }
  """
