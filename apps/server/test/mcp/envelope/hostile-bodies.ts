/** Bodies with which a message could mean one thing here and another to the server that gets it. */
export interface HostileBody {
  readonly title: string;
  readonly body: Buffer;
}

/** A call of the tool `allowed`, unless a parser reads it otherwise. */
const call = (params: string, rest = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call"${rest},"params":${params}}`;
const ALLOWED = '"name":"allowed","arguments":{}';
const DENIED = '{"name":"denied","arguments":{}}';

const texts: Readonly<Record<string, string>> = {
  'a repeated name': call(`{${ALLOWED},"name":"denied"}`),
  'a repeated name, the denied one first': call(`{"name":"denied",${ALLOWED}}`),
  'a name repeated with an escape': call(`{${ALLOWED},"n\\u0061me":"denied"}`),
  'a name repeated in escapes alone': call(`{${ALLOWED},"\\u006e\\u0061\\u006d\\u0065":"denied"}`),
  'a name repeated after a long value': call(
    `{${ALLOWED},"x":"${'x'.repeat(100_000)}","name":"denied"}`,
  ),
  'repeated params': call(`{${ALLOWED}}`, `,"params":${DENIED}`),
  'a repeated method': call(`{${ALLOWED}}`, ',"method":"ping"'),
  'a repeated id': call(`{${ALLOWED}}`, ',"id":2'),
  'a repeated jsonrpc': call(`{${ALLOWED}}`, ',"jsonrpc":"1.0"'),
  'a repeated task': call(`{${ALLOWED},"task":{},"task":{"ttl":1}}`),
  'a repeated uri': call(`{${ALLOWED},"uri":"a:b","uri":"a:c"}`),
  'a repeated ref': call(`{${ALLOWED},"ref":{},"ref":{"type":"ref/prompt"}}`),
  'a repeated name of a ref': call(
    '{"ref":{"type":"ref/prompt","name":"allowed","name":"denied"}}',
  ).replace('tools/call', 'completion/complete'),
  'a repeated type of a ref': call(
    '{"ref":{"type":"ref/prompt","type":"ref/resource","name":"allowed","uri":"a:b"}}',
  ).replace('tools/call', 'completion/complete'),
  'a misspelt uri of a ref': call(
    '{"ref":{"type":"ref/resource","uri":"a:b","URI":"a:c"}}',
  ).replace('tools/call', 'completion/complete'),
  'a capital letter in the name': call(`{${ALLOWED},"Name":"denied"}`),
  'capital letters alone': call('{"NAME":"denied"}'),
  'a capital letter by an escape': call(`{${ALLOWED},"\\u004eame":"denied"}`),
  'a capital letter in params': call(`{${ALLOWED}}`, `,"Params":${DENIED}`),
  'a capital letter in the method': call(`{${ALLOWED}}`, ',"Method":"ping"'),
  'a long s in params': call(`{${ALLOWED}}`, `,"param\u017f":${DENIED}`),
  'a long s in params by an escape': call(`{${ALLOWED}}`, `,"param\\u017f":${DENIED}`),
  'a Kelvin sign in the task': call(`{${ALLOWED},"tas\u212a":{}}`),
  'a dotless i in the id': call(`{${ALLOWED}}`, ',"\u0131d":2'),
  'a dotted I in the uri': call(`{${ALLOWED},"ur\u0130":"a:b"}`),
  'U+0000 after the name': call(`{${ALLOWED},"name\\u0000":"denied"}`),
  'U+0000 in the name and a capital letter': call(`{${ALLOWED},"Na\\u0000me":"denied"}`),
  'many U+0000 before the name': call(`{${ALLOWED},"${'\\u0000'.repeat(5_000)}name":"denied"}`),
  'a raw U+0000 in the name': call(`{${ALLOWED},"name\u0000":"denied"}`),
  'text after the body': `${call(`{${ALLOWED}}`)}x`,
  'a second body': `${call(`{${ALLOWED}}`)}\n${call(DENIED)}`,
  'a second body after U+0000': `${call(`{${ALLOWED}}`)}\u0000${call(DENIED)}`,
  'a byte order mark': `\uFEFF${call(`{${ALLOWED}}`)}`,
  'half of a surrogate pair in the name': call('{"name":"allowed\\ud83d"}'),
  'half of a surrogate pair in the method': call(DENIED).replace('tools/call', 'tools/call\\udc00'),
  'U+0000 in the value of the name': call('{"name":"denied\\u0000allowed"}'),
  'U+0000 in the value of the method': call(`{${ALLOWED}}`).replace(
    'tools/call',
    'tools/call\\u0000',
  ),
  'a name that is no string': call('{"name":["allowed"]}'),
  'a name that is null': call('{"name":null}'),
  'no name': call('{"arguments":{}}'),
  'no params': '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
  'a uri that is no string': call('{"uri":{}}').replace('tools/call', 'resources/read'),
  'no uri': call(`{${ALLOWED}}`).replace('tools/call', 'resources/subscribe'),
  'a ref that is no object': call('{"ref":"allowed"}').replace('tools/call', 'completion/complete'),
  'a ref without a type': call('{"ref":{"name":"allowed"}}').replace(
    'tools/call',
    'completion/complete',
  ),
  'params that are an array': call('["allowed"]'),
  'params that are null': call('null'),
  'a method that is no string': call(`{${ALLOWED}}`).replace('"tools/call"', '["tools/call"]'),
  'a method that is null': call(`{${ALLOWED}}`).replace('"tools/call"', 'null'),
  'an id that is an object': call(`{${ALLOWED}}`).replace('"id":1', '"id":{}'),
  'an id that is true': call(`{${ALLOWED}}`).replace('"id":1', '"id":true'),
  'a batch in a batch': `[[${call(DENIED)}]]`,
  'a batch with a string': `["${'tools/call'}"]`,
  'a batch with an unreadable message': `[${call(`{${ALLOWED}}`)},${call('{"Name":"denied"}')}]`,
  'a string': '"tools/call"',
  'a comment': `/* */${call(`{${ALLOWED}}`)}`,
  'a comment in params': call(`{${ALLOWED}/*,"name":"denied"*/}`),
  'a comma too many': call(`{${ALLOWED},}`),
  'single quotes': call("{'name':'denied'}"),
  'a key without quotes': call(`{${ALLOWED},name:"denied"}`),
  NaN: call(`{${ALLOWED},"x":NaN,"name":"denied"}`),
  Infinity: call(`{${ALLOWED},"x":-Infinity}`),
  'a number in hexadecimal': call(`{${ALLOWED},"x":0x1}`),
  'a line break in a string': call(`{${ALLOWED},"x":"\n"}`),
  'an unknown escape': call(`{${ALLOWED},"\\x6eame":"denied"}`),
  'a form feed between tokens': call(`{\f${ALLOWED}}`),
  'a no-break space between tokens': call(`{\u00a0${ALLOWED}}`),
  'a body cut short': call(`{${ALLOWED}}`).slice(0, -1),
  'deep nesting cut short': call(`{${ALLOWED},"x":${'['.repeat(100_000)}}`),
  'an empty body': '',
  blanks: ' \n',
  'two protocol versions': call(
    `{${ALLOWED},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}`,
  ),
  'subscriptions that are no list': call(
    '{"notifications":{"resourceSubscriptions":"a:b"}}',
  ).replace('tools/call', 'subscriptions/listen'),
  'a subscription that is no string': call(
    '{"notifications":{"resourceSubscriptions":["a:b",["a:c"]]}}',
  ).replace('tools/call', 'subscriptions/listen'),
};

const encoded: Readonly<Record<string, Buffer>> = {
  'UTF-16, little endian': Buffer.from(call(DENIED), 'utf16le'),
  'UTF-16, big endian': Buffer.from(call(DENIED), 'utf16le').swap16(),
  'UTF-16 with a byte order mark': Buffer.from(`\uFEFF${call(DENIED)}`, 'utf16le'),
  'UTF-7': Buffer.from(call('{+ACI-name+ACI-:+ACI-denied+ACI-}')),
  'Latin-1': Buffer.from(call(`{${ALLOWED},"x":"é"}`), 'latin1'),
  'an overlong letter in a key': Buffer.from(call(`{${ALLOWED},"nam\xc1\xa5":"denied"}`), 'latin1'),
  'a surrogate in UTF-8': Buffer.from(call(`{${ALLOWED},"x":"\xed\xa0\xbd"}`), 'latin1'),
  'a character cut short': Buffer.from(call(`{${ALLOWED},"name\xe2\x82":"denied"}`), 'latin1'),
};

/** Methods of the bodies that no parser reads as a call. */
const OTHER_METHODS = /"(?:completion|subscriptions)\/|"resources\/subscribe"/;

/** Each must be refused by rules about names. */
export const hostileBodies: readonly HostileBody[] = [
  ...Object.entries(texts).map(([title, text]) => ({ title, body: Buffer.from(text) })),
  ...Object.entries(encoded).map(([title, body]) => ({ title, body })),
];

/** Those in which some parser may find a call of something that others do not find. */
export const hidingBodies = hostileBodies.filter(
  ({ title, body }) =>
    !OTHER_METHODS.test(body.toString('latin1')) && title !== 'no name' && title !== 'no params',
);

/** Odd bodies that every parser reads as a call of the tool `allowed`. */
export const oddBodies: readonly HostileBody[] = Object.entries({
  'a key in escapes': call('{"n\\u0061me":"allowed"}'),
  'a value in escapes': call('{"name":"\\u0061llow\\u0065d"}'),
  'blanks everywhere': ` ${call('{ "name" :\t"allowed" }').replaceAll(',"', '\r\n, "')} \n`,
  'keys of another place': call(`{${ALLOWED},"method":"ping","id":2,"type":"x","Type":1}`),
  'deeper keys': call(
    '{"name":"allowed","arguments":{"name":"denied","Name":"denied","name":1,"params":{}}}',
  ),
  'a message in a string': call(`{${ALLOWED},"x":${JSON.stringify(call(DENIED))}}`),
  'brackets and quotes in strings': call(`{${ALLOWED},"x\\"}":"\\\\\\"},\\"name\\":\\"denied"}`),
  'an escaped backslash before u0000': call(`{${ALLOWED},"name\\\\u0000":"denied"}`),
  'a name that is a part of a key': call(`{${ALLOWED},"names":"denied","nam":"denied","":1}`),
  'params before the method': `{"params":{"name":"allowed"},"method":"tools/call","id":1}`,
  'a result beside the method': call(`{${ALLOWED}}`, ',"result":{"name":"denied"},"error":{}'),
  'deep nesting': call(`{${ALLOWED},"x":${'['.repeat(500)}${']'.repeat(500)}}`),
  'two keys that are not looked at': call(`{${ALLOWED},"x":1,"x":2,"X":3}`),
}).map(([title, text]) => ({ title, body: Buffer.from(text) }));
