/* The types of the running program that conform to a Swift protocol, as the compiler lists them in each image that is loaded. */
#ifndef CCONFORMANCES_H
#define CCONFORMANCES_H

/* Is given the metadata of a type, which `unsafeBitCast` makes an `Any.Type`. `copy` is null; or else the type conforms to another
   protocol, of the same name in a module of the same name: to that of a second copy of the library, in the file of this path. */
typedef void (*trestle_type_visitor)(const void *type, const char *copy, void *context);

/* Visits each type of the program, its shared libraries and those opened with `dlopen` that declares a conformance to the
   protocol of this descriptor; generic types, which are many, are left out. Safe from any thread. It reads a few words of every
   conformance there is. */
void trestle_visit_conforming_types(const void *protocol, trestle_type_visitor visit, void *context);

#endif
