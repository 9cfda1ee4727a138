/// A script that gathers what it is given and looks for what is of another realm.
///
/// `gather()` makes an object with what was `given` by name, in lists: `attempt(name, body)` keeps what a call gives, comes to or throws,
/// and `keep(name)` is a function that keeps what it is called with. `walkFrom(roots, isForeign)` follows properties, prototypes and the
/// contents of maps and sets, and gives the `places` of what is foreign, how many objects it has `seen`, and the `names` of all
/// their properties.
public let realmWalk = """
  const gather = () => {
    const given = { __proto__: null };
    const add = (name, value) => { (given[name] ??= []).push(value); };
    const attempt = async (name, body) => {
      try {
        const value = body();
        add(`result of ${name}`, value);
        add(name, await value);
      } catch (error) { add(`error of ${name}`, error); }
    };
    const keep = (name) => function (...values) { add(`calls of ${name}`, { receiver: this, values }); };
    return { given, attempt, keep };
  };

  const walkFrom = (roots, isForeign) => {
    const seen = new Set(), names = new Set(), places = [], waiting = Object.entries(roots);
    while (waiting.length > 0) {
      const [place, value] = waiting.pop();
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || value === isForeign) continue;
      seen.add(value);
      if (isForeign(value)) { places.push(place); continue; }
      try { waiting.push([`${place}.__proto__`, Reflect.getPrototypeOf(value)]); } catch {}
      try { Map.prototype.forEach.call(value, (inner, key) => waiting.push([`${place}.key`, key], [`${place}.of(${String(key)})`, inner])); } catch {}
      try { Set.prototype.forEach.call(value, (inner) => waiting.push([`${place}.has`, inner])); } catch {}
      let keys = [];
      try { keys = Reflect.ownKeys(value); } catch {}
      for (const key of keys) {
        let descriptor;
        try { descriptor = Reflect.getOwnPropertyDescriptor(value, key); } catch {}
        if (descriptor === undefined) continue;
        names.add(key);
        for (const part of ['value', 'get', 'set']) waiting.push([`${place}.${String(key)}`, descriptor[part]]);
      }
    }
    return { places, seen: seen.size, names };
  };
  """
