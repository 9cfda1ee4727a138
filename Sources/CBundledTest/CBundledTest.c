#include "CBundledTest.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

/* One function around its files: nothing in them can be reached from outside. */
static const char script[] = {
    '(', 'f', 'u', 'n', 'c', 't', 'i', 'o', 'n', ' ', '(', 'n', 'a', 't', 'i', 'v', 'e', ',', ' ',
    's', 'c', 'r', 'i', 'p', 't', 'G', 'l', 'o', 'b', 'a', 'l', ',', ' ', 'b', 'o', 'r', 'd', 'e', 'r', ',', ' ',
    'r', 'u', 'n', 't', 'i', 'm', 'e', ')', '{',
    '\'', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '\'', ';',
#embed "../../js/test/realm.js"
    ,
#embed "../../js/test/matching.js"
    ,
#embed "../../js/test/show.js"
    ,
#embed "../../js/test/equality.js"
    ,
#embed "../../js/test/spies.js"
    ,
#embed "../../js/test/matchers.js"
    ,
#embed "../../js/test/expect.js"
    ,
#embed "../../js/test/snapshots.js"
    ,
#embed "../../js/test/clock.js"
    ,
#embed "../../js/test/suite.js"
    ,
#embed "../../js/test/run.js"
    ,
#embed "../../js/test/exports.js"
    , '}', ')', '\0'};

static const char declarations[] = {
#embed "../../js/types/test.d.ts"
    , '\0'};

const char *bundled_test_declarations(void) { return declarations; }
const char *bundled_test_script(void) { return script; }
