/** A square picture: its PNG file and the length of its side in pixels. */
export interface Picture {
  readonly size: number
  readonly png: Buffer
}

const ICO_HEADER = 6
const ICO_ENTRY = 16

/**
 * A Windows icon that holds the pictures as PNG, as every Windows since Vista reads them.
 * @throws RangeError for a picture above 256 pixels, which an icon cannot name
 */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const directory = Buffer.alloc(ICO_HEADER + ICO_ENTRY * pictures.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(pictures.length, 4)
  let offset = directory.length
  for (const [index, { size, png }] of pictures.entries()) {
    if (size > 256) throw new RangeError(`an .ico holds pictures up to 256 pixels, not ${size}`)
    const entry = ICO_HEADER + ICO_ENTRY * index
    // The side is one byte, in which 0 stands for 256.
    directory.writeUInt8(size % 256, entry)
    directory.writeUInt8(size % 256, entry + 1)
    directory.writeUInt16LE(1, entry + 4)
    directory.writeUInt16LE(32, entry + 6)
    directory.writeUInt32LE(png.length, entry + 8)
    directory.writeUInt32LE(offset, entry + 12)
    offset += png.length
  }
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)])
}

/**
 * Type of each picture in a macOS icon, by its side in pixels. The two types for 16 and 32 pixels at
 * plain density are left out: some versions of macOS show PNG in them garbled, and scale from ic11
 * and ic12 if they are missing.
 */
export const ICNS_TYPES: ReadonlyMap<string, number> = new Map([
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
])

/**
 * A macOS icon with a picture for every type of `ICNS_TYPES`.
 * @throws Error where a size is missing
 */
export function encodeIcns(pictures: readonly Picture[]): Buffer {
  const entries = [...ICNS_TYPES].map(([type, size]) => {
    const picture = pictures.find((candidate) => candidate.size === size)
    if (picture === undefined) throw new Error(`an .icns needs a picture of ${size} pixels`)
    return block(type, picture.png)
  })
  return block('icns', Buffer.concat(entries))
}

/** Four letters, the length with this head, the content. */
function block(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(head.length + content.length, 4)
  return Buffer.concat([head, content])
}
