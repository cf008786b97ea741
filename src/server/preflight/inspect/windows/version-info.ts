import { type Budget, damaged } from '../budget.ts'
import { readAll } from '../source.ts'
import type { Pe } from './pe.ts'
import { findResource } from './resources.ts'

const RT_VERSION = 16
const MAX_SIZE = 1_024 * 1_024
const FIXED_SIGNATURE = 0xfeef04bd
const FIXED_SIZE = 52

export interface VersionInfo {
  /** `1.2.3.0`; undefined if there is none. */
  readonly fixed: string | undefined
  /** As the publisher wrote it. */
  readonly product: string | undefined
}

/** Reads the versions of a program; undefined if it has none. */
export async function readVersionInfo(pe: Pe, budget: Budget): Promise<VersionInfo | undefined> {
  const resource = await findResource(pe, RT_VERSION, undefined, budget)
  if (resource === undefined) return undefined
  const root = blockAt(await readAll(resource, MAX_SIZE), 0)
  const strings = childrenOf(root, budget)
    .filter(({ key }) => key === 'StringFileInfo')
    .flatMap((info) => childrenOf(info, budget))
    .flatMap((table) => childrenOf(table, budget))
  const product = strings.find(({ key }) => key === 'ProductVersion')
  return {
    fixed: fixedVersion(root.value),
    product: product && textOf(product.value),
  }
}

/** A block of VS_VERSIONINFO: a header, a key, a value and blocks within. */
interface Block {
  readonly key: string
  readonly value: Buffer
  readonly children: Buffer
  readonly size: number
}

function blockAt(bytes: Buffer, at: number): Block {
  const size = bytes.readUInt16LE(at)
  if (size < 6 || at + size > bytes.length) throw damaged()
  const block = bytes.subarray(at, at + size)
  const isText = block.readUInt16LE(4) === 1
  let keyEnd = 6
  while (block.readUInt16LE(keyEnd) !== 0) keyEnd += 2
  const start = aligned(keyEnd + 2)
  // The numbers have one size, which some compilers count in characters.
  const end = isFixed(block.subarray(start))
    ? start + FIXED_SIZE
    : start + block.readUInt16LE(2) * (isText ? 2 : 1)
  return {
    key: block.toString('utf16le', 6, keyEnd),
    value: block.subarray(start, end),
    children: block.subarray(aligned(end)),
    size,
  }
}

function childrenOf({ children }: Block, budget: Budget): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at + 6 <= children.length; ) {
    budget.spend('entries', 1)
    // Some compilers fill blocks up with zeros.
    if (children.readUInt16LE(at) === 0) break
    const block = blockAt(children, at)
    blocks.push(block)
    at = aligned(at + block.size)
  }
  return blocks
}

function aligned(at: number): number {
  return Math.ceil(at / 4) * 4
}

function textOf(value: Buffer): string {
  return value.toString('utf16le').replace(/\0.*$/s, '')
}

function isFixed(value: Buffer): boolean {
  return value.length >= FIXED_SIZE && value.readUInt32LE(0) === FIXED_SIGNATURE
}

function fixedVersion(value: Buffer): string | undefined {
  if (!isFixed(value)) return undefined
  // The version of the product: two numbers of 32 bits, of which each has two.
  return [18, 16, 22, 20].map((at) => value.readUInt16LE(at)).join('.')
}
