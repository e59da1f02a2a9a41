#ifndef SHEAF_CEXPAT_SHIM_H
#define SHEAF_CEXPAT_SHIM_H

#include <expat.h>

#endif
