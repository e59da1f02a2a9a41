#ifndef SHEAF_CCRYPTO_SHIM_H
#define SHEAF_CCRYPTO_SHIM_H

#include <openssl/evp.h>

#endif
