#ifndef SHEAF_CTLS_SHIM_H
#define SHEAF_CTLS_SHIM_H

#include <openssl/ssl.h>

#endif
