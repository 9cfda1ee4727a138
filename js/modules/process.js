// `Process.lines()`, beside what native code gives.

define(native, 'lines', border.publishGenerator('lines', () => native.readLine()), true);
// @ts-expect-error The files are the body of one function.
return native;
