#include "CModuleList.h"

#include <pthread.h>
#include <stdlib.h>

/* Plain C, as it runs while the program is being loaded and the Swift runtime may not be up. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static trestle_module_record *records;
static size_t count, capacity;

void trestle_add_module(trestle_module_record record) {
  pthread_mutex_lock(&lock);
  if (count == capacity) {
    size_t larger = capacity ? capacity * 2 : 64;
    trestle_module_record *moved = realloc(records, larger * sizeof *records);
    if (!moved) abort(); /* out of memory while loading: there is no one to tell yet */
    records = moved;
    capacity = larger;
  }
  records[count++] = record;
  pthread_mutex_unlock(&lock);
}

size_t trestle_module_count(void) {
  pthread_mutex_lock(&lock);
  size_t result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

trestle_module_record trestle_module_at(size_t index) {
  pthread_mutex_lock(&lock);
  trestle_module_record result = index < count ? records[index] : NULL;
  pthread_mutex_unlock(&lock);
  return result;
}
