import fc from 'fast-check'
import { codePoint } from '../../support/builders/code-point.ts'

const DEEP = 2_000
/** Texts that often break parsers, databases and screens. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '.',
    '..',
    '%',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff x',
    '\uffff',
    '\u202e',
    '\r\nX-Injected: 1',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    "'; DROP TABLE releases; --",
    '../../etc/passwd',
    '9'.repeat(400),
    'v'.repeat(257),
    'ä'.repeat(129),
    'x'.repeat(70_000),
    '1.0.0-',
    '1.0.0+01',
    '9007199254740992.0.0',
    'NaN',
    '1e9999',
  ),
  fc.string({ unit: codePoint, maxLength: 40 }),
)

/** Values that match no schema, and some that nearly match. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    0.5,
    101,
    1e308,
    2 ** 53,
    -0,
    [],
    [[]],
    {},
    [null],
    ownProto(),
    deepArray(),
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/** An object with an own member named `__proto__`, which JSON can contain. */
function ownProto(): unknown {
  return JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1}}')
}

function deepArray(): unknown {
  let value: unknown = 1
  for (let depth = 0; depth < DEEP; depth++) value = [value]
  return value
}
