#include "CSQLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>

const char *const sqlite_file_system = "trestle";

static struct sqlite_library library;
static __typeof__(sqlite3_db_config) *db_config;
static __typeof__(sqlite3_create_module_v2) *create_module;
static bool (*has_room_for_file)(void);
static bool (*is_file_of_kernel)(const char *name);

static sqlite3_vfs file_system;
static int (*open_of_system)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);

static int (*full_path_of_system)(sqlite3_vfs *, const char *, int, char *);
static int (*access_of_system)(sqlite3_vfs *, const char *, int, int *);
static int (*delete_of_system)(sqlite3_vfs *, const char *, int);

static _Thread_local const struct sqlite_places *places;

const struct sqlite_places *sqlite_use_places(const struct sqlite_places *others) {
    const struct sqlite_places *before = places;
    places = others;
    return before;
}

static bool is_allowed(const char *name, bool writes) { return !places || places->allow(places->context, name, writes); }

static int full_path(sqlite3_vfs *vfs, const char *path, int size, char *result) {
    if (!places) return full_path_of_system(vfs, path, size, result);
    return places->find(places->context, path, result, size) ? SQLITE_OK : SQLITE_CANTOPEN;
}

/* What a journal names may be anything: without places a script that writes one has SQLite look at files, and remove them. */
static int look_at_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    if (!places) return access_of_system(vfs, name, flags, result);
    struct stat status;
    *result = is_allowed(name, false) && lstat(name, &status) == 0 && S_ISREG(status.st_mode)
        && (flags == SQLITE_ACCESS_EXISTS ? status.st_size > 0 : is_allowed(name, flags == SQLITE_ACCESS_READWRITE));
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
    return is_allowed(name, true) ? delete_of_system(vfs, name, syncs) : SQLITE_IOERR_DELETE;
}

/* The methods of files as the system's have them, and the same without memory maps: the system has one set for each way to lock. */
#define MOST_METHODS 16
static struct { const sqlite3_io_methods *from; sqlite3_io_methods methods; } known[MOST_METHODS];
static int known_count;
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;

static const sqlite3_io_methods *without_maps(const sqlite3_io_methods *from) {
    const sqlite3_io_methods *found = NULL;
    pthread_mutex_lock(&known_lock);
    for (int i = 0; i < known_count && !found; i++) if (known[i].from == from) found = &known[i].methods;
    if (!found && known_count < MOST_METHODS) {
        known[known_count].from = from;
        known[known_count].methods = *from;
        known[known_count].methods.iVersion = 1;
        found = &known[known_count++].methods;
    }
    pthread_mutex_unlock(&known_lock);
    return found;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
    struct stat status;
    file->pMethods = NULL;
    if (name && !is_allowed(name, flags & (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE))) return SQLITE_CANTOPEN;
    /* A pipe, a device or a file of the kernel's may keep its reader waiting for ever. */
    if (name && (places ? lstat : stat)(name, &status) == 0 && (!S_ISREG(status.st_mode) || is_file_of_kernel(name))) return SQLITE_CANTOPEN;
    if (!has_room_for_file()) return SQLITE_CANTOPEN;
    int result = open_of_system(vfs, name, file, flags, given);
    if (result != SQLITE_OK || !file->pMethods) return result;
    const sqlite3_io_methods *methods = without_maps(file->pMethods);
    if (!methods) {
        file->pMethods->xClose(file);
        file->pMethods = NULL;
        return SQLITE_CANTOPEN;
    }
    file->pMethods = methods;
    return SQLITE_OK;
}

static void *load_nothing(sqlite3_vfs *vfs, const char *name) { return NULL; }

const struct sqlite_library *sqlite_load(bool (*has_room)(void), bool (*is_of_kernel)(const char *name), const char **problem) {
    has_room_for_file = has_room;
    is_file_of_kernel = is_of_kernel;
    void *handle = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    *problem = "the library libsqlite3.so.0 is not installed";
    if (!handle) return NULL;
    /* Stays loaded. */
    *problem = "the library libsqlite3.so.0 is older than SQLite 3.38";
#define F(name) if (!(library.name = (__typeof__(sqlite3_##name) *)dlsym(handle, "sqlite3_" #name))) return NULL;
    SQLITE_LIBRARY_FUNCTIONS(F)
#undef F
    __typeof__(sqlite3_vfs_find) *vfs_find = (__typeof__(sqlite3_vfs_find) *)dlsym(handle, "sqlite3_vfs_find");
    __typeof__(sqlite3_vfs_register) *vfs_register = (__typeof__(sqlite3_vfs_register) *)dlsym(handle, "sqlite3_vfs_register");
    __typeof__(sqlite3_threadsafe) *threadsafe = (__typeof__(sqlite3_threadsafe) *)dlsym(handle, "sqlite3_threadsafe");
    db_config = (__typeof__(sqlite3_db_config) *)dlsym(handle, "sqlite3_db_config");
    create_module = (__typeof__(sqlite3_create_module_v2) *)dlsym(handle, "sqlite3_create_module_v2");
    if (!vfs_find || !vfs_register || !threadsafe || !db_config || !create_module) return NULL;
    *problem = "the library libsqlite3.so.0 is for programs of one thread";
    if (!threadsafe()) return NULL;
    *problem = "SQLite has no file system 'unix'";
    sqlite3_vfs *unix_files = vfs_find("unix");
    if (!unix_files) return NULL;
    file_system = *unix_files;
    file_system.pNext = NULL;
    file_system.zName = sqlite_file_system;
    open_of_system = unix_files->xOpen;
    file_system.xOpen = open_file;
    full_path_of_system = unix_files->xFullPathname;
    file_system.xFullPathname = full_path;
    access_of_system = unix_files->xAccess;
    file_system.xAccess = look_at_file;
    delete_of_system = unix_files->xDelete;
    file_system.xDelete = delete_file;
    file_system.xDlOpen = load_nothing;
    return vfs_register(&file_system, 0) == SQLITE_OK ? &library : NULL;
}

void sqlite_configure(sqlite3 *connection, bool has_fts5) {
    static const int on[] = {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_FKEY};
    static const int off[] = {
        SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL,
    };
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) db_config(connection, on[i], 1, NULL);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) db_config(connection, off[i], 0, NULL);
    /* A module without methods is none. */
    if (!has_fts5) create_module(connection, "fts5", NULL, NULL, NULL);
}
