// What tests are written with: of `trestle:test`, and global.

const mock = Object.assign(exposed((/** @type {any} */ implementation) => fn(implementation)), exposedMembers({
  fn, spyOn,
  clearAllMocks() { for (const mocked of liveMocks) mocked.mockClear(); },
  resetAllMocks() { for (const mocked of liveMocks) mocked.mockReset(); },
  restoreAllMocks() { for (const mocked of liveMocks) mocked.mockRestore(); },
  ...clockMethods,
}));

const exported = {
  test, it: test, describe, suite: describe, expect, mock, fn: mock.fn, spyOn: mock.spyOn,
  ...exposedMembers({ beforeAll: hookDeclarer('beforeAll'), afterAll: hookDeclarer('afterAll'), beforeEach: hookDeclarer('beforeEach'), afterEach: hookDeclarer('afterEach') }),
};
handedOver(exported);
for (const [name, value] of Object.entries(exported)) {
  if (name !== 'fn') Object.defineProperty(scriptGlobal, name, { value, writable: true, configurable: true, enumerable: false });
}

// @ts-expect-error The files are the body of one function.
return exported;
