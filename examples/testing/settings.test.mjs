import { test, expect, fn, mock, spyOn } from 'trestle:test';
import { readText } from 'trestle:files';

test('reads settings again after a minute', async () => {
  const read = spyOn(NativeModules.Files, 'readText').mockResolvedValue('{}');
  mock.useFakeTimers();
  setInterval(() => readText('settings.json'), 60_000);
  mock.advanceTimersByTime(120_000);
  expect(read).toHaveBeenCalledTimes(2);
  expect(read).toHaveBeenLastCalledWith('settings.json');
  mock.useRealTimers();
  read.mockRestore();
});
