#define _GNU_SOURCE
#include "CConformances.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The layouts are part of Swift's stable ABI: docs/ABI/TypeMetadata.md of the compiler, and the toolchain's MetadataSections.h. */

struct range {
  uintptr_t start;
  size_t length;
};

struct metadata_sections {
  uintptr_t version;
  const void *base;
  const void *unused[2];
  struct range protocols, conformances; /* and more, which is not needed here */
};

/* Offsets from the field itself. In one that may be indirect the lowest bit says that a pointer stands at the place. */
struct conformance {
  int32_t protocol, type, witnesses;
  uint32_t flags;
};

/* Of a module, a protocol or a type. */
struct context {
  uint32_t flags;
  int32_t parent, name;
};

struct type_context {
  struct context context;
  int32_t accessor;
};

struct metadata_response {
  const void *type;
  size_t state;
};

typedef __attribute__((swiftcall)) struct metadata_response (*metadata_accessor)(size_t request);

/* Of a conformance's flags: how it refers to the type. */
enum { reference_shift = 3, reference_mask = 7, direct_reference = 0, indirect_reference = 1 };

/* Of a context's flags. */
enum { kind_mask = 0x1f, kind_extension = 1, kind_anonymous = 2, is_generic = 0x80 };

enum { whole_and_at_once = 0 };

extern void swift_enumerateAllMetadataSections(bool (*body)(const void *sections, void *context), void *context);

static const void *resolve(const int32_t *field) { return *field ? (const char *)field + *field : NULL; }

static const void *resolve_indirectable(const int32_t *field) {
  int32_t offset = *field & ~1;
  if (!offset) return NULL;
  const void *place = (const char *)field + offset;
  return *field & 1 ? *(const void *const *)place : place;
}

static const struct type_context *conforming_type(const struct conformance *conformance) {
  switch (conformance->flags >> reference_shift & reference_mask) {
  case direct_reference: return resolve(&conformance->type);
  case indirect_reference: {
    const void *const *place = resolve(&conformance->type);
    return place ? *place : NULL;
  }
  default: return NULL;
  }
}

/* Whether both have the same full name: their own, and those of what they stand in. */
static bool are_namesakes(const struct context *one, const struct context *other) {
  while (one && other) {
    if (one == other) return true;
    uint32_t kind = one->flags & kind_mask;
    if (kind != (other->flags & kind_mask) || kind == kind_extension || kind == kind_anonymous) return false;
    const char *name = resolve(&one->name), *other_name = resolve(&other->name);
    if (!name || !other_name || strcmp(name, other_name) != 0) return false;
    one = resolve_indirectable(&one->parent);
    other = resolve_indirectable(&other->parent);
  }
  return one == other;
}

static const char *file_of(const void *address) {
  Dl_info place;
  return dladdr(address, &place) && place.dli_fname ? place.dli_fname : "";
}

struct visit {
  const struct context *protocol;
  trestle_type_visitor visit;
  void *context;
};

static bool visit_image(const void *image, void *context) {
  const struct visit *wanted = context;
  const struct range conformances = ((const struct metadata_sections *)image)->conformances;
  const int32_t *records = (const int32_t *)conformances.start;
  for (size_t index = 0; index < conformances.length / sizeof *records; index++) {
    const struct conformance *conformance = resolve(&records[index]);
    const struct context *protocol = conformance ? resolve_indirectable(&conformance->protocol) : NULL;
    if (!protocol || !are_namesakes(protocol, wanted->protocol)) continue;
    const struct type_context *type = conforming_type(conformance);
    if (!type || type->context.flags & is_generic || !type->accessor) continue;
    metadata_accessor accessor = (metadata_accessor)resolve(&type->accessor);
    const char *copy = protocol == wanted->protocol ? NULL : file_of(conformance);
    wanted->visit(accessor(whole_and_at_once).type, copy, wanted->context);
  }
  return true;
}

void trestle_visit_conforming_types(const void *protocol, trestle_type_visitor visit, void *context) {
  struct visit wanted = {protocol, visit, context};
  swift_enumerateAllMetadataSections(visit_image, &wanted);
}
