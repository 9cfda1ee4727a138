// What there is to do: each task is a command, and what has to be done before.
import { start } from 'trestle:processes';

const tasks = {
  compile: { command: ['sh', '-c', 'echo "3 files"'], after: [] },
  lint: { command: ['sh', '-c', 'echo "no problems"; echo "1 file is long" >&2'], after: [] },
  test: { command: ['sh', '-c', 'echo "12 tests"'], after: ['compile'] },
  package: { command: ['sh', '-c', 'echo "tool.tar"'], after: ['test', 'lint'] },
  publish: { command: ['sh', '-c', 'exit 4'], after: ['package'] },
};

/** The promise of each task that is wanted: it is begun once. */
const begun = new Map();

function perform(name) {
  if (!begun.has(name)) begun.set(name, begin(name));
  return begun.get(name);
}

async function begin(name) {
  const { command: [program, ...programArguments], after } = tasks[name];
  await Promise.all(after.map(perform));
  const running = await start(program, programArguments, { stdin: 'ignore', stderr: 'stdout' });
  const lines = [];
  for await (const line of running.lines()) lines.push(line);
  const { code, signal } = await running.status();
  if (code !== 0) throw new Error(`${name} has failed: ${signal ?? `exit code ${code}`}`);
  return lines;
}

const wanted = NativeModules.Process.arguments.length > 0 ? NativeModules.Process.arguments : Object.keys(tasks);
const outcomes = await Promise.allSettled(wanted.map(perform));
for (const [index, { value, reason }] of outcomes.entries()) {
  console.log(reason ? `✗ ${reason.message}` : `✓ ${wanted[index]}: ${value.join(', ')}`);
}
NativeModules.Process.exit(outcomes.some(({ status }) => status === 'rejected') ? 1 : 0);
