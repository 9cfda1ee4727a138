// What makes the objects that modules are given, and what is the scripts' own.

const { publishModuleNamespace, later, valueGetter, memberGetter, bareObject } = border;
const { SyntaxError: ScriptSyntaxError, ReferenceError: ScriptReferenceError, parseJSON, generatorNext } = border.intrinsics;
