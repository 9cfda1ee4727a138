// What tests are written with: of `trestle:test`, and global.

/** @type {any} */
const mock = exposed((/** @type {any} */ implementation) => fn(implementation), {
  fn, spyOn,
  clearAllMocks() { for (const mocked of liveMocks) mocked.mockClear(); },
  resetAllMocks() { for (const mocked of liveMocks) mocked.mockReset(); },
  restoreAllMocks() { for (const mocked of liveMocks) mocked.mockRestore(); },
  ...clockMethods,
});

/** @type {any} */
const exported = published({
  test, it: test, describe, suite: describe, expect, mock, fn: mock.fn, spyOn: mock.spyOn,
  beforeAll: hookDeclarer('beforeAll'), afterAll: hookDeclarer('afterAll'), beforeEach: hookDeclarer('beforeEach'), afterEach: hookDeclarer('afterEach'),
});
for (const [name, value] of Object.entries(exported)) if (name !== 'fn') define(scriptGlobal, name, value);

// @ts-expect-error The files are the body of one function.
return exported;
