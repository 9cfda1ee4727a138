// What makes the objects that modules are given, and what is the scripts' own.

const { publishModuleNamespace, later, valueGetter, memberGetter, memberOfMemberGetter, bareObject } = border;
const { SyntaxError: ScriptSyntaxError, ReferenceError: ScriptReferenceError, parseJSON, generatorNext, asyncGeneratorNext } = border.intrinsics;
