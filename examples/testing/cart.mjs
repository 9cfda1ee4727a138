/** What somebody is about to buy. */
export class Cart {
  /** @type {{name: string, price: number}[]} */
  items = [];

  /** @param {string} name @param {number} price */
  add(name, price) {
    if (typeof price !== 'number' || !(price >= 0)) throw new RangeError(`the price of ${name} is ${price}`);
    this.items.push({ name, price });
  }

  get total() { return this.items.reduce((sum, { price }) => sum + price, 0); }
}
