/* The start of the function, and the files that both wires have: included in the middle of an array. */
    '(', 'f', 'u', 'n', 'c', 't', 'i', 'o', 'n', '(', 'n', 'a', 't', 'i', 'v', 'e', ',', 'b', 'o', 'r', 'd', 'e', 'r', ')', '{',
    '\'', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '\'', ';',
#embed "../../js/runtime/realm.js"
    ,
#embed "../../js/runtime/wire.js"
    ,
#embed "../../js/runtime/late.js"
    ,
#embed "../../js/runtime/outstanding.js"
    ,
#embed "../../js/runtime/slots.js"
    ,
#embed "../../js/runtime/kept.js"
    ,
#embed "../../js/runtime/binary.js"
    ,
#embed "../../js/runtime/shapes.js"
    ,
#embed "../../js/runtime/tree.js"
    ,
#embed "../../js/runtime/errors.js"
    ,
#embed "../../js/runtime/records.js"
    ,
#embed "../../js/runtime/abort.js"
    ,
#embed "../../js/runtime/objects.js"
    ,
#embed "../../js/runtime/encoders.js"
    ,
#embed "../../js/runtime/answers.js"
    ,
#embed "../../js/runtime/native-modules.js"
    ,
#embed "../../js/runtime/events.js"
    ,
#embed "../../js/runtime/calls.js"
    ,
#embed "../../js/runtime/scripts.js"
    ,
#embed "../../js/runtime/closing.js"
    ,
#embed "../../js/runtime/webassembly.js"
    ,
#embed "../../js/runtime/buffers.js"
    ,
