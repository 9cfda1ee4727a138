/* The JavaScript of the standard modules, from `js/modules`, and its declarations. */
#ifndef CBUNDLEDMODULES_H
#define CBUNDLEDMODULES_H

/* Function expressions that take the module's native object; UTF-8, NUL-terminated. */
const char *bundled_console_script(void);
const char *bundled_timers_script(void);
const char *bundled_web_script(void);
const char *bundled_process_script(void);
const char *bundled_sqlite_script(void);
const char *bundled_worker_script(void);
const char *bundled_worker_scope_script(void);

/* What scripts see of a module, as TypeScript declares it, from `js/types`; of any other than Files, Process, SQLite and Workers what every script
   has. */
const char *bundled_type_declarations(const char *module);

#endif
