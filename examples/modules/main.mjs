// A script of several modules: `trestle run examples/modules/main.mjs`.
import { title, theme } from './document.mjs';

console.log(theme.heading(title.trim()));
console.log(import.meta.main, typeof require);
