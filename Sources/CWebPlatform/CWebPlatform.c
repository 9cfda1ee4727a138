#include "CWebPlatform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unicode/ucnv.h>
#include <unicode/uidna.h>
#include <zlib.h>

bool web_domain_to_ascii(const char *domain, size_t length, char *result, size_t capacity) {
    UErrorCode error = U_ZERO_ERROR;
    if (length > INT32_MAX || capacity > INT32_MAX) return false;
    UIDNA *idna = uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE, &error);
    if (U_FAILURE(error)) return false;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t count = uidna_nameToASCII_UTF8(idna, domain, (int32_t)length, result, (int32_t)capacity - 1, &info, &error);
    uidna_close(idna);
    /* Neither lengths nor hyphens are looked at. */
    const uint32_t allowed = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
                             UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
    if (U_FAILURE(error) || (info.errors & ~allowed) != 0 || count < 0 || (size_t)count >= capacity) return false;
    result[count] = 0;
    return true;
}

bool web_decode_sequences(const char *name, const uint8_t *bytes, size_t width, size_t count, uint16_t *result) {
    UErrorCode error = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(name, &error);
    if (U_FAILURE(error)) return false;
    for (size_t i = 0; i < count; i++) {
        UChar units[4] = {0, 0, 0, 0};
        error = U_ZERO_ERROR;
        ucnv_resetToUnicode(converter);
        int32_t length = ucnv_toUChars(converter, units, 4, (const char *)bytes + i * width, (int32_t)width, &error);
        bool isThere = !U_FAILURE(error) && length > 0 && length <= 2;
        result[2 * i] = isThere ? units[0] : 0xFFFD;
        result[2 * i + 1] = isThere && length == 2 ? units[1] : 0;
    }
    ucnv_close(converter);
    return true;
}

bool web_random(uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t got = getrandom(bytes, count, 0);
        if (got < 0 && errno != EINTR) return false;
        if (got < 0) continue;
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

struct web_codec {
    z_stream stream;
    bool compresses, has_ended;
};

web_codec *web_codec_make(int format, bool compresses) {
    static const int windows[] = {15 + 16, 15, -15};
    web_codec *codec = format < 0 || format > 2 ? NULL : calloc(1, sizeof *codec);
    if (codec == NULL) return NULL;
    codec->compresses = compresses;
    int window = windows[format];
    int status = compresses ? deflateInit2(&codec->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY)
                            : inflateInit2(&codec->stream, window);
    if (status == Z_OK) return codec;
    free(codec);
    return NULL;
}

void web_codec_free(web_codec *codec) {
    if (codec->compresses) deflateEnd(&codec->stream);
    else inflateEnd(&codec->stream);
    free(codec);
}

void web_codec_feed(web_codec *codec, const uint8_t *bytes, size_t count) {
    codec->stream.next_in = (uint8_t *)bytes;
    codec->stream.avail_in = (uInt)count;
}

web_codec_state web_codec_next(web_codec *codec, bool ends, uint8_t *result, size_t capacity, size_t *written) {
    z_stream *stream = &codec->stream;
    *written = 0;
    if (codec->has_ended) return stream->avail_in > 0 ? WEB_CODEC_TRAILING : WEB_CODEC_END;
    stream->next_out = result;
    stream->avail_out = (uInt)capacity;
    int status = codec->compresses ? deflate(stream, ends ? Z_FINISH : Z_NO_FLUSH) : inflate(stream, Z_NO_FLUSH);
    *written = capacity - stream->avail_out;
    switch (status) {
    case Z_STREAM_END:
        codec->has_ended = true;
        return stream->avail_in > 0 ? WEB_CODEC_TRAILING : WEB_CODEC_END;
    case Z_OK:
    case Z_BUF_ERROR:
        return stream->avail_out == 0 ? WEB_CODEC_MORE : WEB_CODEC_HUNGRY;
    case Z_MEM_ERROR:
        return WEB_CODEC_NO_MEMORY;
    default:
        return WEB_CODEC_BROKEN;
    }
}
