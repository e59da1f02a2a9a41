#ifndef SHEAF_CJANSSON_SHIM_H
#define SHEAF_CJANSSON_SHIM_H

#include <jansson.h>

#endif
