/* For programs: linked in, it has the three standard descriptors open before anything else runs. There is nothing to call. */
#ifndef CSTANDARDDESCRIPTORS_H
#define CSTANDARDDESCRIPTORS_H
#endif
