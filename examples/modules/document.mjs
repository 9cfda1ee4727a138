import { readText } from 'trestle:files';
import settings from './settings.json' with { type: 'json' };

const { default: theme } = await import(`./themes/${settings.theme}.mjs`);
export const title = await readText(`${import.meta.dirname}/title.txt`);
export { theme };
