// What types are made of: asked for when a value of one is first met.

/**
 * A schema as native describes it. `expected` is the text for messages.
 * @typedef {{kind: string, expected: string, of?: Schema, low?: number, high?: number, big?: boolean, id?: number,
 *   allowed?: any[], discriminator?: string, elements?: number}} Schema
 * @typedef {{name: string, schema: Schema, optional: boolean}} Member
 * @typedef {{name: string, schema: Schema, optional: boolean}} Parameter
 * @typedef {{name: string, kind: string, parameters: Parameter[], isStream: boolean, receiver?: number, text: string, callbackCount: number,
 *   options?: (string[] | undefined)[]}} Method
 */

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
