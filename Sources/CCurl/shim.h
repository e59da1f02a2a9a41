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

// Tells that a connection stands and the request is about to be sent.
static inline CURLcode CCurl_setConnectedCallback(CURL *easy, curl_prereq_callback callback,
                                                  void *_Nullable context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

// Lets the program open the sockets, and then say that one is connected already.
static inline CURLcode CCurl_setSocketSource(CURL *easy, curl_opensocket_callback open,
                                             curl_sockopt_callback configure, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
  return code ? code : curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, configure);
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

// The caller frees the list.
static inline CURLcode CCurl_getList(CURL *easy, CURLINFO info,
                                     struct curl_slist *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

// libcurl keeps the context: its owner must outlive the share.
static inline CURLSHcode CCurl_shareCookies(CURLSH *share, curl_lock_function lock,
                                            curl_unlock_function unlock, void *context) {
  CURLSHcode code = curl_share_setopt(share, CURLSHOPT_USERDATA, context);
  if (!code) code = curl_share_setopt(share, CURLSHOPT_LOCKFUNC, lock);
  if (!code) code = curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, unlock);
  return code ? code : curl_share_setopt(share, CURLSHOPT_SHARE, (int)CURL_LOCK_DATA_COOKIE);
}

// What lies under a connection with TLS: the library's kind, and its own object in a transfer under way.
static inline CURLcode CCurl_getTLSSession(CURL *easy,
                                           struct curl_tlssessioninfo *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, value);
}

static inline CURLMcode CCurl_setMultiLong(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Tells what libcurl wants to know about a socket: one of CURL_POLL_*.
typedef int (*CCurl_SocketCallback)(CURL *easy, curl_socket_t socket, int what,
                                    void *_Nullable context, void *_Nullable socketContext);

// libcurl keeps the context: its owner must outlive the multi handle.
static inline CURLMcode CCurl_setSocketCallback(CURLM *multi, CCurl_SocketCallback callback,
                                                void *_Nullable context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

// Tells in how many milliseconds libcurl wants to be called; -1 means never.
typedef int (*CCurl_TimerCallback)(CURLM *multi, long milliseconds, void *_Nullable context);

// libcurl keeps the context: its owner must outlive the multi handle.
static inline CURLMcode CCurl_setTimerCallback(CURLM *multi, CCurl_TimerCallback callback,
                                               void *_Nullable context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// CURL_SOCKET_TIMEOUT is a macro with a cast, which Swift does not import.
static inline CURLMcode CCurl_timeOut(CURLM *multi, int *running) {
  return curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, running);
}

// What a CURLMsg carries when a transfer is done; the union itself does not import well.
static inline CURLcode CCurl_messageResult(const CURLMsg *message) {
  return message->data.result;
}

#pragma clang assume_nonnull end

#endif
