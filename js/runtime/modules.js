// The shared wire's modules: all are as native code defines them.

/**
 * The object of a module that scripts may have; undefined if there is none of that name.
 * @param {string} name
 */
function makeModule(name) { return makeDirectModule(name, native.moduleConfig); }
