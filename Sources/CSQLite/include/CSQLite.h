#ifndef CSQLITE_H
#define CSQLITE_H

/* SQLite as the system has it, loaded when a script first wants it: a program that runs scripts without databases neither links it nor
 * takes the time to load it. Nothing here calls `sqlite3_…` by its name, only by this table. */
#include <sqlite3.h>
#include <stdbool.h>

#define SQLITE_LIBRARY_FUNCTIONS(F) \
    F(open_v2) F(close_v2) F(extended_result_codes) F(errmsg) F(error_offset) F(system_errno) \
    F(prepare_v3) F(step) F(reset) F(finalize) F(clear_bindings) F(get_autocommit) F(total_changes64) F(changes64) F(last_insert_rowid) \
    F(bind_parameter_count) F(bind_parameter_name) F(bind_null) F(bind_int64) F(bind_double) F(bind_text64) F(bind_blob64) F(bind_zeroblob) \
    F(column_count) F(column_name) F(column_type) F(column_int64) F(column_double) F(column_text) F(column_blob) F(column_bytes) \
    F(progress_handler) F(busy_handler) F(set_authorizer) F(limit) F(create_function_v2) F(user_data) \
    F(value_type) F(value_int64) F(value_double) F(value_text) F(value_blob) F(value_bytes) \
    F(result_null) F(result_int64) F(result_double) F(result_text64) F(result_blob64) F(result_zeroblob64) F(result_error)

struct sqlite_library {
#define F(name) __typeof__(sqlite3_##name) *name;
    SQLITE_LIBRARY_FUNCTIONS(F)
#undef F
};

/* The library; NULL where it cannot be loaded, or is too old, with what is wrong. Once.
 *
 * `has_room` says whether there is a descriptor for one more file: a database that is open opens others, as its journal. `is_of_kernel`
 * says whether a file is one of `/proc` and the like. */
const struct sqlite_library *sqlite_load(bool (*has_room)(void), bool (*is_of_kernel)(const char *name), const char **problem);

/* The name of the file system that connections are opened with: as the system's, but that it opens files alone, maps none of them into
 * memory, where one that is cut short would end the process, and loads no code. */
extern const char *const sqlite_file_system;

/* Where the files of a connection are whose scripts may not use all: asked on the thread that is at work on it, of each name before the
 * system is. */
struct sqlite_places {
    void *context;
    /* Writes by which name the database of that path is opened; false if it is not. */
    bool (*find)(void *context, const char *path, char *name, int size);
    /* Whether the file of that name belongs to a database that was found, and may be written if it is to be. */
    bool (*allow)(void *context, const char *name, bool writes);
};

/* From here on the calling thread works with these, or with all files if there are none. Gives those before. */
const struct sqlite_places *sqlite_use_places(const struct sqlite_places *places);

/* Has a connection distrust what it reads, and take no word in quotation marks for a text. Without `has_fts5` there is no such full-text
 * search: to look at a query it calls itself once for each NOT, which overflows the stack (3.40). */
void sqlite_configure(sqlite3 *connection, bool has_fts5);

#endif
