/* What the web's globals need of libraries: domain names and encodings of ICU, compression of zlib. */
#ifndef CWEBPLATFORM_H
#define CWEBPLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The domain as ASCII, as the URL standard has it made, NUL-terminated, into `result`; false if it is none, or does not fit. */
bool web_domain_to_ascii(const char *domain, size_t length, char *result, size_t capacity);

/* Decodes `count` sequences of `width` bytes each by ICU's converter of that name, each by itself: `result` has two units of UTF-16
   for each, 0 where there is none, FFFD where a sequence stands for nothing (or for more than two units). False if there is no such converter. */
bool web_decode_sequences(const char *converter, const uint8_t *bytes, size_t width, size_t count, uint16_t *result);

/* As many bytes of the system's generator; false where it gives none. */
bool web_random(uint8_t *bytes, size_t count);

typedef struct web_codec web_codec;

/* Compresses or expands by `format`: 0 gzip, 1 deflate (with zlib's frame), 2 raw deflate. Null where memory is short. */
web_codec *web_codec_make(int format, bool compresses);
void web_codec_free(web_codec *codec);

/* What `web_codec_next` takes from: stays the caller's until all of it is taken. */
void web_codec_feed(web_codec *codec, const uint8_t *bytes, size_t count);

typedef enum { WEB_CODEC_MORE, WEB_CODEC_HUNGRY, WEB_CODEC_END, WEB_CODEC_TRAILING, WEB_CODEC_BROKEN, WEB_CODEC_NO_MEMORY } web_codec_state;

/* Fills `result` as far as it can; `written` says how far. MORE: call it again; HUNGRY: all was taken; END: the data has come to
   its end; TRAILING: and there is something behind it; BROKEN: it is no such data. */
web_codec_state web_codec_next(web_codec *codec, bool ends, uint8_t *result, size_t capacity, size_t *written);

#endif
