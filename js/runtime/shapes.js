// What types are made of: asked for when a value of one is first met.

/**
 * Members of record types, by shape number.
 * @type {any[]}
 */
const shapes = [];

/** @param {number} id @returns {Member[]} */
function shapeOf(id) {
  const known = shapes[id];
  if (known !== undefined) return known;
  const members = describe(() => native.shape(id));
  return shapes[id] = members;
}

/**
 * Cases of unions, by number.
 * @type {any[]}
 */
const unions = [];

/** @param {number} id @returns {{name: string, members: Member[]}[]} */
function unionCases(id) {
  const known = unions[id];
  if (known !== undefined) return known;
  const cases = describe(() => native.unionCases(id));
  return unions[id] = cases;
}
