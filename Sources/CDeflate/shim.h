#ifndef SHEAF_CDEFLATE_SHIM_H
#define SHEAF_CDEFLATE_SHIM_H

#include <libdeflate.h>

#endif
