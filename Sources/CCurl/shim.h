#ifndef SHEAF_CCURL_SHIM_H
#define SHEAF_CCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call variadic C functions. libcurl has three of them, and each reads its last
// argument by the option's type; so there is one wrapper for each type and no other way in.
// Everything else of libcurl is used under its own name.

#pragma clang assume_nonnull begin

static inline CURLcode CCurl_setLong(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_setOffset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

// libcurl copies strings; NULL resets the option.
static inline CURLcode CCurl_setString(CURL *easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

// libcurl keeps the pointer: its owner must outlive the transfer.
static inline CURLcode CCurl_setPointer(CURL *easy, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

// libcurl keeps the list: its owner must outlive the transfer.
static inline CURLcode CCurl_setList(CURL *easy, CURLoption option,
                                     struct curl_slist *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

typedef size_t (*CCurl_DataCallback)(char *data, size_t size, size_t count, void *context);

static inline CURLcode CCurl_setDataCallback(CURL *easy, CURLoption option,
                                             CCurl_DataCallback callback) {
  return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode CCurl_getLong(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode CCurl_getOffset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

// The string belongs to the handle and lives until its next transfer.
static inline CURLcode CCurl_getString(CURL *easy, CURLINFO info,
                                       const char *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode CCurl_setMultiLong(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// What a CURLMsg carries when a transfer is done; the union itself does not import well.
static inline CURLcode CCurl_messageResult(const CURLMsg *message) {
  return message->data.result;
}

#pragma clang assume_nonnull end

#endif
