// What there is to do: each task is a command, and what has to be done before.
import { watch } from 'trestle:files';
import { start } from 'trestle:processes';

interface Task {
  command: [program: string, ...words: string[]];
  after: string[];
}

const tasks: Record<string, Task> = {
  compile: { command: ['sh', '-c', 'echo "3 files"'], after: [] },
  lint: { command: ['sh', '-c', 'echo "no problems"; echo "1 file is long" >&2'], after: [] },
  test: { command: ['sh', '-c', 'echo "12 tests"'], after: ['compile'] },
  package: { command: ['sh', '-c', 'echo "tool.tar"'], after: ['test', 'lint'] },
  publish: { command: ['sh', '-c', 'exit 4'], after: ['package'] },
};

async function execute(name: string, [program, ...programArguments]: Task['command']): Promise<string[]> {
  const running = await start(program, programArguments, { stdin: 'ignore', stderr: 'stdout' });
  const lines = [];
  for await (const line of running.lines()) lines.push(line);
  const { code, signal } = await running.status();
  if (code !== 0) throw new Error(`${name} has failed: ${signal ?? `exit code ${code}`}`);
  return lines;
}

/** Performs these tasks and what they wait for, and says what has become of each: whether all went well. */
async function run(names: string[]): Promise<boolean> {
  /** The promise of each task that is wanted: it is begun once. */
  const begun = new Map<string, Promise<string[]>>();
  const perform = (name: string): Promise<string[]> => {
    const promise = begun.get(name) ?? begin(name);
    begun.set(name, promise);
    return promise;
  };
  const begin = async (name: string) => {
    const task = tasks[name];
    if (!task) throw new Error(`there is no task ${name}`);
    await Promise.all(task.after.map(perform));
    return execute(name, task.command);
  };
  const outcomes = await Promise.allSettled(names.map(perform));
  for (const [index, outcome] of outcomes.entries()) {
    console.log(outcome.status === 'rejected' ? `✗ ${outcome.reason.message}` : `✓ ${names[index]}: ${outcome.value.join(', ')}`);
  }
  return outcomes.every(({ status }) => status === 'fulfilled');
}

const given = NativeModules.Process.arguments;
const folder = given[0] === '--watch' ? given[1] ?? '.' : undefined;
const named = folder === undefined ? given : given.slice(2);
const names = named.length > 0 ? named : Object.keys(tasks);

// Before the first run, so that no change during it is missed.
const changes = folder === undefined ? undefined : await watch(folder);
const isWell = await run(names);
if (!changes) NativeModules.Process.exit(isWell ? 0 : 1);
for await (const { path, kind } of changes!) {
  console.log(`\n${path} ${kind}`);
  await run(names);
}
