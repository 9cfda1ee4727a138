import { test, describe, beforeEach, expect } from 'trestle:test';
import { Cart } from './cart.mjs';

describe('a cart', () => {
  let cart;
  beforeEach(() => { cart = new Cart(); });

  test('adds up', () => {
    cart.add('tea', 4.5);
    cart.add('cup', 8);
    expect(cart.total).toBeCloseTo(12.5);
    expect(cart.items).toEqual([{ name: 'tea', price: 4.5 }, { name: 'cup', price: 8 }]);
  });

  test.each([[-1], [NaN], ['4']])('refuses the price %p', (price) => {
    expect(() => cart.add('tea', price)).toThrow('price');
  });
});
