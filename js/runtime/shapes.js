// What types are made of: asked for when a value of one is first met.

/** Members of record types, by shape number. */
const shapes = privateArray();

/** @param {number} id @returns {Member[]} */
function shapeOf(id) {
  const known = shapes[id];
  if (known !== undefined) return known;
  const members = readDescription(() => native.shape(id));
  setPrototypeOf(members, null);
  return shapes[id] = members;
}

/** Cases of unions, by number. */
const unions = privateArray();

/** @param {number} id @returns {{name: string, members: Member[]}[]} */
function unionCases(id) {
  const known = unions[id];
  if (known !== undefined) return known;
  const cases = readDescription(() => native.unionCases(id));
  setPrototypeOf(cases, null);
  return unions[id] = cases;
}
