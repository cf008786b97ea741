import { damaged, notRead } from '../../budget.ts'
import { type HeaderReader, ID } from './header.ts'

/** A step of compressing: its method in hex, and what sets it. */
export interface Coder {
  readonly method: string
  readonly properties: Buffer
}

/** What is compressed as one. */
export interface Folder {
  /** The steps of decompressing, in order; undefined if they are no chain, as those of BCJ2 with its four streams. */
  readonly coders: readonly Coder[] | undefined
  /** Bytes from the start of the packed data. */
  readonly offset: number
  readonly packed: number
  readonly size: number
  /** Bytes of the files in it. */
  readonly files: readonly number[]
}

/** A folder without what other parts of the header say of it. */
interface Coded {
  readonly coders: readonly Coder[] | undefined
  /** Packed streams that it has. */
  readonly streams: number
  /** Outputs of its steps, each with a size, and which one is that of the folder. */
  readonly outputs: number
  readonly main: number
}

interface Sized extends Coded {
  readonly size: number
  readonly hasDigest: boolean
}

/** No app is packed in more steps. */
const MAX_CODERS = 4

/** Reads the folders: where they are, and how they are compressed. */
export function readStreams(reader: HeaderReader): Folder[] {
  let packed: { offset: number; sizes: number[] } = { offset: 0, sizes: [] }
  let folders: Sized[] = []
  let files: number[][] | undefined
  for (;;) {
    const id = reader.byte()
    if (id === ID.end) break
    if (id === ID.packInfo) packed = readPackInfo(reader)
    else if (id === ID.unpackInfo) folders = readFolders(reader)
    else if (id === ID.subStreams) files = readSubStreams(reader, folders)
    else throw damaged()
  }
  let offset = packed.offset
  let stream = 0
  return folders.map(({ coders, streams, size }, index) => {
    const sizes = packed.sizes.slice(stream, stream + streams)
    const start = offset
    stream += streams
    offset += sizes.reduce((sum, each) => sum + each, 0)
    const inside = files?.[index] ?? [size]
    return { coders, size, offset: start, packed: sizes[0] ?? 0, files: inside }
  })
}

function readPackInfo(reader: HeaderReader) {
  const offset = reader.number()
  const count = reader.count()
  let sizes: number[] = []
  for (let id = reader.byte(); id !== ID.end; id = reader.byte()) {
    if (id === ID.size) sizes = Array.from({ length: count }, () => reader.number())
    else if (id === ID.crc) reader.skipDigests(count)
    else throw damaged()
  }
  return { offset, sizes }
}

function readFolders(reader: HeaderReader): Sized[] {
  reader.expect(ID.folder)
  const count = reader.count()
  if (reader.byte() !== 0) throw notRead('seven_zip_external')
  const folders = Array.from({ length: count }, () => readFolder(reader))
  reader.expect(ID.unpackSizes)
  const sizes = folders.map(({ outputs, main }) => {
    return Array.from({ length: outputs }, () => reader.number())[main] ?? 0
  })
  let digests: boolean[] = []
  for (let id = reader.byte(); id !== ID.end; id = reader.byte()) {
    if (id !== ID.crc) throw damaged()
    digests = reader.skipDigests(count)
  }
  return folders.map((folder, index) => {
    return { ...folder, size: sizes[index] ?? 0, hasDigest: digests[index] === true }
  })
}

/** Reads the steps of a folder, and which input of one is the output of another. */
function readFolder(reader: HeaderReader): Coded {
  const count = reader.number()
  if (count < 1 || count > MAX_CODERS) throw damaged()
  const coders = Array.from({ length: count }, () => readCoder(reader))
  const inputs = coders.reduce((sum, coder) => sum + coder.inputs, 0)
  const outputs = coders.reduce((sum, coder) => sum + coder.outputs, 0)
  if (outputs < 1 || inputs < outputs - 1) throw damaged()
  const bound = Array.from({ length: outputs - 1 }, () => {
    return { input: reader.number(), output: reader.number() }
  })
  const streams = inputs - bound.length
  if (streams > 1) for (let index = 0; index < streams; index += 1) reader.number()
  const main = Array.from({ length: outputs }, (_, index) => index).findIndex((index) => {
    return bound.every(({ output }) => output !== index)
  })
  if (main === -1) throw damaged()
  const isChain = coders.every((coder) => coder.inputs === 1 && coder.outputs === 1)
  return { coders: isChain ? chainFrom(main, coders, bound) : undefined, streams, outputs, main }
}

/** Returns the steps before a step and itself, each one behind that of which the output is its input. */
function chainFrom(
  last: number,
  coders: readonly Coder[],
  bound: readonly { readonly input: number; readonly output: number }[],
): Coder[] {
  const chain: Coder[] = []
  for (let at: number | undefined = last; at !== undefined; ) {
    const coder: Coder | undefined = coders[at]
    if (coder === undefined || chain.length === coders.length) throw damaged()
    chain.unshift(coder)
    at = bound.find(({ input }) => input === at)?.output
  }
  return chain
}

function readCoder(reader: HeaderReader) {
  const flags = reader.byte()
  // Alternatives, which nothing writes.
  if ((flags & 0x80) !== 0) throw damaged()
  const method = reader.take(flags & 0x0f).toString('hex')
  const [inputs, outputs] = (flags & 0x10) === 0 ? [1, 1] : [reader.number(), reader.number()]
  if (inputs > MAX_CODERS || outputs > MAX_CODERS) throw damaged()
  const properties = (flags & 0x20) === 0 ? Buffer.alloc(0) : reader.take(reader.number())
  return { method, properties, inputs, outputs }
}

/** Returns the sizes of the files in each folder, of which the last follows from the size of the folder. */
function readSubStreams(reader: HeaderReader, folders: readonly Sized[]): number[][] {
  let counts = folders.map(() => 1)
  let id = reader.byte()
  if (id === ID.streamCount) {
    counts = folders.map(() => reader.count())
    id = reader.byte()
  }
  const sizes = folders.map(({ size }, index) => {
    const count = counts[index] ?? 0
    if (count === 0) return []
    const given = id === ID.size ? Array.from({ length: count - 1 }, () => reader.number()) : []
    const last = given.reduce((left, each) => left - each, size)
    if (last < 0 || given.length !== count - 1) throw damaged()
    return [...given, last]
  })
  if (id === ID.size) id = reader.byte()
  const missing = folders.map(({ hasDigest }, at) => {
    return hasDigest && counts[at] === 1 ? 0 : (counts[at] ?? 0)
  })
  for (; id !== ID.end; id = reader.byte()) {
    if (id !== ID.crc) throw damaged()
    reader.skipDigests(missing.reduce((sum, each) => sum + each, 0))
  }
  return sizes
}
