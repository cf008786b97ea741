/** Returns a tar of files, as GNU writes it with long names. */
export function tarOf(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const members = Object.entries(files).flatMap(([name, bytes]) => [
    ...(name.length > 50 ? [member('././@LongLink', Buffer.from(`${name}\0`), 'L')] : []),
    member(`./${name}`.slice(0, 99), bytes, '0'),
  ])
  return Buffer.concat([...members, Buffer.alloc(1_024)])
}

function member(name: string, bytes: Uint8Array, type: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 'latin1')
  header.write(
    `0000644\0${'0000000\0'.repeat(2)}${octal(bytes.length, 11)}\0${octal(0, 11)}\0`,
    100,
  )
  header.write(`        ${type}`, 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512)
  return Buffer.concat([header, bytes, padding])
}

function octal(value: number, length: number): string {
  return value.toString(8).padStart(length, '0')
}
